package dev.revealed.data.model;

import static dev.revealed.data.Fixtures.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExpressionTest {
    private static final Expression.Scope SCOPE = new Expression.Scope(
            List.of("x", "y"), List.of("RC", "theta"), Map.of("n", 90.0), Map.of("p0", "a parameter of a law"));
    private static final double[] AT = {3, 0.3}; // x and y

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + 2 * 3 | 7",
                "(1 + 2) * 3 | 9",
                "10 - 4 - 3 | 3",
                "24 / 4 / 3 | 2",
                "2 ^ 3 ^ 2 | 512",
                "-x^2 | -9",
                "(-x)^2 | 9",
                "2^-1 | 0.5",
                "--x | 3",
                "+x - -1 | 4",
                "1e2 + 1.5E-1 + .5 | 100.65",
                "n - x | 87",
                "min(x, 2) + max(1, x, 7) | 9",
                "exp(log(5)) | 5",
                "sqrt(abs(-16)) | 4",
                "x == 3 | 1",
                "(x == 3) + (x != 3) * 10 | 1",
                "(x >= 3) + (x <= 3) + (x > 3) + (x < 3) | 2",
                "(x > 2) * (y < 1) | 1",
                "3 * 0.1 == y | 1",
                "3 * 0.1 > y | 0",
                "3 * 0.1 <= y | 1",
                "x*n/9-1 | 29",
            })
    void computes(String text, double value) {
        assertThat(Expression.parse(text, SCOPE).value(AT)).isCloseTo(value, within(1e-12));
    }

    /** Constant part and coefficients of RC and theta at x = 3, y = 0.3. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-RC - 0.001 * theta * x | 0 | -1 | -0.003",
                "x * (RC + 2 * (theta - y)) / 3 | -0.6 | 1 | 2",
                "RC * x^2 + 4 - RC | 4 | 8 | 0",
                "-(RC - (theta - 1)) | -1 | -1 | 1",
                "(x == 3) * RC + (x != 3) * theta | 0 | 1 | 0",
                "theta / x / 2 + n | 90 | 0 | 0.16666666666666666",
                "exp(0) * theta * exp(0) | 0 | 0 | 1",
                "5 | 5 | 0 | 0",
            })
    void isLinearInParameters(String text, double constant, double rc, double theta) {
        double[] affine = new double[3];
        Expression.parse(text, SCOPE).affine(AT, affine);
        assertThat(affine).containsExactly(new double[] {constant, rc, theta}, within(1e-15));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"x * (RC > 3) | 8 | is compared", "min(x, theta == 2) | 13 | is compared"})
    void refusesWhatIsNotSmooth(String text, int caret, String problem) {
        told(text, caret, problem, "smooth in the parameters");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RC * theta",
                "x * RC * (1 + theta)",
                "1 / RC - theta",
                "x / (2 - theta) / RC",
                "theta^2 * RC^x",
                "2^theta + x^RC",
                "RC^theta",
                "x + exp(theta * x) - log(RC)",
                "min(RC, 3) + max(theta, 0.1, RC)",
                "sqrt(RC + theta) * abs(theta - 1) * (x > 2)",
                "-(-RC)^2 + (y - 0.3)^theta"
            })
    void whatIsNotLinearHasTheDerivativesOfDifferences(String text) {
        Expression formula = Expression.parse(text, SCOPE);
        assertThat(formula.linear()).isFalse();
        double[] theta = {1.7, 0.6};
        double[] derivative = new double[2];
        double value = formula.dual(AT, theta, derivative);
        assertThat(value).isFinite();
        double[] ignored = new double[2];
        for (int j = 0; j < 2; j++) {
            double[] up = theta.clone();
            double[] down = theta.clone();
            up[j] += 1e-6;
            down[j] -= 1e-6;
            double slope = (formula.dual(AT, up, ignored) - formula.dual(AT, down, ignored)) / 2e-6;
            assertThat(derivative[j]).isCloseTo(slope, within(1e-6));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "2 * thta | 4 | 'thta' is unknown | Did you mean 'theta'?",
                "p0 * x | 0 | 'p0' is a parameter of a law | no meaning",
                "sin(x) | 0 | no function 'sin' | abs, exp",
                "sqr(x) | 0 | no function 'sqr' | Did you mean 'sqrt'?",
                "2 x | 2 | 'x' is not expected | sign such as *",
                "(x + 1 | 6 | ends too early | close the bracket",
                "x + | 3 | ends too early | Complete",
                "x + * 3 | 4 | '*' is not expected | sign",
                "x ** 2 | 2 | '*' is not expected | x^2",
                "x = 3 | 2 | '=' is not expected | ==",
                "1 < x < 3 | 6 | '<' is not expected | two things",
                "x > 1 && y > 2 | 6 | '&' is not expected | Write and, or, not",
                "x > 1 and | 9 | ends too early | Complete",
                "not theta | 0 | a parameter stands behind 'not' | smooth",
                "theta or x | 6 | a parameter stands beside 'or' | smooth",
                "1.2.3 | 0 | '1.2.3' is not a number | 0.5",
                "1e999 | 0 | '1e999' is not a number | 0.5",
                "min(x) | 0 | min has 1 | two or more",
                "exp(x, 2) | 0 | exp has 2 | one",
                "x ) | 2 | ')' is not expected | sign",
                "exp() | 4 | ')' is not expected | sign",
            })
    void pointsAtTheMistake(String text, int caret, String problem, String remedy) {
        told(text, caret, problem, remedy);
    }

    private static void told(String text, int caret, String... parts) {
        refused(() -> Expression.parse(text, SCOPE), parts);
        refused(() -> Expression.parse(text, SCOPE), "\n    " + text + "\n    " + " ".repeat(caret) + "^\n");
    }

    /** x = 3, y = 0.3; and binds stronger than or, not strongest. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x > 1 and y > 2 | 0",
                "x > 1 and y < 2 | 1",
                "x < 1 or y > 2 or x == 3 | 1",
                "x < 1 or x > 2 and y > 2 | 0",
                "not x > 1 or y < 1 | 1",
                "not (x > 1 or y < 1) | 0",
                "2 * (x > 1 and y < 1) | 2",
                "not not x | 1",
            })
    void joinsConditions(String text, double value) {
        assertThat(Expression.parse(text, SCOPE).value(AT)).isEqualTo(value);
    }

    @Test
    void readsFormulasOverSeveralLines() {
        assertThat(Expression.parse("x\n  + 1", SCOPE).value(AT)).isEqualTo(4);
    }

    /** Each once ended in a StackOverflowError. */
    @Test
    void longFormulasAreTaken() {
        int n = 50_000;
        double[] affine = new double[3];
        Expression.parse("RC" + " - theta * y + x".repeat(n), SCOPE).affine(AT, affine);
        assertThat(affine[0]).isCloseTo(3.0 * n, within(1e-6));
        assertThat(affine[1]).isEqualTo(1);
        assertThat(affine[2]).isCloseTo(-0.3 * n, within(1e-6));
        assertThat(Expression.parse("x" + " * 2 / 2".repeat(n), SCOPE).value(AT))
                .isEqualTo(3);
        assertThat(Expression.parse("- ".repeat(n + 1) + "x", SCOPE).value(AT)).isEqualTo(-3);
        assertThat(Expression.parse("max(0" + ", x".repeat(n) + ")", SCOPE).value(AT))
                .isEqualTo(3);
    }

    @Test
    void nestingHasALimit() {
        assertThat(Expression.parse("(".repeat(200) + "x" + ")".repeat(200), SCOPE)
                        .value(AT))
                .isEqualTo(3);
        for (String nested : List.of(
                "(".repeat(2000) + "x" + ")".repeat(2000),
                "(".repeat(2000),
                "abs(".repeat(2000) + "x" + ")".repeat(2000),
                "-(".repeat(2000) + "RC" + ")".repeat(2000),
                "x" + "^x".repeat(2000))) {
            refused(() -> Expression.parse(nested, SCOPE), "nested more than 200 deep", "split the formula");
        }
    }

    @Test
    void aMistakeInALongFormulaIsShownWithWhatIsAroundIt() {
        String text = "x + ".repeat(1000) + "z" + " + x".repeat(1000);
        assertThatThrownBy(() -> Expression.parse(text, SCOPE)).satisfies(e -> {
            List<String> lines = String.valueOf(e.getMessage()).lines().toList();
            assertThat(lines.get(1))
                    .startsWith("    ... ")
                    .contains("x + z + x")
                    .hasSizeLessThan(150);
            assertThat(lines.get(2).indexOf('^')).isEqualTo(lines.get(1).indexOf('z'));
        });
    }
}
