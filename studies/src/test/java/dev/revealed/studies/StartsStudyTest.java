package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskRunner;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartsStudyTest {
    /** Every method from a few starts; the command tries two hundred on six models. */
    @Test
    void noMethodIsWrongSilently() {
        List<StudyModel> modes = StudyModels.forStarts().stream()
                .filter(model -> model.name().equals("modes"))
                .toList();
        StartsStudy.Result result =
                StartsStudy.run(new StartsStudy.Settings(3, 50, 7), modes, TaskRunner.THREADS, ProgressListener.NONE);
        assertThat(result.rows()).hasSizeGreaterThan(10).allSatisfy(row -> {
            assertThat(row.wrongSilently()).as(row.method()).isZero();
            assertThat(row.atMaximum() + row.saidOtherwise()).isEqualTo(3);
            assertThat(row.atMaximum()).as(row.method()).isGreaterThanOrEqualTo(2);
        });
        // Fisher scoring stops where choices are certain: without restarts this table would not be so clean.
        assertThat(result.rows()).anySatisfy(row -> assertThat(row.restarted()).isPositive());
    }

    @Test
    void everyModelSimulatesChoicesThatVary() {
        for (StudyModel model : StudyModels.forStarts()) {
            double[] counts = model.problem(RandomStream.of(1)).choiceCounts();
            double[] byAction = new double[model.model().actions().size()];
            for (int row = 0; row < counts.length; row++) {
                byAction[row % byAction.length] += counts[row];
            }
            assertThat(Arrays.stream(byAction).min().orElseThrow())
                    .as(model.name())
                    .isGreaterThan(50);
        }
    }
}
