package dev.revealed.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Numbers that scripts/golden.py froze, and what of them a folder lacks, by the same rule: keys may be renamed, moved and
 * added, but no number of a document may vanish or change by a bit.
 */
final class GoldenNumbers {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Pattern CLOCK =
            Pattern.compile("seconds|persecond|millis|nanos|timeshares|timestamp|^date$|started|elapsed"
                    + "|^java|version|threads|processors|^pid$|^commit$|^command$");
    private static final Pattern CLOCK_LINE = Pattern.compile("second|minute|\\bs\\b|\\bms\\b|threads|version|Report:");
    private static final Pattern NOTED_ONLY = Pattern.compile("(\\.svg|(^|/)spec\\.json)$");
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?|NaN|[-+]?Infinity");
    private static final Pattern COMMA = Pattern.compile(",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)");

    private final JsonNode frozen;

    private GoldenNumbers(JsonNode frozen) {
        this.frozen = frozen;
    }

    static GoldenNumbers read(Path file) {
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new GoldenNumbers(JSON.readTree(in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the folder of a command lacks, in words. */
    List<String> missing(String command, Path folder) throws IOException {
        List<String> problems = new ArrayList<>();
        JsonNode files = frozen.path(command);
        if (files.isEmpty()) {
            problems.add("nothing is frozen of " + command);
        }
        for (Map.Entry<String, JsonNode> file : files.properties()) {
            String name = file.getKey();
            Path path = folder.resolve(name);
            if (NOTED_ONLY.matcher(name).find()) {
                continue;
            }
            if (!Files.exists(path)) {
                problems.add(name + ": no such file");
            } else if (file.getValue().has("tensors")) {
                missingTensors(file.getValue().path("tensors"), path).forEach(one -> problems.add(name + ": " + one));
            } else {
                missingNumbers(file.getValue(), path).forEach(one -> problems.add(name + ": " + one));
            }
        }
        return problems;
    }

    private static List<String> missingTensors(JsonNode frozen, Path path) throws IOException {
        List<String> problems = new ArrayList<>();
        Map<String, String> actual = tensors(path);
        for (Map.Entry<String, JsonNode> tensor : frozen.properties()) {
            if (!actual.containsValue(tensor.getValue().asString())) {
                problems.add(tensor.getKey() + (actual.containsKey(tensor.getKey()) ? ": other bytes" : ": missing"));
            }
        }
        return problems;
    }

    private static List<String> missingNumbers(JsonNode frozen, Path path) throws IOException {
        List<String> problems = new ArrayList<>();
        Map<String, List<Double>> groups = numbers(path);
        Set<String> arrays =
                groups.values().stream().map(GoldenNumbers::hash).collect(Collectors.toCollection(HashSet::new));
        for (Map.Entry<String, JsonNode> array : frozen.path("arrays").properties()) {
            if (!arrays.contains(array.getValue().asString())) {
                problems.add(array.getKey() + ": no array has the frozen numbers");
            }
        }
        Map<Long, Integer> left = new HashMap<>();
        groups.values().forEach(group -> group.forEach(number -> left.merge(bits(number), 1, Integer::sum)));
        for (Map.Entry<String, JsonNode> group : frozen.path("numbers").properties()) {
            for (JsonNode each : group.getValue()) {
                double number = each.isString() ? Double.parseDouble(each.asString()) : each.doubleValue();
                if (left.merge(bits(number), -1, Integer::sum) < 0) {
                    problems.add("%s: %s is missing; now %s"
                            .formatted(group.getKey(), number, groups.getOrDefault(group.getKey(), List.of())));
                }
            }
        }
        return problems;
    }

    private static Map<String, List<Double>> numbers(Path path) throws IOException {
        Map<String, List<Double>> groups = new TreeMap<>();
        String name = path.toString();
        List<String> lines = Files.readAllLines(path);
        if (name.endsWith(".json")) {
            collect(JSON.readTree(String.join("\n", lines)), "", groups);
        } else if (name.endsWith(".jsonl")) {
            lines.forEach(line -> collect(JSON.readTree(line), "", groups));
        } else if (name.endsWith(".csv")) {
            String[] header = COMMA.split(lines.isEmpty() ? "" : lines.getFirst(), -1);
            for (String line : lines) {
                String[] fields = COMMA.split(line, -1);
                for (int i = 0; i < fields.length; i++) {
                    add(i < header.length ? header[i] : "", fields[i], groups);
                }
            }
        } else {
            lines.stream().filter(line -> !CLOCK_LINE.matcher(line).find()).forEach(line -> {
                Matcher number = NUMBER.matcher(line);
                while (number.find()) {
                    add("text", number.group(), groups);
                }
            });
        }
        return groups;
    }

    private static void collect(JsonNode node, String path, Map<String, List<Double>> groups) {
        if (node.isObject()) {
            node.properties().forEach(entry -> {
                if (!isClock(entry.getKey())) {
                    collect(entry.getValue(), path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(), groups);
                }
            });
        } else if (node.isArray()) {
            node.forEach(inner -> collect(inner, path, groups));
        } else if (node.isNumber()) {
            groups.computeIfAbsent(path, key -> new ArrayList<>()).add(node.doubleValue());
        } else if (node.isString()) {
            add(path, node.asString(), groups);
        }
    }

    private static void add(String key, String text, Map<String, List<Double>> groups) {
        if (NUMBER.matcher(text).matches() && !isClock(key)) {
            groups.computeIfAbsent(key, each -> new ArrayList<>()).add(Double.parseDouble(text));
        }
    }

    private static boolean isClock(String key) {
        return CLOCK.matcher(key.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", ""))
                .find();
    }

    private static long bits(double number) {
        return Double.doubleToLongBits(number);
    }

    private static String hash(List<Double> numbers) {
        String sorted = numbers.stream()
                .map(number -> HexFormat.of().toHexDigits(bits(number)))
                .sorted()
                .collect(Collectors.joining("\n"));
        return numbers.size() + " " + sha(sorted.getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, String> tensors(Path path) throws IOException {
        Map<String, String> hashes = new HashMap<>();
        byte[] bytes = Files.readAllBytes(path);
        String name = path.toString();
        if (name.endsWith(".safetensors")) {
            ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            int start = 8 + (int) file.getLong(0);
            JsonNode header = JSON.readTree(new String(bytes, 8, start - 8, StandardCharsets.UTF_8));
            header.properties().forEach(entry -> {
                JsonNode offsets = entry.getValue().path("data_offsets");
                if (offsets.isArray()) {
                    int from = start + offsets.get(0).intValue();
                    byte[] payload =
                            new byte[offsets.get(1).intValue() - offsets.get(0).intValue()];
                    file.get(from, payload);
                    hashes.put(entry.getKey(), sha(payload));
                }
            });
        } else if (name.endsWith(".npz")) {
            try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(path))) {
                for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                    hashes.put(entry.getName(), sha(zip.readAllBytes()));
                }
            }
        } else {
            hashes.put("file", sha(bytes));
        }
        return hashes;
    }

    private static String sha(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
