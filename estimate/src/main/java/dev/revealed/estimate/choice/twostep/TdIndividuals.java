package dev.revealed.estimate.choice.twostep;

import dev.revealed.numeric.RandomStream;
import java.util.random.RandomGenerator;

/** The individuals of a panel as temporal differences see them: whoever holds their paths adds up what is asked for. */
sealed interface TdIndividuals permits InMemoryIndividuals, SurveyedIndividuals {

    /** How they are dealt into parts. */
    enum Dealing {
        /** All in one part. */
        TOGETHER(0),
        /** For the comparison of bases; always with the same draws. */
        HELD_OUT(1),
        /** For the locally robust form. */
        ROBUST(2);

        /** What stands for it in a question. */
        final double code;

        Dealing(double code) {
            this.code = code;
        }

        static Dealing of(double code) {
            return code == TOGETHER.code ? TOGETHER : code == HELD_OUT.code ? HELD_OUT : ROBUST;
        }
    }

    /** Names the random stream of the locally robust form. */
    String FOLDS = "folds";

    TdMoves all();

    /** The moves of each part. */
    TdMoves[] parts(Dealing dealing, int parts);

    /** The moves of all but each part. */
    TdMoves[] others(Dealing dealing, int parts);

    /** The random stream of the comparison of bases. */
    static RandomStream heldOut() {
        return RandomStream.of(1).named("held out");
    }

    /** The part of each of so many, dealt out in random order. */
    static int[] dealt(int size, int parts, RandomGenerator stream) {
        int[] order = new int[size];
        for (int i = 0; i < size; i++) {
            order[i] = i;
        }
        for (int i = size; i > 1; i--) { // as Collections.shuffle does
            int other = stream.nextInt(i);
            int last = order[i - 1];
            order[i - 1] = order[other];
            order[other] = last;
        }
        int[] part = new int[size];
        for (int k = 0; k < size; k++) {
            part[order[k]] = k % parts;
        }
        return part;
    }
}
