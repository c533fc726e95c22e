package dev.revealed.cuda;

import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;

/**
 * Members that come together in rounds: the last to arrive does the work of all, then all go on. Whoever leaves is waited
 * for no longer. Work that fails ends it for everybody.
 */
final class Rounds {
    private final Phaser phaser;
    private volatile @Nullable RuntimeException failure;

    Rounds(Runnable work) {
        phaser = new Phaser() {
            @Override
            protected boolean onAdvance(int phase, int members) {
                try {
                    if (members > 0) {
                        work.run();
                    }
                } catch (RuntimeException e) {
                    failure = e;
                } catch (Error e) {
                    failure = new IllegalStateException(e); // the others must not wait for ever
                }
                return failure != null;
            }
        };
    }

    void join() {
        phaser.register();
    }

    void leave() {
        phaser.arriveAndDeregister();
    }

    /** Waits for the other members and for the work. */
    void arrive() {
        phaser.arriveAndAwaitAdvance();
        RuntimeException e = failure;
        if (e != null) {
            throw e;
        }
    }
}
