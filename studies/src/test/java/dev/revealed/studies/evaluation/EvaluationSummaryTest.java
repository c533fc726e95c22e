package dev.revealed.studies.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.numeric.Interval;
import dev.revealed.numeric.stats.CensoredMedian;
import dev.revealed.train.EvaluationPoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tiny curves whose numbers are worked out by hand; the expert returns 200. */
class EvaluationSummaryTest {
    private static final double EXPERT = 200;

    /** Evaluations every 100 steps. */
    private static RunCurve run(double... returns) {
        List<EvaluationPoint> points = new ArrayList<>();
        for (double each : returns) {
            points.add(new EvaluationPoint(100L * (points.size() + 1), each, 1));
        }
        return new RunCurve(returns[returns.length - 1], points, List.of());
    }

    private static EvaluationSummary summary(long budget, RunCurve... runs) {
        return of(List.of(runs), EXPERT, budget).orElseThrow();
    }

    /** The interquartile mean of returns is 150, from 100 to 190. */
    private static Optional<EvaluationSummary> of(List<RunCurve> runs, double expert, long budget) {
        return EvaluationSummary.of(runs, expert, budget, 150, new Interval(100, 190));
    }

    @Test
    void lastPoliciesAreSharesOfTheExpert() {
        EvaluationSummary found = summary(100, run(100), run(150), run(160), run(190), run(400));
        assertThat(found.mean()).isCloseTo(1, within(1e-12)); // 1000 / 5 / 200
        assertThat(found.interquartileMean()).isEqualTo(0.75);
        assertThat(found.interval()).isEqualTo(new Interval(0.5, 0.95));
    }

    /** Of twelve evaluations the first two do not count: mean (9 x 200 + 100) / 10 and worst 100; beside a run of 120. */
    @Test
    void lastTenEvaluations() {
        EvaluationSummary found = summary(100, run(0, 0, 200, 200, 200, 200, 100, 200, 200, 200, 200, 200), run(120));
        assertThat(found.lastTen()).isCloseTo((190 + 120) / 2.0 / 200, within(1e-12));
        assertThat(found.worstOfLastTen()).isCloseTo((100 + 120) / 2.0 / 200, within(1e-12));
    }

    /** 90 % are 180 and 95 % are 190. */
    @Test
    void stepsToALevelAreMediansWithCensoring() {
        EvaluationSummary found = summary(100, run(180, 0, 190), run(0, 185, 0), run(0, 0, 0));
        assertThat(found.stepsTo90()).isEqualTo(new CensoredMedian(200, false, 2, 3));
        assertThat(found.stepsTo95()).isEqualTo(new CensoredMedian(300, true, 1, 3));
    }

    /** After the first at 180: 100 and 200 of the first run, 179 of the second, none of the third. */
    @Test
    void evaluationsBelowAfterFirstReaching() {
        EvaluationSummary found = summary(100, run(10, 180, 100, 200), run(20, 30, 190, 179), run(0, 0, 0, 0));
        assertThat(found.below90()).isEqualTo(new EvaluationSummary.Below(2, 3, 2 / 3.0));
        assertThat(summary(100, run(0)).below90().share()).isNaN();
    }

    /**
     * From 0 to 100 at step 100 to 200 at step 200: areas 5,000 and 15,000. Up to step 150 the second part has 50 steps from
     * 100 to 150, that is 6,250.
     */
    @Test
    void areaUnderTheCurve() {
        assertThat(summary(200, run(100, 200)).areaUnderCurve()).isCloseTo(20_000 / 200.0 / 200, within(1e-12));
        assertThat(summary(150, run(100, 200)).areaUnderCurve()).isCloseTo(11_250 / 150.0 / 200, within(1e-12));
        assertThat(summary(50, run(100, 200)).areaUnderCurve()).isCloseTo(0.125, within(1e-12)); // mean of 0 and 50
        assertThat(summary(200, run(100, 200), run(100)).areaUnderCurve()).isNaN();
        assertThat(EvaluationSummary.budget(List.of(run(1, 2, 3), run(1, 2)))).isEqualTo(200);
    }

    /** A clone has no curve, and shares of an expert who returns nothing say nothing. */
    @Test
    void whatIsNotKnownIsLeftOut() {
        EvaluationSummary clone = summary(500, new RunCurve(100, List.of(), List.of()));
        assertThat(clone.mean()).isEqualTo(0.5);
        assertThat(clone.stepsTo90().of()).isZero();
        assertThat(clone.lastTen()).isNaN();
        assertThat(clone.budget()).isZero();
        assertThat(clone.falls()).isEmpty();
        for (double expert : new double[] {0, -5, Double.NaN}) {
            assertThat(of(List.of(run(1)), expert, 100)).isEmpty();
        }
        assertThat(of(List.of(), EXPERT, 100)).isEmpty();
        assertThat(of(List.of(run(Double.NaN, Double.NaN)), EXPERT, 100)).isEmpty(); // never evaluated
        assertThat(of(List.of(run(Double.NaN), run(1)), EXPERT, 100)).isPresent();
    }
}
