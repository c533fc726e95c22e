package dev.revealed.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.TrainingContract;
import dev.revealed.numeric.RandomStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Our kernels on an emulator, which is for machines without a GPU and looks closer than a GPU does. */
class EmulatedGpuTest {
    private static final int WITHOUT_TENSOR_CORES = 750;
    private static final int WITH_TENSOR_CORES = 900;
    private static final String ALL_NORMS = "each and all together";

    @TempDir
    private static Path folder;

    private static final Map<String, Emulator> BUILT = new HashMap<>();

    private static Emulator emulator(int architecture) throws IOException {
        return built("gpu" + architecture, Emulator.kernels(), architecture);
    }

    private static Emulator faults() throws IOException {
        return built("faults", Files.readString(Emulator.SOURCES.resolve("faults.cu")), WITH_TENSOR_CORES);
    }

    private static Emulator built(String name, String source, int architecture) throws IOException {
        Emulator emulator = BUILT.get(name);
        if (emulator == null) {
            emulator = Emulator.build(folder.resolve(name), source, architecture);
            BUILT.put(name, emulator);
        }
        return emulator;
    }

    @Test
    void everyPartOfTheCheckPasses() throws IOException {
        Emulator.Ended ended = emulator(WITH_TENSOR_CORES).java(WholeCheck.class, Map.of());

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.output())
                .contains("emulator, compute capability 9.0")
                .containsPattern("(?m)^passed: [1-9]\\d* of [1-9]\\d*$");
    }

    /** More parts of a product than its ring holds, and tiles that end beyond the matrix; products alone differ by device. */
    @ParameterizedTest
    @ValueSource(ints = {WITHOUT_TENSOR_CORES, WITH_TENSOR_CORES})
    void updatesOfWiderNetworksAreThoseOfTheCpu(int architecture) throws IOException {
        boolean all = architecture == WITH_TENSOR_CORES; // norms have no products, and are the same code on both
        Emulator.Ended ended =
                emulator(architecture).java(WiderNetworks.class, Map.of(), all ? ALL_NORMS : "plain and all together");

        assertThat(ended.code()).as(ended.output()).isZero();
    }

    @Test
    void trainingsKeepTheirContract() throws IOException {
        Emulator.Ended ended = emulator(WITH_TENSOR_CORES).java(ContractOfTraining.class, Map.of());

        assertThat(ended.code()).as(ended.output()).isZero();
        assertThat(ended.output()).containsPattern("(?m)^passed: [5-9]$");
    }

    /** Proves that the tests above can fail. */
    @Test
    void updatesAreOthersWhereBarriersDoNothing() throws IOException {
        Emulator.Ended ended = emulator(WITH_TENSOR_CORES)
                .java(WiderNetworks.class, Map.of("EMULATOR_WITHOUT_BARRIERS", "1"), ALL_NORMS);

        assertThat(ended.code()).as(ended.output()).isNotZero();
        assertThat(ended.output()).contains("the critic loss is NaN");
    }

    @Test
    void aSoundKernelComputesWhatItSays() throws IOException {
        double[] numbers = new double[OneKernel.THREADS];
        Arrays.setAll(numbers, i -> 1 + (i + 1) % 64 + (i < 32 ? 1 : 0) + ((i ^ 1) + 1) % 64);

        assertThat(faults().java(OneKernel.class, Map.of(), "sound").output()).contains(Arrays.toString(numbers));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "barrierForSome | 719, thread 32 has ended, thread 0 waits at the barrier of line",
                "twoBarriers    | 719, thread 32 waits at the barrier of line",
                "shuffleOfSome  | 719, thread 16 has ended, thread 0 waits for the other lanes of its warp",
                "writesBehind   | 700, thread 63: no memory of the device",
                "readsBefore    | 700, thread 0: no memory of the device",
                "indexTooLarge  | 700, thread 8: an index outside an array",
                "misaligned     | 700, thread 0: an index outside an array, or an address that is not a multiple",
                "withoutBarrier | NaN",
                "withoutWaiting | NaN",
            })
    void whatAGpuPunishesIsNoticed(String kernel, String said) throws IOException {
        String output = faults().java(OneKernel.class, Map.of(), kernel).output();

        assertThat(output).contains(said.split(", "));
    }

    @Test
    void ptxBecomesCallsInTheSameLines() {
        String source =
                "a;\nasm volatile(\"ld.x [%1], {%0,%0}, 16;\"\n  : \"=r\"(f(b) ? 1 : 2)\n  : \"l\"(c)\n  : \"memory\");\nd;";

        assertThat(Emulator.translated(source))
                .isEqualTo("a;\nld_x((c), (f(b) ? 1 : 2),(f(b) ? 1 : 2), 16);\n\n\n\nd;");
    }

    @Test
    void arraysInSharedMemoryBecomeReferences() {
        assertThat(Emulator.translated("__shared__ __align__(16) float a[2 * N][T];"))
                .isEqualTo("static float (&a)[2 * N][T] = shared<float[2 * N][T]>();");
    }

    @Test
    void everyKernelHasALineWithItsMostThreads() {
        String source = "extern \"C\" __global__ void one(int a) {}\n"
                + "extern \"C\" __global__ void __launch_bounds__(256, 2) two(int a) {}";

        assertThat(Emulator.names(source)).isEqualTo("KERNEL(one, 1024)\nKERNEL(two, 256)\n");
    }

    private static Gpu gpu() {
        Gpu.Found found = Gpu.find();
        System.out.println(found.reason());
        return found.gpu().orElseThrow();
    }

    /** What the other process does: every part of {@link Check}, as small as it goes. */
    static final class WholeCheck {
        private WholeCheck() {}

        public static void main(String[] arguments) {
            List<Check.Part> parts = Check.run(gpu(), true, System.out::println);
            long passed = parts.stream().filter(Check.Part::passed).count();
            System.out.printf("passed: %d of %d%n", passed, parts.size());
            System.exit(passed == parts.size() ? 0 : 1);
        }
    }

    /** Every test of {@link TrainingContract}, one after the other. */
    static final class ContractOfTraining extends TrainingContract {
        private static final int REPLAY = 100;
        private static final Sac.Settings SETTINGS =
                Sac.Settings.PAPER.withHidden(32, 32).withBatch(16);

        private final Gpu gpu = gpu();

        @Override
        protected Training training(long seed) {
            CudaSac sac = new CudaSac(gpu, HalvingTask.SPACE, SETTINGS, REPLAY, CudaTraining.ROUND, 1);
            return CudaTraining.join(
                    sac,
                    SETTINGS,
                    List.of(new HalvingTask(), new HalvingTask()),
                    new Training.Schedule(60, 0.1, REPLAY),
                    RandomStream.of(seed));
        }

        public static void main(String[] arguments) throws ReflectiveOperationException {
            ContractOfTraining contract = new ContractOfTraining();
            int passed = 0;
            for (Method method : TrainingContract.class.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    System.out.println(method.getName());
                    method.setAccessible(true);
                    method.invoke(contract);
                    passed++;
                }
            }
            System.out.println("passed: " + passed);
            System.exit(0);
        }
    }

    /** Two updates against the CPU, with each size of tiles, plain and normalised. */
    static final class WiderNetworks {
        /** Rounding makes 1e-6 of it, and a product that lacks one of its three terms 4e-3. */
        private static final double MOST_CHANGE = 1e-4;

        private WiderNetworks() {}

        public static void main(String[] arguments) {
            Check.Size size = new Check.Size("wide", 150, 3, 133);
            Sac.Settings plain = Sac.Settings.PAPER.withBatch(size.batch()).withHidden(160, 132);
            List<Map<String, ?>> norms = new ArrayList<>(
                    List.of(Map.of(), Map.of("layer-norm", true, "feature-norm", true, "critic-decay", 3)));
            if (arguments[0].equals(ALL_NORMS)) {
                norms.addAll(List.of(Map.of("layer-norm", true), Map.of("feature-norm", true)));
            }
            for (Map<String, ?> each : norms) {
                for (int tile : new int[] {32, 64}) {
                    CpuComparison.Case given = new CpuComparison.Case(size, plain.with(each), tile, 1, 0);
                    CpuComparison comparison = CpuComparison.of(gpu(), given, 2);
                    System.out.println(each + ": " + comparison);
                    if (!(comparison.holds() && comparison.change() <= MOST_CHANGE)) {
                        System.exit(1);
                    }
                }
            }
        }
    }

    /** One block of a kernel of faults.cu, on 64 ones. */
    static final class OneKernel {
        private static final int THREADS = 64;

        private OneKernel() {}

        public static void main(String[] arguments) {
            Gpu gpu = gpu();
            Driver driver = gpu.driver();
            long kernel = driver.function(gpu.load("sac.cu"), arguments[0]);
            long stream = driver.createStream();
            DeviceMemory memory = new DeviceMemory(gpu, stream, THREADS * Float.BYTES);
            float[] ones = new float[THREADS];
            Arrays.fill(ones, 1);
            memory.put(0, ones);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment parameters = arena.allocate(ADDRESS, 1);
                parameters.setAtIndex(ADDRESS, 0, arena.allocateFrom(JAVA_LONG, memory.pointer()));
                driver.launch(kernel, 1, 1, THREADS, parameters, stream);
                System.out.println(Arrays.toString(memory.floats(0, THREADS)));
            } catch (CudaFailure e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
