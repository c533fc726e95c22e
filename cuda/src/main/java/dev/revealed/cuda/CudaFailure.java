package dev.revealed.cuda;

/** A call to the GPU that failed: which, and what the driver says about it. */
public final class CudaFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CudaFailure(String call, int code, String meaning) {
        super("%s failed with code %d: %s".formatted(call, code, meaning));
    }
}
