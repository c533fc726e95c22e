package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.app.Repository;
import dev.revealed.app.SettingOptions;
import dev.revealed.imitate.ImitationMethod;
import dev.revealed.imitate.Preset;
import dev.revealed.imitate.RewardModel;
import dev.revealed.imitate.world.OfflineMlIrl;
import dev.revealed.imitate.world.Rollouts;
import dev.revealed.imitate.world.WorldTraining;
import dev.revealed.mdp.Simulator;
import dev.revealed.neural.Sac;
import dev.revealed.neural.Training;
import dev.revealed.settings.Item;
import dev.revealed.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The tables of settings in the guide are those of the records. To write them anew:
 * {@code mvn -pl app -am test -Dtest=GuideTablesTest -Dsurefire.failIfNoSpecifiedTests=false -Dguide.write=true}.
 */
class GuideTablesTest {
    private static final Simulator.Space HOPPER =
            new Simulator.Space("hopper", 11, new Simulator.Actions.Box(3, 1), 1000);

    @Test
    void imitationSettingsInTheGuideAreCurrent() throws IOException {
        check(
                "docs/guide/imitate-settings.md",
                "imitate",
                table(
                        items(Preset.REVEALED
                                .imitation(RewardModel.Of.STATE_ACTION, HOPPER)
                                .getClass()),
                        List.of("revealed", "paper"),
                        List.of(
                                Settings.values(Preset.REVEALED.imitation(RewardModel.Of.STATE_ACTION, HOPPER)),
                                Settings.values(Preset.PAPER.imitation(RewardModel.Of.STATE_ACTION, HOPPER)))));
    }

    /** Of methods other than ml-irl and bc, in a simulator: every setting that any of them has, with what each has for Hopper. */
    @Test
    void settingsOfOtherMethodsInTheGuideAreCurrent() throws IOException {
        List<ImitationMethod<?>> methods = ImitationMethod.all().stream()
                .filter(method -> !List.of("ml-irl", "bc").contains(method.name())
                        && !method.name().startsWith("offline"))
                .toList();
        Map<String, Item> items = new LinkedHashMap<>();
        List<Map<String, Object>> values = new ArrayList<>();
        for (ImitationMethod<?> method : methods) {
            items(method.settings()).forEach(item -> items.putIfAbsent(item.name(), item));
            values.add(Settings.values(method.preset(Preset.REVEALED, HOPPER)));
        }
        check(
                "docs/guide/rivals.md",
                "rivals",
                table(
                        List.copyOf(items.values()),
                        methods.stream()
                                .map(method -> "`%s`".formatted(method.name()))
                                .toList(),
                        values));
    }

    /** Of worlds learnt from logs, and of rollouts in them. */
    @Test
    void offlineSettingsInTheGuideAreCurrent() throws IOException {
        check(
                "docs/guide/offline-networks.md",
                "world",
                table(
                        items(WorldTraining.Settings.class),
                        List.of("default"),
                        List.of(Settings.values(WorldTraining.Settings.USUAL))));
        check(
                "docs/guide/offline-networks.md",
                "offline",
                table(
                        Stream.of(Rollouts.class, OfflineMlIrl.Comparison.class)
                                .flatMap(type -> items(type).stream())
                                .toList(),
                        List.of("default"),
                        List.of(Settings.values(Rollouts.USUAL, OfflineMlIrl.Comparison.USUAL))));
    }

    /** Those that stand among the command's own options: task, demonstrations, length, method, preset. */
    @Test
    void runSettingsInTheGuideAreCurrent() throws IOException {
        StringBuilder table = new StringBuilder("| option | meaning |\n|---|---|\n");
        for (SettingOptions.Group group : new ImitateCommand().settingGroups()) {
            for (Item item : group.title().isEmpty() ? group.items() : List.<Item>of()) {
                String words = SettingOptions.description(item, group.defaults().get(item.name()));
                table.append("| `--%s` | %s |\n".formatted(item.name(), words.replaceAll("`([a-z-]+)`", "`--$1`")));
            }
        }
        check("docs/guide/imitate-settings.md", "runs", table.toString());
    }

    @Test
    void learnerSettingsInTheGuideAreCurrent() throws IOException {
        List<Item> items = new ArrayList<>(items(Sac.Settings.class));
        items.addAll(items(Training.Schedule.class));
        check(
                "docs/guide/sac.md",
                "sac",
                table(
                        items,
                        List.of("`expert`", "`imitate`"),
                        List.of(
                                Settings.values(Sac.Settings.PAPER, ExpertCommand.USUAL),
                                Settings.values(
                                        Preset.REVEALED.sac(HOPPER.observations()), Preset.REVEALED.schedule()))));
    }

    private static List<Item> items(Class<? extends Record> type) {
        return Settings.of(type).items();
    }

    private static String table(List<Item> items, List<String> heads, List<Map<String, Object>> values) {
        StringBuilder table = new StringBuilder("| option | %s | meaning |\n".formatted(String.join(" | ", heads)));
        table.append("|---|").append("---|".repeat(heads.size() + 1)).append('\n');
        for (Item item : items) {
            List<String> cells = values.stream()
                    .map(each -> each.containsKey(item.name()) ? Item.shown(each.get(item.name())) : "")
                    .toList();
            table.append("| `--%s` | %s | %s |\n"
                    .formatted(
                            item.name(),
                            String.join(" | ", cells),
                            item.setting()
                                    .about()
                                    .replaceAll("`([a-z-]+)`", "`--$1`")
                                    .replace("|", "\\|")));
        }
        return table.toString();
    }

    private static void check(String page, String name, String table) throws IOException {
        Path file = Repository.root().resolve(page);
        String begin = "<!-- settings of %s, written by GuideTablesTest -->\n".formatted(name);
        String end = "<!-- end of settings -->\n";
        String text = Files.readString(file);
        int from = text.indexOf(begin);
        int to = text.indexOf(end, from);
        assertThat(from).as("the mark '%s' in %s", begin.strip(), page).isNotNegative();
        String now = text.substring(0, from + begin.length()) + "\n" + table + "\n" + text.substring(to);
        if (Boolean.getBoolean("guide.write")) {
            Files.writeString(file, now);
        } else {
            assertThat(text).as("%s is current", page).isEqualTo(now);
        }
    }
}
