package dev.revealed.studies;

import dev.revealed.numeric.Parallel;
import dev.revealed.runs.Json;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Runs a study on one thread and on two. */
public final class Threads {

    private Threads() {}

    /** The different documents it gives: one, if threads do not matter. */
    public static Set<String> results(Supplier<?> study) {
        Set<String> results = new TreeSet<>();
        try {
            for (int threads = 1; threads <= 2; threads++) {
                Parallel.threads(threads);
                results.add(Json.write(study.get()));
            }
        } finally {
            Parallel.threads(Runtime.getRuntime().availableProcessors());
        }
        return results;
    }
}
