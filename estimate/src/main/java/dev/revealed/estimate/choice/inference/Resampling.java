package dev.revealed.estimate.choice.inference;

import dev.revealed.mdp.Trajectory;
import dev.revealed.mdp.choice.Chances;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Draws panels that might have been observed instead. */
public sealed interface Resampling {
    String name();

    Panel draw(RandomStream stream);

    /** The individuals of the panel, as many as there are, drawn with replacement: nothing of the model is assumed. */
    record OfIndividuals(Panel panel) implements Resampling {
        @Override
        public String name() {
            return "individuals";
        }

        @Override
        public Panel draw(RandomStream stream) {
            int n = panel.size();
            int[] draw = new int[n];
            for (int i = 0; i < n; i++) {
                draw[i] = stream.nextInt(n);
            }
            return panel.drawn(draw);
        }
    }

    /** The same individuals, who decide and move anew by the model from the states they were first seen in. */
    final class Parametric implements Resampling {
        private final TransitionLaw law;
        private final double[][] phi;
        private final double[] policy;
        private final Panel panel;

        public Parametric(ChoiceModel model, Panel panel, double[] theta, double[] phi) {
            law = model.law();
            this.phi = new double[law.parts().size()][];
            for (int v = 0; v < this.phi.length; v++) {
                this.phi[v] = law.of(v, phi);
            }
            policy = model.solve(theta, phi).policy().clone();
            this.panel = panel;
        }

        @Override
        public String name() {
            return "parametric";
        }

        @Override
        public Panel draw(RandomStream stream) {
            List<Panel.Individual> drawn = new ArrayList<>(panel.size());
            for (int i = 0; i < panel.size(); i++) {
                drawn.add(draw(panel.individuals().get(i), stream.at(i)));
            }
            return new Panel(drawn);
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
                // The move that led to the first state is drawn anew, as the law is estimated from it, but not the
                // state,
                // which choices are conditional on.
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
                    states[t + 1] = next;
                }
            }
            return new Panel.Individual(observed.name(), new Trajectory(states, actions), cells, outcomes);
        }

        private int outcome(int v, int cell, RandomStream stream) {
            Chances chances = law.parts().get(v).chances();
            double[] p = new double[chances.outcomes(cell)];
            chances.at(phi[v], cell, p);
            return stream.nextIndex(p, 0, p.length);
        }
    }
}
