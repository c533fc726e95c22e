package dev.revealed.api;

import dev.revealed.data.Trajectories;
import dev.revealed.estimate.Estimator;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.Nfxp;
import dev.revealed.estimate.Problem;
import dev.revealed.estimate.StepRule;
import dev.revealed.mdp.Demonstrations;
import dev.revealed.mdp.Kernel;
import dev.revealed.mdp.LinearReward;
import dev.revealed.mdp.Mdp;
import dev.revealed.mdp.Trajectory;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Estimates the reward behind trajectories on a finite decision process. States and actions are numbered from 0. Immutable:
 * each method returns another estimation.
 *
 * {@snippet :
 * Estimates estimates = RewardEstimation.on(2, 2, 0.95, moves)
 *         .stateFeatures(List.of("warm"), new double[][] {{0}, {1}})
 *         .trajectory(new int[] {0, 1, 1, 1, 0, 1}, 1, 0, 0, 1, 1)
 *         .estimate();
 * System.out.println(estimates);
 * }
 */
public final class RewardEstimation {
    /** The ridge of a reward with a parameter for each state, as the command line has it. */
    private static final double TABLE_RIDGE = 0.01;

    private static final List<String> METHODS = List.of("ml-irl", "maxent-irl", "nfxp");

    private final Mdp mdp;
    private final boolean startGiven;
    private final LinearReward reward;
    private final OptionalDouble ridge;
    private final String method;
    private final long seed;
    private final List<Trajectory> trajectories;

    private RewardEstimation(
            Mdp mdp,
            boolean startGiven,
            LinearReward reward,
            OptionalDouble ridge,
            String method,
            long seed,
            List<Trajectory> trajectories) {
        this.mdp = mdp;
        this.startGiven = startGiven;
        this.reward = reward;
        this.ridge = ridge;
        this.method = method;
        this.seed = seed;
        this.trajectories = trajectories;
    }

    /**
     * A process, and a reward with one parameter for each state until features are given.
     *
     * {@snippet :
     * RewardEstimation estimation = RewardEstimation.on(2, 2, 0.95, (state, action, next) -> {
     *     next.add(1 - state, action == 1 ? 0.9 : 0.1);
     *     next.add(state, action == 1 ? 0.1 : 0.9);
     * });
     * }
     */
    public static RewardEstimation on(int states, int actions, double discount, Transitions transitions) {
        Kernel kernel = Kernel.of(states, actions, (state, action, row) -> transitions.write(state, action, row::add));
        return new RewardEstimation(
                Mdp.uniformStart(kernel, discount),
                false,
                LinearReward.perState(states, actions),
                OptionalDouble.empty(),
                METHODS.getFirst(),
                1,
                List.of());
    }

    /**
     * A reward that is linear in features of the state: {@code features[state][feature]}.
     *
     * {@snippet :
     * estimation.stateFeatures(List.of("home", "mud"), new double[][] {{1, 0}, {0, 0}, {0, 1}});
     * }
     */
    public RewardEstimation stateFeatures(List<String> names, double[][] features) {
        checkRows("stateFeatures", features.length, mdp.states(), "state");
        return with(LinearReward.ofStates(mdp.actions(), names, features));
    }

    /**
     * A reward that is linear in features of state and action: {@code features[state * actions + action][feature]}.
     *
     * {@snippet :
     * estimation.actionFeatures(List.of("effort"), new double[][] {{0}, {1}, {0}, {2}}); // two states, two actions
     * }
     */
    public RewardEstimation actionFeatures(List<String> names, double[][] features) {
        checkRows("actionFeatures", features.length, mdp.rows(), "state and action");
        return with(LinearReward.ofRows(mdp.actions(), names, features));
    }

    /** Refuses features with another number of rows, and says which rows these look like. */
    private void checkRows(String called, int found, int wanted, String row) {
        if (found == wanted) {
            return;
        }
        String remedy = "";
        if (found == mdp.states()) {
            remedy = "These are as many as states: call stateFeatures. ";
        } else if (found == mdp.rows()) {
            remedy = "These are as many as pairs of state and action: call actionFeatures. ";
        } else if (found == mdp.actions()) {
            remedy = "These are as many as actions: a reward of the action alone repeats them for every state, in"
                    + " actionFeatures. ";
        }
        throw new BadInput(
                "%s got %d rows, and the process has %d states and %d actions"
                        .formatted(called, found, mdp.states(), mdp.actions()),
                remedy + "%s takes one row for each %s, %d in all.".formatted(called, row, wanted));
    }

    private RewardEstimation with(LinearReward other) {
        return new RewardEstimation(mdp, startGiven, other, ridge, method, seed, trajectories);
    }

    /**
     * Where trajectories start: a probability for each state. Without it the observed starts stand for the distribution.
     *
     * {@snippet :
     * estimation.startingIn(1, 0); // always in state 0
     * }
     */
    public RewardEstimation startingIn(double... probabilities) {
        return new RewardEstimation(mdp.withStart(probabilities), true, reward, ridge, method, seed, trajectories);
    }

    /**
     * The penalty ridge/2 |theta|^2 on the likelihood: 0 with features unless it is set, and 0.01 without.
     *
     * {@snippet :
     * estimation.ridge(0.01);
     * }
     */
    public RewardEstimation ridge(double penalty) {
        BadInput.notNegative("the ridge", penalty);
        return new RewardEstimation(mdp, startGiven, reward, OptionalDouble.of(penalty), method, seed, trajectories);
    }

    /**
     * How to estimate: {@code ml-irl} (Algorithm 1, unless set), {@code maxent-irl} or {@code nfxp}.
     *
     * {@snippet :
     * estimation.method("nfxp");
     * }
     */
    public RewardEstimation method(String name) {
        Closest.place("there is no method '%s' for processes".formatted(name), name, METHODS, "There is");
        return new RewardEstimation(mdp, startGiven, reward, ridge, name, seed, trajectories);
    }

    /**
     * The seed of every random stream, 1 unless set: the same seed gives the same numbers.
     *
     * {@snippet :
     * estimation.seed(7);
     * }
     */
    public RewardEstimation seed(long other) {
        return new RewardEstimation(mdp, startGiven, reward, ridge, method, other, trajectories);
    }

    /**
     * Adds an observed trajectory: its states, and the action taken in each. The state that the last action led to may be
     * there or not. Without any actions the reward must be of states.
     *
     * {@snippet :
     * estimation.trajectory(new int[] {0, 1, 1, 0}, 1, 0, 1); // in state 0 action 1, in state 1 action 0, ...
     * }
     */
    public RewardEstimation trajectory(int[] states, int... actions) {
        return BadInput.placed("trajectory " + trajectories.size(), () -> {
            boolean fits = actions.length == 0
                    ? states.length > 1
                    : states.length == actions.length || states.length == actions.length + 1;
            BadInput.when(
                    !fits,
                    "there are %d states and %d actions".formatted(states.length, actions.length),
                    states.length + 1 == actions.length
                            ? "The first argument is the states, the others the actions: perhaps they are swapped."
                            : "Give an action for each state; the last state may be without.");
            checkNumbers(states, actions);
            Trajectory added = actions.length == 0 ? Trajectory.ofStates(states) : new Trajectory(states, actions);
            return new RewardEstimation(
                    mdp,
                    startGiven,
                    reward,
                    ridge,
                    method,
                    seed,
                    Stream.concat(trajectories.stream(), Stream.of(added)).toList());
        });
    }

    /** Refuses numbers that are no states or no actions, and says where one looks like the other. */
    private void checkNumbers(int[] states, int[] actions) {
        int wrongState = firstOutside(states, mdp.states());
        int wrongAction = firstOutside(actions, mdp.actions());
        boolean swapped = actions.length > 0
                && firstOutside(states, mdp.actions()) < 0
                && firstOutside(actions, mdp.states()) < 0;
        String hint = swapped
                ? "These look like states where actions are wanted: the first argument is the states, the others the actions."
                : "States are numbered 0 to %d, actions 0 to %d.".formatted(mdp.states() - 1, mdp.actions() - 1);
        BadInput.when(
                wrongState >= 0,
                "state %d at time %d is outside 0..%d".formatted(at(states, wrongState), wrongState, mdp.states() - 1),
                hint);
        BadInput.when(
                wrongAction >= 0,
                "action %d at time %d is outside 0..%d"
                        .formatted(at(actions, wrongAction), wrongAction, mdp.actions() - 1),
                hint);
    }

    private static int at(int[] numbers, int place) {
        return place < 0 ? -1 : numbers[place];
    }

    private static int firstOutside(int[] numbers, int limit) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0 || numbers[i] >= limit) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Adds the trajectories of a file: CSV with the columns trajectory, time, state and perhaps action, or NPZ.
     *
     * {@snippet :
     * estimation.trajectories(Path.of("trajectories.csv"));
     * }
     */
    public RewardEstimation trajectories(Path file) {
        List<Trajectory> all = new ArrayList<>(trajectories);
        all.addAll(Trajectories.read(InputFiles.existing(file), mdp).trajectories());
        return new RewardEstimation(mdp, startGiven, reward, ridge, method, seed, List.copyOf(all));
    }

    /**
     * Estimates.
     *
     * {@snippet :
     * System.out.println(estimation.estimate());
     * }
     *
     * @throws BadInput where the data do not fit the process, and says what to do
     */
    public Estimates estimate() {
        BadInput.when(
                trajectories.isEmpty(),
                "there are no trajectories to estimate from",
                "Add them with trajectory(states, actions) or trajectories(file) before estimate().");
        Problem given = Problem.of(mdp, reward, new Demonstrations(trajectories))
                .withRidge(ridge.orElse(reward.isTable() ? TABLE_RIDGE : 0));
        Problem problem = startGiven ? given : given.withObservedStarts();
        return Estimates.of(method, estimator(problem).fit(problem, seed), List.of());
    }

    private Estimator estimator(Problem problem) {
        return switch (method) {
            case "nfxp" -> Nfxp.standard();
            case "maxent-irl" -> MlIrl.maxEnt(new StepRule.Automatic(), 5_000, 1e-4);
            default -> MlIrl.suited(problem);
        };
    }

    /** What it is about to estimate, from what. */
    @Override
    public String toString() {
        return "%s on %d states and %d actions with discount %s: %d reward parameters from %d trajectories (start %s)"
                .formatted(
                        method,
                        mdp.states(),
                        mdp.actions(),
                        mdp.discount(),
                        reward.parameters(),
                        trajectories.size(),
                        startGiven ? Arrays.toString(mdp.start()) : "as observed");
    }
}
