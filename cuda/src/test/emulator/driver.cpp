// The functions of libcuda.so.1 that we call. What goes to a stream is done as late as it may be: when somebody waits for
// it. So whoever reads a result too early, or overwrites what is still to be copied, gets it wrong here every time.
#include "block.h"
#include "kernels.h"

#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Launch {
    std::string name;
    Dim grid, block;
    std::function<void()> thread;

    void run() const { runGrid(name, grid, block, thread); }
};

using Graph = std::vector<Launch>;

struct Stream {
    std::deque<std::function<void()>> waiting;
    long sent = 0, done = 0;
    Graph *capture = nullptr;

    void send(std::function<void()> task) {
        if (capture) throw Fault{Fault::NOT_CAPTURABLE, "only kernels are captured"};
        waiting.push_back(std::move(task));
        sent++;
    }

    void finish(long number) {
        while (done < number) {
            std::function<void()> task = std::move(waiting.front());
            waiting.pop_front();
            done++;
            task();
        }
    }
};

struct Event {
    Stream *stream = nullptr;
    long number = 0;
};

struct Memory {
    char *start;  // of the pages
    size_t pages, bytes;
};

std::mutex mutex;
std::set<Stream *> streams;
std::map<char *, Memory> memory;     // of the device
std::map<char *, size_t> hostMemory; // page-locked
int broken;  // a fault in a kernel is for ever, as on a GPU
std::string lastFault = "no fault";

template <class F>
int guarded(F work) {
    std::lock_guard<std::mutex> lock(mutex);
    if (broken) return broken;
    try {
        work();
        return 0;
    } catch (const Fault &fault) {
        lastFault = fault.text;
        if (fault.code == Fault::ILLEGAL_ADDRESS || fault.code == Fault::LAUNCH_FAILED) broken = fault.code;
        return fault.code;
    }
}

void finishAll() {
    for (Stream *stream : streams) stream->finish(stream->sent);
}

Stream &streamAt(void *handle) {
    if (!streams.count((Stream *)handle)) throw Fault{Fault::INVALID_VALUE, "no such stream"};
    return *(Stream *)handle;
}

char *device(unsigned long long address, size_t bytes) {
    char *at = (char *)address;
    auto after = memory.upper_bound(at);
    if (after == memory.begin() || at + bytes > std::prev(after)->first + std::prev(after)->second.bytes) {
        throw Fault{Fault::INVALID_VALUE, "a copy of " + std::to_string(bytes) + " bytes that leaves its memory"};
    }
    return at;
}

bool pageLocked(const void *address) {
    auto after = hostMemory.upper_bound((char *)address);
    return after != hostMemory.begin() && address < std::prev(after)->first + std::prev(after)->second;
}

}  // namespace

EXPORT int cuGetErrorString(int, const char **text) {
    *text = lastFault.c_str();
    return 0;
}

EXPORT int cuInit(unsigned) {
    catchSignals();
    return 0;
}

EXPORT int cuDriverGetVersion(int *version) {
    *version = 13000;
    return 0;
}

EXPORT int cuDeviceGetCount(int *count) {
    *count = 1;
    return 0;
}

EXPORT int cuDeviceGet(int *device, int) {
    *device = 0;
    return 0;
}

EXPORT int cuDeviceGetName(char *name, int length, int) {
    strncpy(name, "emulator", length);
    return 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int) {
    enum { MULTIPROCESSORS = 16, MAJOR = 75, MINOR = 76 };
    switch (attribute) {
        case MULTIPROCESSORS: *value = 132; return 0;
        case MAJOR: *value = __CUDA_ARCH__ / 100; return 0;
        case MINOR: *value = __CUDA_ARCH__ % 100 / 10; return 0;
        default: return Fault::INVALID_VALUE;
    }
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int) {
    *context = &memory;
    return 0;
}

EXPORT int cuCtxSetCurrent(void *) { return 0; }

EXPORT int cuMemGetInfo_v2(size_t *free, size_t *all) {
    *free = *all = size_t{4} << 30;
    return 0;
}

// Behind it (and what is missing to 16 bytes) lies a page that nobody may touch, and one before the page in which it begins.
// The memory, and what is left of that page before it, is full of NaNs.
EXPORT int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
    return guarded([&] {
        size_t page = sysconf(_SC_PAGESIZE), rounded = (bytes + 15) / 16 * 16;
        size_t pages = (rounded + page - 1) / page * page + 2 * page;
        char *start = (char *)mmap(nullptr, pages, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED || mprotect(start + page, pages - 2 * page, PROT_READ | PROT_WRITE)) abort();
        char *at = start + pages - page - rounded;
        memset(start + page, 0xFF, pages - 2 * page);
        memory[at] = {start, pages, bytes};
        *address = (unsigned long long)at;
    });
}

EXPORT int cuMemFree_v2(unsigned long long address) {
    return guarded([&] {
        finishAll();
        auto found = memory.find((char *)address);
        if (found == memory.end()) throw Fault{Fault::INVALID_VALUE, "this memory was not handed out"};
        munmap(found->second.start, found->second.pages);
        memory.erase(found);
    });
}

EXPORT int cuMemHostAlloc(void **address, size_t bytes, unsigned) {
    return guarded([&] {
        if (posix_memalign(address, 256, bytes)) abort();
        memset(*address, 0xFF, bytes);
        hostMemory[(char *)*address] = bytes;
    });
}

EXPORT int cuMemFreeHost(void *address) {
    return guarded([&] {
        finishAll();
        if (!hostMemory.erase((char *)address)) throw Fault{Fault::INVALID_VALUE, "this memory was not handed out"};
        free(address);
    });
}

// Other memory than page-locked is read before the call returns.
EXPORT int cuMemcpyHtoDAsync_v2(unsigned long long to, const void *from, size_t bytes, void *stream) {
    return guarded([&] {
        char *at = device(to, bytes);
        if (pageLocked(from)) {
            streamAt(stream).send([=] { memcpy(at, from, bytes); });
        } else {
            std::string copy((const char *)from, bytes);
            streamAt(stream).send([=] { memcpy(at, copy.data(), bytes); });
        }
    });
}

// Other memory than page-locked is written before the call returns.
EXPORT int cuMemcpyDtoHAsync_v2(void *to, unsigned long long from, size_t bytes, void *stream) {
    return guarded([&] {
        char *at = device(from, bytes);
        Stream &its = streamAt(stream);
        its.send([=] { memcpy(to, at, bytes); });
        if (!pageLocked(to)) its.finish(its.sent);
    });
}

EXPORT int cuMemsetD8Async(unsigned long long to, unsigned char value, size_t bytes, void *stream) {
    return guarded([&] {
        char *at = device(to, bytes);
        streamAt(stream).send([=] { memset(at, value, bytes); });
    });
}

EXPORT int cuModuleLoadData(void **module, const void *) {
    *module = &streams;
    return 0;
}

EXPORT int cuModuleUnload(void *) { return guarded(finishAll); }

EXPORT int cuModuleGetFunction(void **function, void *, const char *name) {
    return guarded([&] {
        for (const Kernel &kernel : kernels()) {
            if (kernel.name == name) {
                *function = (void *)&kernel;
                return;
            }
        }
        throw Fault{Fault::NOT_FOUND, std::string("no kernel ") + name};
    });
}

EXPORT int cuLaunchKernel(
    void *function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
    unsigned sharedBytes, void *stream, void **arguments, void **) {
    return guarded([&] {
        const Kernel &kernel = *(const Kernel *)function;
        bool possible = gridX > 0 && gridY > 0 && gridY < 65536 && gridZ == 1 && blockX > 0
            && blockX <= (unsigned)kernel.mostThreads && blockY == 1 && blockZ == 1 && sharedBytes == 0;
        if (!possible) throw Fault{Fault::INVALID_VALUE, "no such grid or block for " + kernel.name};
        Launch launch{
            kernel.name, {(int)gridX, (int)gridY, 1}, {(int)blockX, 1, 1}, kernel.bind(arguments)};
        Stream &its = streamAt(stream);
        if (its.capture) {
            its.capture->push_back(launch);
        } else {
            its.send([=] { launch.run(); });
        }
    });
}

EXPORT int cuStreamCreate(void **stream, unsigned) {
    return guarded([&] { *stream = *streams.insert(new Stream).first; });
}

EXPORT int cuStreamDestroy_v2(void *stream) {
    return guarded([&] {
        Stream &its = streamAt(stream);
        its.finish(its.sent);
        streams.erase(&its);
        delete &its;
    });
}

EXPORT int cuStreamSynchronize(void *stream) {
    return guarded([&] { streamAt(stream).finish(streamAt(stream).sent); });
}

EXPORT int cuEventCreate(void **event, unsigned) {
    *event = new Event;
    return 0;
}

EXPORT int cuEventDestroy_v2(void *event) {
    delete (Event *)event;
    return 0;
}

EXPORT int cuEventRecord(void *event, void *stream) {
    return guarded([&] { *(Event *)event = {&streamAt(stream), streamAt(stream).sent}; });
}

EXPORT int cuEventSynchronize(void *event) {
    return guarded([&] {
        const Event &its = *(const Event *)event;
        if (its.stream) streamAt(its.stream).finish(its.number);
    });
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *, void *) {
    *milliseconds = 1;
    return 0;
}

EXPORT int cuStreamBeginCapture_v2(void *stream, int) {
    return guarded([&] { streamAt(stream).capture = new Graph; });
}

EXPORT int cuStreamEndCapture(void *stream, void **graph) {
    return guarded([&] { *graph = std::exchange(streamAt(stream).capture, nullptr); });
}

EXPORT int cuGraphInstantiateWithFlags(void **instance, void *graph, unsigned long long) {
    return guarded([&] { *instance = new Graph(*(const Graph *)graph); });
}

EXPORT int cuGraphLaunch(void *instance, void *stream) {
    return guarded([&] {
        for (const Launch &launch : *(const Graph *)instance) streamAt(stream).send([=] { launch.run(); });
    });
}

EXPORT int cuGraphDestroy(void *graph) {
    return guarded([&] { delete (Graph *)graph; });
}

EXPORT int cuGraphExecDestroy(void *instance) {
    return guarded([&] { delete (Graph *)instance; });
}
