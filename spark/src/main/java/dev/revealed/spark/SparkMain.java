package dev.revealed.spark;

/**
 * The command line with Spark at hand: {@code spark-submit --class dev.revealed.spark.SparkMain revealed-spark.jar estimate
 * --engine spark ...}, or through the launcher.
 */
public final class SparkMain {
    private SparkMain() {}

    public static void main(String[] args) {
        int code;
        try (SparkEngine engine = new SparkEngine()) {
            code = Program.loaded().run(args, engine);
        }
        System.exit(code);
    }
}
