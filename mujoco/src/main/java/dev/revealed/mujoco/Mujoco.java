package dev.revealed.mujoco;

/** The physics library as a whole. */
public final class Mujoco {
    /** The version that the tasks are checked against; with others the robots move a little differently. */
    public static final String CHECKED = "2.2.2";

    private Mujoco() {}

    /** The version in use, which belongs to every number that comes of it. */
    public static String version() {
        return Library.get().layout().version();
    }
}
