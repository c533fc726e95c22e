package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.ProgressListener;
import java.util.List;
import org.junit.jupiter.api.Test;

class MonteCarloStudyTest {

    /** A few samples: every method finds the maximum from every start, also where the literature's MPEC no longer did. */
    @Test
    void everyMethodFindsTheMaximum() {
        MonteCarloStudy.Settings few = new MonteCarloStudy.Settings(3, 50, 120, List.of(0.975, 0.9999), 0, 1);
        MonteCarloStudy.Result result = MonteCarloStudy.run(few, ProgressListener.NONE);
        assertThat(result.rows()).hasSizeGreaterThanOrEqualTo(6).allSatisfy(row -> {
            assertThat(row.fits()).isEqualTo(15);
            assertThat(row.converged()).as(row.method()).isEqualTo(15);
            assertThat(row.atMaximum()).as(row.method()).isEqualTo(15);
            assertThat(row.meanRC()).isBetween(8.0, 18.0);
        });
    }
}
