package dev.revealed.app.film;

import dev.revealed.numeric.BadInput;
import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/**
 * A film as a file: MP4 or WebM by ffmpeg, an animated GIF, or a folder of PNG pictures. It appears only when it is whole.
 *
 * @param file by whose ending it is decided; without an ending it is a folder
 */
public record FilmFile(Path file) {
    private static final List<String> VIDEO = List.of("mp4", "webm", "mov", "mkv");
    private static final String GIF = "gif";

    public FilmFile {
        String ending = ending(file);
        BadInput.when(
                !ending.isEmpty() && !ending.equals(GIF) && !VIDEO.contains(ending),
                "%s is not a name for a film".formatted(file),
                "Name a file that ends with .mp4 or .gif, or without an ending a folder of pictures.");
        BadInput.when(Files.exists(file), "%s is there already".formatted(file), "Name another file, or remove it.");
    }

    private static String ending(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.contains(".") ? name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT) : "";
    }

    private static Optional<Path> ffmpeg() {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(folder -> Path.of(folder, "ffmpeg"))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * Writes pictures; where ffmpeg is not installed a GIF in the place of a video.
     *
     * @return what was written
     */
    public Path write(List<BufferedImage> pictures, double perSecond, Consumer<String> caution) {
        String ending = ending(file);
        try {
            if (ending.isEmpty()) {
                return folder(pictures);
            }
            Optional<Path> ffmpeg = ffmpeg();
            if (ending.equals(GIF)) {
                return gif(file, pictures, perSecond);
            }
            if (ffmpeg.isPresent()) {
                return video(ffmpeg.get(), ending, pictures, perSecond);
            }
            String name = String.valueOf(file.getFileName()).replaceFirst("\\.[^.]*$", ".gif");
            Path other = file.resolveSibling(name);
            caution.accept("ffmpeg is not installed, so the film is %s instead of %s".formatted(other, file));
            return gif(other, pictures, perSecond);
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be written: %s".formatted(file, BadInput.reason(e)), "Check the folder and its space.");
        }
    }

    private Path folder(List<BufferedImage> pictures) throws IOException {
        Files.createDirectories(file);
        for (int i = 0; i < pictures.size(); i++) {
            ImageIO.write(
                    pictures.get(i),
                    "png",
                    file.resolve("%05d.png".formatted(i)).toFile());
        }
        return file;
    }

    private static Path temporary(Path file, String ending) {
        return file.resolveSibling(".%s.part.%s".formatted(file.getFileName(), ending));
    }

    private static Path gif(Path file, List<BufferedImage> pictures, double perSecond) throws IOException {
        Path part = temporary(file, GIF);
        ImageWriter writer = ImageIO.getImageWritersByFormatName(GIF).next();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(part.toFile())) {
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            long shown = 0; // hundredths of a second, rounded over the whole film, so that it is in time
            for (int i = 0; i < pictures.size(); i++) {
                BufferedImage picture = pictures.get(i);
                IIOMetadata notes =
                        writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(picture), null);
                int hundredths = (int) Math.max(2, Math.round(100 * (i + 1) / perSecond) - shown);
                shown += hundredths;
                time(notes, hundredths);
                writer.writeToSequence(new IIOImage(picture, null, notes), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
        return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** How long a picture stays, in hundredths of a second, and that the film begins again. */
    private static void time(IIOMetadata notes, int hundredths) throws IOException {
        String format = notes.getNativeMetadataFormatName();
        IIOMetadataNode root = (IIOMetadataNode) notes.getAsTree(format);
        IIOMetadataNode control = new IIOMetadataNode("GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("delayTime", Integer.toString(hundredths));
        control.setAttribute("transparentColorIndex", "0");
        root.appendChild(control);
        IIOMetadataNode all = new IIOMetadataNode("ApplicationExtensions");
        IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
        loop.setAttribute("applicationID", "NETSCAPE");
        loop.setAttribute("authenticationCode", "2.0");
        loop.setUserObject(new byte[] {1, 0, 0});
        all.appendChild(loop);
        root.appendChild(all);
        notes.setFromTree(format, root);
    }

    private Path video(Path ffmpeg, String ending, List<BufferedImage> pictures, double perSecond) throws IOException {
        Path part = temporary(file, ending);
        Process process = new ProcessBuilder(
                        ffmpeg.toString(),
                        "-y",
                        "-loglevel",
                        "error",
                        "-f",
                        "image2pipe",
                        "-framerate",
                        Double.toString(perSecond),
                        "-c:v",
                        "png",
                        "-i",
                        "-",
                        "-pix_fmt",
                        "yuv420p",
                        part.toString())
                .redirectErrorStream(true)
                .start();
        try (OutputStream in = process.getOutputStream()) {
            for (BufferedImage picture : pictures) {
                ImageIO.write(picture, "png", in);
            }
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                Files.deleteIfExists(part);
                throw new BadInput("ffmpeg failed: " + said.strip(), "Name a .gif, or a folder for the pictures.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException(e));
        }
        return Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
