package dev.revealed.data.model;

import dev.revealed.data.Csv;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.Closest;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLParser;

/**
 * A part of a YAML file that knows where it stands, so that every complaint names file, line and path.
 *
 * @param content a String, a List of Yaml or a Map of String to Yaml
 */
record Yaml(String file, int line, String path, Object content) {
    private static final YAMLFactory FACTORY = YAMLFactory.builder()
            .loadSettings(LoadSettings.builder()
                    .setCodePointLimit(1 << 28) // matrices may be large
                    .build())
            .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION) // reported below, in our words
            .build();

    private static final int DEEPEST = 50;

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (CharacterCodingException e) {
            throw new BadInput(file + ": this is not UTF-8 text", "Name a model written in YAML.");
        } catch (IOException e) {
            throw Csv.unreadable(file, e);
        }
    }

    /** @param file its name, for messages */
    static Yaml parse(String file, String text) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() == null) {
                throw new BadInput(file + ": the file is empty", "docs/guide/models.md shows what a model looks like.");
            }
            return node(file, "", parser.currentTokenLocation().getLineNr(), 0, parser);
        } catch (JacksonException e) {
            throw malformed(file, e);
        }
    }

    private static BadInput malformed(String file, JacksonException e) {
        int line = e.getLocation() == null ? -1 : e.getLocation().getLineNr();
        String reason = e.getOriginalMessage();
        if (e.getCause() instanceof MarkedYamlEngineException marked
                && marked.getProblemMark().isPresent()) {
            line = marked.getProblemMark().get().getLine() + 1;
            reason = marked.getProblem();
        }
        return new BadInput(
                "%s%s: this is not YAML: %s".formatted(file, line < 1 ? "" : ", line " + line, reason),
                "Indent by spaces, and put text with commas, colons or braces in \"quotes\".");
    }

    /** @param line where it begins, its key included */
    private static Yaml node(String file, String path, int line, int depth, JsonParser parser) {
        BadInput.when(
                depth > DEEPEST,
                "%s, line %d: more than %d lists or mappings in one another".formatted(file, line, DEEPEST),
                "No part of a model is nested so deeply; is a bracket or brace left open?");
        if (parser instanceof YAMLParser yaml && yaml.isCurrentAlias()) {
            throw new BadInput(
                    "%s, line %d: %s: '*%s' refers to another place".formatted(file, line, path, parser.getString()),
                    "Anchors and aliases are not read; a formula that starts with * lacks its first factor.");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            Map<String, Yaml> entries = new LinkedHashMap<>();
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String key = parser.currentName();
                int at = parser.currentTokenLocation().getLineNr();
                parser.nextToken();
                Yaml value = node(file, path.isEmpty() ? key : path + "." + key, at, depth + 1, parser);
                if (entries.put(key, value) != null) {
                    throw new BadInput(
                            "%s, line %d: %s is given twice".formatted(file, at, value.path), "Keep one of them.");
                }
            }
            return new Yaml(file, line, path, entries);
        }
        if (token == JsonToken.START_ARRAY) {
            List<Yaml> entries = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                int at = parser.currentTokenLocation().getLineNr();
                entries.add(node(file, "%s[%d]".formatted(path, entries.size()), at, depth + 1, parser));
            }
            return new Yaml(file, line, path, entries);
        }
        String text = token == JsonToken.VALUE_NULL ? "" : String.valueOf(parser.getString());
        return new Yaml(file, line, path, text.strip());
    }

    /** {@code bus.yaml, line 3, utility.keep}, for complaints made elsewhere about what stands here. */
    String place() {
        return "%s, line %d%s".formatted(file, line, path.isEmpty() ? "" : ", " + path);
    }

    BadInput bad(String problem, String remedy) {
        return new BadInput(place() + ": " + problem, remedy);
    }

    /** Refuses what is wrong here. */
    void badWhen(boolean wrong, String problem, String remedy) {
        BadInput.when(wrong, place() + ": " + problem, remedy);
    }

    boolean isText() {
        return content instanceof String;
    }

    boolean isList() {
        return content instanceof List<?>;
    }

    boolean isMapping() {
        return content instanceof Map<?, ?>;
    }

    String text(String wanted) {
        if (content instanceof String text && !text.isEmpty()) {
            return text;
        }
        throw bad(described(), "Give " + wanted + ".");
    }

    @SuppressWarnings("unchecked") // only node() makes lists
    List<Yaml> list(String wanted) {
        if (content instanceof List<?> list) {
            return (List<Yaml>) list;
        }
        throw bad(described(), "Give " + wanted + ".");
    }

    @SuppressWarnings("unchecked") // only node() makes maps
    Map<String, Yaml> mapping(String wanted) {
        if (content instanceof Map<?, ?> map) {
            return (Map<String, Yaml>) map;
        }
        throw bad(described(), "Give " + wanted + ".");
    }

    /** A mapping with no other keys than these. */
    Map<String, Yaml> mapping(String wanted, List<String> keys) {
        Map<String, Yaml> map = mapping(wanted);
        map.forEach((key, value) -> {
            if (!keys.contains(key)) {
                String slip = key.indexOf(')') >= 0
                        ? "Put a formula with commas in \"quotes\" where it stands in braces. "
                        : Closest.question(key, keys);
                throw value.bad("unknown key", slip + "Here may stand " + String.join(", ", keys) + ".");
            }
        });
        return map;
    }

    private String described() {
        return switch (content) {
            case List<?> list -> "here is a list of %d".formatted(list.size());
            case Map<?, ?> map -> "here is a mapping with %d keys".formatted(map.size());
            case String text when !text.isEmpty() -> "here is '%s'".formatted(text);
            default -> "nothing is given";
        };
    }

    static Optional<Yaml> get(Map<String, Yaml> mapping, String key) {
        return Optional.ofNullable(mapping.get(key));
    }

    /** An entry that must be there. */
    Yaml need(String key, String remedy) {
        Yaml found = mapping("a mapping").get(key);
        if (found == null) {
            throw bad("there is no '%s'".formatted(key), remedy);
        }
        return found;
    }
}
