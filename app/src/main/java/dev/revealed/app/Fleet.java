package dev.revealed.app;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.Json;
import dev.revealed.runs.Provenance;
import dev.revealed.runs.RunFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Many training runs, some at a time. Each has its folder, its simulators, its chance and its threads to itself, so that it
 * makes what it would have made alone; one that fails leaves the others to go on.
 */
final class Fleet {
    /** Makes one run, or goes on with it: the one place where a fleet meets what trains. */
    @FunctionalInterface
    interface Trainer {
        /**
         * @param resume whether the folder holds a run to go on with
         * @param writeSpec tells in a new folder how to resume it
         */
        Trained train(
                TrainingPlan plan,
                RunFolder folder,
                boolean resume,
                Runnable writeSpec,
                int threads,
                Consumer<String> warn,
                TrainingRun.Listener listener);
    }

    /**
     * A run.
     *
     * @param command that would make it alone
     * @param settings every one of them, by name
     */
    record Member(String name, Path folder, List<String> command, TrainingPlan plan, Map<String, Object> settings) {
        private Provenance provenance() {
            return Provenance.of(plan.seed(), command);
        }

        boolean finished() {
            return Files.exists(folder.resolve(Outcome.RESULT));
        }

        private boolean begun() {
            return Files.exists(folder.resolve(BaseCommand.SPEC));
        }

        /** The step of its last checkpoint. */
        long reached() {
            try {
                return finished() ? plan.steps() : Checkpoints.latestStep(folder);
            } catch (BadInput e) {
                return 0; // it only serves to tell the time left
            }
        }
    }

    /** How a run ended. */
    sealed interface End {}

    record Done(Trained result) implements End {}

    record Failed(String problem, String remedy) implements End {}

    private final List<Member> members;
    private final int atOnce;
    private final int threads;
    private final Trainer trainer;
    private final Consumer<String> warn;
    private final FleetProgress progress;

    /**
     * @param threads for all of them together; every run has at least one
     * @param warn hears at once of runs that fail, and what they have to say
     */
    Fleet(
            List<Member> members,
            int atOnce,
            int threads,
            Trainer trainer,
            Consumer<String> warn,
            FleetProgress progress) {
        this.members = List.copyOf(members);
        this.atOnce = atOnce;
        this.threads = Math.max(1, threads / atOnce);
        this.trainer = trainer;
        this.warn = warn;
        this.progress = progress;
    }

    /** What the replays of so many runs at a time take: one line, or a complaint where that is too much. */
    static String memory(List<Member> members, int atOnce, long heap) {
        Map<Physics, Simulator.Space> spaces = new HashMap<>(); // one simulator for each world is enough
        long[] sizes = members.stream()
                .filter(member -> !member.finished())
                .mapToLong(member -> member.plan.replayBytes(
                        spaces.computeIfAbsent(member.plan.physics(), physics -> member.plan.space())))
                .sorted()
                .toArray();
        double all = largest(sizes, atOnce);
        if (!ReplayMemory.fits(all, heap)) {
            int fit = atOnce;
            while (fit > 0 && !ReplayMemory.fits(largest(sizes, fit), heap)) {
                fit--;
            }
            throw ReplayMemory.tooMuch(
                    "the replays of %d runs at a time come".formatted(atOnce),
                    all,
                    heap,
                    fit == 0 ? "" : "Let fewer go on at a time with --at-once %d. ".formatted(fit));
        }
        if (all == 0) {
            return "%d runs, %d at a time".formatted(members.size(), atOnce);
        }
        return "%d runs, %d at a time: up to %s of replay each, %s in all, of %s"
                .formatted(
                        members.size(),
                        atOnce,
                        ReplayMemory.size(largest(sizes, 1)),
                        ReplayMemory.size(all),
                        ReplayMemory.size((double) heap));
    }

    private static double largest(long[] ascending, int count) {
        return LongStream.of(ascending)
                .skip(Math.max(0, ascending.length - count))
                .sum();
    }

    /** All runs to their ends, in their order. */
    List<End> run() {
        List<Future<End>> ends;
        try (ExecutorService pool = Executors.newFixedThreadPool(
                atOnce, Thread.ofPlatform().daemon().name("revealed-run-", 0).factory())) {
            ends = members.stream()
                    .map(member -> pool.submit(() -> end(member)))
                    .toList();
        } // waits for them
        return ends.stream().map(Future::resultNow).toList();
    }

    @SuppressWarnings("CatchingThrowable")
    private End end(Member member) {
        try {
            Trained result = make(member);
            Files.deleteIfExists(trace(member)); // of an earlier failure
            progress.done(member.name, result.meanReturn());
            return new Done(result);
        } catch (Throwable e) { // whatever it is, the others go on
            Failed failed = explain(member, e);
            progress.failed(member.name);
            warn.accept("%s failed: %s\n  %s".formatted(member.name, failed.problem, failed.remedy));
            return failed;
        }
    }

    private Trained make(Member member) throws IOException {
        if (member.finished()) {
            Path file = member.folder.resolve(Outcome.RESULT);
            try {
                return Json.read(Files.readString(file), member.plan.lesson().result());
            } catch (BadInput e) {
                throw e.in(file.toString());
            }
        }
        boolean begun = member.begun();
        RunFolder folder = begun ? RunFolder.resume(member.folder) : RunFolder.create(member.folder);
        Trained result = trainer.train(
                member.plan,
                folder,
                begun,
                () -> folder.write(
                        BaseCommand.SPEC, Json.write(new BaseCommand.Spec(member.provenance(), member.settings))),
                threads,
                text -> warn.accept(member.name + ": " + text),
                progress.of(member.name));
        result.show().write(folder, member.provenance());
        return result;
    }

    /** The first in the chain of causes that is known for something. */
    private static Failed explain(Member member, Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof BadInput bad) {
                return new Failed(bad.problem(), bad.remedy());
            }
            if (cause instanceof OutOfMemoryError) {
                return new Failed(
                        "not enough memory (%s)".formatted(cause.getMessage()),
                        "Let fewer go on at a time with --at-once, or keep fewer transitions with --replay; then --resume.");
            }
            Optional<String> remedy = BaseCommand.remedy(cause);
            if (remedy.isPresent()) {
                return new Failed(String.valueOf(cause.getMessage()), remedy.get());
            }
        }
        return new Failed("an internal failure, " + e, "This is a defect in Revealed; " + details(member, e));
    }

    /** Beside the run's folder, since one that never began has none. */
    private static Path trace(Member member) {
        return member.folder.resolveSibling(member.name + "-failure.txt");
    }

    private static String details(Member member, Throwable e) {
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        try {
            return "the details are in " + Files.writeString(trace(member), text.toString());
        } catch (IOException unwritable) {
            return "the details could not be written: %s\n%s".formatted(unwritable, text);
        }
    }
}
