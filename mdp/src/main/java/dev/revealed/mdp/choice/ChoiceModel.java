package dev.revealed.mdp.choice;

import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.InformationCost;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Reward;
import dev.revealed.mdp.Simulation;
import dev.revealed.mdp.SoftPolicy;
import dev.revealed.mdp.SoftProcess;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * A dynamic discrete-choice model: an agent who each period takes the action with the largest utility plus discounted
 * future plus Gumbel shock. The data decide the parameters theta of the utility and phi of the transition law.
 *
 * @param cost STANDARD, or weights that rule some actions out in some states
 */
public record ChoiceModel(
        String name, List<String> actions, TransitionLaw law, double discount, Reward utility, InformationCost cost) {

    public ChoiceModel {
        actions = List.copyOf(actions);
        if (discount != 1 || law.ends().length == 0) { // without discount, whether the process ends is seen at phi
            BadInput.discount(discount);
        }
        if (actions.size() != law.actions() || utility.rows() != law.space().size() * law.actions()) {
            throw new IllegalArgumentException("the parts of the model differ in their states or actions");
        }
        if (cost.scale() != null) {
            throw new BadInput(
                    "the scale of the shocks depends on the state in the choice model " + name,
                    "Estimators of choice models know one scale; estimate on a process of states and actions instead.");
        }
    }

    /** Names of all parameters: those of the utility, then those of the law. */
    public List<String> parameters() {
        return Stream.concat(utility.names().stream(), law.names().stream()).toList();
    }

    public StateSpace space() {
        return law.space();
    }

    public int states() {
        return law.space().size();
    }

    /** The decision process at phi; trajectories start anywhere. */
    public Mdp mdp(double[] phi) {
        return Mdp.uniformStart(law.kernel(phi), discount);
    }

    public ChoiceModel withDiscount(double other) {
        return new ChoiceModel(name, actions, law, other, utility, cost);
    }

    public ChoiceModel withUtility(Reward other) {
        return new ChoiceModel(name, actions, law, discount, other, cost);
    }

    /** The cost with the shocks that utility's parameters decide, where they are not independent Gumbel ones. */
    public InformationCost cost(double[] theta) {
        return utility.shocks(theta).map(cost::with).orElse(cost);
    }

    /** Whether choices are a logit of the values of the actions; what inverts one refuses other models by itself. */
    public boolean isLogit() {
        return utility.shocks(utility.initial(RandomStream.of(1))).isEmpty();
    }

    /** Refuses shocks that are not independent Gumbel ones. */
    public void needLogit(String method) {
        BadInput.when(
                !isLogit(),
                "%s needs choices that are a logit, and the shocks of this model are not independent Gumbel ones"
                        .formatted(method),
                "Use nfxp or ml-irl, or leave out shocks.");
    }

    /** The soft-optimal policy at given parameters. */
    public SoftPolicy solve(double[] theta, double[] phi) {
        SoftProcess process = new SoftProcess(mdp(phi), cost(theta));
        SoftPolicy policy = SoftPolicy.start(process);
        double[] rows = new double[utility.rows()];
        utility.values(theta, rows);
        process.solver().solve(rows, policy, 1e-10).orThrow();
        return policy;
    }

    /** Individuals who act by the model, each for so many periods from a state drawn from {@code start}. */
    public Panel simulate(double[] theta, double[] phi, double[] start, int individuals, int periods, RandomStream s) {
        return simulate(theta, phi, start, individuals, periods, new int[0], s);
    }

    /**
     * The same where some variables are one for all individuals of a period.
     *
     * @param common their places among the variables
     */
    public Panel simulate(
            double[] theta, double[] phi, double[] start, int individuals, int periods, int[] common, RandomStream s) {
        for (int end : law.ends()) {
            BadInput.when(
                    start[end] > 0,
                    "individuals would start at %s, where the process has ended".formatted(space().describe(end)),
                    "Let them start where something is left to decide.");
        }
        Mdp mdp = mdp(phi).withStart(start);
        Simulation simulation = new Simulation(mdp, solve(theta, phi).logPolicy());
        Demonstrations data = common.length == 0
                ? simulation.demonstrations(individuals, periods, s)
                : together(simulation, start, individuals, periods, common, s);
        return Panel.of(
                law,
                new Demonstrations(data.trajectories().stream()
                        .map(one -> one.until(law.ends()))
                        .toList()));
    }

    /**
     * Variables move independently of each other given state and action, so those of all are drawn once, along the path of
     * somebody who is not reported, and take the place of each individual's own.
     */
    private Demonstrations together(
            Simulation simulation, double[] start, int individuals, int periods, int[] common, RandomStream s) {
        int[] path = simulation.trajectory(periods, s.named("common")).states();
        double[] first = new double[start.length];
        Arrays.setAll(first, state -> moved(state, path[0], common) == state ? start[state] : 0);
        List<Trajectory> all = new ArrayList<>();
        for (int i = 0; i < individuals; i++) {
            RandomStream own = s.at(i);
            int[] states = new int[path.length];
            int[] actions = new int[path.length - 1];
            states[0] = own.nextIndex(first, 0, first.length);
            for (int t = 0; t < actions.length; t++) {
                actions[t] = simulation.act(states[t], own);
                states[t + 1] = moved(simulation.move(states[t], actions[t], own), path[t + 1], common);
            }
            all.add(new Trajectory(states, actions));
        }
        return new Demonstrations(all);
    }

    /** A state with some variables as they are in another. */
    private int moved(int state, int other, int[] variables) {
        int moved = state;
        for (int v : variables) {
            moved += (space().coordinate(other, v) - space().coordinate(state, v)) * space().stride(v);
        }
        return moved;
    }
}
