package dev.revealed.train;

import dev.revealed.imitate.LearningProblem;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.neural.TransitionLayout;
import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The plan of a training run: everything that decides its result.
 *
 * @param environments copies of the simulator that the agent interacts with
 * @param fork the checkpoint of another run that it goes on from
 */
public record TrainingPlan(
        Environment environment,
        int environments,
        Sac.Settings sac,
        Training.Schedule schedule,
        LearningProblem problem,
        Timetable timetable,
        long seed,
        Optional<Fork> fork) {
    /** From its beginning. */
    public TrainingPlan(
            Environment environment,
            int environments,
            Sac.Settings sac,
            Training.Schedule schedule,
            LearningProblem problem,
            Timetable timetable,
            long seed) {
        this(environment, environments, sac, schedule, problem, timetable, seed, Optional.empty());
    }

    public TrainingPlan {
        if (problem.usesReplay()) {
            BadInput.count("`simulators`", environments);
            schedule.check(sac.batch());
        }
        BadInput.when(
                timetable.checkpointEvery() > schedule.replay(),
                "there are %d steps from one checkpoint to the next, and the replay keeps %d transitions"
                        .formatted(timetable.checkpointEvery(), schedule.replay()),
                "Give a smaller `checkpoint-every`: each checkpoint adds the rows since the last one.");
    }

    public long steps() {
        return timetable.steps();
    }

    /** How many transitions it will keep at most. */
    int kept() {
        return problem.usesReplay() ? (int) Math.min(steps(), schedule.replay()) : 0;
    }

    /** Bytes that these take. */
    long replayBytes(Simulator.Space space) {
        return TransitionLayout.of(space).bytes(kept());
    }

    /** Steps before the first update. */
    public long randomSteps() {
        return Math.min(steps(), schedule.randomSteps());
    }

    /** What a person should know before it begins. */
    public List<String> cautions() {
        List<String> cautions = new ArrayList<>();
        environment.caution().ifPresent(cautions::add);
        if (problem.usesReplay() && schedule.randomSteps() >= steps()) {
            cautions.add(
                    "`random-steps` is %d, and the run has %d steps in all: it ends before its first update, so nothing is learnt. Lower `random-steps`, or make the run longer"
                            .formatted(schedule.randomSteps(), steps()));
        }
        try (Simulator one = environment.simulators().get()) {
            cautions.addAll(problem.cautions(one.space(), sac));
            problem.demonstrations()
                    .filter(shown -> environment.evaluates())
                    .flatMap(shown -> InitialStates.caution(shown.episodes(), one))
                    .ifPresent(cautions::add);
        }
        return cautions;
    }
}
