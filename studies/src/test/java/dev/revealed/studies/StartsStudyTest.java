package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Estimate;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.task.TaskRunner;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class StartsStudyTest {
    private static StartsStudy.Result study(String name) {
        return StartsStudy.run(new StartsStudy.Settings(3, 50, name, 7), TaskRunner.THREADS, ProgressListener.NONE);
    }

    @Test
    void hiddenVariablesAreFoundFromAnywhere() {
        assertThat(study("hidden").rows()).singleElement().satisfies(row -> {
            assertThat(row.method()).isEqualTo("recursive");
            assertThat(row.atMaximum()).isEqualTo(3);
        });
    }

    /** Nests by the single loop and by all searches of the nested fixed point. */
    @Test
    void nestsAreFoundFromAnywhere() {
        assertThat(study("nested logit").rows())
                .extracting(StartsStudy.Row::method)
                .contains("ml-irl")
                .hasSize(5);
        assertThat(study("nested logit").rows())
                .allSatisfy(
                        row -> assertThat(row.wrongSilently()).as(row.method()).isZero());
    }

    @Test
    void unknownModelsAreRefused() {
        assertThatThrownBy(() -> study("nested")).isInstanceOf(BadInput.class).hasMessageContaining("nested logit");
    }

    /** Every method from a few starts; the command tries two hundred on every model. */
    @Test
    void noMethodIsWrongSilently() {
        StartsStudy.Result result = study("modes");
        assertThat(result.rows()).hasSizeGreaterThan(10).allSatisfy(row -> {
            assertThat(row.wrongSilently()).as(row.method()).isZero();
            assertThat(row.atMaximum() + row.saidOtherwise()).isEqualTo(3);
            assertThat(row.atMaximum()).as(row.method()).isGreaterThanOrEqualTo(2);
        });
        // Fisher scoring stops where choices are certain: without restarts this table would not be so clean.
        assertThat(result.rows()).anySatisfy(row -> assertThat(row.restarted()).isPositive());
    }

    /** Utilities that are not linear: the single loop ends where the nested fixed point does, from its usual start. */
    @Test
    void mlIrlClimbsUtilitiesThatAreNotLinear() {
        for (String name : List.of("nonlinear", "curved storage")) {
            StudyModel model = StudyModels.forStarts().stream()
                    .filter(one -> one.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            ChoiceProblem problem = model.problem(RandomStream.of(1));
            double[] truth = fit(problem, NestedFixedPoint.standard());
            double[] found = fit(problem, new MlIrlMethod(MlIrl.preconditioned()));
            assertThat(found).as(name).containsExactly(truth, within(1e-4));
        }
    }

    private static double[] fit(ChoiceProblem problem, PanelMethod method) {
        Estimate found = new ChoiceEstimator(method).fit(problem, 1).estimate();
        assertThat(found.converged()).as(found.status()).isTrue();
        return found.theta();
    }

    @Test
    void everyModelSimulatesChoicesThatVary() {
        for (StudyModel model : StudyModels.forStarts()) {
            Panel panel = model.panel(RandomStream.of(1));
            for (int action = 0; action < model.model().actions().size(); action++) {
                int wanted = action;
                assertThat(panel.individuals().stream()
                                .flatMapToInt(one -> Arrays.stream(
                                        Objects.requireNonNull(one.choices().actions())))
                                .filter(chosen -> chosen == wanted)
                                .count())
                        .as(model.name())
                        .isGreaterThan(50);
            }
        }
    }
}
