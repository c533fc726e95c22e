package dev.revealed.runs;

/** Ends a command that had only a share of the tasks to do: what they found is in a file, and there is no result yet. */
public final class ShardFinished extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int own;
    private final int all;

    /**
     * @param own how many tasks the shard had
     * @param all how many the command has
     */
    public ShardFinished(Shard shard, int own, int all) {
        super("shard %s is done: %d of %d tasks".formatted(shard, own, all), null, false, false);
        this.own = own;
        this.all = all;
    }

    public int own() {
        return own;
    }

    public int all() {
        return all;
    }
}
