package dev.revealed.app.estimate;

import dev.revealed.app.Main;
import dev.revealed.app.Outcome;
import dev.revealed.app.Words;
import dev.revealed.app.view.Table;
import dev.revealed.data.PanelStructure;
import dev.revealed.data.RustBusFiles;
import dev.revealed.data.model.ModelFile;
import dev.revealed.data.panel.BusSimulation;
import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.mdp.choice.Panel;
import dev.revealed.mdp.choice.StateSpace;
import dev.revealed.mdp.choice.TransitionFamily;
import dev.revealed.mdp.choice.TransitionLaw;
import dev.revealed.mdp.model.RustBus;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Vec;
import dev.revealed.runs.RunFolder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Draws panels of a choice model at given parameters, as files that estimate reads back.
 *
 * @param given parameters by name
 * @param start values of state variables that individuals start with
 */
record ChoiceSimulation(
        String name,
        Map<String, String> set,
        Map<String, Double> given,
        Map<String, Double> start,
        int individuals,
        int periods,
        Format format) {

    /** What the panel is written as. */
    enum Format {
        CSV,
        PARQUET;

        String file() {
            return "panel." + this;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Rust's estimates for groups 1-4 (1987, Table IX), for a first look. */
    private static final Map<String, Double> ZURCHER =
            Words.numbers("", "RC=9.7558,theta11=2.6275,theta30=0.3489,theta31=0.6394");

    /** Why a method that learns from moves may differ a little from one that is given the law. */
    private static final String NEW_ENGINES =
            "As in Rust's data, mileage counts from 0 after a replacement: a new engine that is driven j bins is in bin j,"
                    + " while his law has it in bin j + 1. td-ccp, which learns from the moves, follows the data here, and"
                    + " the other methods follow the law.";

    ChoiceSimulation {
        if (individuals < 1 || periods < 1) {
            throw new BadInput(
                    "%d individuals over %d periods".formatted(individuals, periods), "Both must be at least 1.");
        }
    }

    /** What the document says of a simulated panel. */
    record Document(
            String model,
            Map<String, Object> settings,
            List<NamedValue> parameters,
            int individuals,
            int periods,
            Start start,
            long seed,
            List<String> files) {}

    /** Where individuals start: at these values, else in one of so many states, each equally likely. */
    record Start(Map<String, Double> values, int states, int absorbingLeftOut) {}

    Outcome outcome(long seed, ProgressListener listener) {
        RandomStream stream = RandomStream.of(seed).named("panel");
        return ChoiceModels.isBus(name) ? bus(seed, stream, listener) : own(seed, stream);
    }

    private Outcome bus(long seed, RandomStream stream, ProgressListener listener) {
        if (!start.isEmpty()) {
            throw new BadInput("--initial has no effect with --model " + name, "Its buses start with a new engine.");
        }
        RustBusFiles.Settings settings = RustBusFiles.Settings.of(set);
        boolean first = given.isEmpty() && settings.cost() == RustBus.Cost.LINEAR && settings.bins() == 90;
        Map<String, Double> values = first ? ZURCHER : given;
        int largest = (int) values.keySet().stream()
                .filter(parameter -> parameter.matches("theta3\\d+"))
                .count();
        if (largest == 0) {
            throw new BadInput(
                    "no transition probabilities are given",
                    "Give all but the last, for example --parameters RC=10,theta11=2.5,theta30=0.35,theta31=0.64.");
        }
        ChoiceModel model = RustBus.of(settings.bins(), largest, settings.discount(), settings.cost());
        double[] theta = utility(model, values);
        double[] phi = law(model, values);
        BusSimulation buses = new BusSimulation(model, theta, phi);
        List<Integer> groups = List.copyOf(settings.groups());
        return outcome(
                seed,
                model,
                theta,
                phi,
                ChoiceModels.settings(settings),
                new Start(Map.of(), 1, 0),
                "They start with a new engine. " + NEW_ENGINES,
                folder -> folder.write(format.file(), out -> {
                    if (format == Format.PARQUET) {
                        buses.writeParquet(out, groups, individuals, periods, stream, listener);
                    } else {
                        buses.write(out, groups, individuals, periods, stream);
                    }
                }));
    }

    private Outcome own(long seed, RandomStream stream) {
        ModelFile file = ModelFile.read(Main.existing(Path.of(name)), set);
        ChoiceModel model = file.model();
        double[] theta = utility(model, given);
        double[] phi = law(model, given);
        PanelStart from = PanelStart.of(model, model.mdp(phi).kernel(), start);
        PanelStructure structure = file.columns().structure();
        List<StateSpace.Variable> variables = model.space().variables();
        int[] common = IntStream.range(0, variables.size())
                .filter(v -> structure.aggregate().contains(variables.get(v).name()))
                .toArray();
        Panel panel = model.simulate(theta, phi, from.distribution(), individuals, periods, common, stream);
        return outcome(
                seed,
                model,
                theta,
                phi,
                ChoiceModels.settings(file),
                new Start(from.values(), from.states(), from.absorbing()),
                from.described() + described(structure),
                folder -> file.write(folder.file(format.file()), panel));
    }

    /** What the panel's columns say that no parameter decides. */
    private static String described(PanelStructure structure) {
        List<String> words = new ArrayList<>();
        structure.weight().ifPresent(column -> words.add("%s is 1".formatted(column)));
        structure.cluster().ifPresent(column -> words.add("%s is the individual".formatted(column)));
        structure.covariates().forEach(column -> words.add("%s is 0".formatted(column)));
        return words.isEmpty() ? "" : " In every row %s.".formatted(String.join(", ", words));
    }

    private Outcome outcome(
            long seed,
            ChoiceModel model,
            double[] theta,
            double[] phi,
            Map<String, Object> settings,
            Start from,
            String where,
            Consumer<RunFolder> panel) {
        List<NamedValue> truths = NamedValue.of(model.parameters(), Vec.joined(theta, phi));
        Table table = NamedValue.table(truths);
        String what = "%d individuals over %d periods in %d states".formatted(individuals, periods, model.states());
        Document document = new Document(
                name, settings, truths, individuals, periods, from, seed, List.of(format.file(), "parameters.csv"));
        return Outcome.of(document, "A simulated panel")
                .say(
                        "Simulated %s, by these parameters:\n%s%s\nThe panel is %s in the folder of the report; estimate --model %s --data reads it.\n"
                                .formatted(what, table.toText(), where, format.file(), name))
                .paragraph("Simulated are " + what + ". " + where)
                .report(page -> page.table(table))
                .file("parameters.csv", table.toCsv())
                .writing(panel);
    }

    private static double[] utility(ChoiceModel model, Map<String, Double> values) {
        List<String> names = model.parameters();
        double[] all = Words.ordered("--parameters", values, names); // refuses what is no parameter
        missing(model.utility().names(), values);
        return Arrays.copyOf(all, model.utility().parameters());
    }

    /** Where a law is counted from the data, what is not given is as if nothing had been counted: all alike. */
    private static double[] law(ChoiceModel model, Map<String, Double> values) {
        TransitionLaw law = model.law();
        double[] phi = new double[law.parameters()];
        for (int v = 0; v < law.parts().size(); v++) {
            TransitionFamily family = law.parts().get(v).family();
            try {
                double[][] nothing = new double[family.cells()][];
                Arrays.setAll(nothing, cell -> new double[family.outcomes(cell)]);
                double[] alike = family.fit(nothing);
                System.arraycopy(alike, 0, phi, law.first(v), alike.length);
            } catch (BadInput needed) {
                missing(family.names(), values);
            }
        }
        Arrays.setAll(phi, k -> values.getOrDefault(law.names().get(k), phi[k]));
        law.kernel(phi); // refuses what are no probabilities
        return phi;
    }

    private static void missing(List<String> names, Map<String, Double> values) {
        List<String> missing =
                names.stream().filter(name -> !values.containsKey(name)).toList();
        if (!missing.isEmpty()) {
            throw new BadInput(
                    "no value is given for " + String.join(", ", missing),
                    "Give --parameters with all of %s.".formatted(String.join(", ", names)));
        }
    }
}
