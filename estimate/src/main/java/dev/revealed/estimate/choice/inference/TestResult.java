package dev.revealed.estimate.choice.inference;

import dev.revealed.numeric.stats.ChiSquared;
import java.util.List;

/**
 * The outcome of a test: a statistic that is chi-squared in large samples where the hypothesis holds.
 *
 * @param name of the test
 * @param hypothesis as the user wrote it
 * @param df number of restrictions
 * @param pValue probability of a statistic at least as large where the hypothesis holds
 * @param warnings why the numbers may not be what they seem
 */
public record TestResult(
        String name, String hypothesis, double statistic, int df, double pValue, List<String> warnings) {

    static TestResult of(String name, Hypothesis hypothesis, double statistic, List<String> warnings) {
        int df = hypothesis.restrictions();
        return new TestResult(
                name, hypothesis.text(), statistic, df, ChiSquared.upperTail(statistic, df), List.copyOf(warnings));
    }
}
