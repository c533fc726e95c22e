package dev.revealed.app.route;

import dev.revealed.app.Main;
import dev.revealed.data.Csv;
import dev.revealed.estimate.TypeIndex;
import dev.revealed.estimate.route.DriverType;
import dev.revealed.estimate.route.NeuralReward;
import dev.revealed.estimate.route.RouteModel;
import dev.revealed.estimate.route.RouteTypes;
import dev.revealed.mdp.route.PairFeatures;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.runs.RunFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What predictions need of an estimated model of route choice: part of its result.json.
 *
 * @param names of all parameters
 * @param theta their estimates
 * @param numeraire the feature in whose units values are shown, such as time
 * @param linkSizeAt parameters of link size; empty in a model without it
 * @param flowAt parameters at which the flow that scales depend on is computed; empty where none does
 * @param scales name=formula of what scales depend on
 * @param types unobserved types of drivers; none where all have the same parameters
 * @param neural the reward of the neural model, whose one parameter is that of its reward; none in the others
 */
record RouteResult(
        RouteSource source,
        String model,
        List<String> names,
        double[] theta,
        double[][] covariance,
        Optional<String> numeraire,
        double[] linkSizeAt,
        double[] flowAt,
        List<String> scales,
        double discount,
        Optional<RouteTypes> types,
        Optional<NeuralReward> neural) {

    /** Reads what an estimation left, given its folder or its result.json. */
    static RouteResult read(Path from) {
        Path file = file(from);
        Object route = document(file).get("route");
        if (route == null) {
            throw notOne(file);
        }
        try {
            return Json.whole(Json.line(route), RouteResult.class).checked();
        } catch (BadInput e) {
            throw e.in(file.toString());
        }
    }

    /** The SHA-256 that the files of an estimate had; empty in results that do not say. */
    static Optional<String> dataHash(Path from) {
        return Optional.ofNullable(document(file(from)).get("dataHash")).map(Object::toString);
    }

    private static Path file(Path from) {
        return Main.existing(Files.isDirectory(from) ? from.resolve(RunFiles.RESULT) : from);
    }

    private static Map<?, ?> document(Path file) {
        try {
            return Json.read(Files.readString(file), Map.class);
        } catch (IOException e) {
            throw Csv.unreadable(file, e);
        } catch (BadInput e) {
            throw notOne(file);
        }
    }

    /** Whether a folder or file holds an estimate of route choice. */
    static boolean isIn(Path from) {
        Path file = Files.isDirectory(from) ? from.resolve(RunFiles.RESULT) : from;
        try {
            return Files.isRegularFile(file)
                    && Json.read(Files.readString(file), Map.class).get("route") != null;
        } catch (IOException | BadInput e) {
            return false;
        }
    }

    private static BadInput notOne(Path file) {
        return new BadInput(
                "%s: this is not the result of an estimation on a road network".formatted(file),
                "Name the folder or the result.json of ./revealed estimate --network.");
    }

    /** A result may have been edited, or come from another version. */
    private RouteResult checked() {
        int features = source.features().size();
        boolean whole = names.size() == theta.length
                && RouteModel.NAMES.contains(model)
                && model.equals(RouteModel.NEURAL) == neural.isPresent()
                && features >= 1
                && neural.map(own -> own.centre().length == features && theta.length == 1)
                        .orElse(features <= ofDriver().size())
                && !source.columns().containsValue(null)
                && numeraire.map(ofDriver()::contains).orElse(true)
                && types.map(own -> names.equals(own.names(ofDriver()))).orElse(true)
                && (linkSizeAt.length == 0 || linkSizeAt.length == features)
                && (flowAt.length == 0 || flowAt.length == features);
        BadInput.when(!whole, "parameters and features do not fit together", "Estimate again with this version.");
        for (int j = 0; j < theta.length; j++) {
            BadInput.finite("the parameter " + names.get(j), theta[j]);
        }
        return this;
    }

    /** Names of the parameters of a driver, whatever his type. */
    List<String> ofDriver() {
        return types.isEmpty()
                ? names
                : names.stream()
                        .filter(name -> !name.startsWith("share["))
                        .map(name -> name.replaceFirst("\\[\\d+]$", ""))
                        .distinct()
                        .toList();
    }

    /** By type, where its parameters stand among all. */
    int[][] positions() {
        return types.map(own -> own.index(ofDriver()).position())
                .orElseGet(() -> TypeIndex.of(names, 1, List.of()).position());
    }

    /** The types of drivers with their shares and parameters; one where there are no types. */
    List<DriverType> drivers() {
        return types.map(own -> own.drivers(ofDriver(), theta)).orElseGet(() -> List.of(new DriverType(1, theta)));
    }

    /** By type, what a unit of the numeraire is worth; 1 where there is none. */
    double[] units() {
        int at = numeraire.map(ofDriver()::indexOf).orElse(-1);
        return drivers().stream()
                .mapToDouble(own -> at < 0 ? 1 : Math.abs(own.theta()[at]))
                .toArray();
    }

    /** What rewards are linear in. */
    PairFeatures rewards(PairFeatures features) {
        return neural.map(own -> own.of(features)).orElse(features);
    }

    RouteResult with(RouteSource other) {
        return new RouteResult(
                other, model, names, theta, covariance, numeraire, linkSizeAt, flowAt, scales, discount, types, neural);
    }
}
