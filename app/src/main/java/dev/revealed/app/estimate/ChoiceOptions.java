package dev.revealed.app.estimate;

import dev.revealed.numeric.BadInput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of a dynamic discrete-choice model: which model, on which panel, estimated and judged how. */
final class ChoiceOptions {
    /** What stands above them in the help. */
    static final String HEADING = "Choice models";

    @Option(
            names = "--model",
            paramLabel = "NAME|FILE",
            description = "rust-bus, or a YAML file of your own. With --network: rl, rl-ls (link size), nrl (nested),"
                    + " nrl-ls or neural (default: rl).")
    public @Nullable String model;

    @Option(
            names = "--data",
            paramLabel = "FILE",
            description =
                    "The panel, a row per individual and period: CSV or Stata's .dta (packed by gzip too), Parquet, a"
                            + " folder of CSV or Parquet files, or a pattern such as 'years/*.parquet'. With --query, a DuckDB database.")
    public @Nullable Path data;

    @Option(
            names = "--query",
            paramLabel = "SQL",
            description =
                    "Take the rows from DuckDB's answer to this query; --data then names its database file, if any.")
    public @Nullable String query;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting of the model, for example groups=1-4, bins=90, discount=0.9999, cost=linear.")
    Map<String, String> set = new LinkedHashMap<>();

    @Option(
            names = "--search",
            paramLabel = "NAME",
            description = "Optimiser of nfxp: scoring, bhhh or lbfgs (default: scoring).")
    public @Nullable String search;

    @Option(
            names = "--likelihood",
            paramLabel = "NAME",
            description =
                    "Likelihood of nfxp: two-step (first the transitions, then the choices) or full (both at once)"
                            + " (default: two-step).")
    public @Nullable String likelihood;

    @Option(
            names = "--solver",
            paramLabel = "NAME",
            description = "Solver of mpec: automatic (Ipopt if it is installed), ipopt or java (default: automatic).")
    public @Nullable String solver;

    @Option(
            names = "--draws",
            paramLabel = "N",
            description = "Simulated futures for each value, of hmss and bbl (default: 100).")
    public @Nullable Integer draws;

    @Option(
            names = "--basis",
            paramLabel = "NAME",
            description = "Basis functions of td-ccp: polynomials, ranks, splines, cells, or auto, the best of them"
                    + " by cross-validation (default: auto).")
    public @Nullable String basis;

    @Option(
            names = "--degree",
            paramLabel = "N",
            description = "Degree of the polynomials in td-ccp's basis, 0 to 9 (default: by cross-validation).")
    public @Nullable Integer degree;

    @Option(
            names = "--types",
            paramLabel = "K",
            description =
                    "Unobserved types of individuals, by EM; with --method nfxp (default), npl or ccp. With --network:"
                            + " types of drivers, whose trips --cluster names.")
    public @Nullable Integer types;

    @Option(
            names = "--type-parameters",
            paramLabel = "NAME",
            split = ",",
            description = "Utility parameters that differ between types, for example RC (with --network default: all).")
    List<String> typeParameters = new ArrayList<>();

    @Option(
            names = "--types-by-start",
            description = "Let an individual's type depend on the state it was first seen in.")
    boolean typesByStart;

    @Option(
            names = "--se",
            paramLabel = "KIND",
            description = "Standard errors: opg, hessian, sandwich, cluster or bootstrap (default: opg). With --network"
                    + " all but bootstrap (default: sandwich).")
    public @Nullable String standardErrors;

    @Option(
            names = "--bootstrap",
            paramLabel = "N",
            description = "Replications of a bootstrap over individuals (default: 500 with --se bootstrap). With"
                    + " --transitions, over log and trajectories (default: 200; 0 for none).")
    public @Nullable Integer bootstrap;

    @Option(
            names = "--resume",
            description =
                    "Continue the bootstrap of an interrupted command: repeat the command, with its folder as --out.")
    boolean resume;

    @Option(
            names = "--test",
            paramLabel = "HYPOTHESIS",
            description = "Linear restrictions to test, for example \"theta12=0\"; may be repeated.")
    List<String> tests = new ArrayList<>();

    @Option(
            names = "--random",
            paramLabel = "NAME",
            split = ",",
            description = "Utility parameters that are normal over individuals: their mean and standard deviation.")
    List<String> random = new ArrayList<>();

    @Option(
            names = "--interact",
            paramLabel = "NAME:COLUMN",
            split = ",",
            description = "Utility parameters that depend on covariates of individuals, for example RC:income.")
    List<String> interact = new ArrayList<>();

    @Option(
            names = "--points",
            paramLabel = "N",
            description = "Points of quadrature for each random parameter (default: 11).")
    public @Nullable Integer points;

    @Option(names = "--estimate-discount", description = "Estimate the discount as well.")
    boolean estimateDiscount;

    @Option(
            names = "--profile",
            paramLabel = "NAME[=A:B:N]",
            description = "Likelihood along values of the discount or of a utility parameter, with the others "
                    + "re-estimated: discount, discount=0.5:0.99:20, RC=5:15:11.")
    List<String> profile = new ArrayList<>();

    @Option(
            names = "--fit-by",
            paramLabel = "NAME",
            split = ",",
            description = "Test whether choices fit the model by groups of values of a state variable (chi-squared).")
    List<String> fitBy = new ArrayList<>();

    @Option(
            names = "--held-out-periods",
            paramLabel = "N",
            description = "Keep the last N decisions of each individual aside, and report their likelihood.")
    public @Nullable Integer heldOutPeriods;

    @Option(names = "--level", paramLabel = "X", description = "Level of the intervals (default: 0.95).")
    public @Nullable Double level;

    @Option(names = "--latex", description = "Print the table as LaTeX.")
    boolean latex;

    /** Settings with what --discount says; it stands for --set discount. */
    static Map<String, String> withDiscount(Map<String, String> set, Map<String, String> typed) {
        Map<String, String> settings = new LinkedHashMap<>(set);
        String discount = typed.get("--discount");
        if (discount != null && settings.put("discount", discount) != null) {
            throw new BadInput("the discount is given twice", "Keep --discount or --set discount.");
        }
        return settings;
    }
}
