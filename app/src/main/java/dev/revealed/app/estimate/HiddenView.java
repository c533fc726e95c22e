package dev.revealed.app.estimate;

import dev.revealed.app.view.Numbers;
import dev.revealed.estimate.choice.hidden.HiddenPosterior;
import dev.revealed.estimate.choice.hidden.RecursiveIntegration;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.HiddenProcess;
import java.util.Optional;

/**
 * What is shown of a hidden variable besides what every choice model has.
 *
 * @param nodes that it was summed over
 * @param error how much the log-likelihood at the estimate differs with twice the nodes
 * @param exact whether that is little enough
 * @param smoothed probabilities of its nodes, given all choices
 */
record HiddenView(int nodes, double error, boolean exact, HiddenPosterior smoothed) {

    static int nodes(ChoiceModel model) {
        return RecursiveIntegration.hidden(model).map(HiddenProcess::cells).orElse(0);
    }

    String note() {
        return "Nodes of the hidden variable: %d. With twice as many the log-likelihood differs by %s."
                .formatted(nodes, Numbers.significant(error, 2));
    }

    Optional<String> warning() {
        return exact
                ? Optional.empty()
                : Optional.of(
                        "with twice the nodes the log-likelihood differs by %s: the hidden variable is too persistent for its nodes"
                                .formatted(Numbers.significant(error, 2)));
    }
}
