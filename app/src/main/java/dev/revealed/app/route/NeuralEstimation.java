package dev.revealed.app.route;

import dev.revealed.app.Outcome;
import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.app.view.Table.Field;
import dev.revealed.estimate.route.NeuralReward;
import dev.revealed.estimate.route.NeuralRoutes;
import dev.revealed.estimate.route.RecursiveLogit;
import dev.revealed.estimate.route.RouteGraph;
import dev.revealed.estimate.route.RouteLikelihood.Depth;
import dev.revealed.estimate.route.RouteModel;
import dev.revealed.estimate.route.RouteValidation;
import dev.revealed.mdp.route.Trips;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.settings.Part;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Fits a neural reward to trips: {@code estimate --network --model neural}.
 *
 * @param validation none where no trips are held out
 */
record NeuralEstimation(RouteInput input, NeuralRoutes form, Optional<RouteValidation> validation, String heldOutBy) {

    private static final String NO_ERRORS =
            "Standard errors: none. The weights of a network have no meaning one by one, and the search stops after"
                    + " --iterations steps rather than at a maximum.";

    /** The contract of {@code result.json}. */
    record Document(
            RouteFit fit,
            Net net,
            RouteSize size,
            List<Effect> effects,
            String standardErrors,
            Optional<OutOfSample> outOfSample,
            List<String> notes,
            RouteResult route) {}

    /** The network. */
    @Part
    record Net(int hidden, int weights, double rate) {}

    /** What one more of a feature does to the reward, on the mean over the steps of trips. */
    record Effect(String feature, double meanEffect) {}

    /** The same trips with the reward as the one feature. */
    private RecursiveLogit rewarded(NeuralReward reward, Trips trips) {
        return new RecursiveLogit(new RouteGraph(trips, reward.of(input.features())));
    }

    private double logLikelihood(NeuralReward reward, Trips trips) {
        return rewarded(reward, trips).at(NeuralReward.theta(), Depth.VALUE).value();
    }

    private NeuralReward fitted(Trips trips, RandomStream stream, ProgressListener listener) {
        return form.fit(new RecursiveLogit(new RouteGraph(trips, input.features())), stream, listener);
    }

    Outcome outcome(long seed, boolean latex, ProgressListener listener) {
        RandomStream stream = RandomStream.of(seed);
        long begin = System.nanoTime();
        NeuralReward reward = fitted(input.trips(), stream.named("network"), listener);
        double seconds = 1e-9 * (System.nanoTime() - begin);
        Optional<OutOfSample> held = validation.flatMap(own -> OutOfSample.of(
                heldOutBy,
                own.run(
                        input.trips(),
                        (train, test, random) -> {
                            NeuralReward part = fitted(train, random, ProgressListener.NONE);
                            return new double[] {logLikelihood(part, train), logLikelihood(part, test)};
                        },
                        stream.named("splits"),
                        listener)));
        RouteResult kept = new RouteResult(
                input.source(),
                RouteModel.NEURAL,
                List.of(NeuralReward.FEATURE),
                NeuralReward.theta(),
                new double[0][],
                Optional.empty(),
                new double[0],
                new double[0],
                List.of(),
                1,
                Optional.empty(),
                Optional.of(reward));
        double[] effects = reward.meanEffects(new RouteGraph(input.trips(), input.features()));
        Document document = new Document(
                fit(reward, seconds, seed),
                new Net(form.hidden(), reward.weights().length, form.rate()),
                RouteSize.of(input.trips()),
                IntStream.range(0, effects.length)
                        .mapToObj(j -> new Effect(input.features().names().get(j), effects[j]))
                        .toList(),
                "none",
                held,
                input.notes(),
                kept);
        Table table = table(document);
        Outcome outcome = Outcome.of(document, table.title()).table("estimate", table);
        outcome = held.isPresent() ? held.get().on(outcome) : outcome;
        outcome = input.notes().isEmpty() ? outcome : outcome.notes(input.notes());
        outcome = input.provenance(outcome);
        return latex ? outcome.printing(table.toLatex()) : outcome;
    }

    private RouteFit fit(NeuralReward reward, double seconds, long seed) {
        RouteFit.Search search = new RouteFit.Search(
                "ml-irl",
                rewarded(reward, input.trips()).graph().spectralRadius(NeuralReward.theta()),
                form.iterations(),
                false,
                "stopped after %d steps, as set".formatted(form.iterations()),
                seconds);
        return RouteFit.of(RouteModel.NEURAL, logLikelihood(reward, input.trips()), input, search, seed);
    }

    private static Table table(Document document) {
        RouteFit fit = document.fit;
        Table table = Table.of(
                        document.effects,
                        Field.text("", Effect::feature),
                        Field.decimals("mean effect", 4, Effect::meanEffect))
                .titled("Recursive logit with a neural reward")
                .fact("Model", fit.model());
        table = document.size
                .facts(table)
                .fact("Hidden units", document.net.hidden)
                .fact("Weights", document.net.weights);
        table = document.size
                .logLikelihood(table, fit.logLikelihood())
                .fact("Spectral radius", Numbers.decimals(fit.spectralRadius(), 6))
                .fact("Iterations", Numbers.count(fit.iterations()));
        return table.note(
                        "Mean effect: of one more of a feature, or of yes instead of no, on the reward of a step; mean"
                                + " over the steps of trips. Compare it with a coefficient of --model rl.")
                .note(NO_ERRORS);
    }
}
