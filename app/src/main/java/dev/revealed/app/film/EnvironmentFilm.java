package dev.revealed.app.film;

import dev.revealed.bridge.ProcessSimulator;
import dev.revealed.mdp.Simulator;
import dev.revealed.numeric.RandomStream;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;

/**
 * Pictures of an environment in a process of its own, drawn by itself at each step of an episode, in real time where it says
 * how many steps make a second.
 */
public final class EnvironmentFilm implements Simulator {
    private static final double MOST = 34; // pictures a second, as many as a person sees

    private final ProcessSimulator environment;
    private final double usual;
    private final int seconds;
    private final List<BufferedImage> pictures = new ArrayList<>();
    private double stepsPerSecond;
    private int step; // of the episode
    private int every = 1; // steps from a picture to the next

    /**
     * @param usual steps of a second, where the environment does not say
     * @param seconds of an episode, its first ones
     */
    public EnvironmentFilm(ProcessSimulator environment, double usual, int seconds) {
        this.environment = environment;
        this.usual = usual;
        stepsPerSecond = usual;
        this.seconds = seconds;
    }

    public List<BufferedImage> pictures() {
        return List.copyOf(pictures);
    }

    /** How many of the pictures make a second. */
    public double perSecond() {
        return stepsPerSecond / every;
    }

    private void shoot() {
        if (step % every == 0 && pictures.size() < seconds * perSecond()) {
            ProcessSimulator.Frame frame = environment.render();
            stepsPerSecond = frame.perSecond().orElse(usual);
            every = (int) Math.max(1, Math.ceil(stepsPerSecond / MOST));
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
        step = 0;
        shoot();
    }

    @Override
    public void step(float[] actions, int offset) {
        environment.step(actions, offset);
        step++;
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
