package dev.revealed.neural.softq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.revealed.mdp.Simulator;
import dev.revealed.mdp.model.Maintenance;
import dev.revealed.mdp.model.MaintenanceTruth;
import dev.revealed.neural.Actor;
import dev.revealed.neural.Line;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import org.junit.jupiter.api.Test;

class SuccessorQTest {
    private static final double DISCOUNT = 0.9;
    private static final Maintenance PROCESS = new Maintenance(2, 50);
    private static final double[] THETA = {1, 1.5, 2.5, 0.5, -0.3};
    private static final SuccessorQ.Settings SETTINGS =
            new SuccessorQ.Settings(new int[] {32, 32}, 2e-3, DISCOUNT, 0.99, 64, 5, 20_000);

    private static SuccessorQ learner() {
        SuccessorQ learner =
                new SuccessorQ(PROCESS.simulator(THETA), PROCESS::features, THETA.length, SETTINGS, RandomStream.of(2));
        learner.reward(THETA);
        learner.wander(2000);
        return learner;
    }

    private static MaintenanceTruth truth(double[] theta) {
        return new MaintenanceTruth(theta, PROCESS.indexVariance(theta), DISCOUNT, 31, 41);
    }

    /** What it saves is no softmax over the values of one network, and is not taken for it. */
    @Test
    void isNotTakenForAnotherPolicy() {
        Tensors saved = new Tensors();
        learner().actor().save(saved);
        assertThatThrownBy(() -> Actor.load(saved)).isInstanceOf(BadInput.class);
    }

    /** Choice probabilities as the exact solution has them, and their slopes as its differences have them. */
    @Test
    void learnsValuesAndTheirGradients() {
        SuccessorQ learner = learner();
        learner.advance(1500, 1);
        learner.advance(1000, 0.1);
        int rows = 200;
        float[] states = new float[rows * 3];
        Simulator machine = PROCESS.simulator(THETA);
        RandomStream stream = RandomStream.of(6);
        machine.reset(stream);
        for (int i = 0; i < rows; i++) {
            machine.observe(states, 3 * i);
            machine.step(new float[] {stream.nextInt(3)}, 0);
        }
        SuccessorActor actor = learner.actor().snapshot().worker(rows);
        actor.take(states, 0, rows);
        double[] log = new double[Maintenance.CHOICES];
        MaintenanceTruth truth = truth(THETA);
        double apart = 0;
        for (int i = 0; i < rows; i++) {
            Successors values = actor.look(i);
            truth.logProbabilities(PROCESS.index(THETA, states, 3 * i), states[3 * i + 2], log);
            for (int a = 0; a < log.length; a++) {
                apart += Math.abs(values.probability(a) - Math.exp(log[a])) / rows / log.length;
            }
        }
        assertThat(apart).isLessThan(0.01);
        for (int j = 0; j < THETA.length; j++) {
            assertThat(slopeApart(actor, states, rows, j)).as("parameter %d", j).isLessThan(0.08);
        }
    }

    /** Mean distance of learnt log-odds slopes, replacing against keeping, from differences of the exact solution. */
    private static double slopeApart(SuccessorActor actor, float[] states, int rows, int j) {
        double by = 0.05;
        double sum = 0;
        double[][] odds = new double[2][rows];
        for (int side = 0; side < 2; side++) {
            double[] theta = THETA.clone();
            theta[j] += side == 0 ? -by : by;
            MaintenanceTruth truth = truth(theta);
            double[] log = new double[Maintenance.CHOICES];
            for (int i = 0; i < rows; i++) {
                truth.logProbabilities(PROCESS.index(theta, states, 3 * i), states[3 * i + 2], log);
                odds[side][i] = log[Maintenance.REPLACE] - log[Maintenance.KEEP];
            }
        }
        for (int i = 0; i < rows; i++) {
            Successors values = actor.look(i);
            double slope = values.gradient(Maintenance.REPLACE, j) - values.gradient(Maintenance.KEEP, j);
            sum += Math.abs(slope - (odds[1][i] - odds[0][i]) / (2 * by)) / rows;
        }
        return sum;
    }

    @Test
    void theSameSeedGivesTheSamePolicy() {
        double[][] p = new double[2][];
        for (int i = 0; i < 2; i++) {
            SuccessorQ learner = learner();
            learner.advance(20, 1);
            SuccessorActor actor = learner.actor();
            actor.take(new float[] {0.3f, -0.2f, 1.1f}, 0, 1);
            p[i] = actor.look(0).probabilities().clone();
        }
        assertThat(p[0]).containsExactly(p[1]);
        assertThat(p[0][0] + p[0][1] + p[0][2]).isCloseTo(1, offset(1e-12));
    }

    @Test
    void refusesActionsThatAreNumbersAndProcessesThatEnd() {
        assertThatThrownBy(() ->
                        new SuccessorQ(new Line(10), PROCESS::features, THETA.length, SETTINGS, RandomStream.of(1)))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("numbers");
        SuccessorQ ends = new SuccessorQ(
                new Ending(), (states, at, choice, into, to) -> into[to] = choice, 1, SETTINGS, RandomStream.of(1));
        assertThatThrownBy(() -> ends.wander(1)).isInstanceOf(BadInput.class).hasMessageContaining("terminated");
    }

    /** Over after a step. */
    private static final class Ending implements Simulator {
        private int steps;

        @Override
        public Space space() {
            return new Space("ending", 1, new Actions.Choices(2), 5);
        }

        @Override
        public void reset(RandomStream stream) {
            steps = 0;
        }

        @Override
        public void step(float[] actions, int offset) {
            steps++;
        }

        @Override
        public void observe(float[] into, int offset) {
            into[offset] = steps;
        }

        @Override
        public double reward() {
            return 0;
        }

        @Override
        public boolean terminated() {
            return steps > 0;
        }

        @Override
        public boolean truncated() {
            return false;
        }

        @Override
        public double[] state() {
            return new double[] {steps};
        }

        @Override
        public void restore(double[] state) {
            steps = (int) state[0];
        }

        @Override
        public void close() {}
    }
}
