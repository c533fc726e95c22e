package dev.revealed.app.studio;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import javax.imageio.ImageIO;

/** Looks at what a browser drew. */
final class Pixels {
    private Pixels() {}

    /** How many different colours an element shows: one that is blank has a few. */
    static long colours(Browser browser, String selector) throws IOException {
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(browser.picture(selector)));
        int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        return Arrays.stream(pixels).distinct().count();
    }
}
