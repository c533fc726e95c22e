package dev.revealed.cuda;

import java.util.ArrayList;
import java.util.List;

/** What is given back together, the last first; one that fails does not keep the others from it. */
final class Owned implements AutoCloseable {
    private final List<AutoCloseable> all = new ArrayList<>();

    void add(AutoCloseable one) {
        all.add(one);
    }

    @Override
    public void close() {
        RuntimeException problem = null;
        for (AutoCloseable one : all.reversed()) {
            try {
                one.close();
            } catch (RuntimeException e) {
                problem = problem == null ? e : problem;
            } catch (Exception e) {
                throw new IllegalStateException(e); // none of ours declares one
            }
        }
        all.clear();
        if (problem != null) {
            throw problem;
        }
    }
}
