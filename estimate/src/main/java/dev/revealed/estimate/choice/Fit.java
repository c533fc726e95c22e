package dev.revealed.estimate.choice;

import dev.revealed.estimate.Search;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a method found, before anyone has asked how sure it is.
 *
 * @param kind what was maximised, which decides where standard errors come from
 * @param phi parameters of the transition law: those of the first step, unless the method estimates them as well
 * @param influence for methods that are not maximum likelihood, how much each individual, then each period with common
 *     moves, moves theta, both steps taken together: {@code [unit][parameter]}; the covariance is the sum of their outer
 *     products
 * @param simulation covariance that simulation adds, for simulated methods
 * @param score what the solved model says of an estimate that was found without solving it, where that was asked
 * @param covariance of theta and of the parameters of the law that are shown, where it was added up over individuals whose
 *     influence nobody holds
 * @param basis in words, the functions that values were sought among, for methods that have such
 */
public record Fit(
        Kind kind,
        double[] theta,
        double[] phi,
        Search search,
        Optional<double[][]> influence,
        Optional<double[][]> simulation,
        List<String> warnings,
        Optional<SolvedScore> score,
        Optional<String> basis,
        Optional<double[][]> covariance)
        implements Search.Found {

    /** What was maximised. */
    public enum Kind {
        /** The likelihood of the choices, the law of motion being known. */
        LIKELIHOOD,
        /** The likelihood of choices and moves together. */
        FULL_LIKELIHOOD,
        /** Something else: standard errors come from the influence of each individual, or there are none. */
        OTHER
    }

    public Fit {
        warnings = List.copyOf(warnings);
    }

    public Fit(
            Kind kind,
            double[] theta,
            double[] phi,
            Search search,
            Optional<double[][]> influence,
            Optional<double[][]> simulation,
            List<String> warnings) {
        this(
                kind,
                theta,
                phi,
                search,
                influence,
                simulation,
                warnings,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same with what the solved model says of it, and a warning where that is bad. */
    public Fit tested(Optional<SolvedScore> other) {
        List<String> all = new ArrayList<>(warnings);
        other.filter(own -> !own.passed()).ifPresent(own -> all.add(own.warning()));
        return new Fit(kind, theta, phi, search, influence, simulation, all, other, basis, covariance);
    }

    /** The same with words on the functions that values were sought among. */
    public Fit by(String functions) {
        return new Fit(
                kind, theta, phi, search, influence, simulation, warnings, score, Optional.of(functions), covariance);
    }

    /** The same with the covariance of theta and of the parameters of the law that are shown. */
    public Fit covarying(double[][] known) {
        return new Fit(kind, theta, phi, search, influence, simulation, warnings, score, basis, Optional.of(known));
    }

    /** A maximum of the likelihood, whose curvature gives the standard errors. */
    public static Fit likelihood(double[] theta, double[] phi, Search search) {
        return new Fit(Kind.LIKELIHOOD, theta, phi, search, Optional.empty(), Optional.empty(), List.of());
    }

    /** The same with another verdict on the search, and other warnings. */
    public Fit with(Search other, List<String> otherWarnings) {
        return new Fit(kind, theta, phi, other, influence, simulation, otherWarnings, score, basis, covariance);
    }

    /** The same at all parameters, of which some were held: what individuals contribute to those is not known. */
    public Fit at(double[] all) {
        return new Fit(
                kind, all, phi, search, Optional.empty(), Optional.empty(), warnings, score, basis, Optional.empty());
    }

    /** theta, then phi. */
    public double[] parameters() {
        return Vec.joined(theta, phi);
    }

    /** What is no likelihood, with the influence of each individual where that could be found. */
    public static Fit other(
            double[] theta, double[] phi, Search search, Optional<double[][]> influence, List<String> warnings) {
        return new Fit(Kind.OTHER, theta, phi, search, influence, Optional.empty(), warnings);
    }
}
