// What CUDA C++ has beyond C++, as far as our kernels use it. The test writes what C++ has no words for in other ones: a PTX
// instruction is a function of its name, with dots written as underscores and its operands in their order, and an array in
// shared memory is a reference that shared<float[8]>() gives once.
#pragma once
#include "block.h"

#include <cmath>
#include <cstdint>
#include <cstring>

extern Dim threadIdx, blockIdx, blockDim, gridDim;

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __syncthreads() barrier(__LINE__)

struct float2 {
    float x, y;
} __attribute__((aligned(8)));

struct float4 {
    float x, y, z, w;
} __attribute__((aligned(16)));

struct uint4 {
    unsigned x, y, z, w;
} __attribute__((aligned(16)));

inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }

template <class To, class From>
inline To sameBits(From from) {
    static_assert(sizeof(To) == sizeof(From));
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

inline float __uint_as_float(unsigned bits) { return sameBits<float>(bits); }
inline unsigned __float_as_uint(float value) { return sameBits<unsigned>(value); }

inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}

inline float cospif(float x) { return (float)std::cos(M_PI * x); }
inline float sinpif(float x) { return (float)std::sin(M_PI * x); }
using std::isfinite;

// Ends the launch.
[[noreturn]] void fail(int code, const std::string &text);

// Waits until all threads of the block are here; the line says whether it is the same barrier.
void barrier(int line);

// Memory for an array that the threads of a block share.
void *sharedPlace(size_t bytes);

template <class Array>
inline Array &shared() {
    return *(Array *)sharedPlace(sizeof(Array));
}

// Done by the last of the 32 lanes to come, which finds what each of them brought.
using WarpOperation = void (*)(void *lanes[32]);
void withWarp(WarpOperation operation, void *operands);

template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int distance) {
    struct Shuffle {
        T value, result;
        int distance;
    } mine = {value, value, distance};
    if (mask != 0xFFFFFFFFu) fail(Fault::LAUNCH_FAILED, "a shuffle of some lanes, which the emulator does not know");
    withWarp(
        [](void *lanes[32]) {
            for (int i = 0; i < 32; i++) {
                Shuffle *lane = (Shuffle *)lanes[i];
                lane->result = ((Shuffle *)lanes[i ^ lane->distance])->value;
            }
        },
        &mine);
    return mine.result;
}

unsigned __cvta_generic_to_shared(const void *pointer);
void cp_async_cg_shared_global(unsigned to, const void *from, int size, int bytes);
void cp_async_commit_group();
void cp_async_wait_group(int pending);

// One grid ends before the next begins.
inline void griddepcontrol_wait() {}
inline void griddepcontrol_launch_dependents() {}

// To the nearest number with 10 bits after the point, ties away from zero.
inline void cvt_rna_tf32_f32(unsigned &to, float from) {
    unsigned bits = __float_as_uint(from);
    to = std::isfinite(from) ? (bits + 0x1000u) & ~0x1FFFu : bits;
}

struct Mma {
    float *d[4];
    unsigned a[4], b[2];
    float c[4];
};

// "Matrix Fragments for mma.m16n8k8" of the PTX ISA: group = lane / 4, member = lane % 4. Places in a are (group, member),
// and in this order 8 rows below, 4 columns to the right, both; in b (member, group), and 4 rows below; in c and d
// (group, 2 member), the next column, and both 8 rows below. Its loops are too hot to be checked as those of kernels are.
__attribute__((no_sanitize("bounds", "alignment"))) inline void multiply(void *lanes[32]) {
    float a[16][8], b[8][8], d[16][8];
    auto number = [](unsigned bits) { return __uint_as_float(bits & ~0x1FFFu); };
    for (int i = 0; i < 32; i++) {
        const Mma &lane = *(const Mma *)lanes[i];
        int group = i / 4, member = i % 4;
        for (int e = 0; e < 4; e++) {
            a[group + e % 2 * 8][member + e / 2 * 4] = number(lane.a[e]);
            d[group + e / 2 * 8][2 * member + e % 2] = lane.c[e];
        }
        for (int e = 0; e < 2; e++) b[member + e * 4][group] = number(lane.b[e]);
    }
    for (int m = 0; m < 16; m++) {
        for (int k = 0; k < 8; k++) {
            for (int n = 0; n < 8; n++) d[m][n] += a[m][k] * b[k][n];
        }
    }
    for (int i = 0; i < 32; i++) {
        const Mma &lane = *(const Mma *)lanes[i];
        for (int e = 0; e < 4; e++) *lane.d[e] = d[i / 4 + e / 2 * 8][2 * (i % 4) + e % 2];
    }
}

inline void mma_sync_aligned_m16n8k8_row_col_f32_tf32_tf32_f32(
    float &d0, float &d1, float &d2, float &d3, unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0, unsigned b1,
    float c0, float c1, float c2, float c3) {
    Mma mine = {{&d0, &d1, &d2, &d3}, {a0, a1, a2, a3}, {b0, b1}, {c0, c1, c2, c3}};
    withWarp(multiply, &mine);
}
