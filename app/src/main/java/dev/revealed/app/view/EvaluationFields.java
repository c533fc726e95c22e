package dev.revealed.app.view;

import dev.revealed.app.view.Table.Cell;
import dev.revealed.app.view.Table.Field;
import dev.revealed.numeric.stats.CensoredMedian;
import dev.revealed.studies.evaluation.EvaluationSummary;
import dev.revealed.studies.evaluation.Falls;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The columns that show how runs are judged, the same wherever they are shown. */
public final class EvaluationFields {
    private static final String TITLE = "In % of the expert's return, over seeds";

    /** What the interval of an interquartile mean is where seeds are few. */
    public static final String FEW_SEEDS =
            "With two to four seeds that interval runs from the lowest seed to the highest: it shows their range, not how"
                    + " sure the mean is.";

    private static final List<String> NOTES = List.of(
            "IQM: interquartile mean of the last policies, with its 95 % interval by the bootstrap over seeds. mean: their"
                    + " plain mean. "
                    + FEW_SEEDS,
            "last ten, worst of ten: mean and least of a run's last ten evaluations, means over seeds.",
            "to 90 %, to 95 %: counted steps to the first evaluation there, the median over seeds; a run that never gets there"
                    + " counts as beyond its length.",
            "area: mean of the curve over the first so many steps (budget), from 0 at step 0.",
            "below 90 %: evaluations below it, of those after the first at 90 %, all seeds together.",
            "falls: of the acting policy after the first evaluation at 90 %. A mean training return between two evaluations"
                    + " below 37.5 % after one of at least 75 %, counted once until 75 % are reached again. – where"
                    + " metrics.jsonl was not kept. per million: steps of training, with the exact Poisson interval at 95 %.");

    private static final Cell NONE = new Cell("–", "", true);

    private EvaluationFields() {}

    /**
     * A table of these columns.
     *
     * @param which the columns before them, that say which runs a row is of
     * @param first notes before those on the columns
     */
    public static <R> Table table(
            List<R> rows, List<Field<R>> which, Function<R, Optional<EvaluationSummary>> found, String... first) {
        List<Field<R>> fields = new ArrayList<>(which);
        fields.addAll(of(found));
        Table table = Table.of(rows, fields).titled(TITLE);
        for (String note : first) {
            table = table.note(note);
        }
        for (String note : NOTES) {
            table = table.note(note);
        }
        return table;
    }

    /** @param found what is shown of a record, where there is anything */
    private static <R> List<Field<R>> of(Function<R, Optional<EvaluationSummary>> found) {
        return List.of(
                percent("IQM", found, EvaluationSummary::interquartileMean),
                percent("from", found, summary -> summary.interval().low()),
                percent("to", found, summary -> summary.interval().high()),
                percent("mean", found, EvaluationSummary::mean),
                percent("last ten", found, EvaluationSummary::lastTen),
                percent("worst of ten", found, EvaluationSummary::worstOfLastTen),
                field("to 90 %", 0, found, summary -> steps(summary.stepsTo90())),
                field("to 95 %", 0, found, summary -> steps(summary.stepsTo95())),
                percent("area", found, EvaluationSummary::areaUnderCurve),
                field(
                        "budget",
                        0,
                        found,
                        summary -> summary.budget() == 0 ? NONE : thousands((double) summary.budget(), "")),
                field("below 90 %", 0, found, summary -> below(summary.below90())),
                falls("falls", 0, found, Falls::falls),
                falls("per million", 2, found, Falls::perMillion),
                falls("at least", 2, found, falls -> falls.interval().low()),
                falls("at most", 2, found, falls -> falls.interval().high()));
    }

    private static <R> Field<R> field(
            String name,
            int decimals,
            Function<R, Optional<EvaluationSummary>> found,
            Function<EvaluationSummary, Object> value) {
        return Field.decimals(name, decimals, row -> found.apply(row).map(value).orElse(NONE));
    }

    private static <R> Field<R> percent(
            String name, Function<R, Optional<EvaluationSummary>> found, ToDoubleFunction<EvaluationSummary> share) {
        return field(name, 1, found, summary -> 100 * share.applyAsDouble(summary));
    }

    private static <R> Field<R> falls(
            String name, int decimals, Function<R, Optional<EvaluationSummary>> found, Function<Falls, Object> value) {
        return field(
                name, decimals, found, summary -> summary.falls().map(value).orElse(NONE));
    }

    /** In thousands; where only a lower bound is known, "> 1000k". */
    private static Cell steps(CensoredMedian median) {
        return Double.isNaN(median.value()) ? NONE : thousands(median.value(), median.censored() ? "> " : "");
    }

    private static Cell thousands(double steps, String bound) {
        return new Cell(
                bound + Numbers.significant(steps / 1000, 6) + "k", bound + Numbers.significant(steps, 12), true);
    }

    private static Cell below(EvaluationSummary.Below below) {
        String text = "%d of %d".formatted(below.below(), below.of());
        return below.of() == 0 ? NONE : new Cell(text, text, true);
    }
}
