package dev.revealed.data;

import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import io.jhdf.api.Attribute;
import io.jhdf.api.Dataset;
import io.jhdf.api.Group;
import io.jhdf.api.Node;
import io.jhdf.api.WritableGroup;
import io.jhdf.exceptions.HdfException;
import io.jhdf.exceptions.UnsupportedHdfException;
import java.io.IOException;
import java.lang.reflect.Array;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Episodes as Minari keeps them: an HDF5 file with a group per episode, each with an array per quantity. */
final class MinariFiles {
    private static final String GROUP = "episode_";
    private static final String NEWER =
            "Formats up to that of HDF5 1.10 are read: write it again with libver='earliest',"
                    + " the default of h5py, or as .npz. If it was written so, it is damaged.";

    /** How jHDF says that it met something unknown, where its exception does not. */
    private static final Pattern UNKNOWN =
            Pattern.compile("(?i)^(unsupported|unrecogni[sz]ed|invalid) .*version|not supported");

    private static final String DAMAGED = "It was cut short or damaged, or is something else; write it again.";

    private MinariFiles() {}

    /** Of either layout. */
    static Episodes read(Path file, boolean rewarded) {
        BadInput.when(!Files.isRegularFile(file), "there is no file " + file, "Check the name and the current folder.");
        try (HdfFile hdf = new HdfFile(file)) {
            if (hdf.getChildren().get("observations") instanceof Dataset) {
                return FlatLogs.read(hdf, rewarded);
            }
            List<Episode> episodes = new ArrayList<>();
            for (; hdf.getChildren().get(GROUP + episodes.size()) instanceof Group group; ) {
                episodes.add(episode(group, rewarded));
            }
            long groups = hdf.getChildren().keySet().stream()
                    .filter(name -> name.startsWith(GROUP))
                    .count();
            BadInput.when(
                    episodes.isEmpty() || groups != episodes.size(),
                    "there is no group %s%d among %s"
                            .formatted(GROUP, episodes.size(), hdf.getChildren().keySet()),
                    "Minari's groups count " + GROUP + "0, " + GROUP + "1, ... without gaps.");
            promised(hdf, "total_episodes", episodes.size());
            return new Episodes(episodes);
        } catch (BadInput e) {
            throw e.in(file.toString());
        } catch (RuntimeException e) { // jHDF meets damage with whatever its buffers and tables throw
            throw unreadable(file, e);
        }
    }

    /** What the file says of the task; one that cannot be read says nothing here, and is refused where it is read. */
    static Optional<String> taskOf(Path file) {
        try (HdfFile hdf = new HdfFile(file)) {
            Attribute attribute = hdf.getAttribute(EpisodeFiles.TASK);
            return attribute == null ? Optional.empty() : Optional.of(String.valueOf(attribute.getData()));
        } catch (RuntimeException e) { // jHDF meets damage with whatever its buffers and tables throw
            return Optional.empty();
        }
    }

    /** What jHDF does not know is of a newer HDF5 rather than damaged, if that can be seen. */
    private static BadInput unreadable(Path file, RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            String words = String.valueOf(cause.getMessage());
            if (cause instanceof UnsupportedHdfException
                    || UNKNOWN.matcher(words).find()) {
                return new BadInput(
                        "%s: this HDF5 file is of a version, or has a part, that is not read (%s)"
                                .formatted(file, words),
                        NEWER);
            }
        }
        return new BadInput("%s: this is not a whole HDF5 file (%s)".formatted(file, e.getMessage()), DAMAGED);
    }

    private static Episode episode(Group group, boolean rewarded) {
        try {
            Dataset observations = dataset(group, "observations");
            int rows = shape(observations, 2)[0];
            int steps = rows - 1;
            BadInput.when(steps < 1, "observations has %d rows".formatted(rows), "Give one more than there are steps.");
            promised(group, "total_steps", steps);
            double[] actions = perStep(group, "actions", steps);
            return new Episode(
                    steps,
                    EpisodeFiles.singles(numbers(observations)),
                    actions == null ? null : EpisodeFiles.singles(actions),
                    rewarded ? perStep(group, "rewards", steps) : null,
                    EpisodeFiles.ending(perStep(group, "terminations", steps)));
        } catch (BadInput e) {
            throw e.in(group.getName());
        }
    }

    static Dataset dataset(Group group, String name) {
        Node node = group.getChildren().get(name);
        if (node instanceof Dataset dataset) {
            return dataset;
        }
        throw new BadInput(
                node == null ? "there is no array '%s'".formatted(name) : "'%s' is not one array".formatted(name),
                (node == null
                                ? Closest.question(
                                        "Rename '%s'? ",
                                        name, group.getChildren().keySet())
                                : "") + "Observations are one array of (T+1) x columns.");
    }

    static int[] shape(Dataset dataset, int dimensions) {
        int[] shape = dataset.getDimensions();
        BadInput.when(
                shape.length != dimensions,
                "%s has the shape %s".formatted(dataset.getName(), Arrays.toString(shape)),
                "Give %d dimensions.".formatted(dimensions));
        return shape;
    }

    /** The numbers of an array that has a row for each step, if it is there; choices may be numbers instead of rows. */
    private static double @Nullable [] perStep(Group group, String name, int steps) {
        if (group.getChild(name) == null) {
            return null;
        }
        Dataset dataset = dataset(group, name);
        int[] shape = shape(dataset, name.equals("actions") && dataset.getDimensions().length == 2 ? 2 : 1);
        BadInput.when(
                shape[0] != steps,
                "%s has %d rows and observations have %d".formatted(name, shape[0], steps + 1),
                "For T+1 observations give T %s; the observation after the last step belongs to them.".formatted(name));
        return numbers(dataset);
    }

    static double[] numbers(Dataset dataset) {
        Object flat = dataset.getDataFlat();
        if (flat instanceof double[] doubles) {
            return doubles;
        }
        double[] numbers = new double[Array.getLength(flat)];
        if (flat instanceof float[] floats) {
            Arrays.setAll(numbers, i -> floats[i]);
            return numbers;
        }
        Arrays.setAll(numbers, i -> number(dataset.getName(), Array.get(flat, i)));
        return numbers;
    }

    private static double number(String name, @Nullable Object value) {
        return switch (value) {
            case Number number -> number.doubleValue();
            case Boolean truth -> truth ? 1 : 0;
            case String word when word.equals("TRUE") -> 1; // booleans of NumPy are an enumeration
            case String word when word.equals("FALSE") -> 0;
            case null, default ->
                throw new BadInput("%s holds '%s'".formatted(name, value), "Give numbers, or true and false.");
        };
    }

    /** A count that the file may give beforehand. */
    private static void promised(Group group, String name, long found) {
        Attribute attribute = group.getAttribute(name);
        if (attribute != null && attribute.getData() instanceof Number given && given.longValue() != found) {
            throw new BadInput("%s is %d and %d are there".formatted(name, given.longValue(), found), DAMAGED);
        }
    }

    static void write(Path file, Episodes episodes, String task) {
        AtomicFile.writeTo(file, temporary -> {
            try (WritableHdfFile hdf = HdfFile.write(temporary)) {
                hdf.putAttribute("total_episodes", (long) episodes.size());
                hdf.putAttribute("total_steps", episodes.steps());
                if (!task.isEmpty()) {
                    hdf.putAttribute(EpisodeFiles.TASK, task);
                }
                for (int i = 0; i < episodes.size(); i++) {
                    write(hdf.putGroup(GROUP + i), i, episodes.all().get(i));
                }
            } catch (HdfException e) {
                throw new IOException(
                        e.getCause() == null ? e.getMessage() : e.getCause().getMessage(), e);
            }
        });
    }

    private static void write(WritableGroup group, int id, Episode episode) {
        group.putAttribute("id", (long) id);
        group.putAttribute("total_steps", (long) episode.length());
        group.putDataset("observations", rows(episode.observations(), episode.observationSize()));
        if (episode.actions() != null) {
            group.putDataset("actions", rows(episode.actions(), episode.actionSize()));
        }
        if (episode.rewards() != null) {
            group.putDataset("rewards", episode.rewards());
        }
        if (episode.ending() != Ending.UNKNOWN) {
            boolean[] terminations = new boolean[episode.length()];
            boolean[] truncations = new boolean[episode.length()];
            terminations[episode.length() - 1] = episode.ending() == Ending.TERMINATED;
            truncations[episode.length() - 1] = episode.ending() == Ending.TRUNCATED;
            group.putDataset("terminations", terminations);
            group.putDataset("truncations", truncations);
        }
    }

    static float[][] rows(float[] flat, int columns) {
        float[][] rows = new float[flat.length / columns][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(flat, i * columns, (i + 1) * columns));
        return rows;
    }
}
