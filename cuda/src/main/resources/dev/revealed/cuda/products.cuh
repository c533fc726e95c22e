// What kernels of several kinds of learning share: matrix products by tensor cores from pairs of TF32 numbers, which together
// have the digits of a float, and the steps of Adam. All sums are taken in a fixed order and nothing is atomic.

typedef unsigned int u32;
typedef unsigned long long u64;

static __device__ __forceinline__ int ceilDiv(int a, int b) { return (a + b - 1) / b; }

// Four numbers on their way to shared memory, zeros after the first `count` of them. They have arrived after waitFor and a
// barrier.
static __device__ __forceinline__ void copy4(float *to, const float *from, int count) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"((u32)__cvta_generic_to_shared(to)), "l"(from), "r"(4 * count)
                 : "memory");
#else
    for (int i = 0; i < 4; i++) to[i] = i < count ? from[i] : 0;
#endif
}

// Ends a group of copies.
static __device__ __forceinline__ void commit() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" : : : "memory");
#endif
}

// Waits for this thread's copies but those of the last PENDING groups.
template <int PENDING>
static __device__ __forceinline__ void waitFor() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" : : "n"(PENDING) : "memory");
#endif
}

#if __CUDA_ARCH__ >= 800

// The nearest TF32 number, which has 11 significant bits, as cvt.rna.tf32 gives it in more time. NaN may become 0, which
// does not hide it: what is left over is NaN too.
static __device__ __forceinline__ float tf32(float v) {
    return __uint_as_float((__float_as_uint(v) + 0x1000u) & 0xFFFFE000u);
}

// c += a b for a 16 x 8 and an 8 x 8 matrix of TF32 numbers that lie scattered over a warp. With g = lane / 4 and
// q = lane % 4 a lane has of a: (g, q), (g + 8, q), (g, q + 4), (g + 8, q + 4); of b: (q, g), (q + 4, g);
// of c: (g, 2q), (g, 2q + 1), (g + 8, 2q), (g + 8, 2q + 1). Bits below TF32 are not looked at.
static __device__ __forceinline__ void mma(float c[4], const float a[4], const float b[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
}

#endif

// A part of a matrix in shared memory: T of its outer places, DEEP places of the sum. ALONG: the sum runs along its rows.
// A thread brings sixteen bytes of it; the pitches let the lanes of a warp find their numbers in different banks.
template <int T, bool ALONG>
struct Part {
    static constexpr int DEEP = 1024 / T, PITCH = ALONG ? DEEP + 4 : T + 8, SIZE = PITCH * (ALONG ? T : DEEP);

    static __device__ __forceinline__ int at(int m, int k) { return ALONG ? m * PITCH + k : k * PITCH + m; }

    static __device__ __forceinline__ void copy(
        float *to, const float *from, int pitch, int m0, int most, int k0, int depth) {
        int t = threadIdx.x;
        int m = ALONG ? t / (DEEP / 4) : t % (T / 4) * 4, k = ALONG ? t % (DEEP / 4) * 4 : t / (T / 4);
        int outer = m0 + m, inner = k0 + k;
        bool inside = outer < most && inner < depth;
        int place = ALONG ? outer * pitch + inner : inner * pitch + outer;
        copy4(to + at(m, k), from + (inside ? place : 0), !inside ? 0 : ALONG && depth - inner < 4 ? depth - inner : 4);
    }
};

// How the sums of a T x T tile lie in the threads of a block: 2 x 4 warps, each with SIDE x SIDE pieces of 16 x 8.
template <int T>
struct Sums {
    static constexpr int SIDE = T / 32, PAIRS = 2 * SIDE * SIDE;  // of neighbours in a row, in a thread

    static __device__ __forceinline__ int warpRow() { return threadIdx.x / 128 * 16 * SIDE; }

    static __device__ __forceinline__ int warpColumn() { return threadIdx.x / 32 % 4 * 8 * SIDE; }

    static __device__ __forceinline__ int row(int pair) {
        return warpRow() + pair / SIDE / 2 * 16 + pair / SIDE % 2 * 8 + threadIdx.x % 32 / 4;
    }

    static __device__ __forceinline__ int column(int pair) {
        return warpColumn() + pair % SIDE * 8 + threadIdx.x % 4 * 2;
    }
};

enum { RING = 4, POOL = RING * 2 * 1280 };

// Shared memory that products fill, and that stages may use where they make none.
static __device__ __forceinline__ float *pool() {
    __shared__ __align__(16) float memory[POOL];
    return memory;
}

static __device__ __forceinline__ float relu(float v) { return v < 0 ? 0 : v; }  // NaN stays what it is

// A T x T tile of a matrix product by 256 threads. Parts of the factors are copied to a ring in shared memory ahead of
// their use; meanwhile() is called when the first of them are on their way, and may end the block by saying false. Rows
// begin at multiples of sixteen bytes, and past the depth there are zeros. emit(pair, m, n, sum, sum) gets two sums, of
// columns n and n + 1, and is called by all lanes of a warp together, for places past the end too.
//
// Factors are split into big + small TF32 numbers, of whose products small times small is left out. Each sum is taken in
// steps of 8 places, in order, whatever the size of the tile, so that this size does not change a bit of the result.
//
// What a and b count as depends on HOW, with numbers for each k and for each row of the tile in shared memory:
// PLAIN: as they are.
// MASKED: a as 1 where it is positive and as 0 elsewhere, and rows k of b times each[k].
// CENTRED: a less the row's first number, negative ones as 0, and rows k of b less each[k].
// BENT: a as ((a > 0 ? each[k] : 0) - first - a * (a > 0 ? second : third)), with the row's three numbers.
enum How { PLAIN, MASKED, CENTRED, BENT };

struct RowNumbers {
    const float *first, *second, *third;
};

template <int T, bool A_ALONG, bool B_ALONG, How HOW, class Meanwhile, class Emit>
static __device__ __forceinline__ void product(
    const float *a, int aPitch, int m0, int rows, const float *b, int bPitch, int n0, int columns, int depth,
    const float *each, RowNumbers numbers, Meanwhile meanwhile, Emit emit) {
    using A = Part<T, A_ALONG>;
    using B = Part<T, B_ALONG>;
    constexpr int DEEP = A::DEEP, SIDE = Sums<T>::SIDE;
    static_assert(RING * (A::SIZE + B::SIZE) <= POOL, "two parts of 1280 numbers are the largest");
    float *as = pool(), *bs = as + RING * A::SIZE;
    for (int part = 0; part < RING - 1; part++) {
        if (part * DEEP < depth) {
            A::copy(as + part * A::SIZE, a, aPitch, m0, rows, part * DEEP, depth);
            B::copy(bs + part * B::SIZE, b, bPitch, n0, columns, part * DEEP, depth);
        }
        commit();
    }
    if (!meanwhile()) {
        waitFor<0>();
        return;
    }
    int g = threadIdx.x % 32 / 4, q = threadIdx.x % 4;
    int row = Sums<T>::warpRow() + g, column = Sums<T>::warpColumn();
    // A warp whose sums all lie outside only copies.
    bool needed = m0 + Sums<T>::warpRow() < rows && n0 + column < columns;
    float first[SIDE][2], second[SIDE][2], third[SIDE][2];
    if (HOW == CENTRED || HOW == BENT) {
#pragma unroll
        for (int i = 0; i < 2 * SIDE; i++) {
            int r = row + i / 2 * 16 + i % 2 * 8;
            first[i / 2][i % 2] = numbers.first[r];
            if (HOW == BENT) second[i / 2][i % 2] = numbers.second[r];
            if (HOW == BENT) third[i / 2][i % 2] = numbers.third[r];
        }
    }
    auto left = [&](float v, int i, int e, int k) {
        if (HOW == CENTRED) return relu(v - first[i][e]);
        if (HOW == BENT) return (v > 0 ? each[k] : 0) - first[i][e] - v * (v > 0 ? second[i][e] : third[i][e]);
        return v;
    };
    auto right = [&](float v, int k) { return HOW == MASKED ? v * each[k] : HOW == CENTRED ? v - each[k] : v; };
    float sum[SIDE][SIDE][4] = {};
#if __CUDA_ARCH__ >= 800
    float cross[SIDE][SIDE][4] = {}, across[SIDE][SIDE][4] = {};
#endif
    for (int k0 = 0, part = 0; k0 < depth; k0 += DEEP, part++) {
        waitFor<RING - 2>();
        __syncthreads();
        int next = part + RING - 1;
        if (next * DEEP < depth) {
            A::copy(as + next % RING * A::SIZE, a, aPitch, m0, rows, next * DEEP, depth);
            B::copy(bs + next % RING * B::SIZE, b, bPitch, n0, columns, next * DEEP, depth);
        }
        commit();
        if (!needed) continue;
        const float *ap = as + part % RING * A::SIZE, *bp = bs + part % RING * B::SIZE;
#if __CUDA_ARCH__ >= 800
#pragma unroll
        for (int k = 0; k < DEEP; k += 8) {
            float big[SIDE][4], small[SIDE][4], bigB[SIDE][2], smallB[SIDE][2];
#pragma unroll
            for (int i = 0; i < SIDE; i++) {
#pragma unroll
                for (int e = 0; e < 4; e++) {
                    float v = ap[A::at(row + i * 16 + e % 2 * 8, k + q + e / 2 * 4)];
                    v = left(v, i, e % 2, k0 + k + q + e / 2 * 4);
                    big[i][e] = HOW == MASKED ? (v > 0 ? 1.0f : 0.0f) : tf32(v);
                    small[i][e] = v - big[i][e];
                }
            }
#pragma unroll
            for (int j = 0; j < SIDE; j++) {
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    float v = right(bp[B::at(column + j * 8 + g, k + q + e * 4)], k0 + k + q + e * 4);
                    bigB[j][e] = tf32(v);
                    smallB[j][e] = v - bigB[j][e];
                }
            }
#pragma unroll
            for (int i = 0; i < SIDE; i++) {
#pragma unroll
                for (int j = 0; j < SIDE; j++) {
                    if (HOW != MASKED) mma(cross[i][j], small[i], bigB[j]);
                    mma(across[i][j], big[i], smallB[j]);
                    mma(sum[i][j], big[i], bigB[j]);
                }
            }
        }
#else
#pragma unroll 8
        for (int k = 0; k < DEEP; k++) {
            float u[SIDE][2], v[SIDE][2];
#pragma unroll
            for (int i = 0; i < SIDE; i++) {
#pragma unroll
                for (int e = 0; e < 2; e++) {
                    u[i][e] = left(ap[A::at(row + i * 16 + e * 8, k)], i, e, k0 + k);
                    v[i][e] = right(bp[B::at(column + i * 8 + q * 2 + e, k)], k0 + k);
                    if (HOW == MASKED) u[i][e] = u[i][e] > 0 ? 1 : 0;
                }
            }
#pragma unroll
            for (int i = 0; i < SIDE; i++) {
#pragma unroll
                for (int j = 0; j < SIDE; j++) {
#pragma unroll
                    for (int e = 0; e < 4; e++) sum[i][j][e] += u[i][e / 2] * v[j][e % 2];
                }
            }
        }
#endif
    }
    if (!needed) return;
#pragma unroll
    for (int pair = 0; pair < Sums<T>::PAIRS; pair++) {
        constexpr int S = SIDE;
        int i = pair / S / 2, j = pair % S, e = pair / S % 2 * 2;
#if __CUDA_ARCH__ >= 800
        float x = cross[i][j][e] + across[i][j][e] + sum[i][j][e];
        float y = cross[i][j][e + 1] + across[i][j][e + 1] + sum[i][j][e + 1];
#else
        float x = sum[i][j][e], y = sum[i][j][e + 1];
#endif
        emit(pair, m0 + Sums<T>::row(pair), n0 + Sums<T>::column(pair), x, y);
    }
}

static __device__ __forceinline__ float2 pairAt(const float *from) { return *(const float2 *)from; }

struct Step {
    float *theta, *first, *second, *target;
    float rate, root, pull, keep;
};

static __device__ __forceinline__ float adam(
    float p, float g, float &m, float &v, float rate, float root, float keep) {
    const float fresh1 = (float)(1 - 0.9), fresh2 = (float)(1 - 0.999);
    m = 0.9f * m + fresh1 * g;
    v = 0.999f * v + fresh2 * (g * g);
    m = fabsf(m) < 1e-30f ? 0 : m;
    v = v < 1e-30f ? 0 : v;
    return keep * p - rate * m / (sqrtf(v) * root + 1e-8f);
}

static __device__ __forceinline__ void take(const Step &step, int at, float g) {
    float m = step.first[at], v = step.second[at];
    float p = adam(step.theta[at], g, m, v, step.rate, step.root, step.keep);
    step.first[at] = m;
    step.second[at] = v;
    step.theta[at] = p;
    if (step.target) step.target[at] += step.pull * (p - step.target[at]);
}

// The parameters, moments and target of two neighbours.
struct Two {
    float2 p, m, v, q;
};

static __device__ __forceinline__ Two twoAt(const Step &step, int at) {
    float2 q = step.target ? pairAt(step.target + at) : make_float2(0, 0);
    return {pairAt(step.theta + at), pairAt(step.first + at), pairAt(step.second + at), q};
}

static __device__ __forceinline__ void take2(const Step &step, int at, Two two, float x, float y) {
    two.p.x = adam(two.p.x, x, two.m.x, two.v.x, step.rate, step.root, step.keep);
    two.p.y = adam(two.p.y, y, two.m.y, two.v.y, step.rate, step.root, step.keep);
    *(float2 *)(step.first + at) = two.m;
    *(float2 *)(step.second + at) = two.v;
    *(float2 *)(step.theta + at) = two.p;
    if (step.target) {
        two.q.x += step.pull * (two.p.x - two.q.x);
        two.q.y += step.pull * (two.p.y - two.q.y);
        *(float2 *)(step.target + at) = two.q;
    }
}
