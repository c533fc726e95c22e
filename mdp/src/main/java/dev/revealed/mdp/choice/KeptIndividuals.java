package dev.revealed.mdp.choice;

import java.util.AbstractList;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Individuals that are not held in memory: what they count is known, and they are read from where they are kept when
 * somebody asks for them. Going through them in their order is much faster than asking here and there.
 */
public abstract class KeptIndividuals extends AbstractList<Panel.Individual> {

    /** What a panel of these individuals counts. */
    public abstract ObservationCounts counts();

    /** The individuals drawn, by their numbers, some perhaps more than once. */
    public abstract KeptIndividuals drawn(int[] draw);

    /** The individuals with other weights, whole numbers, without those whose weight is 0. */
    public abstract KeptIndividuals weighing(int[] weights);

    /** Goes through all individuals in their order. */
    public abstract void forEachPath(PathVisitor visitor);

    /**
     * Puts questions to the individuals, perhaps where their rows are read.
     *
     * @param name of the questions, in a word
     */
    public Survey survey(String name, Survey.Answer answer) {
        Paths own = this::forEachPath;
        return Survey.of(own.inMemory(), answer);
    }

    /**
     * What individuals contribute, added up where their rows are read. Empty where only this program can do so: it then goes
     * through the paths.
     *
     * @param contribution of each observation; an individual's is the sum over its path
     * @param copies whether an individual's weight is a number of independent individuals
     */
    public Optional<ClusterSums> sums(double[][] contribution, boolean copies) {
        return Optional.empty();
    }

    /** How many clusters the individuals belong to, where somebody has counted them. */
    public OptionalLong clusters() {
        return OptionalLong.empty();
    }

    /** Sees what was observed of an individual. */
    @FunctionalInterface
    public interface PathVisitor {
        /**
         * Sees one individual; called in their order.
         *
         * @param individual its number
         * @param weight its weight
         * @param path numbers of its observations among {@link #counts}, in the order of time; overwritten afterwards
         * @param length how many of them there are
         */
        void see(int individual, double weight, int[] path, int length);
    }
}
