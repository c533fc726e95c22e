package dev.revealed.estimate.choice.inference;

import dev.revealed.estimate.choice.Clusters;
import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Draws panels that might have been observed instead. */
public sealed interface Resampling {
    String name();

    Panel draw(RandomStream stream);

    /** The individuals or clusters of the panel, as many as there are, drawn with replacement, whatever the model. */
    final class OfIndividuals implements Resampling {
        private final Panel panel;
        private @Nullable Clusters clusters;

        public OfIndividuals(Panel panel) {
            this.panel = panel;
        }

        /** Found when a panel is first drawn, since individuals are read for it. */
        private synchronized Clusters clusters() {
            Clusters known = clusters == null ? Clusters.of(panel) : clusters;
            clusters = known;
            return known;
        }

        @Override
        public String name() {
            return "individuals";
        }

        @Override
        public Panel draw(RandomStream stream) {
            return clusters().drawn(stream::nextInt);
        }
    }

    /** The same individuals, who decide and move anew by the model from the states they were first seen in. */
    record Parametric(Panel panel, TransitionLaw law, double[][] phi, double[] policy) implements Resampling {
        public Parametric(ChoiceModel model, Panel panel, double[] theta, double[] phi) {
            BadInput.when(
                    !panel.common().isEmpty(),
                    "panels with aggregate variables are not simulated from a fit",
                    "Resample individuals and periods.");
            double[][] parts = IntStream.range(0, model.law().parts().size())
                    .mapToObj(v -> model.law().of(v, phi))
                    .toArray(double[][]::new);
            this(panel, model.law(), parts, model.solve(theta, phi).policy().clone());
        }

        @Override
        public String name() {
            return "parametric";
        }

        @Override
        public Panel draw(RandomStream stream) {
            return panel.with(IntStream.range(0, panel.size())
                    .mapToObj(i -> draw(panel.individuals().get(i), stream.at(i)))
                    .toList());
        }

        private Panel.Individual draw(Panel.Individual observed, RandomStream stream) {
            int parts = phi.length;
            int decisions = observed.choices().length();
            int[] states = observed.choices().states().clone();
            int[] actions = new int[decisions];
            int[][] cells = new int[parts][];
            int[][] outcomes = new int[parts][];
            for (int v = 0; v < parts; v++) {
                cells[v] = observed.cells()[v].clone();
                outcomes[v] = observed.outcomes()[v].clone();
                // The law is estimated also from the move that led to the first state, so it is drawn; the state is
                // not, since choices are conditional on it.
                if (cells[v][0] >= 0) {
                    outcomes[v][0] = outcome(v, cells[v][0], stream);
                }
            }
            int each = law.actions();
            for (int t = 0; t < decisions; t++) {
                int state = states[t];
                int action = stream.nextIndex(policy, state * each, (state + 1) * each);
                actions[t] = action;
                int next = 0;
                for (int v = 0; v < parts; v++) {
                    TransitionLaw.Part part = law.parts().get(v);
                    int cell = part.cell().of(state, action);
                    int outcome = outcome(v, cell, stream);
                    next += law.space().stride(v) * part.destination().of(state, action, outcome);
                    if (t + 1 < cells[v].length && cells[v][t + 1] >= 0) { // what was not observed stays so
                        cells[v][t + 1] = cell;
                        outcomes[v][t + 1] = outcome;
                    }
                }
                if (t + 1 < states.length) {
                    states[t + 1] = observed.follows(t + 1) || t + 1 == decisions ? next : states[t + 1];
                }
            }
            return observed.doing(new Trajectory(states, actions), cells, outcomes);
        }

        private int outcome(int v, int cell, RandomStream stream) {
            TransitionFamily family = law.parts().get(v).family();
            double[] p = new double[family.outcomes(cell)];
            family.at(phi[v], cell, p);
            return stream.nextIndex(p, 0, p.length);
        }
    }
}
