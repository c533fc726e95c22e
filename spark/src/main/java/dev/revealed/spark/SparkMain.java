package dev.revealed.spark;

/**
 * The command line with Spark at hand: {@code spark-submit --class dev.revealed.spark.SparkMain revealed-spark.jar estimate
 * --engine spark ...}, or through the launcher.
 */
public final class SparkMain {
    private SparkMain() {}

    public static void main(String[] args) {
        System.exit(Program.loaded().run(args, new SparkEngine()));
    }
}
