package dev.revealed.estimate.choice.mixed;

import dev.revealed.estimate.TypeIndex;
import dev.revealed.estimate.choice.Mixture;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

/**
 * How individuals of a population differ in the parameters of their utility, and which parameters say so. An individual
 * has the utility parameters
 *
 * <pre>  theta_j (of its type) + sum of coefficients times its covariates + sd_j times a standard normal number.</pre>
 *
 * @param utility names of the utility's parameters
 * @param types number of unobserved types; 1 for none
 * @param specific parameters that differ between types
 * @param random parameters that are normal over individuals
 * @param interactions parameters that depend on covariates
 * @param covariates names of the covariates that individuals have
 * @param discount whether the discount is estimated as well
 * @param points of quadrature for each random parameter
 */
public record Population(
        List<String> utility,
        int types,
        List<String> specific,
        List<String> random,
        List<Interaction> interactions,
        List<String> covariates,
        boolean discount,
        int points) {
    private static final int MOST_NODES = 2000;

    /** In logits of the discount: 0.0009 and 0.9991. */
    private static final double EDGE = 7;

    /** A share of individuals that is none. */
    private static final double NOBODY = 1e-12;

    /** The standard number of points of quadrature. */
    public static final int POINTS = 11;

    /** A parameter that changes in proportion to a covariate. */
    public record Interaction(String parameter, String covariate) {
        String name() {
            return parameter + ":" + covariate;
        }
    }

    public Population {
        utility = List.copyOf(utility);
        specific = List.copyOf(specific);
        random = List.copyOf(random);
        interactions = List.copyOf(interactions);
        covariates = List.copyOf(covariates);
        BadInput.when(types < 1 || types > 20, "%d types".formatted(types), "Choose from 1 to 20; 2 or 3 is usual.");
        BadInput.when(
                types > 1 && !random.isEmpty(),
                "unobserved types and random coefficients are both asked for",
                "Choose one: they explain the same differences between individuals.");
        for (String name : random) {
            Closest.place(
                    "'%s' is not a parameter of the utility, so it cannot be random".formatted(name),
                    name,
                    utility,
                    "The parameters are");
        }
        for (Interaction one : interactions) {
            Closest.place(
                    "'%s' is not a parameter of the utility".formatted(one.parameter),
                    one.parameter,
                    utility,
                    "The parameters are");
            BadInput.when(
                    !covariates.contains(one.covariate),
                    "'%s' is not a covariate of the individuals".formatted(one.covariate),
                    covariates.isEmpty()
                            ? "Name its column in the model: data: {covariates: [%s]}.".formatted(one.covariate)
                            : "The covariates are %s.".formatted(String.join(", ", covariates)));
        }
        BadInput.when(
                Math.pow(points, random.size()) > MOST_NODES,
                "%d random coefficients need %s points of quadrature"
                        .formatted(random.size(), Math.round(Math.pow(points, random.size()))),
                "Ask for fewer, or for fewer points each; up to %d points are made.".formatted(MOST_NODES));
    }

    /** All individuals alike. */
    public static Population of(ChoiceModel model) {
        return new Population(model.utility().names(), 1, List.of(), List.of(), List.of(), List.of(), false, POINTS);
    }

    public Population types(int count, List<String> differing) {
        return new Population(utility, count, differing, random, interactions, covariates, discount, points);
    }

    public Population random(List<String> names) {
        return new Population(utility, types, specific, names, interactions, covariates, discount, points);
    }

    /** @param known names of all covariates of the panel */
    public Population interacting(List<Interaction> all, List<String> known) {
        return new Population(utility, types, specific, random, all, known, discount, points);
    }

    public Population withDiscount() {
        return new Population(utility, types, specific, random, interactions, covariates, true, points);
    }

    public Population points(int each) {
        BadInput.when(each < 2 || each > 101, "%d points of quadrature".formatted(each), "Take from 2 to 101.");
        return new Population(utility, types, specific, random, interactions, covariates, discount, each);
    }

    TypeIndex index() {
        return TypeIndex.of(utility, types, specific);
    }

    private int firstInteraction() {
        return index().size();
    }

    private int firstDeviation() {
        return firstInteraction() + interactions.size();
    }

    private int firstShare() {
        return firstDeviation() + random.size();
    }

    private int discountPlace() {
        return firstShare() + types - 1;
    }

    public int size() {
        return discountPlace() + (discount ? 1 : 0);
    }

    /** Whether a parameter is between 0 and 1: the share of a type, or the discount. */
    boolean isShare(int parameter) {
        return parameter >= firstShare() && parameter < size();
    }

    /** What is estimated, besides the transition law. */
    public List<String> names() {
        List<String> names = new ArrayList<>(index().names());
        interactions.forEach(one -> names.add(one.name()));
        random.forEach(name -> names.add("sd(%s)".formatted(name)));
        for (int k = 1; k < types; k++) {
            names.add("share[%d]".formatted(k));
        }
        if (discount) {
            names.add("discount");
        }
        return names;
    }

    /** Places of the standard deviations among the parameters. */
    int[] deviations() {
        return IntStream.range(firstDeviation(), firstShare()).toArray();
    }

    /** The whole population, of whom a share has each combination of covariates. */
    public Mixture mixture(double[][] covariatesOf, double[] shareOf) {
        Population all = this;
        return new Mixture() {
            @Override
            public List<String> names() {
                return all.names();
            }

            @Override
            public List<Part> parts(double[] parameters) {
                List<Part> parts = new ArrayList<>();
                for (int g = 0; g < shareOf.length; g++) {
                    double share = shareOf[g];
                    all.parts(parameters, covariatesOf[g])
                            .forEach(part -> parts.add(new Part(share * part.weight(), part.theta(), part.discount())));
                }
                return parts;
            }

            @Override
            public boolean admits(double[] parameters) {
                boolean shares = Arrays.stream(shares(parameters)).allMatch(x -> x >= 0 && x <= 1);
                double b = discountOf(parameters, 0);
                return shares && b >= 0 && b < 1;
            }
        };
    }

    /** The parts of those with given covariates, at given parameters. */
    List<Mixture.Part> parts(double[] reported, double[] own) {
        NormalQuadrature nodes = nodes();
        List<Mixture.Part> parts = new ArrayList<>();
        int count = types > 1 ? types : nodes.weights().length;
        double[] share = shares(reported);
        for (int k = 0; k < count; k++) {
            parts.add(new Mixture.Part(
                    types > 1 ? share[k] : nodes.weights()[k],
                    theta(reported, nodes, k, own),
                    discount ? OptionalDouble.of(reported[discountPlace()]) : OptionalDouble.empty()));
        }
        return parts;
    }

    NormalQuadrature nodes() {
        return NormalQuadrature.of(random.size(), points);
    }

    /** Number of points of the distribution. */
    int count(NormalQuadrature nodes) {
        return types > 1 ? types : nodes.weights().length;
    }

    double[] theta(double[] all, NormalQuadrature nodes, int k, double[] own) {
        double[] theta = index().of(types > 1 ? k : 0, all);
        for (int c = 0; c < interactions.size(); c++) {
            theta[place(interactions.get(c).parameter)] += all[firstInteraction() + c] * covariate(c, own);
        }
        for (int r = 0; r < random.size(); r++) {
            theta[place(random.get(r))] += all[firstDeviation() + r] * nodes.points()[k][r];
        }
        return theta;
    }

    /** into += weight times what a score of utility parameters, and of the discount, says of all parameters. */
    void spread(double weight, double[] score, NormalQuadrature nodes, int k, double[] own, double[] into) {
        int p = utility.size();
        double[] ofUtility = score.length == p ? score : Arrays.copyOf(score, p);
        index().add(types > 1 ? k : 0, weight, ofUtility, into);
        for (int c = 0; c < interactions.size(); c++) {
            into[firstInteraction() + c] += weight * score[place(interactions.get(c).parameter)] * covariate(c, own);
        }
        for (int r = 0; r < random.size(); r++) {
            into[firstDeviation() + r] += weight * score[place(random.get(r))] * nodes.points()[k][r];
        }
        if (discount) {
            into[discountPlace()] += weight * score[p];
        }
    }

    private int place(String parameter) {
        return utility.indexOf(parameter);
    }

    private double covariate(int interaction, double[] own) {
        return own[covariates.indexOf(interactions.get(interaction).covariate)];
    }

    private double[] shares(double[] reported) {
        double[] shares = new double[types];
        double rest = 1;
        for (int k = 0; k + 1 < types; k++) {
            shares[k] = reported[firstShare() + k];
            rest -= shares[k];
        }
        shares[types - 1] = rest;
        return shares;
    }

    double discountOf(double[] reported, double known) {
        return discount ? reported[discountPlace()] : known;
    }

    // ---- coordinates of the search, in which shares and the discount are any real numbers

    double[] reported(double[] search) {
        double[] reported = search.clone();
        double largest = 0;
        for (int k = 0; k + 1 < types; k++) {
            largest = Math.max(largest, search[firstShare() + k]);
        }
        double sum = Math.exp(-largest);
        for (int k = 0; k + 1 < types; k++) {
            sum += Math.exp(search[firstShare() + k] - largest);
        }
        for (int k = 0; k + 1 < types; k++) {
            reported[firstShare() + k] = Math.exp(search[firstShare() + k] - largest) / sum;
        }
        if (discount) {
            reported[discountPlace()] = 1 / (1 + Math.exp(-search[discountPlace()]));
        }
        for (int at : deviations()) {
            reported[at] = Math.abs(search[at]);
        }
        return reported;
    }

    double[] search(double[] reported) {
        double[] search = reported.clone();
        double[] shares = shares(reported);
        for (int k = 0; k + 1 < types; k++) {
            search[firstShare() + k] = Math.log(Math.max(shares[k], NOBODY) / Math.max(shares[types - 1], NOBODY));
        }
        if (discount) {
            double b = reported[discountPlace()];
            search[discountPlace()] = Math.log(b / (1 - b));
        }
        return search;
    }

    /** d reported / d search. */
    double[][] derivative(double[] search) {
        int n = size();
        double[] reported = reported(search);
        double[][] derivative = new double[n][n];
        for (int j = 0; j < n; j++) {
            derivative[j][j] = 1;
        }
        for (int at : deviations()) {
            derivative[at][at] = search[at] < 0 ? -1 : 1;
        }
        for (int k = 0; k + 1 < types; k++) {
            for (int l = 0; l + 1 < types; l++) {
                double own = reported[firstShare() + k];
                derivative[firstShare() + k][firstShare() + l] = own * ((k == l ? 1 : 0) - reported[firstShare() + l]);
            }
        }
        if (discount) {
            double b = reported[discountPlace()];
            derivative[discountPlace()][discountPlace()] = b * (1 - b);
        }
        return derivative;
    }

    /** Whether the discount or a share is so near 0 or 1 that it is no estimate: the likelihood rises towards the edge. */
    boolean atTheEdge(double[] search) {
        double most = -2 * Math.log(NOBODY);
        return (discount && Math.abs(search[discountPlace()]) > EDGE)
                || IntStream.range(0, types - 1).anyMatch(k -> Math.abs(search[firstShare() + k]) > most);
    }

    /** Logarithms of the weights of all points. */
    double[] logWeights(double[] search, NormalQuadrature nodes) {
        if (types == 1) {
            return Arrays.stream(nodes.weights()).map(Math::log).toArray();
        }
        double[] shares = shares(reported(search));
        return Arrays.stream(shares).map(Math::log).toArray();
    }

    /** score += the derivative of the weights, where the posterior of an individual is known. */
    void addMembership(double[] search, double[] posterior, double[] score) {
        double[] shares = shares(reported(search));
        for (int k = 0; k + 1 < types; k++) {
            score[firstShare() + k] += posterior[k] - shares[k];
        }
    }

    /** A start for the search: the estimate without differences, and guesses of what is new. */
    double[] start(double[] theta, double[] deviations, double knownDiscount) {
        double[] reported = new double[size()];
        TypeIndex index = index();
        for (int k = 0; k < types; k++) {
            index.add(k, 0, theta, reported);
            for (int j = 0; j < theta.length; j++) {
                reported[index.position()[k][j]] = theta[j];
            }
        }
        int at = firstDeviation();
        for (int r = 0; r < random.size(); r++) {
            reported[at + r] = deviations[place(random.get(r))];
        }
        for (int k = 0; k + 1 < types; k++) {
            reported[firstShare() + k] = 1.0 / types;
            for (String name : specific) {
                int j = place(name);
                reported[index.position()[k][j]] = theta[j] + deviations[j] * (2.0 * k / (types - 1) - 1);
            }
        }
        for (String name : types > 1 ? specific : List.<String>of()) {
            int j = place(name);
            reported[index.position()[types - 1][j]] = theta[j] + deviations[j];
        }
        if (discount) {
            reported[discountPlace()] = Math.clamp(knownDiscount, 0.05, 0.995);
        }
        return search(reported);
    }

    /** Types numbered by their first own parameter, ascending. */
    double[] ordered(double[] search) {
        if (types == 1) {
            return search;
        }
        TypeIndex index = index();
        int[] order = index.order(search);
        double[] reported = reported(search);
        double[] shares = shares(reported);
        double[] thetas = index.renumbered(Arrays.copyOf(reported, index.size()), order);
        double[] renumbered = Vec.joined(thetas, Arrays.copyOfRange(reported, index.size(), reported.length));
        for (int k = 0; k + 1 < types; k++) {
            renumbered[firstShare() + k] = shares[order[k]];
        }
        return search(renumbered);
    }
}
