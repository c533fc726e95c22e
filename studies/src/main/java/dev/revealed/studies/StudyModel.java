package dev.revealed.studies;

import dev.revealed.data.model.ModelFile;
import dev.revealed.estimate.choice.ChoiceProblem;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.estimate.choice.mixed.Population;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A choice model with a known truth, from which panels are simulated.
 *
 * @param start probability of each state in the first period
 * @param population where more than theta is estimated
 * @param more the truths of what that adds: standard deviations of random coefficients, then the discount
 */
public record StudyModel(
        String name,
        ChoiceModel model,
        double[] theta,
        double[] phi,
        double[] start,
        int individuals,
        int periods,
        Optional<Population> population,
        double[] more) {

    /** Of individuals who are alike. */
    public StudyModel(
            String name,
            ChoiceModel model,
            double[] theta,
            double[] phi,
            double[] start,
            int individuals,
            int periods) {
        this(name, model, theta, phi, start, individuals, periods, Optional.empty(), new double[0]);
    }

    /** The same where more is estimated: a discount, or how individuals differ. */
    StudyModel estimating(Population all, double... truths) {
        return new StudyModel(name, model, theta, phi, start, individuals, periods, Optional.of(all), truths);
    }

    /** All that is estimated. */
    List<String> names() {
        return population
                .map(all -> Stream.concat(all.names().stream(), model.law().names().stream())
                        .toList())
                .orElse(model.parameters());
    }

    /** The truth of all that is estimated. */
    double[] truth() {
        return Vec.joined(Vec.joined(theta, more), phi);
    }

    static StudyModel bus(String name, int bins, double discount, double... theta) {
        ChoiceModel model = RustBus.of(bins, 2, discount, RustBus.Cost.LINEAR);
        double[] first = new double[model.states()];
        first[0] = 1;
        return new StudyModel(name, model, theta, new double[] {0.3, 0.5}, first, 200, 50);
    }

    /** @param from values of some variables in the first period; the others are anywhere on their grids */
    static StudyModel parsed(
            String name,
            String yaml,
            Map<String, Double> from,
            double[] theta,
            double[] phi,
            int individuals,
            int periods) {
        ChoiceModel model = ModelFile.parse(name, yaml, Map.of()).model();
        double[] start = new double[model.states()];
        Arrays.setAll(start, s -> isAt(model.space(), s, from) ? weight(model, s) : 0);
        double all = Arrays.stream(start).sum();
        Arrays.setAll(start, s -> start[s] / all);
        return new StudyModel(name, model, theta, phi, start, individuals, periods);
    }

    /** A hidden variable begins as it is in the long run. */
    private static double weight(ChoiceModel model, int state) {
        int last = model.space().variables().size() - 1;
        return model.law().parts().get(last).family() instanceof HiddenProcess process
                ? process.weights()[model.space().coordinate(state, last)]
                : 1;
    }

    private static boolean isAt(StateSpace space, int state, Map<String, Double> values) {
        return IntStream.range(0, space.variables().size()).allMatch(v -> {
            double here = space.value(state, v);
            return values.getOrDefault(space.variables().get(v).name(), here) == here;
        });
    }

    /** The same with other parameters of the law. */
    StudyModel moving(double... otherPhi) {
        return new StudyModel(name, model, theta, otherPhi, start, individuals, periods, population, more);
    }

    /** The same with panels of another size. */
    StudyModel of(int otherIndividuals, int otherPeriods) {
        return new StudyModel(name, model, theta, phi, start, otherIndividuals, otherPeriods, population, more);
    }

    /** Whether the agent sees a variable that panels do not show. */
    boolean hidden() {
        return RecursiveIntegration.hidden(model).isPresent();
    }

    /** A panel simulated from the truth. */
    public ChoiceProblem problem(RandomStream stream) {
        return new ChoiceProblem(model, panel(stream));
    }

    Panel panel(RandomStream stream) {
        boolean alike = population.map(all -> all.random().isEmpty()).orElse(true);
        RandomStream own = stream.named("panel");
        return alike ? model.simulate(theta, phi, start, individuals, periods, own) : different(own);
    }

    /** Individuals whose random coefficients are drawn one by one. */
    private Panel different(RandomStream stream) {
        List<String> random = population.orElseThrow().random();
        List<Panel.Individual> all = new ArrayList<>();
        for (int i = 0; i < individuals; i++) {
            RandomStream own = stream.at(i);
            double[] drawn = theta.clone();
            for (int r = 0; r < random.size(); r++) {
                drawn[model.utility().names().indexOf(random.get(r))] += more[r] * own.nextGaussian();
            }
            all.add(model.simulate(drawn, phi, start, 1, periods, own.named("path"))
                    .individuals()
                    .getFirst());
        }
        return new Panel(all);
    }
}
