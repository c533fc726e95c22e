// Kernels that do what a GPU punishes, for a test of the emulator; and one that does not. Each has one block of 64 threads
// and 64 numbers of memory.

static __device__ __forceinline__ float neighbour(bool waits) {
    __shared__ float numbers[64];
    numbers[threadIdx.x] = threadIdx.x;
    if (waits) __syncthreads();
    return numbers[(threadIdx.x + 1) % 64];
}

static __device__ __forceinline__ float copied(const float *from, bool waits) {
    __shared__ __align__(16) float numbers[256];
    float *mine = numbers + 4 * threadIdx.x;
    mine[0] = 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"((unsigned)__cvta_generic_to_shared(mine)), "l"(from + threadIdx.x / 4 * 4), "r"(threadIdx.x < 32 ? 16 : 0)
                 : "memory");
    asm volatile("cp.async.commit_group;" : : : "memory");
    if (waits) asm volatile("cp.async.wait_group %0;" : : "n"(0) : "memory");
    return mine[threadIdx.x % 4];
}

extern "C" __global__ void __launch_bounds__(64) sound(float *memory) {
    float own = memory[threadIdx.x], other = neighbour(true), also = copied(memory, true);
    __syncthreads();
    memory[threadIdx.x] = own + other + also + __shfl_xor_sync(0xFFFFFFFFu, other, 1);
}

extern "C" __global__ void __launch_bounds__(64) barrierForSome(float *memory) {
    if (threadIdx.x < 32) __syncthreads();
}

extern "C" __global__ void __launch_bounds__(64) twoBarriers(float *memory) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}

extern "C" __global__ void __launch_bounds__(64) shuffleOfSome(float *memory) {
    if (threadIdx.x % 32 < 16) memory[threadIdx.x] = __shfl_xor_sync(0xFFFFFFFFu, 1.0f, 1);
}

extern "C" __global__ void __launch_bounds__(64) writesBehind(float *memory) { memory[threadIdx.x + 1] = 0; }

extern "C" __global__ void __launch_bounds__(64) readsBefore(float *memory) { memory[0] = memory[(int)threadIdx.x - 1200]; }

extern "C" __global__ void __launch_bounds__(64) indexTooLarge(float *memory) {
    __shared__ float numbers[8];
    numbers[threadIdx.x] = 0;
}

extern "C" __global__ void __launch_bounds__(64) misaligned(float *memory) { *(float2 *)(memory + 1) = make_float2(0, 0); }

extern "C" __global__ void __launch_bounds__(64) withoutBarrier(float *memory) { memory[threadIdx.x] = neighbour(false); }

extern "C" __global__ void __launch_bounds__(64) withoutWaiting(float *memory) {
    memory[threadIdx.x] = copied(memory, false);
}
