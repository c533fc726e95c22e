package dev.revealed.app.film;

import dev.revealed.app.studio.Browser;
import dev.revealed.mujoco.Scene;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.ProgressListener;
import dev.revealed.numeric.Tensors;
import dev.revealed.runs.Json;
import dev.revealed.runs.Safetensors;
import dev.revealed.studio.Studio;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;

/** Pictures of a robot, drawn by the scene of the local page in a browser without a window. */
public final class RobotFilm {
    private static final Map<String, String> COLOURS = Map.of("sky", "#eef2f7", "floor", "#d5dbe4", "line", "#c3cad4");

    private RobotFilm() {}

    /** The shapes as the page's scene takes them. */
    private record Shapes(double stepSeconds, int bodies, List<Scene.Geom> geoms) {}

    /** What the page holds. */
    private record Held(
            String core, String module, String scene, Shapes shapes, String episode, Map<String, String> colours) {}

    /**
     * Draws an episode in real time.
     *
     * @param coordinates of each step
     * @param perSecond pictures
     * @param seconds at most
     */
    public static List<BufferedImage> draw(
            Scene scene, List<double[]> coordinates, int perSecond, double seconds, ProgressListener listener) {
        Path browser = Browser.find()
                .orElseThrow(() -> new BadInput(
                        "no browser is installed that could draw a film",
                        "Install chromium. The policy can be watched in any browser with 'play'."));
        try {
            Path folder = Files.createTempDirectory("revealed-film-");
            Path page = Files.writeString(folder.resolve("film.html"), page(scene, coordinates));
            try (Browser open = Browser.start(browser, "--allow-file-access-from-files")) {
                open.size(640, 480, false);
                open.send("Page.navigate", Map.of("url", page.toUri().toString()));
                open.until("window.shoot");
                double step = 1 / (perSecond * scene.stepSeconds());
                int count = (int) Math.min(perSecond * seconds, Math.ceil(coordinates.size() / step));
                List<BufferedImage> pictures = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    String png = open.text("shoot(%s)".formatted(i * step));
                    pictures.add(opaque(ImageIO.read(
                            new ByteArrayInputStream(Base64.getDecoder().decode(png)))));
                    listener.progress("film", i + 1, count);
                }
                return pictures;
            } finally {
                Files.delete(page);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new BadInput(
                    "the film cannot be drawn: " + BadInput.reason(e), "Watch the policy with 'play' instead.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static BufferedImage opaque(BufferedImage picture) {
        BufferedImage plain = new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_3BYTE_BGR);
        plain.getGraphics().drawImage(picture, 0, 0, null);
        return plain;
    }

    private static String page(Scene scene, List<double[]> coordinates) throws IOException {
        int width = scene.bodies() * Scene.POSE;
        float[] poses = new float[coordinates.size() * width];
        for (int t = 0; t < coordinates.size(); t++) {
            scene.poses(coordinates.get(t), poses, t * width);
        }
        ByteArrayOutputStream episode = new ByteArrayOutputStream();
        Safetensors.write(
                episode, new Tensors().put("poses", poses, coordinates.size(), scene.bodies(), Scene.POSE), Map.of());
        Held held = new Held(
                studio("three/three.core.min.js"),
                studio("three/three.module.min.js"),
                studio("page/scene.js"),
                new Shapes(scene.stepSeconds(), scene.bodies(), scene.geoms()),
                Base64.getEncoder().encodeToString(episode.toByteArray()),
                COLOURS);
        return text(RobotFilm.class, "film.html")
                .replace("@HELD@", Json.line(held).replace("<", "\\u003c"));
    }

    private static String studio(String name) {
        return text(Studio.class, name);
    }

    private static String text(Class<?> beside, String name) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
