package dev.revealed.data.model;

import java.nio.file.Path;
import java.util.Map;

/** Choice models written in YAML, as docs/guide/models.md describes them. */
public final class ModelFiles {
    private ModelFiles() {}

    /**
     * Reads a model.
     *
     * @param overrides the discount or declared settings, by name, that go before what the file says
     */
    public static ModelFile read(Path yaml, Map<String, String> overrides) {
        return parse(yaml.toString(), Yaml.text(yaml), overrides);
    }

    /** The same from the text of such a file, and its name for messages. */
    public static ModelFile parse(String name, String yaml, Map<String, String> overrides) {
        return new ModelReader(Yaml.parse(name, yaml), overrides).file(name.replaceFirst(".*[/\\\\]", ""));
    }
}
