// The threads of a block are fibres: each has a stack, and runs until it must wait for others. A scheduler lets them go on,
// warps and lanes forwards and backwards by turns and other turns in other blocks, so that what one leaves to another
// without a barrier is missed sooner or later. Shared memory is full of NaNs when a block begins.
#include "block.h"

#include "device.h"

#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <pthread.h>
#include <ucontext.h>
#include <vector>

Dim threadIdx, blockIdx, blockDim, gridDim;

namespace {

constexpr int STACK = 256 << 10, WARP = 32, SHARED = 1 << 20;
enum State { READY, AT_BARRIER, IN_WARP, DONE };

struct Copy {
    char *to;
    const char *from;
    int bytes, group;
};

struct Fibre {
    std::unique_ptr<char[]> stack{new char[STACK]};
    jmp_buf here;
    State state = DONE;
    int line = 0;  // of the barrier
    WarpOperation operation = nullptr;
    void *operands = nullptr;  // of an operation of the whole warp
    std::vector<Copy> copies;  // on their way
    int group = 0;
};

std::vector<std::unique_ptr<Fibre>> fibres;
std::vector<int> arrived;  // for each warp: lanes that wait in its operation
alignas(16) char sharedMemory[SHARED];  // variables of all kernels, of which one runs at a time
unsigned sharedUsed;
int current;
jmp_buf scheduler;
ucontext_t starter;
const std::function<void()> *body;
std::string running;  // name of the kernel
Fault fault;
std::atomic<bool> busy;
pthread_t runner;
struct sigaction before[NSIG];

void rest() {
    if (!_setjmp(fibres[current]->here)) _longjmp(scheduler, 1);
}

// A fibre lives for many blocks: it sleeps between them, and its stack begins only once.
void live() {
    for (;;) {
        (*body)();
        fibres[current]->state = DONE;
        rest();
    }
}

void resume(int thread) {
    current = thread;
    threadIdx = {thread, 0, 0};
    if (!_setjmp(scheduler)) _longjmp(fibres[thread]->here, 1);
}

void addFibre() {
    current = (int)fibres.size();
    fibres.push_back(std::make_unique<Fibre>());
    ucontext_t context;
    getcontext(&context);
    context.uc_stack.ss_sp = fibres.back()->stack.get();
    context.uc_stack.ss_size = STACK;
    context.uc_link = nullptr;
    makecontext(&context, [] { rest(), live(); }, 0);
    if (!_setjmp(scheduler)) swapcontext(&starter, &context);
}

std::string where(int thread) {
    return running + ", block (" + std::to_string(blockIdx.x) + ", " + std::to_string(blockIdx.y) + "), thread "
        + std::to_string(thread);
}

std::string stateOf(const Fibre &fibre) {
    switch (fibre.state) {
        case AT_BARRIER: return "waits at the barrier of line " + std::to_string(fibre.line);
        case IN_WARP: return "waits for the other lanes of its warp";
        default: return "has ended";
    }
}

// Nobody can go on: either all have ended, or all wait at one barrier, or they wait for each other in vain.
bool release(int threads) {
    const Fibre &first = *fibres[0];
    for (int i = 0; i < threads; i++) {
        const Fibre &other = *fibres[i];
        bool same = other.state == first.state && (first.state == DONE || other.line == first.line);
        if (!same) {
            throw Fault{Fault::LAUNCH_FAILED, where(i) + " " + stateOf(other) + ", thread 0 " + stateOf(first)};
        }
    }
    if (first.state == DONE) return false;
    if (first.state == IN_WARP) throw Fault{Fault::LAUNCH_FAILED, where(0) + " waits for lanes that its warp lacks"};
    for (int i = 0; i < threads; i++) fibres[i]->state = READY;
    return true;
}

void runBlock(int threads) {
    memset(sharedMemory, 0xFF, sharedUsed);
    arrived.assign((threads + WARP - 1) / WARP, 0);
    for (int i = 0; i < threads; i++) {
        fibres[i]->state = READY;
        fibres[i]->copies.clear();
        fibres[i]->group = 0;
    }
    int warps = (int)arrived.size();
    bool ran;
    unsigned turn = blockIdx.x;
    do {
        ran = false;
        for (int j = 0; j < warps * WARP; j++) {
            int warp = turn & 2 ? warps - 1 - j / WARP : j / WARP, lane = turn & 1 ? WARP - 1 - j % WARP : j % WARP;
            int thread = warp * WARP + lane;
            if (thread >= threads || fibres[thread]->state != READY) continue;
            resume(thread);
            if (fault.code) throw fault;
            ran = true;
        }
        turn++;
    } while (ran || release(threads));
}

void refused(int signal, siginfo_t *info, void *context) {
    if (busy && pthread_equal(pthread_self(), runner)) {
        char address[40];
        snprintf(address, sizeof address, "%p", signal == SIGILL ? nullptr : info->si_addr);
        fail(Fault::ILLEGAL_ADDRESS,
             signal == SIGILL ? "an index outside an array, or an address that is not a multiple of what is read there"
                              : std::string("no memory of the device at ") + address);
    }
    struct sigaction &old = before[signal];
    if (old.sa_flags & SA_SIGINFO) {
        old.sa_sigaction(signal, info, context);
    } else if (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN) {
        old.sa_handler(signal);
    } else {
        abort();
    }
}

}  // namespace

void catchSignals() {
    static bool done;
    if (done) return;
    done = true;
    struct sigaction ours = {};
    ours.sa_sigaction = refused;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER;  // nothing is blocked in it, so that it may be left by a jump
    for (int signal : {SIGSEGV, SIGBUS, SIGILL}) sigaction(signal, &ours, &before[signal]);
}

void runGrid(const std::string &kernel, Dim grid, Dim block, const std::function<void()> &thread) {
    while ((int)fibres.size() < block.x) addFibre();
    running = kernel;
    body = &thread;
    gridDim = grid;
    blockDim = block;
    runner = pthread_self();
    struct Busy {
        Busy() { busy = true; }
        ~Busy() { busy = false; }
    } whileRunning;
    for (int y = grid.y - 1; y >= 0; y--) {
        for (int x = grid.x - 1; x >= 0; x--) {
            blockIdx = {x, y, 0};
            runBlock(block.x);
        }
    }
}

void fail(int code, const std::string &text) {
    fault = {code, where(current) + ": " + text};
    _longjmp(scheduler, 1);
}

void barrier(int line) {
    static const bool dropped = getenv("EMULATOR_WITHOUT_BARRIERS") != nullptr;
    if (dropped) return;
    fibres[current]->state = AT_BARRIER;
    fibres[current]->line = line;
    rest();
}

void withWarp(WarpOperation operation, void *operands) {
    Fibre &mine = *fibres[current];
    int warp = current / WARP;
    mine.state = IN_WARP;
    mine.operation = operation;
    mine.operands = operands;
    if (++arrived[warp] < WARP) {
        rest();
        return;
    }
    void *all[WARP];
    for (int lane = 0; lane < WARP; lane++) {
        Fibre &other = *fibres[warp * WARP + lane];
        if (other.operation != operation) fail(Fault::LAUNCH_FAILED, "lanes of a warp in different operations");
        all[lane] = other.operands;
        other.state = READY;
    }
    arrived[warp] = 0;
    operation(all);
}

void *sharedPlace(size_t bytes) {
    char *place = sharedMemory + sharedUsed;
    sharedUsed += (bytes + 15) / 16 * 16;
    if (sharedUsed > SHARED) fail(Fault::LAUNCH_FAILED, "too much shared memory");
    return memset(place, 0xFF, bytes);
}

unsigned __cvta_generic_to_shared(const void *pointer) {
    const char *at = (const char *)pointer;
    bool inside = at >= sharedMemory && at < sharedMemory + sharedUsed;
    if (!inside) fail(Fault::ILLEGAL_ADDRESS, "an address that is not in shared memory");
    return at - sharedMemory;
}

// A copy comes as late as it may, and its place holds NaNs until then.
void cp_async_cg_shared_global(unsigned to, const void *from, int size, int bytes) {
    if (to + size > sharedUsed || to % 16 || (uintptr_t)from % 16 || size != 16 || bytes < 0 || bytes > size) {
        fail(Fault::ILLEGAL_ADDRESS, "cp.async of places or sizes that it does not take");
    }
    memset(sharedMemory + to, 0xFF, size);
    fibres[current]->copies.push_back({sharedMemory + to, (const char *)from, bytes, fibres[current]->group});
}

void cp_async_commit_group() { fibres[current]->group++; }

void cp_async_wait_group(int pending) {
    Fibre &mine = *fibres[current];
    size_t done = 0;
    for (; done < mine.copies.size() && mine.copies[done].group < mine.group - pending; done++) {
        const Copy &copy = mine.copies[done];
        memcpy(copy.to, copy.from, copy.bytes);
        memset(copy.to + copy.bytes, 0, 16 - copy.bytes);
    }
    mine.copies.erase(mine.copies.begin(), mine.copies.begin() + done);
}
