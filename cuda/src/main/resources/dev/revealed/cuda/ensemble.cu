// One step of an ensemble that predicts means and variances, as a row of kernels. blockIdx.y is the member: members share the
// rows that they learn from and nothing else. The loss and its slopes are computed in double precision, as on the CPU.
//
// For each layer a member has weights (one row per input) and then biases, both padded with zeros to multiples of four
// columns, which stay zeros: no slope ever reaches them.

#include "products.cuh"

enum { MOST_LAYERS = 8 };

struct Ensemble {
    float *theta, *first, *second;  // networks, and Adam's moments
    float *work;                    // what the stages hand to each other
    double *rowLoss, *losses;       // of each row of a minibatch, and their sums for each member
    const float *inputs, *targets, *ends;  // all rows; no ends where terminations are not learnt
    const int *order;               // numbers of the rows that a member takes
    int thetaStride, workStride, orderStride;
    int batch, wide, layers;        // wide: numbers of a target
    int x, target, end;             // places in work
    int sizes[MOST_LAYERS + 1], weights[MOST_LAYERS], sums[MOST_LAYERS], slopes[MOST_LAYERS];
    float most, least, keep;        // bounds of a log variance; what decay leaves of a parameter
};

static_assert(sizeof(Ensemble) == 264, "the host writes it field by field");

static __device__ __forceinline__ int pitchOf(int size) { return (size + 3) / 4 * 4; }

static __device__ __forceinline__ float *work(const Ensemble &s, int place) {
    return s.work + (long long)blockIdx.y * s.workStride + place;
}

static __device__ __forceinline__ float *theta(const Ensemble &s, int at) {
    return s.theta + (long long)blockIdx.y * s.thetaStride + at;
}

// Copies a minibatch. Grid: (rows, members).
extern "C" __global__ void __launch_bounds__(128) takeRows(const Ensemble s, int from) {
    long long row = s.order[(long long)blockIdx.y * s.orderStride + from + blockIdx.x];
    int width = s.sizes[0], pitch = pitchOf(width);
    float *x = work(s, s.x) + blockIdx.x * pitch;
    for (int i = threadIdx.x; i < pitch; i += 128) x[i] = i < width ? s.inputs[row * width + i] : 0;
    for (int i = threadIdx.x; i < s.wide; i += 128) {
        work(s, s.target)[blockIdx.x * s.wide + i] = s.targets[row * s.wide + i];
    }
    if (s.ends && threadIdx.x == 0) work(s, s.end)[blockIdx.x] = s.ends[row];
}

// A layer: ReLU after all but the last. Grid: (tiles, members).
extern "C" __global__ void __launch_bounds__(256) layerForward(const Ensemble s, int layer, int rows) {
    constexpr int T = 32;
    int in = s.sizes[layer], out = s.sizes[layer + 1], pitch = pitchOf(out);
    int across = ceilDiv(out, T), m0 = blockIdx.x / across * T, n0 = blockIdx.x % across * T;
    const float *weights = theta(s, s.weights[layer]), *biases = weights + in * pitch;
    float *into = work(s, s.sums[layer]);
    bool last = layer == s.layers - 1;
    product<T, true, false, PLAIN>(
        layer == 0 ? work(s, s.x) : work(s, s.sums[layer - 1]), pitchOf(in), m0, rows, weights, pitch, n0, out, in,
        nullptr, {}, [&]() { return true; },
        [&](int pair, int m, int n, float x, float y) {
            if (m < rows && n < out) {
                float2 bias = pairAt(biases + n);
                x += bias.x;
                y += bias.y;
                *(float2 *)(into + m * pitch + n) = last ? make_float2(x, y) : make_float2(relu(x), relu(y));
            }
        });
}

static __device__ __forceinline__ double softplus64(double x) { return fmax(x, 0.0) + log(1 + exp(-fabs(x))); }

static __device__ __forceinline__ double sigmoid64(double x) {
    double e = exp(-fabs(x));
    return x >= 0 ? 1 / (1 + e) : e / (1 + e);
}

// The loss of each row, and its slopes by the last layer where a step follows. Grid: (rows, members).
extern "C" __global__ void __launch_bounds__(64) likelihood(const Ensemble s, int rows, int learning) {
    __shared__ double part[64];
    int row = blockIdx.x, wide = s.wide, out = s.sizes[s.layers], pitch = pitchOf(out);
    const float *said = work(s, s.sums[s.layers - 1]) + row * pitch, *target = work(s, s.target) + row * wide;
    float *slope = work(s, s.slopes[s.layers - 1]) + row * pitch;
    double share = 1.0 / rows, sum = 0;
    for (int j = threadIdx.x; j < wide; j += 64) {
        double raw = said[wide + j], upper = s.most - softplus64(s.most - raw);
        double logVariance = s.least + softplus64(upper - s.least), precision = exp(-logVariance);
        double error = said[j] - target[j], squared = error * error * precision;
        sum += 0.5 * (squared + logVariance);
        if (learning) {
            slope[j] = (float)(share * error * precision);
            slope[wide + j] = (float)(share * 0.5 * (1 - squared) * sigmoid64(upper - s.least) * sigmoid64(s.most - raw));
        }
    }
    if (threadIdx.x == 0 && s.ends) {
        double logit = said[2 * wide], ended = work(s, s.end)[row];
        sum += softplus64(ended > 0 ? -logit : logit);
        if (learning) slope[2 * wide] = (float)(share * (sigmoid64(logit) - ended));
    }
    for (int j = out + threadIdx.x; learning && j < pitch; j += 64) slope[j] = 0;
    part[threadIdx.x] = sum;
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) s.rowLoss[blockIdx.y * s.batch + row] = part[0];
}

// From the slopes of a layer to those of the layer before it. Grid: (tiles, members).
extern "C" __global__ void __launch_bounds__(256) layerBackward(const Ensemble s, int layer, int rows) {
    constexpr int T = 32;
    int before = s.sizes[layer], depth = s.sizes[layer + 1], pitch = pitchOf(before);
    int across = ceilDiv(before, T), m0 = blockIdx.x / across * T, n0 = blockIdx.x % across * T;
    const float *hidden = work(s, s.sums[layer - 1]);
    float *into = work(s, s.slopes[layer - 1]);
    product<T, true, true, PLAIN>(
        work(s, s.slopes[layer]), pitchOf(depth), m0, rows, theta(s, s.weights[layer]), pitchOf(depth), n0, before, depth,
        nullptr, {}, [&]() { return true; },
        [&](int pair, int m, int n, float x, float y) {
            if (m < rows && n < before) {
                float2 h = pairAt(hidden + m * pitch + n);
                *(float2 *)(into + m * pitch + n) = make_float2(h.x > 0 ? x : 0, h.y > 0 ? y : 0);
            }
        });
}

// Gradients of a layer, each used by Adam where it is found. Grid: (tiles of weights, then 32 biases each, members).
extern "C" __global__ void __launch_bounds__(256) layerStep(const Ensemble s, int layer, int rows, float rate, float root) {
    constexpr int T = 32;
    int in = s.sizes[layer], out = s.sizes[layer + 1], pitch = pitchOf(out);
    int across = ceilDiv(out, T), tiles = across * ceilDiv(in, T);
    long long base = (long long)blockIdx.y * s.thetaStride + s.weights[layer];
    Step step = {s.theta + base, s.first + base, s.second + base, nullptr, rate, root, 0, s.keep};
    const float *x = layer == 0 ? work(s, s.x) : work(s, s.sums[layer - 1]), *d = work(s, s.slopes[layer]);
    if (blockIdx.x >= tiles) {
        float *part = pool();
        int t = threadIdx.x, column = (blockIdx.x - tiles) * 32 + t % 32;
        float sum = 0;
        for (int row = t / 32; column < out && row < rows; row += 8) sum += d[row * pitch + column];
        part[t] = sum;
        __syncthreads();
        if (t < 32 && column < out) {
            float total = 0;
            for (int i = 0; i < 8; i++) total += part[i * 32 + t];
            take(step, in * pitch + column, total);
        }
        return;
    }
    int m0 = blockIdx.x / across * T, n0 = blockIdx.x % across * T;
    Two early[Sums<T>::PAIRS];
    product<T, false, false, PLAIN>(
        x, pitchOf(in), m0, in, d, pitch, n0, out, rows, nullptr, {},
        [&]() {
#pragma unroll
            for (int pair = 0; pair < Sums<T>::PAIRS; pair++) {
                int i = m0 + Sums<T>::row(pair), j = n0 + Sums<T>::column(pair);
                if (i < in && j < out) early[pair] = twoAt(step, i * pitch + j);
            }
            return true;
        },
        [&](int pair, int i, int j, float gx, float gy) {
            if (i < in && j < out) take2(step, i * pitch + j, early[pair], gx, gy);
        });
}

// Adds the losses of a minibatch, times a weight, to the member's. Grid: (1, members).
extern "C" __global__ void __launch_bounds__(256) addLosses(const Ensemble s, int rows, double weight) {
    double *part = (double *)pool();
    int t = threadIdx.x;
    double sum = 0;
    for (int row = t; row < rows; row += 256) sum += s.rowLoss[blockIdx.y * s.batch + row];
    part[t] = sum;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) part[t] += part[t + half];
    }
    if (t == 0) s.losses[blockIdx.y] += part[0] * weight;
}
