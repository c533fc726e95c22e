package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Gives a compiled model the masses that MuJoCo up to 2.1.0 would have given it. A capsule of radius r and half-length h
 * then had the mass and inertia of a cylinder of radius r and length 2h + r; spheres were as they are. The density is
 * that of the compiled model, and so is the total mass where the model prescribes one.
 */
final class LegacyInertia {
    private static final int SPHERE = 2;
    private static final int CAPSULE = 3;

    private final Model model;
    private final int bodies;
    private final int geoms;
    private final int[] geomType;
    private final int[] geomBody;
    private final double[] geomSize;
    private final double[] geomPosition;
    private final double[] geomRotation;
    private final double[] mass;
    private final double[] inertia;
    private final double[] position;
    private final double[] rotation;

    LegacyInertia(Model model) {
        this.model = model;
        bodies = model.count("nbody");
        geoms = model.count("ngeom");
        geomType = model.integers("geom_type", geoms).toArray(JAVA_INT);
        geomBody = model.integers("geom_bodyid", geoms).toArray(JAVA_INT);
        geomSize = doubles("geom_size", 3 * geoms);
        geomPosition = doubles("geom_pos", 3 * geoms);
        geomRotation = doubles("geom_quat", 4 * geoms);
        mass = doubles("body_mass", bodies);
        inertia = doubles("body_inertia", 3 * bodies);
        position = doubles("body_ipos", 3 * bodies);
        rotation = doubles("body_iquat", 4 * bodies);
    }

    /** @param fixedTotal whether the model prescribes its total mass, which then stays */
    void apply(boolean fixedTotal) {
        double total = Arrays.stream(mass).sum();
        double volume = 0;
        for (int geom = 0; geom < geoms; geom++) {
            volume += geomBody[geom] > 0 ? modernVolume(geom) : 0; // body 0 does not move
        }
        double density = total / volume;
        try (Arena arena = Arena.ofConfined()) {
            for (int body = 1; body < bodies; body++) {
                combine(body, density, arena);
            }
        }
        if (fixedTotal) {
            double scale = total / Arrays.stream(mass).sum();
            Arrays.setAll(mass, i -> mass[i] * scale);
            Arrays.setAll(inertia, i -> inertia[i] * scale);
        }
        write("body_mass", mass);
        write("body_inertia", inertia);
        write("body_ipos", position);
        write("body_iquat", rotation);
        model.refreshConstants();
    }

    /** Mass, centre and principal axes of a body from its geoms. */
    private void combine(int body, double density, Arena arena) {
        int[] own =
                IntStream.range(0, geoms).filter(geom -> geomBody[geom] == body).toArray();
        double sum = 0;
        double[] centre = new double[3];
        for (int geom : own) {
            double m = density * volume(geom);
            sum += m;
            for (int i = 0; i < 3; i++) {
                centre[i] += m * geomPosition[3 * geom + i];
            }
        }
        mass[body] = sum;
        if (own.length == 1) { // its own frame, without rounding
            System.arraycopy(geomPosition, 3 * own[0], position, 3 * body, 3);
            System.arraycopy(geomRotation, 4 * own[0], rotation, 4 * body, 4);
            System.arraycopy(moments(own[0], sum), 0, inertia, 3 * body, 3);
            return;
        }
        double[] tensor = new double[9];
        for (int i = 0; i < 3; i++) {
            centre[i] /= sum;
        }
        for (int geom : own) {
            add(geom, density * volume(geom), centre, tensor);
        }
        MemorySegment values = arena.allocate(JAVA_DOUBLE, 3);
        MemorySegment quaternion = arena.allocate(JAVA_DOUBLE, 4);
        MemorySegment matrix = arena.allocateFrom(JAVA_DOUBLE, tensor);
        Library.rarely(model.library().eig3, values, arena.allocate(JAVA_DOUBLE, 9), quaternion, matrix);
        System.arraycopy(centre, 0, position, 3 * body, 3);
        System.arraycopy(values.toArray(JAVA_DOUBLE), 0, inertia, 3 * body, 3);
        System.arraycopy(quaternion.toArray(JAVA_DOUBLE), 0, rotation, 4 * body, 4);
    }

    /** Adds a geom's inertia about the body's centre of mass (Steiner). */
    private void add(int geom, double m, double[] centre, double[] tensor) {
        double[] moments = moments(geom, m);
        double[] r = matrix(geom);
        double[] d = new double[3];
        double square = 0;
        for (int i = 0; i < 3; i++) {
            d[i] = geomPosition[3 * geom + i] - centre[i];
            square += d[i] * d[i];
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                double rotated = 0;
                for (int k = 0; k < 3; k++) {
                    rotated += r[3 * i + k] * moments[k] * r[3 * j + k];
                }
                tensor[3 * i + j] += rotated + m * ((i == j ? square : 0) - d[i] * d[j]);
            }
        }
    }

    /** Moments about the axes of the geom itself. */
    private double[] moments(int geom, double m) {
        double r = geomSize[3 * geom];
        if (geomType[geom] == SPHERE) {
            double moment = 0.4 * m * r * r;
            return new double[] {moment, moment, moment};
        }
        double length = 2 * geomSize[3 * geom + 1] + r;
        double across = m * (3 * r * r + length * length) / 12;
        return new double[] {across, across, m * r * r / 2};
    }

    private double volume(int geom) {
        double r = geomSize[3 * geom];
        return geomType[geom] == SPHERE ? modernVolume(geom) : Math.PI * r * r * (2 * geomSize[3 * geom + 1] + r);
    }

    private double modernVolume(int geom) {
        double r = geomSize[3 * geom];
        double ball = 4.0 / 3.0 * Math.PI * r * r * r;
        return switch (geomType[geom]) {
            case SPHERE -> ball;
            case CAPSULE -> ball + Math.PI * r * r * 2 * geomSize[3 * geom + 1];
            default -> throw new IllegalStateException("a geom that is neither sphere nor capsule");
        };
    }

    /** The rotation of a geom as a matrix, row by row. */
    private double[] matrix(int geom) {
        double w = geomRotation[4 * geom];
        double x = geomRotation[4 * geom + 1];
        double y = geomRotation[4 * geom + 2];
        double z = geomRotation[4 * geom + 3];
        return new double[] {
            w * w + x * x - y * y - z * z,
            2 * (x * y - w * z),
            2 * (x * z + w * y),
            2 * (x * y + w * z),
            w * w - x * x + y * y - z * z,
            2 * (y * z - w * x),
            2 * (x * z - w * y),
            2 * (y * z + w * x),
            w * w - x * x - y * y + z * z
        };
    }

    private double[] doubles(String field, int length) {
        return model.doubles(field, length).toArray(JAVA_DOUBLE);
    }

    private void write(String field, double[] values) {
        MemorySegment.copy(values, 0, model.doubles(field, values.length), JAVA_DOUBLE, 0, values.length);
    }
}
