package dev.revealed.studies.offline;

import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Part;
import dev.revealed.settings.Setting;
import java.util.Arrays;
import java.util.List;

/** Rewards estimated from demonstrations and a log of moves, on a process small enough to know everything about it. */
public final class OfflineTheoryStudy {
    private OfflineTheoryStudy() {}

    /** The size of the random process. */
    @Part
    public record Size(int states, int actions, int features, double discount) {}

    /**
     * The board on which penalties are tried.
     *
     * @param moves lengths of the log
     * @param runs data sets behind each mean
     * @param demonstrations trajectories of each
     * @param length decisions of each trajectory
     */
    public record Board(
            int size,
            double slip,
            double discount,
            List<Integer> moves,
            int runs,
            int demonstrations,
            int length,
            double ridge) {
        public Board {
            moves = List.copyOf(moves);
        }
    }

    /** The data sets whose intervals are looked at. */
    public record Coverage(int moves, int demonstrations, int length) {}

    /**
     * Everything the study depends on.
     *
     * @param moves lengths of the log for the rates
     * @param prior weight of the Dirichlet prior
     */
    public record Settings(
            @Setting(about = "Seed of every random stream.") long seed,

            Size process,
            List<Integer> moves,

            @Setting(about = "Logs for each mean squared error.")
            int runs,

            Board board,
            Coverage coverage,

            @Setting(about = "Simulated data sets for each share of intervals that contain the truth.")
            int replications,

            @Setting(about = "Bootstrap samples of each.") int draws,

            double prior) {
        public static final Settings STANDARD = new Settings(
                1,
                new Size(8, 3, 3, 0.8),
                List.of(1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000),
                200,
                new Board(5, 0.1, 0.9, List.of(100, 1000, 5000), 40, 20, 25, 0.01),
                new Coverage(1500, 100, 40),
                2000,
                199,
                1);

        public Settings {
            moves = List.copyOf(moves);
            BadInput.when(
                    moves.size() < 2 || runs < 2 || board.runs < 2 || replications < 2,
                    "%d lengths, %d, %d and %d runs".formatted(moves.size(), runs, board.runs, replications),
                    "Give at least 2 of each.");
        }
    }

    /**
     * What was found, in a few numbers.
     *
     * @param coveredSlope of the squared error where the expert made the log
     * @param uncoveredSlope where somebody made it who seldom does what the expert does
     * @param lowestCoverage of intervals that include the uncertainty of the law, over logs and parameters
     */
    @Part
    public record Summary(double coveredSlope, double uncoveredSlope, double lowestCoverage, double highestCoverage) {}

    public record Result(
            Summary summary,
            List<LogRates.Slope> slopes,
            List<LogRates.Point> rates,
            List<Penalties.Row> penalties,
            List<LogCoverage.Row> coverage,
            List<Double> truth,
            Settings settings) {}

    public static Result run(Settings settings, ProgressListener listener) {
        RandomStream stream = RandomStream.of(settings.seed);
        LoggedWorld world = LoggedWorld.of(settings.process, stream.named("world"));
        LogRates rates = new LogRates(world, settings, stream.named("rates"), listener);
        List<LogRates.Point> points = rates.points();
        List<LogRates.Slope> slopes = rates.slopes(points);
        List<Penalties.Row> penalties = new Penalties(
                        LoggedWorld.board(settings.board),
                        settings.board,
                        settings.prior,
                        stream.named("penalties"),
                        listener)
                .rows();
        List<LogCoverage.Row> coverage = new LogCoverage(world, settings, stream.named("coverage"), listener).rows();
        return new Result(
                new Summary(
                        slope(slopes, LoggedWorld.Logger.EXPERT),
                        slope(slopes, LoggedWorld.Logger.OPPONENT),
                        coverage.stream()
                                .mapToDouble(LogCoverage.Row::withDynamics)
                                .min()
                                .orElse(Double.NaN),
                        coverage.stream()
                                .mapToDouble(LogCoverage.Row::withDynamics)
                                .max()
                                .orElse(Double.NaN)),
                slopes,
                points,
                penalties,
                coverage,
                Arrays.stream(world.truth()).boxed().toList(),
                settings);
    }

    private static double slope(List<LogRates.Slope> slopes, LoggedWorld.Logger logger) {
        return slopes.stream()
                .filter(slope -> slope.logger().equals(logger.toString()))
                .findFirst()
                .orElseThrow()
                .slope();
    }
}
