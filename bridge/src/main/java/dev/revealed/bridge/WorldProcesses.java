package dev.revealed.bridge;

import dev.revealed.numeric.BadInput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The processes of a program, and simulators in them. A new simulator has a process of its own as long as there are fewer than
 * the limit; later ones share processes, where the program can have several environments. A process ends with its last
 * simulator. Threads may share it.
 */
public final class WorldProcesses {
    private final WorldProgram program;
    private final int most;
    private final Consumer<String> caution;
    private final long slow;
    private final List<WorldProcess> running = new ArrayList<>();

    /**
     * @param most processes, as long as those there are have room
     * @param caution hears what a person should know, such as that an episode could not be resumed
     */
    public WorldProcesses(WorldProgram program, int most, Consumer<String> caution) {
        this(program, most, caution, WorldProcess.SLOW);
    }

    WorldProcesses(WorldProgram program, int most, Consumer<String> caution, long slow) {
        BadInput.count("`task-processes`", most);
        this.program = program;
        this.most = most;
        this.caution = caution;
        this.slow = slow;
    }

    /**
     * A simulator, which the caller closes. Its process starts at once and is asked for its space only when somebody wants to
     * know, so that several start side by side.
     */
    public synchronized ProcessSimulator simulator() {
        running.removeIf(WorldProcess::ended);
        Optional<WorldMemory> shared = running.size() < most
                ? Optional.empty()
                : running.stream()
                        .sorted(Comparator.comparingInt(WorldProcess::size))
                        .flatMap(process -> process.open().stream())
                        .findFirst();
        return new ProcessSimulator(shared.orElseGet(this::start), caution);
    }

    private WorldMemory start() {
        WorldProcess process = new WorldProcess(program, slow, caution);
        running.add(process);
        return process.open().orElseThrow();
    }
}
