package dev.revealed.cuda;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The first CUDA device of this machine, with what it takes to run our kernels on it. */
public final class Gpu {
    private static final int OLDEST_DRIVER = 12000; // CUDA 12.0: what the newest compilers of two majors ask for
    private static final int OLDEST_CAPABILITY = 70;

    private static final List<String> DRIVERS = List.of(
            "libcuda.so.1",
            "/usr/local/nvidia/lib64/libcuda.so.1",
            "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
            "/usr/lib/wsl/lib/libcuda.so.1");

    private static final String ELSEWHERE =
            "Run it on a machine with an NVIDIA GPU; a bundle with `cuda` takes Revealed to one.";
    private static final String NEWER_DRIVER = "Install a newer NVIDIA driver, one for CUDA 12.0 or later.";
    private static final String WHENCE_NVRTC =
            "NVRTC comes with a CUDA toolkit (in /usr/local/cuda or CUDA_HOME) and with"
                    + " PyTorch's Python packages (put its python3 on the PATH); elsewhere, name its folder in LD_LIBRARY_PATH.";

    private static final Pattern INCLUDE = Pattern.compile("(?m)^#include \"([^\"]+)\"\n");

    private static final Found FOUND = search();

    private final Driver driver;
    private final Nvrtc nvrtc;
    private final long context;
    private final String name;
    private final int capability;
    private final int multiprocessors;

    /**
     * @param reason why there is none, or what there is
     * @param remedy what to do where there is none
     */
    public record Found(Optional<Gpu> gpu, String reason, String remedy) {
        private static Found none(String reason, String remedy) {
            return new Found(Optional.empty(), reason, remedy);
        }
    }

    private Gpu(Driver driver, Nvrtc nvrtc, int device) {
        this.driver = driver;
        this.nvrtc = nvrtc;
        context = driver.retainContext(device);
        name = driver.name(device);
        capability = capability(driver, device);
        multiprocessors = driver.attribute(device, Driver.MULTIPROCESSORS);
    }

    private static int capability(Driver driver, int device) {
        return 10 * driver.attribute(device, Driver.COMPUTE_CAPABILITY_MAJOR)
                + driver.attribute(device, Driver.COMPUTE_CAPABILITY_MINOR);
    }

    /** Looks once, and says what it found in one line. */
    public static Found find() {
        return FOUND;
    }

    private static Found search() {
        Driver driver = null;
        for (String library : DRIVERS) {
            try {
                driver = new Driver(library);
                break;
            } catch (IllegalCallerException e) {
                return Found.none(
                        "Java was started without --enable-native-access=ALL-UNNAMED",
                        "Use the launcher ./revealed, or give Java that option.");
            } catch (IllegalArgumentException e) {
                // not there under this name
            } catch (UnsatisfiedLinkError e) {
                return Found.none(
                        "the NVIDIA driver is too old: %s has no function %s".formatted(library, e.getMessage()),
                        NEWER_DRIVER);
            }
        }
        if (driver == null) {
            return Found.none("no NVIDIA driver: libcuda.so.1 is not on the library path", ELSEWHERE);
        }
        return search(driver);
    }

    private static Found search(Driver driver) {
        try {
            driver.init();
            int version = driver.version();
            if (version < OLDEST_DRIVER) {
                return Found.none(
                        "the NVIDIA driver is too old: it serves CUDA %d.%d, and 12.0 is needed"
                                .formatted(version / 1000, version % 1000 / 10),
                        NEWER_DRIVER);
            }
            if (driver.devices() == 0) {
                return Found.none("the NVIDIA driver sees no device", "Look at CUDA_VISIBLE_DEVICES. " + ELSEWHERE);
            }
            int device = driver.device(0);
            if (capability(driver, device) < OLDEST_CAPABILITY) {
                return Found.none(
                        "%s is too old: its compute capability is below 7.0".formatted(driver.name(device)), ELSEWHERE);
            }
            Optional<Nvrtc> nvrtc = Nvrtc.find(version / 1000);
            if (nvrtc.isEmpty()) {
                return Found.none(
                        "NVIDIA's run-time compiler is missing: no libnvrtc.so.%d or older on the library path or in a toolkit"
                                .formatted(version / 1000),
                        WHENCE_NVRTC);
            }
            Gpu gpu = new Gpu(driver, nvrtc.get(), device);
            return new Found(
                    Optional.of(gpu),
                    "%s, compute capability %d.%d, driver for CUDA %d.%d, NVRTC %s"
                            .formatted(
                                    gpu.name,
                                    gpu.capability / 10,
                                    gpu.capability % 10,
                                    version / 1000,
                                    version % 1000 / 10,
                                    nvrtc.get().version()),
                    "");
        } catch (CudaFailure e) {
            return Found.none(
                    "the NVIDIA driver is there but does not work: " + e.getMessage(),
                    "See whether nvidia-smi works, and where it does not, reinstall the driver.");
        }
    }

    public String name() {
        return name;
    }

    public int multiprocessors() {
        return multiprocessors;
    }

    /** Bytes of free memory. */
    public long freeMemory() {
        bind();
        return driver.memory()[0];
    }

    Driver driver() {
        return driver;
    }

    /** To be called by a thread before it calls the driver. */
    void bind() {
        driver.setContext(context);
    }

    /** Compiles a source in this package, or takes it from the cache, and loads it. */
    long load(String resource) {
        bind();
        String source = source(resource);
        Optional<Path> kept = cache(source);
        if (kept.isPresent() && Files.isReadable(kept.get())) {
            try {
                return load(Files.readAllBytes(kept.get()));
            } catch (IOException | CudaFailure e) {
                // damaged: compiled again below
            }
        }
        byte[] image = nvrtc.compile(resource, source, capability);
        kept.ifPresent(file -> keep(image, file));
        return load(image);
    }

    private long load(byte[] image) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Math.max(1, image.length), 16);
            MemorySegment.copy(image, 0, copy, ValueLayout.JAVA_BYTE, 0, image.length);
            return driver.loadModule(copy);
        }
    }

    /** The text of a source in this package, with those it includes. */
    static String source(String resource) {
        return INCLUDE.matcher(text(resource)).replaceAll(found -> Matcher.quoteReplacement(text(found.group(1))));
    }

    private static String text(String resource) {
        try (InputStream in = Gpu.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the resource " + resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file of the user's cache, named by all that the machine code depends on. */
    private Optional<Path> cache(String source) {
        String home = System.getProperty("user.home");
        String wanted = System.getenv("XDG_CACHE_HOME");
        if (home == null && wanted == null) {
            return Optional.empty();
        }
        Path base = wanted != null && !wanted.isEmpty() ? Path.of(wanted) : Path.of(home == null ? "" : home, ".cache");
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(
                    "sm_%d NVRTC %s\n".formatted(capability, nvrtc.version()).getBytes(StandardCharsets.UTF_8));
            String hash = HexFormat.of().formatHex(digest.digest(source.getBytes(StandardCharsets.UTF_8)));
            return Optional.of(base.resolve("revealed").resolve("cuda").resolve(hash + ".cubin"));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    /** A cache that cannot be written costs some seconds at the next start and is not reported. */
    private static void keep(byte[] image, Path file) {
        try {
            Files.createDirectories(file.getParent());
            Path part = Files.createTempFile(file.getParent(), "part", ".cubin");
            Files.write(part, image);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | SecurityException e) {
            return;
        }
    }
}
