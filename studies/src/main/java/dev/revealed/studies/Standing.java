package dev.revealed.studies;

import dev.revealed.studies.ImitationTable.Method;
import dev.revealed.studies.ImitationTable.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where ML-IRL with a reward of states and actions stands among the methods on the same demonstrations.
 *
 * @param methods how many are compared, each by its row with most seeds
 * @param first the method with the largest interquartile mean, with its share of the expert's return and the lower end of
 *     that share's interval
 * @param ours the share of ML-IRL
 * @param verdict first, within the interval of the first, or behind
 */
public record Standing(
        String task,
        int trajectories,
        int methods,
        Method first,
        double firstShare,
        double firstLow,
        double ours,
        String verdict) {

    static List<Standing> of(List<Row> rows) {
        Map<String, Map<Method, Row>> shown = new LinkedHashMap<>();
        for (Row row : rows) {
            shown.computeIfAbsent(row.key().shown(), none -> new LinkedHashMap<>())
                    .merge(
                            row.key().method(),
                            row,
                            (a, b) -> b.runs().size() > a.runs().size() ? b : a);
        }
        List<Standing> all = new ArrayList<>();
        shown.values().forEach(methods -> {
            Row own = methods.get(Method.ML_IRL_SA);
            if (own == null || methods.size() < 2) {
                return;
            }
            Row first = methods.values().stream()
                    .max(Comparator.comparingDouble(Row::interquartileMean))
                    .orElseThrow();
            String verdict = first.key().method() == Method.ML_IRL_SA
                    ? "first"
                    : own.interquartileMean() >= first.interval().low() ? "within the interval of the first" : "behind";
            all.add(new Standing(
                    own.key().task(),
                    own.key().trajectories(),
                    methods.size(),
                    first.key().method(),
                    first.share(),
                    first.interval().low() / first.expertReturn(),
                    own.share(),
                    verdict));
        });
        return all;
    }
}
