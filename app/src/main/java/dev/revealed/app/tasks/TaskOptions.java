package dev.revealed.app.tasks;

import dev.revealed.app.Words;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Shard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a command whose tasks several machines may share; they change who does the work, not what is found. */
public class TaskOptions {
    /** What stands above them in the help. */
    public static final String HEADING = "Many machines";

    static final String SHARD = "--" + Shard.SETTING;
    static final String ENGINE = "--engine";
    static final String MASTER = "--master";
    static final String CONF = "--conf";
    private static final String SPARK = "spark";

    @Option(
            names = SHARD,
            paramLabel = "I/N",
            description = "Do only the I-th of N shares of the tasks (replications, starts or runs), and keep what they"
                    + " find in --out; ./revealed gather makes the result of all of them.")
    private @Nullable String shard;

    @Option(
            names = ENGINE,
            paramLabel = "NAME",
            description = "Who does the tasks: local, the threads of this program, or spark (default: local).")
    private @Nullable String engine;

    @Option(
            names = MASTER,
            paramLabel = "URL",
            description =
                    "Of --engine spark: local[*], spark://HOST:PORT, yarn or k8s://URL (default: local[*], or what"
                            + " spark-submit says).")
    private @Nullable String master;

    @Option(
            names = CONF,
            paramLabel = "KEY=VALUE",
            description = "A setting of Spark, such as spark.executor.memory=4g; may be repeated.")
    private Map<String, String> conf = new LinkedHashMap<>();

    /** The share to do; the whole where none is named. */
    public Shard shard() {
        return shard == null ? Shard.WHOLE : Shard.parse(shard);
    }

    /** Whether a share is named. */
    public boolean sharded() {
        return shard != null;
    }

    /** Whether other machines do the tasks. */
    public boolean onCluster() {
        boolean spark = engine != null
                && Words.choose(ENGINE, engine, List.of("local", SPARK)).equals(SPARK);
        BadInput.when(
                !spark && (master != null || !conf.isEmpty()),
                "%s has no effect without --engine spark".formatted(master != null ? MASTER : CONF),
                "Add --engine spark, or leave it out.");
        BadInput.when(
                spark && shard != null,
                "--shard and --engine spark are given together",
                "Leave one out: Spark shares the tasks out by itself.");
        return spark;
    }

    /** Whether these are machines of their own, as far as was typed. */
    public boolean onOtherMachines() {
        return master != null && !master.startsWith("local");
    }

    /** Settings of Spark, the master among them. */
    public Map<String, String> sparkSettings() {
        Map<String, String> settings = new LinkedHashMap<>(conf);
        if (master != null) {
            settings.put("spark.master", master);
        }
        return settings;
    }

    /** A command without them, which one machine alone would be given. */
    public static List<String> without(List<String> words) {
        return Arguments.without(words, SHARD, ENGINE, MASTER, CONF);
    }
}
