package dev.revealed.imitate.world;

import dev.revealed.imitate.AfterEnd;
import dev.revealed.imitate.Agent;
import dev.revealed.imitate.Demonstrations;
import dev.revealed.imitate.ExpertAndAgent;
import dev.revealed.imitate.Imitation;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.Intervention;
import dev.revealed.imitate.LearningProblem;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Batch;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.Training.ExpertRows;
import dev.revealed.numeric.BadInput;
import dev.revealed.settings.Item;
import dev.revealed.settings.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Offline ML-IRL (Zeng, Li, Garcia and Hong 2023): Algorithm 1 in a world that was learnt from a log. The policy learns from
 * short rollouts that begin at logged states, and pays for pairs that the world is unsure of. No simulator is learnt in.
 */
public final class OfflineMlIrl implements ImitationMethod<OfflineMlIrl.Settings> {
    public static final String NAME = "offline-ml-irl";

    /** Settings of ML-IRL, and of the world it runs in. */
    public record Settings(Imitation.Settings loop, Rollouts world, Comparison compared) {}

    /** What expert and agent are compared on. */
    public record Comparison(
            @Setting(
                    about =
                            "Share of rollouts in the world that begin at states of the demonstrations; the others begin at "
                                    + "logged states.",
                    atLeast = 0,
                    atMost = 1)
            double expertStarts,

            @Setting(
                    about =
                            "Steps of the windows that expert and agent are compared on: the agent begins where a window of "
                                    + "the demonstrations does.",
                    atLeast = 1)
            int window) {
        public static final Comparison USUAL = new Comparison(0.25, 200);

        public Comparison {
            dev.revealed.settings.Settings.check(Comparison.class, expertStarts, window);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "recovers a reward and a policy in a world learnt from a log, without a step of the simulator";
    }

    @Override
    public Class<Settings> settings() {
        return Settings.class;
    }

    @Override
    public ImitationMethod<?> offline() {
        return this;
    }

    @Override
    public boolean needsWorld() {
        return true;
    }

    /**
     * The preset's reward; blocks, rollouts and updates are those of a world in which steps cost little. With {@code
     * revealed} the actor also clones the demonstrations, which keeps it where the world is known. With {@code paper} 50,000
     * transitions come with 1,000 updates, and 20 times as many with a reward step.
     */
    @Override
    public Settings preset(Preset preset, Simulator.Space space) {
        Imitation.Settings loop = preset.imitation(RewardModel.Of.STATE_ACTION, space)
                .with(Map.of("block", 5000, "rollouts", 50, "recent", 5000));
        return switch (preset) {
            case PAPER ->
                new Settings(
                        loop.with(Map.of(
                                "block", 1_000_000,
                                "reward-hidden", new int[] {256, 256},
                                "reward-discount", 1,
                                "loss-scale", 1)),
                        new Rollouts(5000, 10, Penalty.MAX_SIGMA, 1),
                        new Comparison(0, 200));
            case REVEALED_1 -> new Settings(loop, Rollouts.USUAL, Comparison.USUAL);
            case REVEALED ->
                new Settings(loop.with(Map.of("cloning", 10, "average-policy", 30)), Rollouts.USUAL, Comparison.USUAL);
        };
    }

    /** An actor that clones too may learn faster than in a simulator; with {@code paper} the reference's sizes. */
    @Override
    public Sac.Settings sac(Preset preset, Simulator.Space space) {
        Sac.Settings usual = ImitationMethod.super.sac(preset, space);
        return switch (preset) {
            case PAPER ->
                usual.with(Map.of(
                        "hidden",
                        new int[] {256, 256, 256},
                        "learning-rate",
                        3e-4,
                        "batch",
                        256,
                        "temperature",
                        "auto"));
            case REVEALED_1 -> usual;
            case REVEALED -> usual.with(Map.of("actor-every", 1, "actor-learning-rate", 3e-4));
        };
    }

    @Override
    public Training.Schedule schedule(Preset preset) {
        return preset == Preset.PAPER
                ? new Training.Schedule(50_000, 0.02, 1_000_000)
                : new Training.Schedule(5000, 0.4, 250_000);
    }

    @Override
    public long iterations(long usual) {
        return 150;
    }

    @Override
    public long block(Settings settings) {
        return settings.loop.sampling().block();
    }

    @Override
    public void check(Settings settings, Set<String> named) {
        settings.loop.check(named);
        BadInput.when(
                settings.loop.sampling().rollouts() == 0,
                "`rollouts` is 0, and short rollouts from logged states do not show which states the agent "
                        + "reaches",
                "Give at least 1: the windows that expert and agent are compared on.");
        BadInput.when(
                settings.loop.afterEnd() == AfterEnd.SIMULATE,
                "`after-end` is simulate, and a learnt world does not predict what follows termination",
                "Choose mask or absorb.");
    }

    @Override
    public LearningProblem problem(Settings settings, String preset, Demonstrations demonstrations) {
        throw new BadInput(
                "offline-ml-irl has no world to learn in",
                "Name one with `world`, which 'worldmodel' writes, and the log with `data`.");
    }

    @Override
    public LearningProblem problem(
            Settings settings, String preset, Demonstrations demonstrations, OfflineData offline) {
        BadInput.when(
                !settings.loop.reward().stateOnly()
                        && !demonstrations.episodes().hasActions(),
                "the demonstrations in %s have no actions, and the reward is of states and actions"
                        .formatted(demonstrations.source()),
                "Name demonstrations with actions of the same task, or choose `reward` state.");
        return new Problem(
                settings, preset, demonstrations, Windows.of(demonstrations, settings.compared.window), offline);
    }

    /** To recover the reward behind demonstrations in a learnt world. */
    private record Problem(
            Settings settings, String preset, Demonstrations shown, Demonstrations windows, OfflineData offline)
            implements Imitation.Problem {

        @Override
        public String kind() {
            return NAME;
        }

        @Override
        public String title() {
            return "Offline imitation";
        }

        @Override
        public Imitation.Settings loop() {
            return settings.loop;
        }

        @Override
        public ExpertRows expertRows() {
            return settings.loop.expertRows(windows);
        }

        /** Cloning is part of the preset, and its rows have actions; an actor that learns as slowly as in a simulator does without. */
        @Override
        public List<String> cautions(Simulator.Space space, Sac.Settings sac) {
            List<String> cautions = new ArrayList<>(Imitation.Problem.super.cautions(space));
            int window = settings.compared.window;
            int compared = ExpertAndAgent.horizon(shown.episodes(), window);
            if (compared < window) {
                cautions.add(
                        "`window` is %d, and the longest demonstration has %d steps: expert and agent are compared on the first %2$d alone"
                                .formatted(window, compared));
            }
            Sac.Settings simulator = Preset.REVEALED.sac(space.observations());
            boolean faster = sac.actorRate() / sac.actorEvery() > simulator.actorRate() / simulator.actorEvery();
            if (learner().cloning() > 0 && expertRows().count() == 0 && faster) {
                String why =
                        settings.loop.reward().stateOnly() ? "the reward is of states alone" : "`expert-rows` is 0";
                cautions.add(
                        ("`cloning` has no effect, because %s: nothing keeps the actor near the demonstrations, and it"
                                        + " learns faster than in a simulator; consider `actor-learning-rate` %s with"
                                        + " `actor-every` %d, or `reward` state-action with `expert-rows`")
                                .formatted(why, Item.shown(simulator.actorRate()), simulator.actorEvery()));
            }
            return cautions;
        }

        /** A world to learn in, and as many for windows as threads can use. */
        @Override
        public List<Simulator> worlds(Simulator.Space space, int environments, int threads) {
            return offline.worlds(settings, space, windows.episodes(), environments, rollouts(threads));
        }

        @Override
        public Imitation algorithm(Simulator.Space space, Agent agent) {
            PenalisedScoring[] made = new PenalisedScoring[1];
            Imitation loop = new Imitation(
                    settings.loop,
                    windows,
                    OfflineData.window(space, settings.compared.window),
                    agent,
                    Intervention.NONE,
                    sides -> {
                        made[0] = new PenalisedScoring(sides, settings.world.penaltyWeight(), offline.checksum());
                        return made[0];
                    });
            made[0].label(loop.currentReward().orElseThrow().labels());
            if (expertRows().count() > 0) { // once more, with their uncertainty
                Batch expert = offline.measured(settings.world).transitions(windows.episodes(), space);
                agent.training().learnFrom(expert, expertRows());
            }
            return loop;
        }
    }
}
