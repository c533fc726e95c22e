package dev.revealed.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Part;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JsonTest {
    record Parameter(String name, double value, Optional<Double> standardError) {}

    record Result(
            String method,
            List<Parameter> parameters,
            double logLikelihood,
            double[] trace,
            OptionalDouble tail,
            Optional<String> note,
            boolean converged) {}

    private static final Result RESULT = new Result(
            "single-loop",
            List.of(new Parameter("cost", 0.1, Optional.of(1e-300)), new Parameter("age", -0.0, Optional.empty())),
            Double.NaN,
            new double[] {1.0 / 3, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY},
            OptionalDouble.of(Double.NaN),
            Optional.empty(),
            true);

    @Test
    void writesFieldsInOrderAtFullPrecisionAndNaNAsNull() {
        assertThat(Json.write(RESULT)).isEqualTo("""
                        {
                          "method" : "single-loop",
                          "parameters" : [ {
                            "name" : "cost",
                            "value" : 0.1,
                            "standardError" : 1.0E-300
                          }, {
                            "name" : "age",
                            "value" : -0.0
                          } ],
                          "logLikelihood" : null,
                          "trace" : [ 0.3333333333333333, null, null ],
                          "tail" : null,
                          "converged" : true
                        }
                        """);
    }

    @Test
    void readsWhatItWrites() {
        Result read = Json.read(Json.write(RESULT), Result.class);
        assertThat(read.logLikelihood()).isNaN();
        assertThat(read.trace()).containsExactly(1.0 / 3, Double.NaN, Double.NaN);
        assertThat(read.parameters()).isEqualTo(RESULT.parameters());
        assertThat(read.note()).isEmpty();
    }

    @Test
    void keepsEveryBit() {
        for (double x : new double[] {Math.PI, 0.1 + 0.2, Double.MIN_VALUE, Double.MAX_VALUE, 1e22}) {
            assertThat(Json.read(Json.write(x), Double.class)).isEqualTo(x);
        }
    }

    @Test
    void floatsAndNestedNumbersAreNeverText() {
        assertThat(Json.line(List.of(Double.NaN, Map.of("x", Double.NEGATIVE_INFINITY), new double[][] {{Double.NaN}})))
                .isEqualTo("[null,{\"x\":null},[[null]]]");
        assertThat(Json.line(new float[] {Float.NaN, 0.1f})).isEqualTo("[null,0.1]");
        assertThat(Json.line(List.of(Float.NaN))).isEqualTo("[null]");
    }

    @Part
    record Middle(int b, OptionalDouble c) {}

    record Whole(int a, Middle middle, int d) {}

    @Test
    void anInlineRecordStandsAmongTheComponentsOfItsOwner() {
        assertThat(Json.line(new Whole(1, new Middle(2, OptionalDouble.of(3)), 4)))
                .isEqualTo("{\"a\":1,\"b\":2,\"c\":3.0,\"d\":4}");
        assertThat(Json.line(new Whole(1, new Middle(2, OptionalDouble.empty()), 4)))
                .isEqualTo("{\"a\":1,\"b\":2,\"d\":4}");
        assertThat(Json.read("{\"a\":1,\"b\":2,\"c\":3.0,\"d\":4}", Whole.class))
                .isEqualTo(new Whole(1, new Middle(2, OptionalDouble.of(3)), 4));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Json.read("{\"a\":1,\"b\":2,\"c\":3.0,\"d\":4,\"e\":5}", Whole.class));
    }

    @Test
    void mapsHaveAnOrder() {
        assertThat(Json.line(Map.of("b", 1, "a", 2, "d", 3, "c", 4))).isEqualTo("{\"a\":2,\"b\":1,\"c\":4,\"d\":3}");
        Map<String, Object> ordered = new LinkedHashMap<>();
        ordered.put("z", Map.of("y", 1, "x", 2));
        ordered.put("a", Optional.of(1));
        assertThat(Json.line(ordered)).isEqualTo("{\"z\":{\"x\":2,\"y\":1},\"a\":1}");
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Json.read("{\"name\":\"x\",\n\"valeu\":1}", Parameter.class))
                .withMessageContaining("Parameter")
                .withMessageContaining("valeu");
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Json.read("{\n oops", Parameter.class))
                .withMessageContaining("line 2");
        assertThatExceptionOfType(BadInput.class).isThrownBy(() -> Json.read("{\"value\":\"many\"}", Parameter.class));
    }

    record Counted(long count, double mean, boolean known, Optional<String> words) {}

    @Test
    void whatIsMissingOfADocumentIsZeroOrNoNumber() {
        Counted nothing = Json.fromFields(Map.of(), Counted.class, Counted.class);
        assertThat(nothing).isEqualTo(new Counted(0, Double.NaN, false, Optional.empty()));
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Json.fromFields(Map.of("count", "many"), Counted.class, Counted.class))
                .withMessageContaining("the field 'count' cannot be read")
                .satisfies(e -> assertThat(e.problem()).doesNotContain("`"));
    }

    record Item(String name, double[] values) {}

    record Bundle(
            int count,
            Item part,
            List<Item> parts,
            Optional<String> note,
            @Nullable String other) {}

    @Test
    void aRecordIsReadWholeOrNotAtAll() {
        String part = "{\"name\":\"a\",\"values\":[1]}";
        String good = "{\"count\":1,\"part\":%s,\"parts\":[%s]}".formatted(part, part);
        assertThat(Json.whole(good, Bundle.class).parts()).hasSize(1);
        Map<String, String> wrong = Map.of(
                "{\"count\":1,\"parts\":[]}",
                "the field 'part' is missing",
                good.replace("\"name\":\"a\",", ""),
                "the field 'part.name' is missing",
                good.replace("[" + part + "]", "[null]"),
                "the field 'parts' is missing",
                good.replace("\"count\"", "\"cuont\""),
                "unknown field 'cuont'",
                good.replace("\"count\":1", "\"count\":{}"),
                "the field 'count': it is not of the kind",
                good.replace("[1]", "\"x\""),
                "the field 'part.values': it is not of the kind",
                "[]",
                "it is not of the kind",
                "null",
                "null",
                good.substring(5),
                "line 1");
        wrong.forEach((text, words) -> assertThatThrownBy(() -> Json.whole(text, Bundle.class))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining(words)
                .hasMessageNotContainingAny("dev.revealed", "java.", "Exception", "Token", "class"));
    }
}
