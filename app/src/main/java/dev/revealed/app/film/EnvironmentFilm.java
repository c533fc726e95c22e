package dev.revealed.app.film;

import dev.revealed.bridge.ProcessSimulator;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/** Pictures of an environment in a process of its own, drawn by itself at each step of an episode. */
public final class EnvironmentFilm implements Simulator {
    private final ProcessSimulator environment;
    private final int most;
    private final List<BufferedImage> pictures = new ArrayList<>();

    /** @param most pictures of an episode, its first ones */
    public EnvironmentFilm(ProcessSimulator environment, int most) {
        this.environment = environment;
        this.most = most;
    }

    public List<BufferedImage> pictures() {
        return List.copyOf(pictures);
    }

    private void shoot() {
        if (pictures.size() < most) {
            ProcessSimulator.Frame frame = environment.render();
            BufferedImage picture = new BufferedImage(frame.width(), frame.height(), BufferedImage.TYPE_3BYTE_BGR);
            byte[] rgb = frame.rgb();
            for (int i = 0; i < frame.width() * frame.height(); i++) {
                int colour = ((rgb[3 * i] & 255) << 16) | ((rgb[3 * i + 1] & 255) << 8) | (rgb[3 * i + 2] & 255);
                picture.setRGB(i % frame.width(), i / frame.width(), colour);
            }
            pictures.add(picture);
        }
    }

    @Override
    public Space space() {
        return environment.space();
    }

    @Override
    public void reset(RandomStream stream) {
        environment.reset(stream);
        pictures.clear();
        shoot();
    }

    @Override
    public void step(float[] actions, int offset) {
        environment.step(actions, offset);
        shoot();
    }

    @Override
    public void observe(float[] into, int offset) {
        environment.observe(into, offset);
    }

    @Override
    public double reward() {
        return environment.reward();
    }

    @Override
    public boolean terminated() {
        return environment.terminated();
    }

    @Override
    public boolean truncated() {
        return environment.truncated();
    }

    @Override
    public double[] state() {
        return environment.state();
    }

    @Override
    public void restore(double[] state) {
        environment.restore(state);
    }

    @Override
    public void close() {
        environment.close();
    }
}
