package dev.revealed.data.route;

/**
 * The line of a link on a map.
 *
 * @param xy x and y of its points in turn, from start to end; empty where it is not known
 */
public record Shape(double[] xy) {
    /** Metres of a degree of latitude. */
    private static final double DEGREE = 111_320;

    static final Shape UNKNOWN = new Shape(new double[0]);

    public boolean known() {
        return xy.length >= 4;
    }

    /** Whether all coordinates can be degrees of longitude and latitude. */
    static boolean degrees(Shape[] shapes) {
        for (Shape shape : shapes) {
            for (int i = 0; i < shape.xy.length; i += 2) {
                if (Math.abs(shape.xy[i]) > 180 || Math.abs(shape.xy[i + 1]) > 90) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Length in the unit of the coordinates; in metres where they are degrees. */
    double length(boolean degrees) {
        double sum = 0;
        for (int i = 2; i < xy.length; i += 2) {
            sum += Math.hypot(east(i - 2, i, degrees), xy[i + 1] - xy[i - 1]);
        }
        return degrees ? DEGREE * sum : sum;
    }

    private double east(int from, int to, boolean degrees) {
        double shrink = degrees ? Math.cos(Math.toRadians(xy[from + 1])) : 1;
        return (xy[to] - xy[from]) * shrink;
    }

    /** Turn from the end of this link into the next one, in radians: negative to the left, positive to the right. */
    double turn(Shape next, boolean degrees) {
        double out = heading(lastMove(), degrees);
        double in = next.heading(next.firstMove(), degrees);
        double left = in - out;
        while (left <= -Math.PI) {
            left += 2 * Math.PI;
        }
        while (left > Math.PI) {
            left -= 2 * Math.PI;
        }
        return -left;
    }

    private double heading(int from, boolean degrees) {
        return Math.atan2(xy[from + 3] - xy[from + 1], east(from, from + 2, degrees));
    }

    private boolean moves(int from) {
        return xy[from] != xy[from + 2] || xy[from + 1] != xy[from + 3];
    }

    private int firstMove() {
        int from = 0;
        while (from + 4 < xy.length && !moves(from)) {
            from += 2;
        }
        return from;
    }

    private int lastMove() {
        int from = xy.length - 4;
        while (from > 0 && !moves(from)) {
            from -= 2;
        }
        return from;
    }

    /** The point halfway along the list of points. */
    public double[] middle() {
        int half = xy.length / 4 * 2;
        return xy.length == 4
                ? new double[] {(xy[0] + xy[2]) / 2, (xy[1] + xy[3]) / 2}
                : new double[] {xy[half], xy[half + 1]};
    }
}
