package dev.revealed.app.train;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.view.Numbers;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.runs.RunFolder;
import dev.revealed.train.RunBatch;
import dev.revealed.train.RunListener;
import dev.revealed.train.TrainingPlan;
import dev.revealed.train.TrainingResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The progress of many runs as that of one piece of work: steps of all, updates per second, and a word on each run. */
final class BatchProgress implements RunBatch.Host {
    private static final long PAUSE = 100_000_000; // nanoseconds; faster updates cannot be read
    private static final int HEAD = 40; // characters of percentage, rate, time spent and time left

    private enum State {
        WAITING,
        RUNNING,
        DONE,
        FAILED
    }

    /** What is known of a run; written by its thread alone. */
    private static final class Lane {
        final String name;
        final TrainingPlan plan;
        volatile long step;
        volatile double lastReturn = Double.NaN;
        volatile State state = State.WAITING;

        Lane(RunBatch.Member member) {
            name = member.name();
            plan = member.plan();
            step = member.reached();
        }

        double updates() {
            return Math.max(0, step - plan.randomSteps()) * plan.schedule().updatesPerStep();
        }

        /** {@code seed-3 420k 2810}. */
        String field() {
            String what = switch (state) {
                case FAILED -> " failed";
                case DONE -> " done";
                default -> " " + Numbers.thousands(step);
            };
            return name + what + (Double.isNaN(lastReturn) ? "" : String.format(Locale.ROOT, " %.0f", lastReturn));
        }
    }

    private final Map<String, Lane> lanes = new LinkedHashMap<>();
    private final String measure;
    private final ProgressListener shown;
    private final Consumer<String> warn;
    private final Consumer<String> caution;
    private final int width;
    private final LongSupplier nanos;
    private final AtomicLong reportedAt;
    private boolean learning;
    private long learningSince;
    private double updatesBefore;

    /**
     * @param shown hears of all runs together
     * @param warn hears of runs that fail
     * @param caution hears what a person should know of runs that go on
     * @param width characters that a line may have
     * @param nanos a clock
     */
    BatchProgress(
            List<RunBatch.Member> members,
            ProgressListener shown,
            Consumer<String> warn,
            Consumer<String> caution,
            int width,
            LongSupplier nanos) {
        members.forEach(member -> lanes.put(member.name(), new Lane(member)));
        measure = members.getFirst().plan().problem().learnsTaskReward() ? "return" : "true return";
        this.shown = shown;
        this.warn = warn;
        this.caution = caution;
        this.width = width;
        this.nanos = nanos;
        this.reportedAt = new AtomicLong(nanos.getAsLong() - PAUSE);
    }

    @Override
    public RunListener listener(String name) {
        Lane lane = lane(name);
        lane.state = State.RUNNING;
        return new RunListener() {
            @Override
            public void progress(String stage, long done, long total) {
                lane.step = done;
                long last = reportedAt.get();
                long now = nanos.getAsLong();
                if (now - last >= PAUSE && reportedAt.compareAndSet(last, now)) {
                    report();
                }
            }

            @Override
            public void evaluated(double meanReturn) {
                lane.lastReturn = meanReturn;
            }
        };
    }

    @Override
    public void done(String name, double lastReturn) {
        Lane lane = lane(name);
        lane.step = lane.plan.steps();
        lane.lastReturn = lastReturn;
        lane.state = State.DONE;
        report();
    }

    @Override
    public void failed(String name) {
        lane(name).state = State.FAILED;
        report();
    }

    @Override
    public void warn(String text) {
        warn.accept(text);
    }

    @Override
    public void caution(String text) {
        caution.accept(text);
    }

    @Override
    public void write(RunFolder folder, RunBatch.Member member, TrainingResult result) {
        TrainingView.of(result)
                .cautions(member.plan().cautions())
                .write(folder, member.spec().provenance());
    }

    @Override
    public Optional<String> remedy(Throwable failure) {
        return BaseCommand.remedy(failure);
    }

    private Lane lane(String name) {
        Lane lane = lanes.get(name);
        if (lane == null) {
            throw new IllegalArgumentException("no run " + name);
        }
        return lane;
    }

    private synchronized void report() {
        Collection<Lane> all = lanes.values();
        long done = all.stream().mapToLong(lane -> lane.step).sum();
        long total = all.stream()
                .mapToLong(lane -> lane.state == State.FAILED ? lane.step : lane.plan.steps())
                .sum();
        double updates = all.stream().mapToDouble(Lane::updates).sum();
        long now = nanos.getAsLong();
        if (!learning && all.stream().anyMatch(lane -> lane.state == State.RUNNING && lane.updates() > 0)) {
            learning = true;
            learningSince = now;
            updatesBefore = updates;
        }
        String stage = lanes.size() + " runs" + (learning ? "" : ", random actions");
        int head = stage.length() + 2 * Numbers.thousands(total).length() + HEAD;
        String rate = now == learningSince || !learning
                ? ""
                : String.format(
                        Locale.ROOT, "%.0f updates/s  ", (updates - updatesBefore) * 1e9 / (now - learningSince));
        shown.note(words(rate, width - head));
        // random steps say nothing of how long the rest will take, hence no total
        shown.progress(stage, done, learning ? total : 0);
    }

    /** As much as fits: every run, or how many do what and the spread of their returns, or less. */
    private String words(String rate, int room) {
        Collection<Lane> all = lanes.values();
        String each = all.stream()
                .filter(lane -> lane.state != State.WAITING)
                .map(Lane::field)
                .collect(Collectors.joining("  "));
        String counts = Stream.of(State.DONE, State.RUNNING, State.FAILED, State.WAITING)
                .filter(state -> count(state) > 0)
                .map(state -> count(state) + " " + state.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", "));
        String few = "%d/%d done".formatted(count(State.DONE), all.size())
                + (count(State.FAILED) > 0 ? ", %d failed".formatted(count(State.FAILED)) : "");
        return Stream.of(rate + each, rate + counts + returns(), counts + returns(), few + returns())
                .filter(words -> words.length() <= room)
                .findFirst()
                .orElse(few);
    }

    private long count(State state) {
        return lanes.values().stream().filter(lane -> lane.state == state).count();
    }

    /** The smallest, the middle and the largest of the last returns. */
    private String returns() {
        double[] sorted = lanes.values().stream()
                .mapToDouble(lane -> lane.lastReturn)
                .filter(value -> !Double.isNaN(value))
                .sorted()
                .toArray();
        int n = sorted.length;
        if (n == 0) {
            return "";
        }
        double middle = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
        return String.format(Locale.ROOT, "  %s %.0f/%.0f/%.0f", measure, sorted[0], middle, sorted[n - 1]);
    }
}
