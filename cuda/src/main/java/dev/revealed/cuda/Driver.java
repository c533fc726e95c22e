package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The functions of the CUDA driver that we use. Handles of contexts, modules, functions, streams, events and graphs are
 * pointers, which we keep as plain numbers. Every code that is not success becomes a {@link CudaFailure}.
 */
@SuppressWarnings("restricted") // memory that the driver hands out comes without a size
final class Driver extends StatusLibrary {
    static final int COMPUTE_CAPABILITY_MAJOR = 75;
    static final int COMPUTE_CAPABILITY_MINOR = 76;
    static final int MULTIPROCESSORS = 16;

    private static final int NON_BLOCKING = 1; // streams that do not wait for the default one
    private static final int THREAD_LOCAL = 1; // capture does not mind what other threads do

    private final MethodHandle errorString = function("cuGetErrorString", JAVA_INT, ADDRESS);
    private final MethodHandle init = function("cuInit", JAVA_INT);
    private final MethodHandle version = function("cuDriverGetVersion", ADDRESS);
    private final MethodHandle deviceCount = function("cuDeviceGetCount", ADDRESS);
    private final MethodHandle deviceGet = function("cuDeviceGet", ADDRESS, JAVA_INT);
    private final MethodHandle deviceName = function("cuDeviceGetName", ADDRESS, JAVA_INT, JAVA_INT);
    private final MethodHandle deviceAttribute = function("cuDeviceGetAttribute", ADDRESS, JAVA_INT, JAVA_INT);
    private final MethodHandle retainContext = function("cuDevicePrimaryCtxRetain", ADDRESS, JAVA_INT);
    private final MethodHandle setContext = function("cuCtxSetCurrent", JAVA_LONG);
    private final MethodHandle memoryInfo = function("cuMemGetInfo_v2", ADDRESS, ADDRESS);
    private final MethodHandle alloc = function("cuMemAlloc_v2", ADDRESS, JAVA_LONG);
    private final MethodHandle free = function("cuMemFree_v2", JAVA_LONG);
    private final MethodHandle hostAlloc = function("cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    private final MethodHandle hostFree = function("cuMemFreeHost", ADDRESS);
    private final MethodHandle toDevice = function("cuMemcpyHtoDAsync_v2", JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG);
    private final MethodHandle toHost = function("cuMemcpyDtoHAsync_v2", ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    private final MethodHandle fill = function("cuMemsetD8Async", JAVA_LONG, JAVA_BYTE, JAVA_LONG, JAVA_LONG);
    private final MethodHandle loadModule = function("cuModuleLoadData", ADDRESS, ADDRESS);
    private final MethodHandle unloadModule = function("cuModuleUnload", JAVA_LONG);
    private final MethodHandle function = function("cuModuleGetFunction", ADDRESS, JAVA_LONG, ADDRESS);
    private final MethodHandle launch = function(
            "cuLaunchKernel",
            FunctionDescriptor.of(
                    JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT,
                    JAVA_LONG, ADDRESS, ADDRESS));
    private final MethodHandle createStream = function("cuStreamCreate", ADDRESS, JAVA_INT);
    private final MethodHandle destroyStream = function("cuStreamDestroy_v2", JAVA_LONG);
    private final MethodHandle synchronize = function("cuStreamSynchronize", JAVA_LONG);
    private final MethodHandle createEvent = function("cuEventCreate", ADDRESS, JAVA_INT);
    private final MethodHandle destroyEvent = function("cuEventDestroy_v2", JAVA_LONG);
    private final MethodHandle record = function("cuEventRecord", JAVA_LONG, JAVA_LONG);
    private final MethodHandle awaitEvent = function("cuEventSynchronize", JAVA_LONG);
    private final MethodHandle elapsed = function("cuEventElapsedTime", ADDRESS, JAVA_LONG, JAVA_LONG);
    private final MethodHandle beginCapture = function("cuStreamBeginCapture_v2", JAVA_LONG, JAVA_INT);
    private final MethodHandle endCapture = function("cuStreamEndCapture", JAVA_LONG, ADDRESS);
    private final MethodHandle instantiate = function("cuGraphInstantiateWithFlags", ADDRESS, JAVA_LONG, JAVA_LONG);
    private final MethodHandle launchGraph = function("cuGraphLaunch", JAVA_LONG, JAVA_LONG);
    private final MethodHandle destroyGraph = function("cuGraphDestroy", JAVA_LONG);
    private final MethodHandle destroyInstance = function("cuGraphExecDestroy", JAVA_LONG);

    Driver(String library) {
        super(library);
    }

    private void check(String name, StatusLibrary.Call call) {
        int code = StatusLibrary.code(call);
        if (code != 0) {
            throw new CudaFailure(name, code, meaning(code));
        }
    }

    private String meaning(int code) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(ADDRESS);
            int found = StatusLibrary.code(() -> (int) errorString.invokeExact(code, text));
            MemorySegment at = text.get(ADDRESS, 0);
            return found == 0 && at.address() != 0 ? at.reinterpret(1024).getString(0) : "a code it does not know";
        }
    }

    /** What is written where a call leaves an answer. */
    @FunctionalInterface
    private interface Answer {
        int code(MemorySegment at) throws Throwable;
    }

    private long longFrom(String name, Answer call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment at = arena.allocate(JAVA_LONG);
            check(name, () -> call.code(at));
            return at.get(JAVA_LONG, 0);
        }
    }

    private int intFrom(String name, Answer call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment at = arena.allocate(JAVA_INT);
            check(name, () -> call.code(at));
            return at.get(JAVA_INT, 0);
        }
    }

    void init() {
        check("cuInit", () -> (int) init.invokeExact(0));
    }

    /** 1000 times the CUDA version it can serve, as 13000 for 13.0. */
    int version() {
        return intFrom("cuDriverGetVersion", at -> (int) version.invokeExact(at));
    }

    int devices() {
        return intFrom("cuDeviceGetCount", at -> (int) deviceCount.invokeExact(at));
    }

    int device(int number) {
        return intFrom("cuDeviceGet", at -> (int) deviceGet.invokeExact(at, number));
    }

    String name(int device) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment at = arena.allocate(256);
            check("cuDeviceGetName", () -> (int) deviceName.invokeExact(at, 256, device));
            return at.getString(0);
        }
    }

    int attribute(int device, int which) {
        return intFrom("cuDeviceGetAttribute", at -> (int) deviceAttribute.invokeExact(at, which, device));
    }

    long retainContext(int device) {
        return longFrom("cuDevicePrimaryCtxRetain", at -> (int) retainContext.invokeExact(at, device));
    }

    /** Calls of this thread go to this context from now on. */
    void setContext(long context) {
        check("cuCtxSetCurrent", () -> (int) setContext.invokeExact(context));
    }

    /** Bytes that are free, and bytes in all. */
    long[] memory() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment free = arena.allocate(JAVA_LONG);
            MemorySegment all = arena.allocate(JAVA_LONG);
            check("cuMemGetInfo", () -> (int) memoryInfo.invokeExact(free, all));
            return new long[] {free.get(JAVA_LONG, 0), all.get(JAVA_LONG, 0)};
        }
    }

    long alloc(long bytes) {
        return longFrom("cuMemAlloc of %d bytes".formatted(bytes), at -> (int) alloc.invokeExact(at, bytes));
    }

    void free(long pointer) {
        check("cuMemFree", () -> (int) free.invokeExact(pointer));
    }

    /** Memory of the host that copies need not pin first. */
    MemorySegment hostAlloc(long bytes) {
        long address = longFrom(
                "cuMemHostAlloc of %d bytes".formatted(bytes), at -> (int) hostAlloc.invokeExact(at, bytes, 0));
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    void hostFree(MemorySegment memory) {
        check("cuMemFreeHost", () -> (int) hostFree.invokeExact(memory));
    }

    void toDevice(long to, MemorySegment from, long bytes, long stream) {
        check("cuMemcpyHtoDAsync", () -> (int) toDevice.invokeExact(to, from, bytes, stream));
    }

    void toHost(MemorySegment to, long from, long bytes, long stream) {
        check("cuMemcpyDtoHAsync", () -> (int) toHost.invokeExact(to, from, bytes, stream));
    }

    void zero(long pointer, long bytes, long stream) {
        check("cuMemsetD8Async", () -> (int) fill.invokeExact(pointer, (byte) 0, bytes, stream));
    }

    long loadModule(MemorySegment image) {
        return longFrom("cuModuleLoadData", at -> (int) loadModule.invokeExact(at, image));
    }

    void unloadModule(long module) {
        check("cuModuleUnload", () -> (int) unloadModule.invokeExact(module));
    }

    long function(long module, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            return longFrom("cuModuleGetFunction " + name, at -> (int) function.invokeExact(at, module, text));
        }
    }

    void launch(long kernel, int x, int y, int threads, MemorySegment arguments, long stream) {
        check("cuLaunchKernel", () ->
                (int) launch.invokeExact(kernel, x, y, 1, threads, 1, 1, 0, stream, arguments, MemorySegment.NULL));
    }

    long createStream() {
        return longFrom("cuStreamCreate", at -> (int) createStream.invokeExact(at, NON_BLOCKING));
    }

    void destroyStream(long stream) {
        check("cuStreamDestroy", () -> (int) destroyStream.invokeExact(stream));
    }

    void synchronize(long stream) {
        check("cuStreamSynchronize", () -> (int) synchronize.invokeExact(stream));
    }

    long createEvent() {
        return longFrom("cuEventCreate", at -> (int) createEvent.invokeExact(at, 0));
    }

    void destroyEvent(long event) {
        check("cuEventDestroy", () -> (int) destroyEvent.invokeExact(event));
    }

    void record(long event, long stream) {
        check("cuEventRecord", () -> (int) record.invokeExact(event, stream));
    }

    void await(long event) {
        check("cuEventSynchronize", () -> (int) awaitEvent.invokeExact(event));
    }

    /** Seconds that the device takes for what is put into the stream. */
    double seconds(long stream, Runnable work) {
        long before = createEvent();
        long after = createEvent();
        try {
            record(before, stream);
            work.run();
            record(after, stream);
            await(after);
            return 1e-3 * milliseconds(before, after);
        } finally {
            destroyEvent(before);
            destroyEvent(after);
        }
    }

    double milliseconds(long from, long to) {
        return Float.intBitsToFloat(intFrom("cuEventElapsedTime", at -> (int) elapsed.invokeExact(at, from, to)));
    }

    void beginCapture(long stream) {
        check("cuStreamBeginCapture", () -> (int) beginCapture.invokeExact(stream, THREAD_LOCAL));
    }

    long endCapture(long stream) {
        return longFrom("cuStreamEndCapture", at -> (int) endCapture.invokeExact(stream, at));
    }

    long instantiate(long graph) {
        return longFrom("cuGraphInstantiate", at -> (int) instantiate.invokeExact(at, graph, 0L));
    }

    void launchGraph(long instance, long stream) {
        check("cuGraphLaunch", () -> (int) launchGraph.invokeExact(instance, stream));
    }

    void destroyGraph(long graph) {
        check("cuGraphDestroy", () -> (int) destroyGraph.invokeExact(graph));
    }

    void destroyInstance(long instance) {
        check("cuGraphExecDestroy", () -> (int) destroyInstance.invokeExact(instance));
    }
}
