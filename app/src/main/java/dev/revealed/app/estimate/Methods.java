package dev.revealed.app.estimate;

import dev.revealed.app.Words;
import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Futures;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The methods for choice models by their names on the command line, each with the options that are its own. */
final class Methods {
    /** How many points of a run of ML-IRL are recorded: all of its first iterations, and then ever fewer. */
    private static final int TRACE = 200;

    private static final List<Entry> ALL = List.of(
            new Entry("ml-irl", Set.of("--form", "--alpha0", "--sigma", "--iterations"), Methods::mlIrl),
            new Entry("nfxp", Set.of("--search", "--likelihood", "--start", "--iterations"), Methods::nfxp),
            new Entry("mpec", Set.of("--solver", "--start", "--iterations"), Methods::mpec),
            new Entry("ccp", Set.of(), given -> model -> Ccp.standard()),
            new Entry("npl", Set.of("--iterations"), Methods::npl),
            new Entry("hmss", Set.of("--draws"), Methods::hmss),
            new Entry("bbl", Set.of("--draws"), Methods::bbl),
            new Entry("td-ccp", Set.of("--form"), Methods::tdCcp),
            new Entry("maxent", Set.of("--iterations"), Methods::maxEnt));

    private final Map<String, String> given;

    private Methods(Map<String, String> given) {
        this.given = given;
    }

    /** A method: the options it understands, and how it is made from them. */
    private record Entry(String name, Set<String> options, Function<Methods, OnModel> make) {}

    /** A method that is ready but for the model, whose parameters its starting values may name. */
    @FunctionalInterface
    interface OnModel {
        PanelMethod on(ChoiceModel model);
    }

    /** The names, for the help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }
    }

    static List<String> names() {
        return ALL.stream().map(Entry::name).toList();
    }

    /** The options that belong to some method or other. */
    static Set<String> options() {
        return ALL.stream().flatMap(e -> e.options.stream()).collect(Collectors.toSet());
    }

    /**
     * A method as it was asked for. Refuses unknown names, and options that the method would ignore: a dropped wish is a
     * wrong result.
     *
     * @param typed what was typed after each option
     */
    static OnModel of(String name, Map<String, String> typed) {
        List<String> names = names();
        if (!names.contains(name)) {
            throw Words.unknown("there is no method '%s' for choice models".formatted(name), name, names);
        }
        Entry entry = ALL.get(names.indexOf(name));
        Map<String, String> given = new HashMap<>();
        for (Map.Entry<String, String> option : typed.entrySet()) {
            List<String> owners = ALL.stream()
                    .filter(e -> e.options.contains(option.getKey()))
                    .map(Entry::name)
                    .toList();
            if (entry.options.contains(option.getKey())) {
                given.put(option.getKey(), option.getValue());
            } else if (!owners.isEmpty()) {
                throw new BadInput(
                        "%s has no effect with --method %s".formatted(option.getKey(), name),
                        "It belongs to %s; drop it, or change the method.".formatted(String.join(", ", owners)));
            }
        }
        return entry.make.apply(new Methods(given));
    }

    private String word(String option, String first, String... others) {
        return Words.choose(
                option,
                given.getOrDefault(option, first),
                Stream.concat(Stream.of(first), Stream.of(others)).toList());
    }

    private double number(String option, double otherwise) {
        String text = given.get(option);
        return text == null ? otherwise : Double.parseDouble(text); // was checked when it was parsed
    }

    private int iterations(int otherwise) {
        return (int) number("--iterations", otherwise);
    }

    private Map<String, Double> start() {
        String text = given.get("--start");
        return text == null ? Map.of() : Words.numbers("--start", text);
    }

    /** Where theta starts; empty for zero. */
    private static double[] start(Map<String, Double> named, ChoiceModel model) {
        return named.isEmpty()
                ? new double[0]
                : Words.ordered("--start", named, model.utility().names());
    }

    private OnModel mlIrl() {
        MlIrl loop;
        if (word("--form", "preconditioned", "paper").equals("paper")) {
            loop = MlIrl.paper(number("--alpha0", 1), number("--sigma", 0.5), iterations(5_000));
        } else {
            String ignored = given.keySet().stream()
                    .filter(Set.of("--alpha0", "--sigma")::contains)
                    .collect(Collectors.joining(", "));
            if (!ignored.isEmpty()) {
                throw new BadInput(ignored + " has no effect here", "It belongs to --form paper.");
            }
            loop = MlIrl.preconditioned().limitedTo(iterations(500)).tracing(TRACE);
        }
        return model -> new MlIrlMethod(loop);
    }

    private OnModel nfxp() {
        NestedFixedPoint standard = NestedFixedPoint.standard();
        String search = word("--search", "scoring", "bhhh", "lbfgs");
        NestedFixedPoint method = standard.by(NestedFixedPoint.Search.valueOf(search.toUpperCase(Locale.ROOT)))
                .full(word("--likelihood", "two-step", "full").equals("full"))
                .limitedTo(iterations(standard.iterations()));
        Map<String, Double> start = start();
        return model -> method.startingAt(start(start, model));
    }

    private OnModel mpec() {
        Mpec standard = Mpec.standard();
        Mpec method = standard.by(Words.choose(
                        "--solver",
                        given.getOrDefault("--solver", standard.solver().toString()),
                        List.of(Mpec.Solver.values())))
                .limitedTo(iterations(standard.iterations()));
        Map<String, Double> start = start();
        return model -> method.startingAt(start(start, model));
    }

    private OnModel npl() {
        Npl method = Npl.standard().limitedTo(iterations(Npl.standard().iterations()));
        return model -> method;
    }

    private Futures futures() {
        return Futures.STANDARD.withDraws((int) number("--draws", Futures.STANDARD.draws()));
    }

    private OnModel hmss() {
        Hmss method = new Hmss(Hmss.standard().probabilities(), futures());
        return model -> method;
    }

    private OnModel bbl() {
        Bbl standard = Bbl.standard();
        Bbl method = new Bbl(standard.probabilities(), futures(), standard.shift());
        return model -> method;
    }

    private OnModel tdCcp() {
        boolean robust = word("--form", "plain", "robust").equals("robust");
        TdCcp method = robust ? TdCcp.locallyRobust() : TdCcp.semiGradient();
        return model -> method;
    }

    private OnModel maxEnt() {
        MaxEnt standard = MaxEnt.standard();
        MaxEnt method = new MaxEnt(iterations(standard.iterations()), standard.tolerance());
        return model -> method;
    }
}
