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
import dev.revealed.numeric.BadInput;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The methods for choice models by their names on the command line, each with the options that are its own. */
final class Methods {
    /** How many points of a run of ML-IRL are recorded: all of its first iterations, and then ever fewer. */
    private static final int TRACE = 200;

    /** The methods, and the options each understands. */
    private static final List<Map.Entry<String, Set<String>>> ALL = List.of(
            Map.entry("ml-irl", Set.of("--form", "--alpha0", "--sigma", "--iterations")),
            Map.entry("nfxp", Set.of("--search", "--likelihood", "--iterations")),
            Map.entry("mpec", Set.of("--solver", "--iterations")),
            Map.entry("ccp", Set.of()),
            Map.entry("npl", Set.of("--iterations")),
            Map.entry("hmss", Set.of("--draws")),
            Map.entry("bbl", Set.of("--draws")),
            Map.entry("td-ccp", Set.of("--form", "--basis", "--degree")),
            Map.entry("maxent", Set.of("--iterations")));

    private final Map<String, String> given = new HashMap<>();

    private Methods() {}

    /** The names, for the help. */
    static final class Names implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Stream.concat(names().stream(), Stream.of(RECURSIVE)).iterator();
        }
    }

    /** The one that is no method on a panel whose states are all seen. */
    static final String RECURSIVE = "recursive";

    static List<String> names() {
        return ALL.stream().map(Map.Entry::getKey).toList();
    }

    /** The options that belong to some method or other. */
    static Set<String> options() {
        return ALL.stream().flatMap(e -> e.getValue().stream()).collect(Collectors.toSet());
    }

    /**
     * A method as it was asked for. Refuses unknown names, and options that the method would ignore: a dropped wish is a
     * wrong result.
     *
     * @param typed what was typed after each option
     */
    static PanelMethod of(String name, Map<String, String> typed) {
        List<String> names = names();
        if (!names.contains(name)) {
            throw Words.unknown(
                    "there is no method '%s' for choice models".formatted(name),
                    name,
                    Stream.concat(names.stream(), Stream.of(RECURSIVE)).toList());
        }
        Methods options = new Methods();
        typed.forEach((option, value) -> {
            List<String> owners = ALL.stream()
                    .filter(e -> e.getValue().contains(option))
                    .map(Map.Entry::getKey)
                    .toList();
            if (owners.contains(name)) {
                options.given.put(option, value);
            } else if (!owners.isEmpty()) {
                throw new BadInput(
                        "%s has no effect with --method %s".formatted(option, name),
                        "It belongs to %s; drop it, or change the method.".formatted(String.join(", ", owners)));
            }
        });
        return options.method(name);
    }

    private PanelMethod method(String name) {
        return switch (name) {
            case "ml-irl" -> new MlIrlMethod(mlIrl());
            case "nfxp" ->
                NestedFixedPoint.standard()
                        .by(NestedFixedPoint.Search.valueOf(
                                word("--search", "scoring", "bhhh", "lbfgs").toUpperCase(Locale.ROOT)))
                        .full(word("--likelihood", "two-step", "full").equals("full"))
                        .limitedTo(iterations(NestedFixedPoint.standard().iterations()));
            case "mpec" -> {
                Mpec standard = Mpec.standard();
                String solver = given.getOrDefault("--solver", standard.solver().toString());
                yield standard.by(Words.choose("--solver", solver, List.of(Mpec.Solver.values())))
                        .limitedTo(iterations(standard.iterations()));
            }
            case "ccp" -> Ccp.standard();
            case "npl" -> Npl.standard().limitedTo(iterations(Npl.standard().iterations()));
            case "hmss" -> new Hmss(Hmss.standard().probabilities(), futures());
            case "bbl" ->
                new Bbl(
                        Bbl.standard().probabilities(),
                        futures(),
                        Bbl.standard().shift());
            case "td-ccp" -> tdCcp();
            default ->
                new MaxEnt(
                        iterations(MaxEnt.standard().iterations()),
                        MaxEnt.standard().tolerance());
        };
    }

    private TdCcp tdCcp() {
        TdCcp form = word("--form", "plain", "robust").equals("robust") ? TdCcp.locallyRobust() : TdCcp.semiGradient();
        String basis = given.getOrDefault("--basis", TdCcp.Basis.AUTO.toString());
        TdCcp on = form.basis(Words.choose("--basis", basis, List.of(TdCcp.Basis.values())));
        return given.containsKey("--degree") ? on.degree((int) number("--degree", 0)) : on;
    }

    private MlIrl mlIrl() {
        if (word("--form", "preconditioned", "paper").equals("paper")) {
            return MlIrl.paper(number("--alpha0", 1), number("--sigma", 0.5), iterations(5_000));
        }
        String ignored = given.keySet().stream()
                .filter(Set.of("--alpha0", "--sigma")::contains)
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty()) {
            throw new BadInput(ignored + " has no effect here", "It belongs to --form paper.");
        }
        return MlIrl.preconditioned().limitedTo(iterations(500)).tracing(TRACE);
    }

    /** One of some words, the first where none is given. */
    private String word(String option, String... words) {
        return Words.choose(option, given.getOrDefault(option, words[0]), List.of(words));
    }

    private double number(String option, double otherwise) {
        String text = given.get(option);
        return text == null ? otherwise : Double.parseDouble(text); // was checked when it was parsed
    }

    private int iterations(int otherwise) {
        return (int) number("--iterations", otherwise);
    }

    private Futures futures() {
        return Futures.STANDARD.withDraws((int) number("--draws", Futures.STANDARD.draws()));
    }
}
