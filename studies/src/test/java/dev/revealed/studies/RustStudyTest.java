package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.revealed.estimate.Estimate;
import dev.revealed.numeric.ProgressListener;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rust (1987) to the digits he printed, on the real buses. */
class RustStudyTest {
    private static RustStudy.Result result =
            new RustStudy.Result(List.of(), List.of(), List.of(), List.of(), List.of());

    @BeforeAll
    static void run() {
        Path file = Shared.file("data/rust_bus_groups_1_to_4.csv");
        assumeTrue(Files.exists(file), () -> "SKIPPED, for want of " + file);
        result = RustStudy.run(file, ProgressListener.NONE);
    }

    @Test
    void tableNine() {
        assertThat(result.rows()).hasSize(6).allSatisfy(row -> {
            RustStudy.Published printed = row.published().orElseThrow();
            boolean misprinted = row.groups().equals("1-3") && row.discount() == 0;
            assertThat(row.converged()).isTrue();
            assertThat(row.RC()).isCloseTo(printed.RC(), within(1.5e-4));
            assertThat(row.theta11()).isCloseTo(printed.theta11(), within(2e-4));
            assertThat(row.standardErrorRC())
                    .isCloseTo(misprinted ? 1.0462 : printed.standardErrorRC(), within(5.1e-4));
            assertThat(row.standardErrorTheta11()).isCloseTo(printed.standardErrorTheta11(), within(1e-3));
            assertThat(row.logLikelihood())
                    .isCloseTo(misprinted ? -2710.7245 : printed.logLikelihood(), within(1.1e-3));
        });
    }

    /** theta30 and theta31 of Table IX with their standard errors. */
    @Test
    void tableNineMoves() {
        double[][] printed = {{.3010, .0074, .6884, .0075}, {.3919, .0075, .5953, .0075}, {.3489, .0052, .6394, .0053}};
        for (int i = 0; i < printed.length; i++) {
            List<Estimate.Parameter> moves = result.rows().get(i).transitions();
            for (int k = 0; k < 2; k++) {
                assertThat(moves.get(k).value()).isCloseTo(printed[i][2 * k], within(6e-5));
                assertThat(moves.get(k).standardError().orElseThrow()).isCloseTo(printed[i][2 * k + 1], within(1e-4));
            }
        }
    }

    /** Su and Judd (2012) take their truth from Table X, groups 1-3. */
    @Test
    void tableTen() {
        RustStudy.Row row = result.rows175().getFirst();
        assertThat(row.RC()).isCloseTo(11.7257, within(1e-4));
        assertThat(row.theta11()).isCloseTo(2.4569, within(1e-4));
        double[] printed = {.0937, .4475, .4459, .0127};
        for (int k = 0; k < printed.length; k++) {
            assertThat(row.transitions().get(k).value()).isCloseTo(printed[k], within(6e-5));
        }
    }

    @Test
    void tableEightLinear() {
        assertThat(result.costs())
                .hasSize(72)
                .allSatisfy(row -> assertThat(row.converged()).isTrue())
                .filteredOn(row -> row.published().isPresent())
                .hasSize(6)
                .allSatisfy(row -> assertThat(row.choiceLogLikelihood())
                        .isCloseTo(row.published().orElseThrow(), within(1e-3)));
    }

    /** A richer cost fits no worse than the one it contains. */
    @Test
    void nestedCostsAreOrdered() {
        for (int bins : new int[] {90, 175}) {
            for (String groups : List.of("1-3", "4", "1-4")) {
                for (double discount : new double[] {0.9999, 0}) {
                    assertThat(choices("quadratic", groups, bins, discount))
                            .isGreaterThanOrEqualTo(choices("linear", groups, bins, discount));
                    assertThat(choices("cubic", groups, bins, discount))
                            .isGreaterThanOrEqualTo(choices("quadratic", groups, bins, discount));
                    assertThat(choices("mixed", groups, bins, discount))
                            .isGreaterThanOrEqualTo(Math.max(
                                    choices("sqrt", groups, bins, discount),
                                    choices("hyperbolic", groups, bins, discount)));
                }
            }
        }
    }

    private static double choices(String cost, String groups, int bins, double discount) {
        return result.costs().stream()
                .filter(row -> row.cost().equals(cost)
                        && row.groups().equals(groups)
                        && row.bins() == bins
                        && row.discount() == discount)
                .findFirst()
                .orElseThrow()
                .choiceLogLikelihood();
    }
}
