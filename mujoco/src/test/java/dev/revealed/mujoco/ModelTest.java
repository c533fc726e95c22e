package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.Reader;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

/** Our models, compiled, against the compiled models of the tasks' authors. */
@NeedsMujoco
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("restricted")
class ModelTest {
    private static final double TOLERANCE = 1e-12;
    private static final Pattern BYTES = Pattern.compile(".*(simple|sameframe|limited)");
    private static final Pattern INTEGERS =
            Pattern.compile(".*(id|num|adr|type|contype|conaffinity|condim|priority|group)");
    private static final Pattern OPTION_INTEGERS =
            Pattern.compile("integrator|collision|cone|jacobian|solver|.*iterations|.*flags");
    /** Places of the statistics, which the table of offsets has in part. */
    private static final Map<String, Integer> STATISTICS =
            Map.of("meaninertia", 0, "meanmass", 8, "meansize", 16, "extent", 24);

    private final Properties offsets = new Properties();
    private JsonNode reference;

    @BeforeAll
    void read() throws IOException {
        Reference.assumeItsVersion();
        try (Reader in = Files.newBufferedReader(Reference.shared("mujoco/layout-2.2.2.properties"))) {
            offsets.load(in);
        }
        reference = Reference.json();
    }

    @ParameterizedTest
    @EnumSource
    void compilesToTheReference(Task task) {
        JsonNode expected = reference.get("models").get(Reference.MODELS.get(task));
        try (Model model = Model.compile(task.toString(), Inertia.MODERN)) {
            for (Map.Entry<String, JsonNode> size : expected.get("sizes").properties()) {
                assertThat(model.segment().get(JAVA_INT, at("mjModel." + size.getKey())))
                        .as(size.getKey())
                        .isEqualTo(size.getValue().asInt());
            }
            int compared = 0;
            for (Map.Entry<String, JsonNode> array : expected.get("arrays").properties()) {
                if (!array.getKey().startsWith("_")) {
                    compare(
                            array.getKey(),
                            numbers(model, array.getKey(), array.getValue().size()),
                            array.getValue());
                    compared++;
                }
            }
            assertThat(compared).isGreaterThan(80);
            for (Map.Entry<String, JsonNode> option : expected.get("opt").properties()) {
                compare(option.getKey(), option(model, option.getKey(), option.getValue()), option.getValue());
            }
            for (Map.Entry<String, Integer> statistic : STATISTICS.entrySet()) {
                compare(
                        statistic.getKey(),
                        new double[] {model.segment().get(JAVA_DOUBLE, at("mjModel.stat") + statistic.getValue())},
                        expected.get("stat").get(statistic.getKey()));
            }
            for (String kind : new String[] {"body", "jnt", "geom", "actuator", "tendon"}) {
                JsonNode names = expected.get("names").get(kind.equals("jnt") ? "joint" : kind);
                for (int i = 0; i < names.size(); i++) {
                    assertThat(name(model, kind, i)).isEqualTo(names.get(i).asString());
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void legacyInertiaEqualsTheReference(Task task) {
        JsonNode expected = reference.get("legacy_inertia").get(Reference.TRAJECTORIES.get(task));
        try (Model model = Model.compile(task.toString(), Inertia.LEGACY)) {
            int bodies = model.count("nbody");
            for (String field : new String[] {"body_mass", "body_inertia", "body_ipos"}) {
                compare(field, numbers(model, field, expected.get(field).size()), expected.get(field));
            }
            // Principal axes are known up to sign and, where moments are equal, rotation: compare the tensors.
            double[] ours =
                    tensors(numbers(model, "body_inertia", 3 * bodies), numbers(model, "body_iquat", 4 * bodies));
            double[] theirs = tensors(
                    Reference.doubles(expected.get("body_inertia")), Reference.doubles(expected.get("body_iquat")));
            for (int i = 0; i < ours.length; i++) {
                double scale = Arrays.stream(theirs, i / 9 * 9, i / 9 * 9 + 9)
                        .map(Math::abs)
                        .max()
                        .orElseThrow();
                assertThat(ours[i])
                        .as("inertia tensor of body %d", i / 9)
                        .isCloseTo(theirs[i], within(TOLERANCE * scale));
            }
            compare(
                    "meaninertia",
                    new double[] {model.segment().get(JAVA_DOUBLE, at("mjModel.stat"))},
                    expected.get("meaninertia"));
        }
    }

    private static void compare(String what, double[] ours, JsonNode expected) {
        double[] theirs = expected.isArray() ? Reference.doubles(expected) : new double[] {expected.asDouble()};
        assertThat(ours).as(what).hasSameSizeAs(theirs);
        for (int i = 0; i < ours.length; i++) {
            // A number below 1e-16 stands for a zero.
            assertThat(ours[i])
                    .as("%s[%d]", what, i)
                    .isCloseTo(theirs[i], within(Math.max(TOLERANCE * Math.abs(theirs[i]), 1e-16)));
        }
    }

    private double[] numbers(Model model, String field, int length) {
        MemorySegment pointer = model.segment().get(ADDRESS, at("mjModel." + field));
        double[] values = new double[length];
        for (int i = 0; i < length; i++) {
            values[i] = BYTES.matcher(field).matches()
                    ? pointer.reinterpret(length).get(JAVA_BYTE, i)
                    : INTEGERS.matcher(field).matches()
                            ? pointer.reinterpret(4L * length).getAtIndex(JAVA_INT, i)
                            : pointer.reinterpret(8L * length).getAtIndex(JAVA_DOUBLE, i);
        }
        return values;
    }

    private double[] option(Model model, String name, JsonNode expected) {
        long at = at("mjModel.opt") + at("mjOption." + name);
        double[] values = new double[expected.isArray() ? expected.size() : 1];
        for (int i = 0; i < values.length; i++) {
            values[i] = OPTION_INTEGERS.matcher(name).matches()
                    ? model.segment().get(JAVA_INT, at)
                    : model.segment().get(JAVA_DOUBLE, at + 8L * i);
        }
        return values;
    }

    private String name(Model model, String kind, int index) {
        long start = (long) numbers(model, "name_" + kind + "adr", index + 1)[index];
        return model.segment()
                .get(ADDRESS, at("mjModel.names"))
                .reinterpret(Long.MAX_VALUE)
                .getString(start);
    }

    private long at(String field) {
        return Long.parseLong(Objects.requireNonNull(offsets.getProperty(field), field));
    }

    /** R diag(moments) R' for every body. */
    private static double[] tensors(double[] moments, double[] quaternions) {
        double[] tensors = new double[3 * moments.length];
        for (int body = 0; body < moments.length / 3; body++) {
            double[][] r = rotation(Arrays.copyOfRange(quaternions, 4 * body, 4 * body + 4));
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    for (int k = 0; k < 3; k++) {
                        tensors[9 * body + 3 * i + j] += r[i][k] * moments[3 * body + k] * r[j][k];
                    }
                }
            }
        }
        return tensors;
    }

    private static double[][] rotation(double[] q) {
        double w = q[0];
        double x = q[1];
        double y = q[2];
        double z = q[3];
        return new double[][] {
            {1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}
        };
    }
}
