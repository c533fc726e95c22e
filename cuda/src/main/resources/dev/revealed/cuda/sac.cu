// One update of Soft Actor-Critic as a row of kernels. Everything is single precision, except for sums over a batch.
// blockIdx.y is the run: runs share nothing, and what a run computes does not depend on how many there are. All sums are
// taken in a fixed order and nothing is atomic, so that the same seed gives the same bits.
//
// A network lies in memory as the CPU has it: for each of its three layers weights (one row per input), then biases. A
// run's networks follow each other: actor, critics, targets; the moments of Adam in the same places, without targets.

#include "products.cuh"

struct Sac {
    float *theta, *first, *second;  // networks, and Adam's moments
    float *replay;                  // rows of state, action, reward, live, next state
    float *work;                    // what the stages hand to each other
    float *scalars;                 // see the enumeration below
    double *sums;                   // updates, critic loss, actor loss, entropy, temperature, value
    long long *counts;              // updates made, rows in the replay, update that diverged, in what, updates due, expert's rows
    unsigned long long *seeds;
    int *given;                     // rows of the batch, where they are given rather than sampled
    float *staged;                  // rows on their way to the replay, run after run
    long long *stagedHead;          // for each run: number of the first such row, how many there are, updates due, expert's rows
    float *rewardTheta;             // reward networks, where rewards are not those of the replay
    float *settings;                // in which runs of one grid may differ, see the enumeration below
    float *paces;                   // factors of the learning rate, one for each observation of a run, in first layers
    long long replayStride, capacity;
    int thetaStride, workStride, criticStart, criticStride;
    int batch, observations, actions, width1, width2, critics;
    int rowPitch, statePitch, pairPitch, outPitch;
    int x, pairs, reward, live, noise, h1, h2, out, logp, spread, squashed;  // places in work
    int q1, q2, partial, slope, d2, d1, best, outSlope, e2, e1, lossRow, valueRow, actorRow;
    int rewardHidden, rewardPartial;
    int centres, sums1, shares2, slopeSums, norms;  // of critics that normalise, see secondSums
    int tuned, fromGiven, layerNorm, featureNorm;
    int rewardStride, rewardInputs, rewardWidth1, rewardWidth2, rewardActivation1, rewardActivation2;  // no inputs: none
    int rewardOutput, expertPaid;               // what becomes of the network's output; 1 for rows of the expert and 0 for others
    int inverseTerm, inverseTarget, inverseDrawn;  // of inverse soft Q-learning, see inverseSlopes; no term: none
    float discount, bound, targetEntropy, rewardClamp, rewardForEver, inverseSquares;
};

static_assert(sizeof(Sac) == 400, "the host writes it field by field");

enum { ALPHA, RATE, ROOT, LOG_ALPHA, LOG_FIRST, LOG_SECOND, ACTIVE, ACTOR_RATE, ACTOR_ROOT, LOG_RATE, ACTS, SCALARS = 12 };
// Share of itself that a target network gives up at an update, first temperature and its halvings per update, Adam's step
// sizes, share of their parameters that critics keep, weight of cloning, the expert's rows in a batch, which lie behind
// the rows of the run, updates of critics for each of the actor, and halvings of the actor's step size per update.
enum {
    PULL, TEMPERATURE, COOLING, LEARNING_RATE, ACTOR_LEARNING_RATE, CRITIC_KEEP, CLONING, EXPERT_ROWS, ACTOR_EVERY, ACTOR_COOLING,
    SETTINGS = 12
};
enum { SUMS = 8, COUNTS = 8, HEAD = 4, MOST_WIDTH = 512, MOST_ACTIONS = 64, MOST_CRITICS = 8 };
enum { UPDATES, ROWS, DIVERGED, DIVERGED_IN, DUE, EXPERT };

static __device__ __forceinline__ float *work(const Sac &s, int place) {
    return s.work + (long long)blockIdx.y * s.workStride + place;
}

static __device__ __forceinline__ float *theta(const Sac &s, int at) {
    return s.theta + (long long)blockIdx.y * s.thetaStride + at;
}

static __device__ __forceinline__ float *scalars(const Sac &s) { return s.scalars + blockIdx.y * SCALARS; }

static __device__ __forceinline__ const float *settings(const Sac &s) { return s.settings + blockIdx.y * SETTINGS; }

// Where the host allows it, the blocks of a stage come to the device before the stage before has ended. They wait for it
// here, and let those of the next stage come. Nothing that another stage writes may be read sooner.
static __device__ __forceinline__ void follow() {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" : : : "memory");
    asm volatile("griddepcontrol.launch_dependents;" : : : "memory");
#endif
}

// Whether the run takes part in this update. The first stage decides; runs that do not are left as they are.
static __device__ __forceinline__ bool active(const Sac &s) {
    follow();
    return scalars(s)[ACTIVE] != 0;
}

// Whether the run's actor learns in this update, too.
static __device__ __forceinline__ bool acting(const Sac &s) { return active(s) && scalars(s)[ACTS] != 0; }

// Where critic k begins; from k = critics on these are targets.
static __device__ __forceinline__ int criticAt(const Sac &s, int k) { return s.criticStart + k * s.criticStride; }

// Philox 4x32-10 (Salmon et al. 2011): four random words for a counter and a key.
static __device__ uint4 philox(u64 key, u64 update, u32 lane, u32 purpose) {
    u32 c0 = (u32)update, c1 = (u32)(update >> 32), c2 = lane, c3 = purpose;
    u32 k0 = (u32)key, k1 = (u32)(key >> 32);
    for (int round = 0; round < 10; round++) {
        u64 p0 = (u64)0xD2511F53u * c0;
        u64 p1 = (u64)0xCD9E8D57u * c2;
        c0 = (u32)(p1 >> 32) ^ c1 ^ k0;
        c1 = (u32)p1;
        c2 = (u32)(p0 >> 32) ^ c3 ^ k1;
        c3 = (u32)p0;
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return make_uint4(c0, c1, c2, c3);
}

// Rows that the host staged go to their places in the replay, and each run learns how many updates are due. Grid: (at least
// 1, runs).
extern "C" __global__ void append(const Sac s) {
    const long long *head = s.stagedHead + HEAD * blockIdx.y;
    int row = blockIdx.x;
    if (row < head[1]) {
        const float *from = s.staged + ((long long)row * gridDim.y + blockIdx.y) * s.rowPitch;
        float *to = s.replay + blockIdx.y * s.replayStride + (head[0] + row) % s.capacity * s.rowPitch;
        for (int i = threadIdx.x; i < s.rowPitch; i += blockDim.x) to[i] = from[i];
    }
    if (row == 0 && threadIdx.x == 0) {
        long long rows = head[0] + head[1];
        s.counts[COUNTS * blockIdx.y + ROWS] = rows < s.capacity ? rows : s.capacity;
        s.counts[COUNTS * blockIdx.y + DUE] = head[2];
        s.counts[COUNTS * blockIdx.y + EXPERT] = head[3];
    }
}

// Draws rows and noise, and works out the scalars of this update. Grid: (batch, runs).
extern "C" __global__ void __launch_bounds__(128) gather(const Sac s) {
    follow();
    int row = blockIdx.x, t = threadIdx.x, run = blockIdx.y;
    const long long *counts = s.counts + COUNTS * run;
    long long update = counts[UPDATES], rows = counts[ROWS];
    bool takesPart = counts[DUE] > 0 && rows > 0;
    if (row == 0 && t == 0) scalars(s)[ACTIVE] = takesPart ? 1 : 0;
    if (!takesPart) return;
    u64 seed = s.seeds[run];
    long long index;
    if (s.fromGiven) {
        index = s.given[run * s.batch + row];
    } else {
        uint4 word = philox(seed, update, row, 0xFFFFFFFFu);
        u64 uniform = ((u64)word.x << 32) | word.y;
        bool expert = row >= s.batch - (int)settings(s)[EXPERT_ROWS] && counts[EXPERT] > 0;
        index = (long long)__umul64hi(uniform, (u64)(expert ? counts[EXPERT] : rows)) + (expert ? s.capacity : 0);
    }
    const float *from = s.replay + run * s.replayStride + index * s.rowPitch;
    int o = s.observations, a = s.actions, n = s.batch;
    float *next = work(s, s.x) + row * s.statePitch, *state = next + n * s.statePitch;
    float *nextPair = work(s, s.pairs) + row * s.pairPitch;
    float *stored = nextPair + n * s.pairPitch, *current = stored + n * s.pairPitch;
    for (int i = t; i < o; i += 128) {
        float now = from[i], then = from[o + a + 2 + i];
        next[i] = then;
        nextPair[i] = then;
        state[i] = now;
        stored[i] = now;
        current[i] = now;
    }
    for (int i = t; i < a; i += 128) {
        stored[o + i] = from[o + i];
        nextPair[o + i] = 0;  // what a reward network sees there; the actions that are drawn come later
    }
    if (t == 0) {
        float reward = from[o + a], live = from[o + a + 1];
        bool expert = row >= n - (int)settings(s)[EXPERT_ROWS] && counts[EXPERT] > 0;
        if (s.expertPaid) reward = expert ? 1 + (1 - live) * s.rewardForEver : 0;
        work(s, s.reward)[row] = reward;
        work(s, s.live)[row] = live;
    }
    for (int i = t; i < a && !s.fromGiven; i += 128) {
        uint4 word = philox(seed, update, row, i);
        // In (0, 1], so that the logarithm is finite.
        float radius = sqrtf(-2 * logf((float)((word.x >> 8) + 1) * 0x1p-24f));
        float turns = 2 * (float)(word.y >> 8) * 0x1p-24f;
        work(s, s.noise)[row * a + i] = radius * cospif(turns);
        work(s, s.noise)[(n + row) * a + i] = radius * sinpif(turns);
    }
    if (row == 0 && t == 0) {
        float *scalar = scalars(s);
        double step = (double)(update + 1);
        const float *setting = settings(s);
        scalar[ALPHA] = s.tuned ? expf(scalar[LOG_ALPHA])
                                : setting[TEMPERATURE] * (float)exp2(-(double)update * setting[COOLING]);
        scalar[RATE] = (float)((double)setting[LEARNING_RATE] / (1 - pow(0.9, step)));
        scalar[ROOT] = (float)(1 / sqrt(1 - pow(0.999, step)));
        long long every = (long long)setting[ACTOR_EVERY];
        bool acts = (update + 1) % every == 0;
        double actorStep = acts ? (double)((update + 1) / every) : 1;
        scalar[ACTS] = acts ? 1 : 0;
        double actorRate = setting[ACTOR_LEARNING_RATE] * exp2(-(double)update * setting[ACTOR_COOLING]);
        scalar[ACTOR_RATE] = (float)(actorRate / (1 - pow(0.9, actorStep)));
        scalar[ACTOR_ROOT] = (float)(1 / sqrt(1 - pow(0.999, actorStep)));
        scalar[LOG_RATE] = (float)((double)setting[LEARNING_RATE] / (1 - pow(0.9, actorStep)));
    }
}

enum { LINEAR, RELU, TANH };

static __device__ __forceinline__ float activated(int activation, float v) {
    return activation == RELU ? relu(v) : activation == TANH ? tanhf(v) : v;
}

// Actor on both states; critics on what is stored, and targets on next states; critics on new actions; critics, and targets
// where they are asked for, on all three, which then are one batch three times as large.
enum { ACTOR, LEARNING, ACTING, INVERSE };

static __device__ __forceinline__ bool takesPart(const Sac &s, int pass) {
    return pass == ACTING ? acting(s) : active(s);
}

// Which of the three, next states first, a critic or target looks at; from the first on where it looks at all.
static __device__ __forceinline__ int slotOf(const Sac &s, int pass, int net) {
    return pass == ACTING ? 2 : pass == LEARNING && net < s.critics ? 1 : 0;
}

static __device__ __forceinline__ int networksIn(const Sac &s, int pass) {
    return pass == LEARNING || (pass == INVERSE && s.inverseTarget) ? 2 * s.critics : s.critics;
}

// Rows that the reward network sees: those of the batch, and before them the next states where their worth goes on after an
// end.
static __device__ __forceinline__ int rewardRows(const Sac &s) { return s.rewardForEver > 0 ? 2 * s.batch : s.batch; }

// A hidden layer (1 or 2) of one or many networks. The second one of a critic also gives its share of the value: for each
// row and each 8 numbers of the layer their product with the weights of the last layer. The reward network runs together with the
// actor, in blocks after it, and gives its values in the same way. Grid: (tiles, runs).
template <int T>
static __device__ __forceinline__ void forwardLayer(const Sac &s, int pass, int layer) {
    bool on = takesPart(s, pass);
    int wide1 = s.width1, wide2 = s.width2;
    int rows = pass == ACTOR ? 2 * s.batch : s.batch;
    int out = layer == 1 ? wide1 : wide2;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    int in, inPitch, start, activation = RELU;
    const float *input, *parameters = theta(s, 0);
    float *output, *partial = nullptr;
    if (pass == ACTOR && net > 0) {
        tile = blockIdx.x - tiles;
        rows = rewardRows(s);
        out = layer == 1 ? s.rewardWidth1 : s.rewardWidth2;
        across = ceilDiv(out, T);
        in = layer == 1 ? s.rewardInputs : s.rewardWidth1;
        inPitch = layer == 1 ? s.pairPitch : s.rewardWidth1;
        input = layer == 1 ? work(s, s.pairs) + (2 * s.batch - rows) * s.pairPitch : work(s, s.rewardHidden);
        output = layer == 1 ? work(s, s.rewardHidden) : nullptr;
        parameters = s.rewardTheta + (long long)blockIdx.y * s.rewardStride;
        start = layer == 1 ? 0 : (s.rewardInputs + 1) * s.rewardWidth1;
        activation = layer == 1 ? s.rewardActivation1 : s.rewardActivation2;
        if (layer == 2) partial = work(s, s.rewardPartial);
    } else if (pass == ACTOR) {
        in = layer == 1 ? s.observations : wide1;
        inPitch = layer == 1 ? s.statePitch : wide1;
        input = layer == 1 ? work(s, s.x) : work(s, s.h1);
        output = layer == 1 ? work(s, s.h1) : work(s, s.h2);
        start = layer == 1 ? 0 : (s.observations + 1) * wide1;
    } else {
        int slot = slotOf(s, pass, net);
        int wide = s.observations + s.actions;
        in = layer == 1 ? wide : wide1;
        inPitch = layer == 1 ? s.pairPitch : wide1;
        input = layer == 1 ? work(s, s.pairs) + slot * s.batch * s.pairPitch : work(s, s.q1) + net * s.batch * wide1;
        output = layer == 1 ? work(s, s.q1) + net * s.batch * wide1 : work(s, s.q2) + net * s.batch * wide2;
        start = criticAt(s, net) + (layer == 1 ? 0 : (wide + 1) * wide1);
        if (layer == 2) partial = work(s, s.partial) + net * ceilDiv(wide2, 8) * rows;
        if (layer == 2 && net >= s.critics) output = nullptr;  // only values are wanted of targets
    }
    const float *weights = parameters + start, *biases = weights + in * out, *last = biases + out;
    int m0 = tile / across * T, n0 = tile % across * T;
    // What the actor does at the batch's states is asked for only where it learns.
    if (pass == ACTOR && net == 0 && m0 >= s.batch) on = on && scalars(s)[ACTS] != 0;
    constexpr int SIDE = Sums<T>::SIDE;
    float2 bias[SIDE], share[SIDE];
    product<T, true, false, PLAIN>(
        input, inPitch, m0, rows, weights, out, n0, out, in, nullptr, {},
        [&]() {
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
                int n = n0 + Sums<T>::column(j);
                bias[j] = n < out ? pairAt(biases + n) : make_float2(0, 0);
                share[j] = n < out && partial ? pairAt(last + n) : make_float2(0, 0);
            }
            return on;
        },
        [&](int pair, int m, int n, float x, float y) {
            bool inside = m < rows && n < out;
            x = activated(activation, x + bias[pair % SIDE].x);
            y = activated(activation, y + bias[pair % SIDE].y);
            if (inside && output) *(float2 *)(output + m * out + n) = make_float2(x, y);
            if (partial) {
                float sum = inside ? x * share[pair % SIDE].x + y * share[pair % SIDE].y : 0;
                sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 1);
                sum += __shfl_xor_sync(0xFFFFFFFFu, sum, 2);
                if (inside && n % 8 == 0) partial[n / 8 * rows + m] = sum;
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) forward32(const Sac s, int pass, int layer) {
    forwardLayer<32>(s, pass, layer);
}

extern "C" __global__ void __launch_bounds__(256, 2) forward64(const Sac s, int pass, int layer) {
    forwardLayer<64>(s, pass, layer);
}

// The actor's last layer and the actions drawn from it, four rows at a time. Grid: (2 batch / 4, runs).
extern "C" __global__ void __launch_bounds__(256) drawActions(const Sac s) {
    __shared__ __align__(16) float hidden[4][MOST_WIDTH];
    __shared__ float partial[4][256];
    __shared__ float outs[4][2 * MOST_ACTIONS];
    __shared__ float terms[4][MOST_ACTIONS];
    bool on = active(s);
    int t = threadIdx.x, a = s.actions, o = s.observations, n = s.batch, wide = s.width2, m = 2 * a;
    int row0 = blockIdx.x * 4, mine = row0 + t / a;  // for drawing: a thread for each number of an action
    const float *h2 = work(s, s.h2);
    const float *weights = theta(s, (o + 1) * s.width1 + (s.width1 + 1) * wide), *biases = weights + wide * m;
    int groups = 256 / m, j = t % m, first = t / m;
    // What does not wait for the hidden layer is asked for before it is.
    constexpr int EARLY = 8;
    float early[EARLY];
#pragma unroll
    for (int i = 0; i < EARLY; i++) {
        int k = first + i * groups;
        early[i] = first < groups && k < wide ? weights[k * m + j] : 0;
    }
    float z = t < 4 * a && mine < 2 * n ? work(s, s.noise)[mine * a + t % a] : 0;
    for (int i = t * 4; i < 4 * wide; i += 1024) {
        int r = i / wide, k = i % wide;
        *(float4 *)(hidden[r] + k) =
            row0 + r < 2 * n ? *(const float4 *)(h2 + (row0 + r) * wide + k) : make_float4(0, 0, 0, 0);
    }
    if (!on || (row0 >= n && scalars(s)[ACTS] == 0)) return;
    __syncthreads();
    if (first < groups) {
        float sum[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < EARLY; i++) {
            int k = first + i * groups;
            for (int r = 0; r < 4 && k < wide; r++) sum[r] += hidden[r][k] * early[i];
        }
#pragma unroll 8
        for (int k = first + EARLY * groups; k < wide; k += groups) {
            float w = weights[k * m + j];
            for (int r = 0; r < 4; r++) sum[r] += hidden[r][k] * w;
        }
        for (int r = 0; r < 4; r++) partial[r][t] = sum[r];
    }
    __syncthreads();
    for (int i = t; i < 4 * m; i += 256) {
        int r = i / m, c = i % m;
        float sum = 0;
        for (int g = 0; g < groups; g++) sum += partial[r][g * m + c];
        sum += biases[c];
        outs[r][c] = sum;
        if (row0 + r < 2 * n) work(s, s.out)[(row0 + r) * m + c] = sum;
    }
    __syncthreads();
    if (t < 4 * a && mine < 2 * n) {
        int r = t / a, c = t % a;
        float logStd = fminf(fmaxf(outs[r][a + c], -20.0f), 2.0f);
        float away = expf(logStd) * z;
        float u = outs[r][c] + away;
        float e = expf(-2 * fabsf(u));
        float squashed = copysignf((1 - e) / (1 + e), u);
        terms[r][c] = -0.5f * z * z - logStd - 0.91893853320467274f
            + 2 * (fabsf(u) + log1pf(e) - 0.69314718055994531f);
        int slot = mine < n ? 0 : 2;
        work(s, s.pairs)[(slot * n + mine % n) * s.pairPitch + o + c] = s.bound * squashed;
        if (mine >= n) {
            work(s, s.spread)[(mine - n) * a + c] = away;
            work(s, s.squashed)[(mine - n) * a + c] = squashed;
        }
    }
    __syncthreads();
    if (t < 4 && row0 + t < 2 * n) {
        float sum = 0;
        for (int c = 0; c < a; c++) sum += terms[t][c];
        work(s, s.logp)[row0 + t] = sum;
    }
}

// A value from its shares: that of a row by a network with `stride` rows and `wide` numbers in its last hidden layer.
static __device__ __forceinline__ float total(const float *partial, int stride, int wide, float bias) {
    float sum = 0;
    int chunks = ceilDiv(wide, 8);
#pragma unroll 32
    for (int c = 0; c < chunks; c++) sum += partial[c * stride];
    return sum + bias;
}

enum { PLAIN_OUTPUT, SOFTPLUS, LOG_SIGMOID };

static __device__ __forceinline__ float softplus(float v) { return fmaxf(v, 0) + log1pf(expf(-fabsf(v))); }

// The reward network's last bias, behind which stands what a unit of uncertainty costs.
static __device__ __forceinline__ const float *rewardBias(const Sac &s) {
    int wide1 = s.rewardWidth1, wide2 = s.rewardWidth2;
    return s.rewardTheta + (long long)blockIdx.y * s.rewardStride + (s.rewardInputs + 1) * wide1 + (wide1 + 2) * wide2;
}

// What a unit of uncertainty costs, which stands where others have a reward; 0 where what stands there is not to be read.
static __device__ __forceinline__ float penaltyOf(const Sac &s) { return s.rewardInputs ? rewardBias(s)[1] : 0; }

// What the reward network says of one of its rows.
static __device__ __forceinline__ float rewardAt(const Sac &s, int row) {
    float v = total(work(s, s.rewardPartial) + row, rewardRows(s), s.rewardWidth2, *rewardBias(s));
    v = v > s.rewardClamp ? s.rewardClamp : v < -s.rewardClamp ? -s.rewardClamp : v;  // NaN stays what it is
    return s.rewardOutput == PLAIN_OUTPUT ? v : s.rewardOutput == SOFTPLUS ? softplus(v) : -softplus(-v);
}

// The reward of a row of the batch; the last one of a terminated episode includes the reward after it.
static __device__ __forceinline__ float rewardOf(const Sac &s, int row, float live) {
    float v = rewardAt(s, rewardRows(s) - s.batch + row);
    return s.rewardForEver > 0 && live == 0 ? v + s.rewardForEver * rewardAt(s, row) : v;
}

// Critics that normalise. With y = x W + b for the sums of a layer, c = y less its mean over the layer and d its deviation,
// layer norm gives relu(c) / d. Dividing by d comes last: in the product of the next layer, row by row, and in the value.
// - The first layer leaves y, and for each row and every 8 columns their sum and their squares about their mean.
// - The second layer subtracts from weights and biases their mean over outputs (`centres`), so that its sums are c. For
//   each row and every 8 columns it gives, besides their share of the value, the sum of the last weights where c is
//   positive, the squares of c (of relu(c), where features are to have length 1) and the sum of relu(c).
// - Features of length 1 are relu(c) divided by its length; without layer norm c is y.
// Slopes of c, for the slope g of a value v without its bias, with last weights w and inverse = 1 / d or 1 / length:
//   g inverse ((c > 0 ? w : 0) - lift - c (c > 0 ? curve : bend)),
// where lift is the mean of the rest with layer norm, and curve and bend take out what would change the deviation or length.
struct Norm {
    float inverse, lift, curve, bend;
};

enum { INVERSE2, LIFT, CURVE, BEND, SLOPE2, MEAN1, INVERSE1, NORMS = 8 };  // for each row of each critic

// The sum of the shares of a row, of which every 8 numbers of a layer gave one.
static __device__ __forceinline__ float sumOf(const float *share, int stride, int wide) {
    return total(share, stride, wide, 0);
}

// How critic k normalises a row's second layer; `value` is the value without its bias. Targets give no slopes.
static __device__ __forceinline__ Norm normAt(const Sac &s, int k, int row, bool slopes, float &value) {
    int n = s.batch, wide = s.width2, shares = ceilDiv(wide, 8) * n;
    const float *more = work(s, s.shares2) + k * 3 * shares + row;
    float squares = sumOf(more + shares, n, wide);
    float inverse = 1 / (s.featureNorm ? sqrtf(squares + 1e-12f) : sqrtf(squares / wide + 1e-5f));
    value = sumOf(work(s, s.partial) + k * shares + row, n, wide) * inverse;
    Norm norm = {inverse, 0, 0, 0};
    if (slopes) {
        float along = value * inverse;
        if (s.layerNorm) norm.lift = sumOf(more, n, wide) / wide;
        if (s.layerNorm && s.featureNorm) norm.lift -= along * sumOf(more + 2 * shares, n, wide) / wide;
        norm.curve = s.featureNorm ? along : along / wide;
        norm.bend = s.featureNorm ? 0 : along / wide;
    }
    return norm;
}

// Slopes of the loss of inverse soft Q-learning by the values of critics. A row's reward is r = q - discount v', where q is
// the value of its action, v' the value of its next state, v that of the state: of actions drawn there, the smallest critic
// counting, with their entropy. v' is of targets where inverseTarget says so, and no slope goes through it then. The loss is
// the mean of -r over the expert's rows, plus its second term, (1 - discount) v at the expert's states (inverseTerm 1) or
// v - discount v' over all rows (2), plus inverseSquares times the mean of r^2 over all rows; with inverseDrawn the agent's
// are there those of the actions drawn. For a batch of all three kinds of pairs, of which each row has one thread. Grid:
// (rows / 128, runs).
extern "C" __global__ void __launch_bounds__(128) inverseSlopes(const Sac s) {
    bool on = active(s);
    int rows = s.batch, n = rows / 3, critics = s.critics, row = blockIdx.x * 128 + threadIdx.x;
    if (!on || row >= n) return;
    int wide = s.width2, stored = n + row, drawn = 2 * n + row;
    int bias = (s.observations + s.actions + 1) * s.width1 + (s.width1 + 2) * wide;
    auto value = [&](int k, int at) {
        float last = *theta(s, criticAt(s, k) + bias), v;
        if (!s.layerNorm && !s.featureNorm) return total(work(s, s.partial) + k * ceilDiv(wide, 8) * rows + at, rows, wide, last);
        normAt(s, k, at, false, v);
        return v + last;
    };
    int here = 0, there = 0;
    float valueHere = value(0, drawn), valueThere = value(0, row);
    for (int k = 1; k < critics; k++) {
        float other = value(k, drawn), ahead = value(k, row);
        here = other < valueHere ? k : here;
        valueHere = here == k ? other : valueHere;
        there = ahead < valueThere ? k : there;
        valueThere = there == k ? ahead : valueThere;
    }
    if (s.inverseTarget) {
        valueThere = value(critics, row);
        for (int k = 1; k < critics; k++) {
            float other = value(critics + k, row);
            valueThere = other < valueThere || other != other ? other : valueThere;
        }
    }
    int expertRows = (int)settings(s)[EXPERT_ROWS];
    bool expert = row >= n - expertRows;
    double alpha = scalars(s)[ALPHA], ofExpert = expert ? 1.0 / expertRows : 0, square = (double)s.inverseSquares / n;
    double ahead = (double)s.discount * work(s, s.live)[row], vAhead = valueThere - alpha * work(s, s.logp)[row];
    double most = s.rewardClamp;  // no network pays here, so its clamp is the limit of values; none where it is 0
    bool cut = most > 0 && (vAhead > most || vAhead < -most);
    if (cut) vAhead = vAhead > 0 ? most : -most;
    double end = expert ? s.rewardForEver : -s.rewardForEver;  // likewise: what a state after termination is worth
    double next = ahead > 0 ? ahead * vAhead : (double)s.discount * end;
    double v = valueHere - alpha * work(s, s.logp)[n + row];
    double slopeHere = s.inverseTerm == 1 ? (1 - (double)s.discount) * ofExpert : 1.0 / n;
    double slopeAhead = s.inverseTerm == 1 ? 0 : -ahead / n;
    double loss = slopeHere * v - (s.inverseTerm == 1 ? 0 : next / n);
    bool byDrawn = s.inverseDrawn && !expert;
    if (byDrawn) {
        double reward = valueHere - next, slope = 2 * square * reward;
        loss += square * reward * reward;
        slopeHere += slope;
        slopeAhead -= ahead * slope;
    }
    float *slopes = work(s, s.slope);
    for (int k = 0; k < critics; k++) {
        float q = value(k, stored);
        double reward = q - next, slope = byDrawn ? 0 : (2 * square * reward - ofExpert) / critics;
        if (!byDrawn) loss += (square * reward - ofExpert) * reward / critics;
        slopeAhead -= ahead * slope;
        slopes[(k * rows + stored) * 4] = (float)slope;
        if (k == 0) work(s, s.valueRow)[row] = q;
    }
    for (int k = 0; k < critics; k++) {
        slopes[(k * rows + row) * 4] = k == there && !s.inverseTarget && !cut ? (float)slopeAhead : 0;
        slopes[(k * rows + drawn) * 4] = k == here ? (float)slopeHere : 0;
    }
    work(s, s.lossRow)[row] = (float)(loss * n);
}

// Slopes of the values of T rows by critic `net`: of the squared Bellman error while learning, of the smallest value while
// acting, those of inverseSlopes after it. One block of all those that need them keeps what comes of each row. Where critics normalise, norms gets how
// `net` does, for each row.
template <int T, bool NORMED>
static __device__ __forceinline__ void valueSlopes(
    const Sac &s, int pass, int net, int row0, bool keeps, float (*values)[T], float *slopes, float (*norms)[T]) {
    int t = threadIdx.x, n = s.batch, wide = s.width2, critics = s.critics;
    int nets = pass == LEARNING ? 2 * critics : critics, row = row0 + t;
    bool mine = t < T && row < n;
    if (pass == INVERSE) {
        if (mine) slopes[t] = work(s, s.slope)[(net * n + row) * 4];
        if (mine && NORMED) {
            float value;
            Norm norm = normAt(s, net, row, true, value);
            norms[INVERSE2][t] = norm.inverse;
            norms[LIFT][t] = norm.lift;
            norms[CURVE][t] = norm.curve;
            norms[BEND][t] = norm.bend;
        }
        __syncthreads();
        return;
    }
    int bias = (s.observations + s.actions + 1) * s.width1 + (s.width1 + 2) * wide;
    double alpha = scalars(s)[ALPHA], each = 2.0 / n;
    float density = mine ? work(s, s.logp)[pass == LEARNING ? row : n + row] : 0;
    float reward = mine ? work(s, s.reward)[row] : 0, live = mine ? work(s, s.live)[row] : 0;
    float penalty = pass == LEARNING ? penaltyOf(s) : 0, stored = reward;
    if (mine && s.rewardInputs && pass == LEARNING) reward = rewardOf(s, row, live);
    if (mine && penalty > 0) reward -= penalty * stored;
    for (int i = t; i < nets * T; i += 256) {
        int k = i / T, at = row0 + i % T;
        if (at < n) {
            float last = *theta(s, criticAt(s, k) + bias);
            if (NORMED) {
                float value;
                Norm norm = normAt(s, k, at, k == net, value);
                values[k][i % T] = value + last;
                if (k == net) {
                    norms[INVERSE2][i % T] = norm.inverse;
                    norms[LIFT][i % T] = norm.lift;
                    norms[CURVE][i % T] = norm.curve;
                    norms[BEND][i % T] = norm.bend;
                }
            } else {
                values[k][i % T] = total(work(s, s.partial) + k * ceilDiv(wide, 8) * n + at, n, wide, last);
            }
        }
    }
    __syncthreads();
    if (mine) {
        float first = values[0][t];
        if (pass == LEARNING) {
            float least = values[critics][t];
            for (int k = 1; k < critics; k++) {
                float other = values[critics + k][t];
                least = other < least || other != other ? other : least;
            }
            double target = reward + (double)s.discount * live * (least - alpha * density);
            slopes[t] = (float)((values[net][t] - target) * each);
            if (keeps) {
                double loss = 0;
                for (int k = 0; k < critics; k++) {
                    double error = values[k][t] - target;
                    loss += error * error;
                    work(s, s.slope)[(k * n + row) * 4] = (float)(error * each);
                }
                work(s, s.lossRow)[row] = (float)loss;
                work(s, s.valueRow)[row] = first;
                if (!(penalty > 0)) work(s, s.reward)[row] = reward;  // others still read what was stored
            }
        } else {
            int best = 0;
            for (int k = 1; k < critics; k++) best = values[k][t] < values[best][t] ? k : best;
            slopes[t] = net == best ? 1 : 0;
            if (keeps) {
                work(s, s.best)[row] = (float)best;
                work(s, s.actorRow)[row] = (float)(alpha * density - values[best][t]);
            }
        }
    }
    __syncthreads();
}

// From the values of critics to the slopes of their first hidden layers, and while learning of the second ones: those are
// the row's slope times the last layer's weight, where the layer is positive. Grid: (tiles, runs).
template <int T>
static __device__ __forceinline__ void backwardCritics(const Sac &s, int pass) {
    __shared__ __align__(16) float last[MOST_WIDTH];
    __shared__ float values[2 * MOST_CRITICS][T];
    __shared__ float slopes[T];
    bool on = takesPart(s, pass);
    int rows = s.batch, out = s.width1, depth = s.width2;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    int m0 = tile / across * T, n0 = tile % across * T;
    const float *second = work(s, s.q2) + net * rows * depth, *hidden = work(s, s.q1) + net * rows * out;
    const float *weights = theta(s, criticAt(s, net) + (s.observations + s.actions + 1) * out);
    const float *lastWeights = weights + (out + 1) * depth;
    float *secondSlopes = work(s, s.d2) + net * rows * depth, *into = work(s, s.d1) + net * rows * out;
    product<T, true, true, MASKED>(
        second, depth, m0, rows, weights, depth, n0, out, depth, last, {},
        [&]() {
            int t = threadIdx.x;
            for (int i = t; i < MOST_WIDTH; i += 256) last[i] = i < depth ? lastWeights[i] : 0;
            if (!on) return false;
            valueSlopes<T, false>(s, pass, net, m0, net == 0 && n0 == 0, values, slopes, nullptr);
            // The tiles of a row share the columns of the second layer among them.
            for (int column = n0; column < depth && pass != ACTING; column += across * T) {
#pragma unroll
                for (int i = t; i < T * T / 4; i += 256) {
                    int r = i / (T / 4), c = column + i % (T / 4) * 4;
                    if (m0 + r < rows && c < depth) {
                        float4 h = *(const float4 *)(second + (m0 + r) * depth + c), w = *(const float4 *)(last + c);
                        float slope = slopes[r];
                        *(float4 *)(secondSlopes + (m0 + r) * depth + c) = make_float4(
                            h.x > 0 ? slope * w.x : 0, h.y > 0 ? slope * w.y : 0, h.z > 0 ? slope * w.z : 0,
                            h.w > 0 ? slope * w.w : 0);
                    }
                }
            }
            return true;
        },
        [&](int pair, int m, int n, float x, float y) {
            if (m < rows && n < out) {
                float2 h = pairAt(hidden + m * out + n);
                float slope = slopes[m - m0];
                *(float2 *)(into + m * out + n) = make_float2(h.x > 0 ? slope * x : 0, h.y > 0 ? slope * y : 0);
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) backwardCritics32(const Sac s, int pass) {
    backwardCritics<32>(s, pass);
}

extern "C" __global__ void __launch_bounds__(256, 2) backwardCritics64(const Sac s, int pass) {
    backwardCritics<64>(s, pass);
}

// The mean over outputs of each row of the second layer's weights, 32 rows to a block, and of the biases, the row after them.
static __device__ __forceinline__ void centreWeights(const Sac &s, int block) {
    int blocks = ceilDiv(s.width1 + 1, 32), net = block / blocks, lane = threadIdx.x % 32;
    const float *weights = theta(s, criticAt(s, net) + (s.observations + s.actions + 1) * s.width1);
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int row = block % blocks * 32 + threadIdx.x / 32 * 4 + i;
        float sum = 0;
        for (int j = lane * 4; j < s.width2 && row <= s.width1; j += 128) {
            float4 w = *(const float4 *)(weights + row * s.width2 + j);
            sum += w.x + w.y + w.z + w.w;
        }
        for (int far = 16; far > 0; far /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, far);
        if (lane == 0 && row <= s.width1) work(s, s.centres)[net * (s.width1 + 4) + row] = sum / s.width2;
    }
}

static __device__ __forceinline__ float sumOf4(float v) {
    v += __shfl_xor_sync(0xFFFFFFFFu, v, 1);
    return v + __shfl_xor_sync(0xFFFFFFFFu, v, 2);
}

// Sums of the first layer of critics that normalise; in blocks after them, means of the second layer's weights. Grid:
// (tiles and 32 rows of weights each, runs).
template <int T>
static __device__ __forceinline__ void firstSums(const Sac &s, int pass) {
    bool on = takesPart(s, pass);
    int rows = s.batch, in = s.observations + s.actions, out = s.width1;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int nets = networksIn(s, pass);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    if (net >= nets) {
        if (on) centreWeights(s, blockIdx.x - nets * tiles);
        return;
    }
    int slot = slotOf(s, pass, net);
    const float *input = work(s, s.pairs) + slot * rows * s.pairPitch, *weights = theta(s, criticAt(s, net));
    const float *biases = weights + in * out;
    float *output = work(s, s.q1) + net * rows * out, *sums = work(s, s.sums1) + net * 2 * ceilDiv(out, 8) * rows;
    int m0 = tile / across * T, n0 = tile % across * T;
    constexpr int SIDE = Sums<T>::SIDE;
    float2 bias[SIDE];
    product<T, true, false, PLAIN>(
        input, s.pairPitch, m0, rows, weights, out, n0, out, in, nullptr, {},
        [&]() {
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
                int n = n0 + Sums<T>::column(j);
                bias[j] = n < out ? pairAt(biases + n) : make_float2(0, 0);
            }
            return on;
        },
        [&](int pair, int m, int n, float x, float y) {
            bool inside = m < rows && n < out;
            x += bias[pair % SIDE].x;
            y += bias[pair % SIDE].y;
            if (inside) *(float2 *)(output + m * out + n) = make_float2(x, y);
            float sum = sumOf4(inside ? x + y : 0);
            float mean = sum / (out - n / 8 * 8 < 8 ? 4 : 8);
            float squares = sumOf4(inside ? (x - mean) * (x - mean) + (y - mean) * (y - mean) : 0);
            if (inside && n % 8 == 0) {
                sums[n / 4 * rows + m] = sum;
                sums[(n / 4 + 1) * rows + m] = squares;
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) firstSums32(const Sac s, int pass) { firstSums<32>(s, pass); }

extern "C" __global__ void __launch_bounds__(256, 2) firstSums64(const Sac s, int pass) { firstSums<64>(s, pass); }

// Mean and inverse deviation of T rows of the first layer; 0 and 1 without layer norm. Four threads share a row, whatever T
// is; `part` is shared memory for their parts. For all threads of a block.
template <int T>
static __device__ __forceinline__ void firstNorms(
    const Sac &s, int net, int m0, float (*part)[T], float *means, float *inverses) {
    int t = threadIdx.x, r = t % T, share = t / T, n = s.batch, wide = s.width1, groups = ceilDiv(wide, 8);
    bool mine = share < 4 && m0 + r < n && s.layerNorm;
    const float *sums = work(s, s.sums1) + net * 2 * groups * n + m0 + r;
    float sum = 0;
    if (mine) {
#pragma unroll 8
        for (int g = share; g < groups; g += 4) sum += sums[2 * g * n];
    }
    if (share < 4) part[share][r] = sum;
    __syncthreads();
    float mean = (part[0][r] + part[1][r] + part[2][r] + part[3][r]) / wide, squares = 0;
    __syncthreads();
    if (mine) {
#pragma unroll 8
        for (int g = share; g < groups; g += 4) {
            int count = wide - g * 8 < 8 ? 4 : 8;
            float away = sums[2 * g * n] / count - mean;
            squares += sums[(2 * g + 1) * n] + count * away * away;
        }
    }
    if (share < 4) part[share][r] = squares;
    __syncthreads();
    if (t < T) {
        float all = part[0][r] + part[1][r] + part[2][r] + part[3][r];
        means[t] = mine ? mean : 0;
        inverses[t] = mine ? 1 / sqrtf(all / wide + 1e-5f) : 1;
    }
    __syncthreads();
}

// Sums of the second layer of critics that normalise, less their mean over the layer, with what values and slopes need of
// them. Grid: (tiles, runs).
template <int T>
static __device__ __forceinline__ void secondSums(const Sac &s, int pass) {
    __shared__ float centres[MOST_WIDTH];
    __shared__ float part[4][T];
    __shared__ float means[T];
    __shared__ float inverses[T];
    bool on = takesPart(s, pass);
    int rows = s.batch, in = s.width1, out = s.width2, shares = ceilDiv(out, 8) * rows;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    bool target = net >= s.critics;  // only values are wanted of them
    const float *weights = theta(s, criticAt(s, net) + (s.observations + s.actions + 1) * in);
    const float *biases = weights + in * out, *last = biases + out, *centre = work(s, s.centres) + net * (in + 4);
    float *output = work(s, s.q2) + net * rows * out;
    float *partial = work(s, s.partial) + net * shares, *more = work(s, s.shares2) + net * 3 * shares;
    int m0 = tile / across * T, n0 = tile % across * T;
    constexpr int SIDE = Sums<T>::SIDE;
    float2 bias[SIDE], share[SIDE];
    product<T, true, false, CENTRED>(
        work(s, s.q1) + net * rows * in, in, m0, rows, weights, out, n0, out, in, centres, {means, nullptr, nullptr},
        [&]() {
            float common = s.layerNorm ? centre[in] : 0;
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
                int n = n0 + Sums<T>::column(j);
                bias[j] = n < out ? pairAt(biases + n) : make_float2(0, 0);
                share[j] = n < out ? pairAt(last + n) : make_float2(0, 0);
                bias[j].x -= common;
                bias[j].y -= common;
            }
            for (int i = threadIdx.x; i < MOST_WIDTH; i += 256) centres[i] = i < in && s.layerNorm ? centre[i] : 0;
            if (!on) return false;
            firstNorms<T>(s, net, m0, part, means, inverses);
            return true;
        },
        [&](int pair, int m, int n, float x, float y) {
            bool inside = m < rows && n < out;
            float inverse = inverses[m - m0];
            x = x * inverse + bias[pair % SIDE].x;
            y = y * inverse + bias[pair % SIDE].y;
            float2 w = share[pair % SIDE];
            float hx = relu(x), hy = relu(y);
            float value = sumOf4(inside ? hx * w.x + hy * w.y : 0);
            float squares = sumOf4(!inside ? 0 : s.featureNorm ? hx * hx + hy * hy : x * x + y * y);
            bool gives = inside && n % 8 == 0;
            if (gives) partial[n / 8 * rows + m] = value;
            if (gives) more[shares + n / 8 * rows + m] = squares;
            if (!target) {
                if (inside) *(float2 *)(output + m * out + n) = make_float2(x, y);
                float chosen = sumOf4(inside ? (x > 0 ? w.x : 0) + (y > 0 ? w.y : 0) : 0);
                float positive = sumOf4(inside ? hx + hy : 0);
                if (gives) more[n / 8 * rows + m] = chosen;
                if (gives) more[2 * shares + n / 8 * rows + m] = positive;
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) secondSums32(const Sac s, int pass) { secondSums<32>(s, pass); }

extern "C" __global__ void __launch_bounds__(256, 2) secondSums64(const Sac s, int pass) { secondSums<64>(s, pass); }

// As backwardCritics, for critics that normalise. What it leaves in the first layer's place are slopes of normalised numbers,
// and for each row and every 8 columns their sum, and that of their products with the numbers about the row's mean. Grid:
// (tiles, runs).
template <int T>
static __device__ __forceinline__ void backwardNormed(const Sac &s, int pass) {
    __shared__ __align__(16) float last[MOST_WIDTH];
    __shared__ float values[2 * MOST_CRITICS][T];
    __shared__ float slopes[T];
    __shared__ float norms[4][T];
    __shared__ float means[T];
    __shared__ float inverses[T];
    bool on = takesPart(s, pass);
    int rows = s.batch, out = s.width1, depth = s.width2;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    int m0 = tile / across * T, n0 = tile % across * T;
    const float *hidden = work(s, s.q1) + net * rows * out;
    const float *weights = theta(s, criticAt(s, net) + (s.observations + s.actions + 1) * out);
    const float *lastWeights = weights + (out + 1) * depth;
    float *into = work(s, s.d1) + net * rows * out;
    float *sums = work(s, s.slopeSums) + net * 2 * ceilDiv(out, 8) * rows;
    product<T, true, true, BENT>(
        work(s, s.q2) + net * rows * depth, depth, m0, rows, weights, depth, n0, out, depth, last,
        {norms[LIFT], norms[CURVE], norms[BEND]},
        [&]() {
            int t = threadIdx.x, row = m0 + t;
            for (int i = t; i < MOST_WIDTH; i += 256) last[i] = i < depth ? lastWeights[i] : 0;
            if (!on) return false;
            valueSlopes<T, true>(s, pass, net, m0, net == 0 && n0 == 0, values, slopes, norms);
            firstNorms<T>(s, net, m0, values, means, inverses);  // values have served
            if (t < T) {
                bool mine = row < rows;
                float *to = work(s, s.norms) + (net * rows + row) * NORMS;
                for (int i = INVERSE2; i <= BEND; i++) {
                    norms[i][t] = mine ? norms[i][t] : 0;
                    if (mine && n0 == 0) to[i] = norms[i][t];
                }
                slopes[t] = mine ? slopes[t] * norms[INVERSE2][t] : 0;
                if (mine && n0 == 0) {
                    to[SLOPE2] = slopes[t];
                    to[MEAN1] = means[t];
                    to[INVERSE1] = inverses[t];
                }
            }
            __syncthreads();
            return true;
        },
        [&](int pair, int m, int n, float x, float y) {
            bool inside = m < rows && n < out;
            float2 c = inside ? pairAt(hidden + m * out + n) : make_float2(0, 0);
            float slope = slopes[m - m0], mean = means[m - m0];
            c.x -= mean;
            c.y -= mean;
            x = inside && c.x > 0 ? slope * x : 0;
            y = inside && c.y > 0 ? slope * y : 0;
            if (inside) *(float2 *)(into + m * out + n) = make_float2(x, y);
            float sum = sumOf4(x + y), along = sumOf4(x * c.x + y * c.y);
            if (inside && n % 8 == 0) {
                sums[n / 4 * rows + m] = sum;
                sums[(n / 4 + 1) * rows + m] = along;
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) backwardNormed32(const Sac s, int pass) {
    backwardNormed<32>(s, pass);
}

extern "C" __global__ void __launch_bounds__(256, 2) backwardNormed64(const Sac s, int pass) {
    backwardNormed<64>(s, pass);
}

// What turns slopes of a row's normalised first layer into those of its sums y: inverse (slope - lift - (y - mean) bend).
struct FirstSlopes {
    float mean, inverse, lift, bend;

    __device__ __forceinline__ float of(float slope, float y) const { return inverse * (slope - lift - (y - mean) * bend); }

    __device__ __forceinline__ float4 of(float4 slope, float4 y) const {
        return make_float4(of(slope.x, y.x), of(slope.y, y.y), of(slope.z, y.z), of(slope.w, y.w));
    }
};

// For all lanes of a warp together.
static __device__ __forceinline__ FirstSlopes firstSlopes(const Sac &s, int net, int row) {
    if (!s.layerNorm) return {0, 1, 0, 0};
    int n = s.batch, groups = ceilDiv(s.width1, 8);
    const float *norm = work(s, s.norms) + (net * n + row) * NORMS;
    const float *sums = work(s, s.slopeSums) + net * 2 * groups * n + row;
    float sum = 0, along = 0;
    for (int g = threadIdx.x % 32; g < groups; g += 32) {
        sum += sums[2 * g * n];
        along += sums[(2 * g + 1) * n];
    }
    for (int far = 16; far > 0; far /= 2) {
        sum += __shfl_xor_sync(0xFFFFFFFFu, sum, far);
        along += __shfl_xor_sync(0xFFFFFFFFu, along, far);
    }
    float inverse = norm[INVERSE1];
    return {norm[MEAN1], inverse, sum / s.width1, inverse * inverse * along / s.width1};
}

// Of each row that critics which normalise have learnt from: hidden layers in the place of their sums, and slopes of the sums
// of both layers. Grid: (critics x batch, runs).
extern "C" __global__ void __launch_bounds__(128) normalise(const Sac s) {
    bool on = active(s);
    int n = s.batch, net = blockIdx.x / n, row = blockIdx.x % n, i = threadIdx.x * 4;
    int wide1 = s.width1, wide2 = s.width2, at1 = blockIdx.x * wide1 + i, at2 = blockIdx.x * wide2 + i;
    if (!on) return;
    const float *norm = work(s, s.norms) + blockIdx.x * NORMS;
    const float *last = theta(
        s, criticAt(s, net) + (s.observations + s.actions + 1) * wide1 + (wide1 + 1) * wide2);
    FirstSlopes first = firstSlopes(s, net, row);
    if (i < wide1) {
        float4 *y = (float4 *)(work(s, s.q1) + at1), *d = (float4 *)(work(s, s.d1) + at1), v = *y;
        *d = first.of(*d, v);
        *y = make_float4(
            relu(v.x - first.mean) * first.inverse, relu(v.y - first.mean) * first.inverse,
            relu(v.z - first.mean) * first.inverse, relu(v.w - first.mean) * first.inverse);
    }
    if (i < wide2) {
        float slope = norm[SLOPE2], inverse = norm[INVERSE2], lift = norm[LIFT], curve = norm[CURVE], bend = norm[BEND];
        float4 *y = (float4 *)(work(s, s.q2) + at2), c = *y, w = *(const float4 *)(last + i);
        auto bent = [&](float v, float weight) {
            return slope * ((v > 0 ? weight : 0) - lift - v * (v > 0 ? curve : bend));
        };
        *(float4 *)(work(s, s.d2) + at2) = make_float4(bent(c.x, w.x), bent(c.y, w.y), bent(c.z, w.z), bent(c.w, w.w));
        *y = make_float4(relu(c.x) * inverse, relu(c.y) * inverse, relu(c.z) * inverse, relu(c.w) * inverse);
    }
}

// From the slopes of the actor's second hidden layer to those of its first. Grid: (tiles, runs).
template <int T>
static __device__ __forceinline__ void backwardActor(const Sac &s) {
    bool on = acting(s);
    int rows = s.batch, out = s.width1, depth = s.width2;
    int across = ceilDiv(out, T), m0 = blockIdx.x / across * T, n0 = blockIdx.x % across * T;
    const float *hidden = work(s, s.h1) + rows * out;
    float *into = work(s, s.e1);
    product<T, true, true, PLAIN>(
        work(s, s.e2), depth, m0, rows, theta(s, (s.observations + 1) * out), depth, n0, out, depth, nullptr, {},
        [&]() { return on; },
        [&](int pair, int m, int n, float x, float y) {
            if (m < rows && n < out) {
                float2 h = pairAt(hidden + m * out + n);
                *(float2 *)(into + m * out + n) = make_float2(h.x > 0 ? x : 0, h.y > 0 ? y : 0);
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) backwardActor32(const Sac s) { backwardActor<32>(s); }

extern "C" __global__ void __launch_bounds__(256, 2) backwardActor64(const Sac s) { backwardActor<64>(s); }

// Slopes of the action through the smallest critic, of means and log deviations, and of the actor's second hidden layer.
// Grid: (batch, runs).
template <bool NORMED>
static __device__ __forceinline__ void actorSlopes(const Sac &s) {
    __shared__ float along[MOST_ACTIONS];
    __shared__ float slopes[2 * MOST_ACTIONS];
    bool on = acting(s);
    int row = blockIdx.x, t = threadIdx.x, n = s.batch, a = s.actions, o = s.observations;
    int wide1 = s.width1, wide2 = s.width2;
    int best = (int)work(s, s.best)[row];
    const float *last = theta(s, (o + 1) * wide1 + (wide1 + 1) * wide2);
    const float *h2 = work(s, s.h2) + (n + row) * wide2;
    // What does not wait for the critic is asked for before it is.
    constexpr int EARLY = 4;
    float2 early[EARLY];
#pragma unroll
    for (int i = 0; i < EARLY; i++) early[i] = t < wide2 && i < a ? pairAt(last + (t * a + i) * 2) : make_float2(0, 0);
    float hidden = t < wide2 ? h2[t] : 0, alpha = scalars(s)[ALPHA];
    float squashed = t < a ? work(s, s.squashed)[row * a + t] : 0, spread = t < a ? work(s, s.spread)[row * a + t] : 0;
    float raw = t < a ? work(s, s.out)[(n + row) * 2 * a + a + t] : 0;
    if (!on) return;
    const float *d1 = work(s, s.d1) + (best * n + row) * wide1;
    const float *first = theta(s, criticAt(s, best) + o * wide1), *sums = work(s, s.q1) + (best * n + row) * wide1;
    FirstSlopes norm = NORMED ? firstSlopes(s, best, row) : FirstSlopes{};
    for (int j = t / 32; j < a; j += 8) {
        float sum = 0;
#pragma unroll 2
        for (int i = t % 32 * 4; i < wide1; i += 128) {
            float4 u = *(const float4 *)(d1 + i), v = *(const float4 *)(first + j * wide1 + i);
            if (NORMED) u = norm.of(u, *(const float4 *)(sums + i));
            sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        }
        for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, lane);
        if (t % 32 == 0) along[j] = sum;
    }
    float pull = 0;  // towards the expert's action, in the expert's rows
    int expertRows = (int)settings(s)[EXPERT_ROWS];
    float cloning = settings(s)[CLONING];
    if (cloning > 0 && row >= n - expertRows && s.counts[COUNTS * blockIdx.y + EXPERT] > 0) {
        for (int i = t % 32; i < n; i += 32) pull += fabsf(work(s, s.valueRow)[i]);
        for (int lane = 16; lane > 0; lane /= 2) pull += __shfl_xor_sync(0xFFFFFFFFu, pull, lane);
        pull = cloning * (pull / n) / expertRows;
    }
    __syncthreads();
    if (t < a) {
        float share = 1.0f / n;
        float toward = share * (2 * alpha * squashed - s.bound * (1 - squashed * squashed) * along[t]);
        float deviation = raw >= -20 && raw <= 2 ? toward * spread - share * alpha : 0;
        if (pull > 0) {
            float mean = tanhf(work(s, s.out)[(n + row) * 2 * a + t]);
            float away = mean - work(s, s.pairs)[(n + row) * s.pairPitch + o + t] / s.bound;
            toward += pull * away * (1 - mean * mean);
        }
        slopes[t] = toward;
        slopes[a + t] = deviation;
        work(s, s.outSlope)[row * s.outPitch + t] = toward;
        work(s, s.outSlope)[row * s.outPitch + a + t] = deviation;
    }
    __syncthreads();
    float *e2 = work(s, s.e2) + row * wide2;
    for (int i = t; i < wide2; i += 256) {
        float sum = 0;
#pragma unroll
        for (int j = 0; j < EARLY; j++) {
            if (j < a) {
                float2 w = i == t ? early[j] : pairAt(last + (i * a + j) * 2);
                sum += slopes[2 * j] * w.x;
                sum += slopes[2 * j + 1] * w.y;
            }
        }
#pragma unroll 8
        for (int j = EARLY; j < a; j++) {
            float2 w = pairAt(last + (i * a + j) * 2);
            sum += slopes[2 * j] * w.x;
            sum += slopes[2 * j + 1] * w.y;
        }
        e2[i] = (i == t ? hidden : h2[i]) > 0 ? sum : 0;
    }
}

extern "C" __global__ void __launch_bounds__(256) actorSlopesPlain(const Sac s) { actorSlopes<false>(s); }

extern "C" __global__ void __launch_bounds__(256) actorSlopesNormed(const Sac s) { actorSlopes<true>(s); }

// Means over the batch, the step of the temperature and the counts of updates: the last thing that an update does.
static __device__ void finish(const Sac &s) {
    double(*part)[256] = (double(*)[256])pool();
    int t = threadIdx.x, n = s.batch;
    double loss = 0, value = 0, actor = 0, density = 0;
    for (int row = t; row < n; row += 256) {
        loss += work(s, s.lossRow)[row];
        value += work(s, s.valueRow)[row];
        actor += work(s, s.actorRow)[row];
        density += work(s, s.logp)[n + row];
    }
    part[0][t] = loss;
    part[1][t] = value;
    part[2][t] = actor;
    part[3][t] = density;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) {
            for (int i = 0; i < 4; i++) part[i][t] += part[i][t + half];
        }
    }
    if (t == 0) {
        double *sums = s.sums + SUMS * blockIdx.y;
        long long *counts = s.counts + COUNTS * blockIdx.y;
        float *scalar = scalars(s);
        double entropy = -part[3][0] / n;
        bool acts = scalar[ACTS] != 0;
        double weight = acts ? settings(s)[ACTOR_EVERY] : 0;  // for the updates since the actor's last one
        sums[0] += 1;
        sums[1] += part[0][0] / n;
        if (acts) sums[2] += weight * (part[2][0] / n);
        if (acts) sums[3] += weight * entropy;
        sums[4] += scalar[ALPHA];
        sums[5] += part[1][0] / n;
        long long update = counts[UPDATES] + 1;
        counts[UPDATES] = update;
        counts[DUE]--;
        bool lost = !isfinite(part[0][0]);
        if (counts[DIVERGED] == 0 && (lost || (acts && !isfinite(part[2][0])))) {
            counts[DIVERGED] = update;
            counts[DIVERGED_IN] = lost ? 1 : 2;
        }
        if (s.tuned && acts) {
            float gradient = (float)(entropy - s.targetEntropy);
            scalar[LOG_ALPHA] = adam(
                scalar[LOG_ALPHA], gradient, scalar[LOG_FIRST], scalar[LOG_SECOND], scalar[LOG_RATE], scalar[ACTOR_ROOT], 1);
        }
    }
}

// Gradients of all parameters of the critics or of the actor, each used by Adam where it is found. Grid: (pieces, runs),
// a piece being a tile of a layer's weights or 32 of its biases; the last kernel of an update has one more, which ends it.
// Small tiles are the faster ones however many runs there are: Adam's memory is what it waits for.
extern "C" __global__ void __launch_bounds__(256) improve(const Sac s, int pass) {
    constexpr int T = 32;
    bool on = active(s);
    int n = s.batch, o = s.observations, wide1 = s.width1, wide2 = s.width2;
    bool actor = pass == ACTOR;
    int in = actor ? o : o + s.actions, out = actor ? 2 * s.actions : 1;
    int tiles0 = ceilDiv(in, T) * ceilDiv(wide1, T), tiles1 = ceilDiv(wide1, T) * ceilDiv(wide2, T);
    int tiles2 = ceilDiv(wide2, T) * ceilDiv(out, T);
    int biases0 = ceilDiv(wide1, 32), biases1 = ceilDiv(wide2, 32), biases2 = ceilDiv(out, 32);
    int pieces = tiles0 + tiles1 + tiles2 + biases0 + biases1 + biases2;
    int net = blockIdx.x / pieces, piece = blockIdx.x % pieces;
    if (net == (actor ? 1 : s.critics)) {
        if (on) finish(s);
        return;
    }
    on = on && (!actor || scalars(s)[ACTS] != 0);
    int start = actor ? 0 : criticAt(s, net);
    long long base = (long long)blockIdx.y * s.thetaStride;
    Step step;
    step.theta = s.theta + base + start;
    step.first = s.first + base + start;
    step.second = s.second + base + start;
    step.target = actor ? nullptr : step.theta + s.critics * s.criticStride;
    step.rate = scalars(s)[actor ? ACTOR_RATE : RATE];
    step.root = scalars(s)[actor ? ACTOR_ROOT : ROOT];
    step.pull = settings(s)[PULL];
    step.keep = actor ? 1 : settings(s)[CRITIC_KEEP];

    bool bias = piece >= tiles0 + tiles1 + tiles2;
    if (bias) piece -= tiles0 + tiles1 + tiles2;
    int first = bias ? biases0 : tiles0, second = bias ? biases1 : tiles1;
    int layer = piece < first ? 0 : piece < first + second ? 1 : 2;
    piece -= layer == 0 ? 0 : layer == 1 ? first : first + second;

    const float *x, *d;
    int rows, xPitch, columns, dPitch, at;
    if (layer == 0) {
        rows = in;
        columns = wide1;
        xPitch = actor ? s.statePitch : s.pairPitch;
        dPitch = wide1;
        x = actor ? work(s, s.x) + n * xPitch : work(s, s.pairs) + (pass == INVERSE ? 0 : n) * xPitch;
        d = actor ? work(s, s.e1) : work(s, s.d1) + net * n * wide1;
        at = 0;
    } else if (layer == 1) {
        rows = wide1;
        columns = wide2;
        xPitch = wide1;
        dPitch = wide2;
        x = actor ? work(s, s.h1) + n * wide1 : work(s, s.q1) + net * n * wide1;
        d = actor ? work(s, s.e2) : work(s, s.d2) + net * n * wide2;
        at = (in + 1) * wide1;
    } else {
        rows = wide2;
        columns = out;
        xPitch = wide2;
        dPitch = actor ? s.outPitch : 4;
        x = actor ? work(s, s.h2) + n * wide2 : work(s, s.q2) + net * n * wide2;
        d = actor ? work(s, s.outSlope) : work(s, s.slope) + net * n * 4;
        at = (in + 1) * wide1 + (wide1 + 1) * wide2;
    }
    if (bias) {
        float *part = pool();
        int t = threadIdx.x, column = piece * 32 + t % 32;
        float sum = 0;
        if (column < columns) {
#pragma unroll 16
            for (int row = t / 32; row < n; row += 8) sum += d[row * dPitch + column];
        }
        part[t] = sum;
        if (!on) return;
        __syncthreads();
        if (t < 32 && column < columns) {
            float total = 0;
            for (int i = 0; i < 8; i++) total += part[i * 32 + t];
            take(step, at + rows * columns + column, total);
        }
    } else {
        int across = ceilDiv(columns, T), m0 = piece / across * T, n0 = piece % across * T;
        bool even = columns % 2 == 0;
        Two early[Sums<T>::PAIRS];
        product<T, false, false, PLAIN>(
            x, xPitch, m0, rows, d, dPitch, n0, columns, n, nullptr, {},
            [&]() {
                if (even) {
#pragma unroll
                    for (int pair = 0; pair < Sums<T>::PAIRS; pair++) {
                        int i = m0 + Sums<T>::row(pair), j = n0 + Sums<T>::column(pair);
                        if (i < rows && j < columns) early[pair] = twoAt(step, at + i * columns + j);
                    }
                }
                return on;
            },
            [&](int pair, int i, int j, float gx, float gy) {
                if (i < rows && j < columns) {
                    int to = at + i * columns + j;
                    Step own = step;
                    if (layer == 0 && i < o) own.rate *= s.paces[blockIdx.y * s.statePitch + i];
                    if (even) {
                        take2(own, to, early[pair], gx, gy);
                    } else {
                        take(own, to, gx);
                        if (j + 1 < columns) take(own, to + 1, gy);
                    }
                }
            });
    }
}
