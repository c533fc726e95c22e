// One update of Soft Actor-Critic as a row of kernels. Everything is single precision, except for sums over a batch.
// blockIdx.y is the run: runs share nothing, and what a run computes does not depend on how many there are. All sums are
// taken in a fixed order and nothing is atomic, so that the same seed gives the same bits.
//
// A network lies in memory as the CPU has it: for each of its three layers weights (one row per input), then biases. A
// run's networks follow each other: actor, critics, targets; the moments of Adam in the same places, without targets.

struct Sac {
    float *theta, *first, *second;  // networks, and Adam's moments
    float *replay;                  // rows of state, action, reward, live, next state
    float *work;                    // what the stages hand to each other
    float *scalars;                 // see the enumeration below
    double *sums;                   // updates, critic loss, actor loss, entropy, temperature, value
    long long *counts;              // updates made, rows in the replay, update that diverged, in what, updates due
    unsigned long long *seeds;
    int *given;                     // rows to draw, where chance is not to choose them
    float *staged;                  // rows on their way to the replay, a run beside the other
    long long *stagedHead;          // for each run: number of the first such row, how many there are, updates due, nothing
    long long replayStride, capacity;
    int thetaStride, workStride, criticStart, criticStride;
    int batch, observations, actions, width1, width2, critics;
    int rowPitch, statePitch, pairPitch, outPitch;
    int x, pairs, reward, live, noise, h1, h2, out, logp, spread, squashed;  // places in work
    int q1, q2, value, slope, d2, d1, best, outSlope, e2, e1, lossRow, valueRow, actorRow;
    int tuned, fromGiven;
    float discount, pull, bound, temperature, learningRate, targetEntropy;
};

static_assert(sizeof(Sac) == 296, "the host writes it field by field");

enum { ALPHA, RATE, ROOT, LOG_ALPHA, LOG_FIRST, LOG_SECOND, ACTIVE, SCALARS = 8 };
enum { SUMS = 8, COUNTS = 8, HEAD = 4, MOST_WIDTH = 512, MOST_ACTIONS = 64, MOST_CRITICS = 8 };
enum { UPDATES, ROWS, DIVERGED, DIVERGED_IN, DUE };

typedef unsigned int u32;
typedef unsigned long long u64;

static __device__ __forceinline__ int ceilDiv(int a, int b) { return (a + b - 1) / b; }

static __device__ __forceinline__ float *work(const Sac &s, int place) {
    return s.work + (long long)blockIdx.y * s.workStride + place;
}

static __device__ __forceinline__ float *theta(const Sac &s, int at) {
    return s.theta + (long long)blockIdx.y * s.thetaStride + at;
}

static __device__ __forceinline__ float *scalars(const Sac &s) { return s.scalars + blockIdx.y * SCALARS; }

// Whether the run takes part in this update. The first stage decides; runs that do not are left as they are.
static __device__ __forceinline__ bool active(const Sac &s) { return scalars(s)[ACTIVE] != 0; }

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
    }
}

// Draws rows and noise, and works out the scalars of this update. Grid: (batch, runs).
extern "C" __global__ void __launch_bounds__(128) gather(const Sac s) {
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
        index = (long long)__umul64hi(uniform, (u64)rows);
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
    for (int i = t; i < a; i += 128) stored[o + i] = from[o + i];
    if (t == 0) {
        work(s, s.reward)[row] = from[o + a];
        work(s, s.live)[row] = from[o + a + 1];
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
        scalar[ALPHA] = s.tuned ? expf(scalar[LOG_ALPHA]) : s.temperature;
        scalar[RATE] = (float)((double)s.learningRate / (1 - pow(0.9, step)));
        scalar[ROOT] = (float)(1 / sqrt(1 - pow(0.999, step)));
    }
}

// Two sixteen-byte pieces per thread of a T x KC (or KC x T) part of a matrix. ALONG: the sum runs along its rows.
template <int T, int KC, bool ALONG>
static __device__ __forceinline__ void fetch(
    const float *__restrict__ a, int pitch, int m0, int most, int k0, int depth, float4 piece[2]) {
    for (int i = 0; i < 2; i++) {
        int u = threadIdx.x + i * 256, m, k;
        if (ALONG) {
            int lane = u % 32, warp = u / 32;
            m = m0 + warp % (T / 8) * 8 + lane / 4;
            k = k0 + (warp / (T / 8) * 4 + lane % 4) * 4;
        } else {
            m = m0 + u % (T / 4) * 4;
            k = k0 + u / (T / 4);
        }
        bool inside = m < most && k < depth;
        const float *at = ALONG ? a + (long long)m * pitch + k : a + (long long)k * pitch + m;
        piece[i] = inside ? *(const float4 *)at : make_float4(0, 0, 0, 0);
    }
}

template <int T, int KC, bool ALONG>
static __device__ __forceinline__ void put(float *part, const float4 piece[2]) {
    for (int i = 0; i < 2; i++) {
        int u = threadIdx.x + i * 256;
        if (ALONG) {
            int lane = u % 32, warp = u / 32;
            float *at = part + (warp / (T / 8) * 4 + lane % 4) * 4 * (T + 4) + warp % (T / 8) * 8 + lane / 4;
            at[0] = piece[i].x;
            at[T + 4] = piece[i].y;
            at[2 * (T + 4)] = piece[i].z;
            at[3 * (T + 4)] = piece[i].w;
        } else {
            *(float4 *)(part + u / (T / 4) * (T + 4) + u % (T / 4) * 4) = piece[i];
        }
    }
}

// A T x T tile of a matrix product by 256 threads, four by four sums each. Where that leaves threads over, groups of them
// take every a share of the depth, and their sums are added in order. Rows are padded to sixteen bytes; what is read past
// the depth meets zeros of the other factor. emit(m, n, four sums from column n on).
template <int T, bool A_ALONG, bool B_ALONG, class Emit>
static __device__ __forceinline__ void product(
    const float *__restrict__ a, int aPitch, int m0, int rows, const float *__restrict__ b, int bPitch, int n0, int columns,
    int depth, Emit emit) {
    constexpr int KC = 2048 / T, GROUP = T * T / 16, SPLIT = 256 / GROUP, P = T + 4;
    __shared__ __align__(16) float memory[2 * KC * P];
    float *as = memory, *bs = memory + KC * P;
    int t = threadIdx.x, group = t / GROUP, x = t % GROUP % (T / 4) * 4, y = t % GROUP / (T / 4) * 4;
    float sum[4][4] = {};
    float4 pieceA[2], pieceB[2];
    fetch<T, KC, A_ALONG>(a, aPitch, m0, rows, 0, depth, pieceA);
    fetch<T, KC, B_ALONG>(b, bPitch, n0, columns, 0, depth, pieceB);
    for (int k0 = 0; k0 < depth; k0 += KC) {
        __syncthreads();
        put<T, KC, A_ALONG>(as, pieceA);
        put<T, KC, B_ALONG>(bs, pieceB);
        __syncthreads();
        if (k0 + KC < depth) {
            fetch<T, KC, A_ALONG>(a, aPitch, m0, rows, k0 + KC, depth, pieceA);
            fetch<T, KC, B_ALONG>(b, bPitch, n0, columns, k0 + KC, depth, pieceB);
        }
#pragma unroll
        for (int k = 0; k < KC / SPLIT; k++) {
            int at = (group * (KC / SPLIT) + k) * P;
            float4 u = *(const float4 *)(as + at + y), v = *(const float4 *)(bs + at + x);
            float us[4] = {u.x, u.y, u.z, u.w}, vs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
            for (int i = 0; i < 4; i++)
#pragma unroll
                for (int j = 0; j < 4; j++) sum[i][j] += us[i] * vs[j];
        }
    }
    if (SPLIT == 1) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            emit(m0 + y + i, n0 + x, make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]));
        }
    } else {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 4; i++) {
            *(float4 *)(memory + group * T * T + (y + i) * T + x) =
                make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
        }
        __syncthreads();
        float4 total = *(const float4 *)(memory + t * 4);
#pragma unroll
        for (int g = 1; g < SPLIT; g++) {
            float4 more = *(const float4 *)(memory + g * T * T + t * 4);
            total.x += more.x;
            total.y += more.y;
            total.z += more.z;
            total.w += more.w;
        }
        emit(m0 + t * 4 / T, n0 + t * 4 % T, total);
    }
}

static __device__ __forceinline__ float relu(float v) { return v < 0 ? 0 : v; }  // NaN stays what it is

enum { ACTOR, LEARNING, ACTING };  // actor on both states; critics and targets on what is stored; critics on new actions

// A hidden layer (1 or 2) of one or many networks. Grid: (tiles, runs).
template <int T>
static __device__ __forceinline__ void forwardLayer(const Sac &s, int pass, int layer) {
    if (!active(s)) return;
    int wide1 = s.width1, wide2 = s.width2;
    int rows = pass == ACTOR ? 2 * s.batch : s.batch;
    int out = layer == 1 ? wide1 : wide2;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    int in, inPitch, start;
    const float *input;
    float *output;
    if (pass == ACTOR) {
        in = layer == 1 ? s.observations : wide1;
        inPitch = layer == 1 ? s.statePitch : wide1;
        input = layer == 1 ? work(s, s.x) : work(s, s.h1);
        output = layer == 1 ? work(s, s.h1) : work(s, s.h2);
        start = layer == 1 ? 0 : (s.observations + 1) * wide1;
    } else {
        int slot = pass == ACTING ? 2 : net < s.critics ? 1 : 0;
        int wide = s.observations + s.actions;
        in = layer == 1 ? wide : wide1;
        inPitch = layer == 1 ? s.pairPitch : wide1;
        input = layer == 1 ? work(s, s.pairs) + slot * s.batch * s.pairPitch : work(s, s.q1) + net * s.batch * wide1;
        output = layer == 1 ? work(s, s.q1) + net * s.batch * wide1 : work(s, s.q2) + net * s.batch * wide2;
        start = criticAt(s, net) + (layer == 1 ? 0 : (wide + 1) * wide1);
    }
    const float *weights = theta(s, start), *biases = weights + in * out;
    product<T, true, false>(
        input, inPitch, tile / across * T, rows, weights, out, tile % across * T, out, in,
        [=](int m, int n, float4 v) {
            if (m < rows && n < out) {
                float4 b = *(const float4 *)(biases + n);
                *(float4 *)(output + m * out + n) =
                    make_float4(relu(v.x + b.x), relu(v.y + b.y), relu(v.z + b.z), relu(v.w + b.w));
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) forward32(const Sac s, int pass, int layer) {
    forwardLayer<32>(s, pass, layer);
}

extern "C" __global__ void __launch_bounds__(256) forward64(const Sac s, int pass, int layer) {
    forwardLayer<64>(s, pass, layer);
}

// The actor's last layer and the actions drawn from it, four rows at a time. Grid: (2 batch / 4, runs).
extern "C" __global__ void __launch_bounds__(256) drawActions(const Sac s) {
    __shared__ float hidden[4][MOST_WIDTH];
    __shared__ float partial[4][256];
    __shared__ float outs[4][2 * MOST_ACTIONS];
    __shared__ float terms[4][MOST_ACTIONS];
    if (!active(s)) return;
    int t = threadIdx.x, a = s.actions, o = s.observations, n = s.batch, wide = s.width2, m = 2 * a;
    int row0 = blockIdx.x * 4;
    const float *h2 = work(s, s.h2);
    for (int i = t; i < 4 * wide; i += 256) {
        int row = row0 + i / wide;
        hidden[i / wide][i % wide] = row < 2 * n ? h2[row * wide + i % wide] : 0;
    }
    __syncthreads();
    const float *weights = theta(s, (o + 1) * s.width1 + (s.width1 + 1) * wide), *biases = weights + wide * m;
    int groups = 256 / m;
    if (t < groups * m) {
        float sum[4] = {0, 0, 0, 0};
        int j = t % m;
#pragma unroll 4
        for (int k = t / m; k < wide; k += groups) {
            float w = weights[k * m + j];
            for (int r = 0; r < 4; r++) sum[r] += hidden[r][k] * w;
        }
        for (int r = 0; r < 4; r++) partial[r][t] = sum[r];
    }
    __syncthreads();
    for (int i = t; i < 4 * m; i += 256) {
        int r = i / m, j = i % m;
        float sum = 0;
        for (int g = 0; g < groups; g++) sum += partial[r][g * m + j];
        sum += biases[j];
        outs[r][j] = sum;
        if (row0 + r < 2 * n) work(s, s.out)[(row0 + r) * m + j] = sum;
    }
    __syncthreads();
    for (int i = t; i < 4 * a; i += 256) {
        int r = i / a, j = i % a, row = row0 + r;
        if (row < 2 * n) {
            float logStd = fminf(fmaxf(outs[r][a + j], -20.0f), 2.0f);
            float z = work(s, s.noise)[row * a + j];
            float away = expf(logStd) * z;
            float u = outs[r][j] + away;
            float e = expf(-2 * fabsf(u));
            float squashed = copysignf((1 - e) / (1 + e), u);
            terms[r][j] = -0.5f * z * z - logStd - 0.91893853320467274f
                + 2 * (fabsf(u) + log1pf(e) - 0.69314718055994531f);
            int slot = row < n ? 0 : 2;
            work(s, s.pairs)[(slot * n + row % n) * s.pairPitch + o + j] = s.bound * squashed;
            if (row >= n) {
                work(s, s.spread)[(row - n) * a + j] = away;
                work(s, s.squashed)[(row - n) * a + j] = squashed;
            }
        }
    }
    __syncthreads();
    if (t < 4 && row0 + t < 2 * n) {
        float sum = 0;
        for (int j = 0; j < a; j++) sum += terms[t][j];
        work(s, s.logp)[row0 + t] = sum;
    }
}

// Values of a row by all critics (and targets), and the slopes of their second hidden layers: of the squared Bellman error
// while learning, of the smallest value while acting. Grid: (batch, runs).
extern "C" __global__ void __launch_bounds__(128) valueHead(const Sac s, int pass) {
    __shared__ float values[2 * MOST_CRITICS];
    __shared__ float slopes[MOST_CRITICS];
    if (!active(s)) return;
    int row = blockIdx.x, t = threadIdx.x, n = s.batch, wide = s.width2;
    int nets = pass == LEARNING ? 2 * s.critics : s.critics;
    int head = (s.observations + s.actions + 1) * s.width1 + (s.width1 + 1) * wide;
    for (int k = t / 32; k < nets; k += 4) {
        const float *w = theta(s, criticAt(s, k) + head);
        const float *h = work(s, s.q2) + (k * n + row) * wide;
        float sum = 0;
        for (int i = t % 32 * 4; i < wide; i += 128) {
            float4 u = *(const float4 *)(w + i), v = *(const float4 *)(h + i);
            sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        }
        for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, lane);
        if (t % 32 == 0) values[k] = sum + w[wide];
    }
    __syncthreads();
    if (t == 0) {
        double alpha = scalars(s)[ALPHA];
        if (pass == LEARNING) {
            float least = values[s.critics];
            for (int k = 1; k < s.critics; k++) {
                float other = values[s.critics + k];
                least = other < least || other != other ? other : least;
            }
            double ahead = least - alpha * work(s, s.logp)[row];
            double target = work(s, s.reward)[row] + (double)s.discount * work(s, s.live)[row] * ahead;
            double loss = 0;
            for (int k = 0; k < s.critics; k++) {
                double error = values[k] - target;
                loss += error * error;
                slopes[k] = (float)(2 * error / n);
                work(s, s.slope)[(k * n + row) * 4] = slopes[k];
            }
            work(s, s.lossRow)[row] = (float)loss;
            work(s, s.valueRow)[row] = values[0];
        } else {
            int best = 0;
            for (int k = 1; k < s.critics; k++) best = values[k] < values[best] ? k : best;
            for (int k = 0; k < s.critics; k++) slopes[k] = k == best ? 1 : 0;
            work(s, s.best)[row] = (float)best;
            work(s, s.actorRow)[row] = (float)(alpha * work(s, s.logp)[n + row] - values[best]);
        }
    }
    __syncthreads();
    for (int k = 0; k < s.critics; k++) {
        const float *w = theta(s, criticAt(s, k) + head);
        const float *h = work(s, s.q2) + (k * n + row) * wide;
        float *d = work(s, s.d2) + (k * n + row) * wide;
        for (int i = t; i < wide; i += 128) d[i] = h[i] > 0 ? slopes[k] * w[i] : 0;
    }
}

// From the slopes of the second hidden layer to those of the first. Grid: (tiles, runs).
template <int T>
static __device__ __forceinline__ void backwardLayer(const Sac &s, int pass) {
    if (!active(s)) return;
    int rows = s.batch, out = s.width1, depth = s.width2;
    int across = ceilDiv(out, T), tiles = across * ceilDiv(rows, T);
    int net = blockIdx.x / tiles, tile = blockIdx.x % tiles;
    const float *slopes, *hidden, *weights;
    float *into;
    if (pass == ACTOR) {
        slopes = work(s, s.e2);
        hidden = work(s, s.h1) + rows * out;
        weights = theta(s, (s.observations + 1) * out);
        into = work(s, s.e1);
    } else {
        slopes = work(s, s.d2) + net * rows * depth;
        hidden = work(s, s.q1) + net * rows * out;
        weights = theta(s, criticAt(s, net) + (s.observations + s.actions + 1) * out);
        into = work(s, s.d1) + net * rows * out;
    }
    product<T, true, true>(
        slopes, depth, tile / across * T, rows, weights, depth, tile % across * T, out, depth,
        [=](int m, int n, float4 v) {
            if (m < rows && n < out) {
                float4 h = *(const float4 *)(hidden + m * out + n);
                *(float4 *)(into + m * out + n) = make_float4(
                    h.x > 0 ? v.x : 0, h.y > 0 ? v.y : 0, h.z > 0 ? v.z : 0, h.w > 0 ? v.w : 0);
            }
        });
}

extern "C" __global__ void __launch_bounds__(256) backward32(const Sac s, int pass) { backwardLayer<32>(s, pass); }

extern "C" __global__ void __launch_bounds__(256) backward64(const Sac s, int pass) { backwardLayer<64>(s, pass); }

// Slopes of the action through the smallest critic, of means and log deviations, and of the actor's second hidden layer.
// Grid: (batch, runs).
extern "C" __global__ void __launch_bounds__(128) actorSlopes(const Sac s) {
    __shared__ float along[MOST_ACTIONS];
    __shared__ float slopes[2 * MOST_ACTIONS];
    if (!active(s)) return;
    int row = blockIdx.x, t = threadIdx.x, n = s.batch, a = s.actions, o = s.observations;
    int wide1 = s.width1, wide2 = s.width2;
    int best = (int)work(s, s.best)[row];
    const float *d1 = work(s, s.d1) + (best * n + row) * wide1;
    const float *first = theta(s, criticAt(s, best) + o * wide1);
    for (int j = t / 32; j < a; j += 4) {
        float sum = 0;
        for (int i = t % 32 * 4; i < wide1; i += 128) {
            float4 u = *(const float4 *)(d1 + i), v = *(const float4 *)(first + j * wide1 + i);
            sum += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
        }
        for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_xor_sync(0xFFFFFFFFu, sum, lane);
        if (t % 32 == 0) along[j] = sum;
    }
    __syncthreads();
    for (int j = t; j < a; j += 128) {
        float alpha = scalars(s)[ALPHA], share = 1.0f / n;
        float squashed = work(s, s.squashed)[row * a + j];
        float toward = share * (2 * alpha * squashed - s.bound * (1 - squashed * squashed) * along[j]);
        float raw = work(s, s.out)[(n + row) * 2 * a + a + j];
        float deviation = raw >= -20 && raw <= 2 ? toward * work(s, s.spread)[row * a + j] - share * alpha : 0;
        slopes[j] = toward;
        slopes[a + j] = deviation;
        work(s, s.outSlope)[row * s.outPitch + j] = toward;
        work(s, s.outSlope)[row * s.outPitch + a + j] = deviation;
    }
    __syncthreads();
    const float *last = theta(s, (o + 1) * wide1 + (wide1 + 1) * wide2);
    const float *h2 = work(s, s.h2) + (n + row) * wide2;
    float *e2 = work(s, s.e2) + row * wide2;
    for (int i = t; i < wide2; i += 128) {
        float sum = 0;
#pragma unroll 4
        for (int j = 0; j < 2 * a; j++) sum += slopes[j] * last[i * 2 * a + j];
        e2[i] = h2[i] > 0 ? sum : 0;
    }
}

struct Step {
    float *theta, *first, *second, *target;
    float rate, root, pull;
};

static __device__ __forceinline__ float adam(float p, float g, float &m, float &v, float rate, float root) {
    const float fresh1 = (float)(1 - 0.9), fresh2 = (float)(1 - 0.999);
    m = 0.9f * m + fresh1 * g;
    v = 0.999f * v + fresh2 * (g * g);
    m = fabsf(m) < 1e-30f ? 0 : m;
    v = v < 1e-30f ? 0 : v;
    return p - rate * m / (sqrtf(v) * root + 1e-8f);
}

static __device__ __forceinline__ void take(const Step &step, int at, float g) {
    float m = step.first[at], v = step.second[at];
    float p = adam(step.theta[at], g, m, v, step.rate, step.root);
    step.first[at] = m;
    step.second[at] = v;
    step.theta[at] = p;
    if (step.target) step.target[at] += step.pull * (p - step.target[at]);
}

static __device__ __forceinline__ void take4(const Step &step, int at, float4 g) {
    float4 m = *(float4 *)(step.first + at), v = *(float4 *)(step.second + at), p = *(float4 *)(step.theta + at);
    p.x = adam(p.x, g.x, m.x, v.x, step.rate, step.root);
    p.y = adam(p.y, g.y, m.y, v.y, step.rate, step.root);
    p.z = adam(p.z, g.z, m.z, v.z, step.rate, step.root);
    p.w = adam(p.w, g.w, m.w, v.w, step.rate, step.root);
    *(float4 *)(step.first + at) = m;
    *(float4 *)(step.second + at) = v;
    *(float4 *)(step.theta + at) = p;
    if (step.target) {
        float4 q = *(float4 *)(step.target + at);
        q.x += step.pull * (p.x - q.x);
        q.y += step.pull * (p.y - q.y);
        q.z += step.pull * (p.z - q.z);
        q.w += step.pull * (p.w - q.w);
        *(float4 *)(step.target + at) = q;
    }
}

// Means over the batch, the step of the temperature and the counts of updates: the last thing an update does.
static __device__ void finish(const Sac &s) {
    __shared__ double part[4][256];
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
        sums[0] += 1;
        sums[1] += part[0][0] / n;
        sums[2] += part[2][0] / n;
        sums[3] += entropy;
        sums[4] += scalar[ALPHA];
        sums[5] += part[1][0] / n;
        long long update = counts[UPDATES] + 1;
        counts[UPDATES] = update;
        counts[DUE]--;
        bool lost = !isfinite(part[0][0]);
        if (counts[DIVERGED] == 0 && (lost || !isfinite(part[2][0]))) {
            counts[DIVERGED] = update;
            counts[DIVERGED_IN] = lost ? 1 : 2;
        }
        if (s.tuned) {
            float gradient = (float)(entropy - s.targetEntropy);
            scalar[LOG_ALPHA] = adam(
                scalar[LOG_ALPHA], gradient, scalar[LOG_FIRST], scalar[LOG_SECOND], scalar[RATE], scalar[ROOT]);
        }
    }
}

// Gradients of all parameters of the critics or of the actor, each used by Adam where it is found. Grid: (pieces, runs),
// a piece being a tile of a layer's weights or 32 of its biases; for the actor one more, which ends the update.
template <int T>
static __device__ __forceinline__ void improveNetworks(const Sac &s, int pass) {
    if (!active(s)) return;
    int n = s.batch, o = s.observations, wide1 = s.width1, wide2 = s.width2;
    bool actor = pass == ACTOR;
    int in = actor ? o : o + s.actions, out = actor ? 2 * s.actions : 1;
    int tiles0 = ceilDiv(in, T) * ceilDiv(wide1, T), tiles1 = ceilDiv(wide1, T) * ceilDiv(wide2, T);
    int tiles2 = ceilDiv(wide2, T) * ceilDiv(out, T);
    int biases0 = ceilDiv(wide1, 32), biases1 = ceilDiv(wide2, 32), biases2 = ceilDiv(out, 32);
    int pieces = tiles0 + tiles1 + tiles2 + biases0 + biases1 + biases2;
    int net = blockIdx.x / pieces, piece = blockIdx.x % pieces;
    if (actor && net > 0) {
        finish(s);
        return;
    }
    int start = actor ? 0 : criticAt(s, net);
    long long base = (long long)blockIdx.y * s.thetaStride;
    Step step;
    step.theta = s.theta + base + start;
    step.first = s.first + base + start;
    step.second = s.second + base + start;
    step.target = actor ? nullptr : step.theta + s.critics * s.criticStride;
    step.rate = scalars(s)[RATE];
    step.root = scalars(s)[ROOT];
    step.pull = s.pull;

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
        x = actor ? work(s, s.x) + n * xPitch : work(s, s.pairs) + n * xPitch;
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
        __shared__ float part[8][32];
        int t = threadIdx.x, column = piece * 32 + t % 32;
        float sum = 0;
        if (column < columns) {
#pragma unroll 4
            for (int row = t / 32; row < n; row += 8) sum += d[row * dPitch + column];
        }
        part[t / 32][t % 32] = sum;
        __syncthreads();
        if (t < 32 && column < columns) {
            float total = 0;
            for (int i = 0; i < 8; i++) total += part[i][t];
            take(step, at + rows * columns + column, total);
        }
    } else {
        int across = ceilDiv(columns, T);
        product<T, false, false>(
            x, xPitch, piece / across * T, rows, d, dPitch, piece % across * T, columns, n,
            [=](int i, int j, float4 g) {
                if (i < rows && j < columns) {
                    int to = at + i * columns + j;
                    if (columns % 4 == 0) {
                        take4(step, to, g);
                    } else {
                        take(step, to, g.x);
                        if (j + 1 < columns) take(step, to + 1, g.y);
                        if (j + 2 < columns) take(step, to + 2, g.z);
                        if (j + 3 < columns) take(step, to + 3, g.w);
                    }
                }
            });
    }
}

extern "C" __global__ void __launch_bounds__(256) improve32(const Sac s, int pass) { improveNetworks<32>(s, pass); }

extern "C" __global__ void __launch_bounds__(256) improve64(const Sac s, int pass) { improveNetworks<64>(s, pass); }
