package dev.revealed.spark;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Does jobs on a Spark cluster. Results are handed over as they come in, so that a driver that is killed loses few. All jobs
 * of a command share one Spark context.
 */
final class SparkEngine implements BiConsumer<Map<String, Object>, BiConsumer<Integer, String>>, AutoCloseable {
    private static final String MASTER = "spark.master";
    private static final String ATTEMPTS = "spark.task.maxFailures";
    private static final String EXCLUSION = "spark.excludeOnFailure.";

    /** Pieces of a job: enough to see progress, to share out evenly and to lose little with a machine. */
    private static final int PIECES = 200;

    private static final int PIECES_PER_CORE = 4;

    /** In what Spark says of a task that failed too often. */
    private static final Pattern FAILURE =
            Pattern.compile("(?i)most recent failure:\\s*(?:Lost task [^:]*: )?[\\w.$]+(?:Exception|Error): ([^\\n]*)");

    private final Map<SparkTasks, Shared> asked = new ConcurrentHashMap<>(); // lists that have a question
    private @Nullable JavaSparkContext context;

    /**
     * What the jobs of a list have in common.
     *
     * @param earlier what lists before it found, which a machine fetches once
     */
    private record Shared(JavaRDD<Integer> indices, Broadcast<Map<String, List<String>>> earlier) {
        static Shared of(JavaSparkContext spark, int[] which, Map<String, List<String>> earlier) {
            int pieces = Math.min(
                    which.length, Math.max(PIECES, PIECES_PER_CORE * spark.sc().defaultParallelism()));
            Map<String, List<String>> own = new HashMap<>();
            earlier.forEach((name, found) -> own.put(name, new ArrayList<>(found)));
            return new Shared(spark.parallelize(Arrays.stream(which).boxed().toList(), pieces), spark.broadcast(own));
        }

        /** Where the list is asked again, Spark prefers the machine that holds the piece, and with it what it has read. */
        Shared kept() {
            return new Shared(indices.persist(StorageLevel.MEMORY_ONLY()), earlier);
        }
    }

    @Override
    public void accept(Map<String, Object> job, BiConsumer<Integer, String> results) {
        SparkTasks tasks = new SparkTasks(part(job, "arguments"), part(job, "list"), part(job, "inputs"));
        HandOver handOver = new HandOver(results);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(SparkEngine.class.getClassLoader()); // Spark looks there
        try {
            JavaSparkContext spark = context(part(job, "settings"), tasks);
            double[][] question = part(job, "question");
            int[] which = part(job, "which");
            Shared shared = question.length == 0
                    ? Shared.of(spark, which, part(job, "earlier"))
                    : asked.computeIfAbsent(
                            tasks,
                            list -> Shared.of(spark, which, part(job, "earlier"))
                                    .kept());
            run(spark, shared.indices, new Work(tasks, shared.earlier, question), handOver);
        } catch (Exception e) {
            handOver.rethrow();
            throw new UncheckedIOException(new IOException(reason(e), e));
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** Made for the first job of a command. */
    private synchronized JavaSparkContext context(Map<String, String> settings, SparkTasks tasks) {
        JavaSparkContext made = context == null ? new JavaSparkContext(conf(settings, tasks)) : context;
        context = made;
        return made;
    }

    @Override
    public synchronized void close() {
        if (context != null) {
            context.close();
            context = null;
        }
    }

    /** A part of the description of a job; the names are those of the other side. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // only types of the JDK pass between the two
    private static <T> T part(Map<String, Object> job, String name) {
        return (T) Objects.requireNonNull(job.get(name), name);
    }

    private static SparkConf conf(Map<String, String> settings, SparkTasks tasks) {
        SparkConf conf = new SparkConf(); // what spark-submit says is in it
        settings.forEach(conf::set);
        conf.setIfMissing(MASTER, "local[*]");
        conf.setIfMissing("spark.app.name", "revealed " + String.join(" ", tasks.arguments()));
        conf.setIfMissing("spark.ui.enabled", "false");
        if (!conf.get(MASTER).startsWith("local") && !conf.contains(ATTEMPTS)) {
            // A machine that fails fast must not use up the attempts of a task: some of them go elsewhere.
            conf.set(ATTEMPTS, "6");
            conf.setIfMissing(EXCLUSION + "enabled", "true");
            conf.setIfMissing(EXCLUSION + "task.maxTaskAttemptsPerExecutor", "2");
            conf.setIfMissing(EXCLUSION + "task.maxTaskAttemptsPerNode", "5");
            conf.setIfMissing("spark.scheduler.excludeOnFailure.unschedulableTaskSetTimeout", "20s");
        }
        conf.setIfMissing(
                "spark.executor.defaultJavaOptions",
                "--enable-native-access=ALL-UNNAMED --add-modules=jdk.incubator.vector"
                        + " --sun-misc-unsafe-memory-access=allow");
        String jar = System.getProperty("revealed.jar");
        if (jar != null && !conf.get(MASTER).startsWith("local")) {
            conf.setIfMissing("spark.jars", jar);
        }
        return conf;
    }

    @SuppressWarnings("unchecked") // a tag knows the class alone
    private static void run(JavaSparkContext spark, JavaRDD<Integer> indices, Work work, HandOver handOver) {
        List<Object> all = IntStream.range(0, indices.getNumPartitions())
                .<Object>mapToObj(i -> i)
                .toList();
        ClassTag<List<SparkTasks.Found>> tag =
                (ClassTag<List<SparkTasks.Found>>) (ClassTag<?>) ClassTag.apply(List.class);
        spark.sc().runJob(indices.rdd(), work, CollectionConverters.asScala(all).toSeq(), handOver, tag);
    }

    /** What an executor does with a piece. */
    private static final class Work
            extends AbstractFunction2<TaskContext, scala.collection.Iterator<Integer>, List<SparkTasks.Found>>
            implements Serializable {
        private static final long serialVersionUID = 1L;
        private final SparkTasks tasks;
        private final Broadcast<Map<String, List<String>>> earlier;
        private final double[][] question;

        Work(SparkTasks tasks, Broadcast<Map<String, List<String>>> earlier, double[][] question) {
            this.tasks = tasks;
            this.earlier = earlier;
            this.question = question;
        }

        @Override
        public List<SparkTasks.Found> apply(TaskContext context, scala.collection.Iterator<Integer> which) {
            Iterator<Integer> own = CollectionConverters.asJava(which);
            return tasks.work(earlier::value, question, context, own);
        }
    }

    /** Hears of each piece when it is done. */
    private static final class HandOver extends AbstractFunction2<Object, List<SparkTasks.Found>, BoxedUnit> {
        private final BiConsumer<Integer, String> results;
        private volatile @Nullable RuntimeException failure; // such as a full disk here

        HandOver(BiConsumer<Integer, String> results) {
            this.results = results;
        }

        @Override
        public BoxedUnit apply(Object piece, List<SparkTasks.Found> all) {
            try {
                all.forEach(found -> results.accept(found.task(), found.result()));
            } catch (RuntimeException e) {
                failure = e;
                throw e;
            }
            return BoxedUnit.UNIT;
        }

        void rethrow() {
            RuntimeException own = failure;
            if (own != null) {
                throw own;
            }
        }
    }

    /** What went wrong, without what Spark says around it. */
    static String reason(Throwable e) {
        String text = String.valueOf(e.getMessage());
        if (text.contains("class file version")) {
            return "an executor runs a Java older than 25: name the folder of another one on its machine with"
                    + " --conf spark.executorEnv.JAVA_HOME=...";
        }
        Matcher task = FAILURE.matcher(text);
        return task.find()
                ? "a task failed on every attempt: " + task.group(1)
                : text.lines().findFirst().orElse(text);
    }
}
