package dev.revealed.train;

import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Checkpoints;
import dev.revealed.runs.RunFiles;
import dev.revealed.runs.RunFolder;
import dev.revealed.runs.RunSpec;
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
import org.jspecify.annotations.Nullable;

/**
 * Many training runs, some at a time. Each has its folder, its simulators, its random streams and its threads to itself, so
 * that it makes what it would have made alone; one that fails leaves the others to go on.
 *
 * @param threads for all of them together; every run has at least one
 */
public record RunBatch(List<Member> members, int atOnce, int threads, Backend backend, RunBatch.Host host) {
    /**
     * A run.
     *
     * @param spec as its folder has it, whether it is begun or resumed
     */
    public record Member(String name, Path folder, RunSpec spec, TrainingPlan plan) {
        public boolean finished() {
            return Files.exists(folder.resolve(RunFiles.RESULT));
        }

        /** The step of its last checkpoint. */
        public long reached() {
            try {
                return finished() ? plan.steps() : Checkpoints.latestStep(folder);
            } catch (BadInput e) {
                return 0; // it only serves to estimate the time left
            }
        }
    }

    /** How a run ended. */
    public sealed interface End {}

    public record Done(TrainingResult result) implements End {}

    /**
     * One that did not come to its end.
     *
     * @param defect whether that is a defect of ours, rather than of files, settings or devices
     */
    public record Failed(String problem, String remedy, boolean defect) implements End {}

    /** What a batch needs from its user interface. */
    public interface Host {
        /** Hears at once of runs that fail. */
        void warn(String text);

        /** Hears at once what a person should know of a run that goes on. */
        void caution(String text);

        /** Hears how the run of that name goes. */
        RunListener listener(String run);

        void done(String run, double lastReturn);

        void failed(String run);

        /** Writes what came of a run into its folder, the result last. */
        void write(RunFolder folder, Member member, TrainingResult result);

        /** What to do about a failure that is no defect of ours. */
        Optional<String> remedy(Throwable failure);
    }

    /** What the folder of a run from a list of so many is called. */
    public static String name(int number, int of, String task, String seed) {
        int digits = Math.max(2, Integer.toString(of).length());
        return ("%0" + digits + "d-%s-seed-%s").formatted(number, task, seed);
    }

    public RunBatch {
        members = List.copyOf(members);
        BadInput.count("`at-once`", atOnce);
        BadInput.count("`threads`", threads);
    }

    /** What the replays of so many runs at a time take: one line, or a refusal where that is too much. */
    public static String memory(List<Member> members, int atOnce, long heap) {
        Map<String, Simulator.Space> spaces = new HashMap<>(); // one simulator for each task is enough
        long[] sizes = members.stream()
                .filter(member -> !member.finished())
                .mapToLong(member -> member.plan.replayBytes(spaces.computeIfAbsent(
                        member.plan.environment().notes().toString(),
                        same -> member.plan.environment().space())))
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
                    fit == 0 ? "" : "Let fewer go on at a time with `at-once` %d. ".formatted(fit));
        }
        if (all == 0) {
            return "%d runs, %d at a time".formatted(members.size(), atOnce);
        }
        String each = ReplayMemory.size(largest(sizes, 1));
        return "%d runs, %d at a time: up to %s of replay each, %s in all, of %s"
                .formatted(members.size(), atOnce, each, ReplayMemory.size(all), ReplayMemory.size((double) heap));
    }

    private static double largest(long[] ascending, int count) {
        return LongStream.of(ascending)
                .skip(Math.max(0, ascending.length - count))
                .sum();
    }

    /** All runs to their ends, in their order. */
    public List<End> run() {
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
            TrainingResult result = make(member);
            host.done(member.name, result.meanReturn());
            return new Done(result);
        } catch (Throwable e) { // whatever it is, the others go on
            Failed failed = explain(member, e);
            host.failed(member.name);
            host.warn("%s failed: %s\n  %s".formatted(member.name, failed.problem, failed.remedy));
            return failed;
        }
    }

    private TrainingResult make(Member member) {
        if (member.finished()) {
            return TrainingResult.read(member.folder);
        }
        RunListener listener = host.listener(member.name);
        int own = Math.max(1, threads / atOnce);
        RunFolder folder;
        TrainingResult result;
        if (RunSpec.isIn(member.folder)) {
            folder = RunFolder.resume(member.folder);
            Consumer<String> caution = text -> host.caution(member.name + ": " + text);
            result = TrainingRun.resume(member.plan, folder, backend, own, caution, listener);
        } else {
            folder = RunFolder.create(member.folder);
            result = TrainingRun.begin(member.plan, member.spec, folder, backend, own, listener);
        }
        host.write(folder, member, result);
        return result;
    }

    /** Why it failed, also in a file for those who look later. */
    private Failed explain(Member member, Throwable e) {
        Failed known = known(e);
        if (known != null) {
            write(member, "%s%n%s%n".formatted(known.problem, known.remedy));
            return known;
        }
        StringWriter text = new StringWriter();
        e.printStackTrace(new PrintWriter(text));
        return new Failed(
                "an internal failure, " + e, "This is a defect in Revealed; " + write(member, text.toString()), true);
    }

    /** The first in the chain of causes that is known for something. */
    private @Nullable Failed known(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof BadInput bad) {
                return new Failed(bad.problem(), bad.remedy(), false);
            }
            if (cause instanceof OutOfMemoryError) {
                return new Failed(
                        "not enough memory (%s)".formatted(cause.getMessage()),
                        "Let fewer go on at a time with `at-once`, or keep fewer transitions with `replay`; then `resume`.",
                        false);
            }
            Optional<String> remedy = host.remedy(cause);
            if (remedy.isPresent()) {
                return new Failed(String.valueOf(cause.getMessage()), remedy.get(), false);
            }
        }
        return null;
    }

    private static String write(Member member, String why) {
        try {
            return "the details are in " + Files.writeString(RunFiles.failure(member.folder), why);
        } catch (IOException unwritable) {
            return "the details could not be written: %s\n%s".formatted(unwritable, why);
        }
    }
}
