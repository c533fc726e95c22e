package dev.revealed.app.train;

import dev.revealed.numeric.ProgressListener;
import dev.revealed.train.RunListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Lets a run that is interrupted (Ctrl-C, or a polite kill) write a checkpoint before the program ends. */
final class Interrupt implements AutoCloseable {
    private static final long PATIENCE = 60; // seconds for an iteration to end

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread hook;
    private volatile boolean asked;

    Interrupt(Consumer<String> notice) {
        hook = Thread.ofPlatform().unstarted(() -> {
            asked = true;
            notice.accept("interrupted: writing a checkpoint ...");
            try {
                if (ended.await(PATIENCE, TimeUnit.SECONDS)) {
                    TimeUnit.MILLISECONDS.sleep(200); // for the message of the command
                } else {
                    notice.accept("no checkpoint within %d seconds: the run stops without one, and the last one stays"
                            .formatted(PATIENCE));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** A listener that stops the run when it is interrupted. */
    RunListener heard(ProgressListener listener) {
        RunListener plain = RunListener.of(listener);
        return new RunListener() {
            @Override
            public void progress(String stage, long done, long total) {
                plain.progress(stage, done, total);
            }

            @Override
            public void note(String words) {
                plain.note(words);
            }

            @Override
            public boolean stops() {
                return asked;
            }
        };
    }

    @Override
    public void close() {
        ended.countDown();
        if (!asked) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // the program is ending
            }
        }
    }
}
