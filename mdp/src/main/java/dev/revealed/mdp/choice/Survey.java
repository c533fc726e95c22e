package dev.revealed.mdp.choice;

import java.util.Collections;
import java.util.List;

/**
 * Puts questions to all individuals of a panel, whoever holds their paths. A question is numbers, and so is the answer, so
 * that both can travel between machines.
 */
@FunctionalInterface
public interface Survey {
    /** Answers for some individuals from their paths. */
    @FunctionalInterface
    interface Answer {
        double[][] to(double[][] question, Paths some);
    }

    /** The answers for parts of the individuals, in the order of the individuals; always the same parts. */
    List<double[][]> ask(double[]... question);

    /** The answers, added up. */
    default double[][] sum(double[]... question) {
        List<double[][]> all = ask(question);
        double[][] sum = all.getFirst();
        for (double[][] answer : all.subList(1, all.size())) {
            for (int i = 0; i < sum.length; i++) {
                for (int j = 0; j < sum[i].length; j++) {
                    sum[i][j] += answer[i][j];
                }
            }
        }
        return sum;
    }

    /** Of paths that are at hand. */
    static Survey of(Paths all, Answer answer) {
        return question -> Collections.singletonList(answer.to(question, all));
    }
}
