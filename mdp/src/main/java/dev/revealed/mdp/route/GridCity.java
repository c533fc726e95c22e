package dev.revealed.mdp.route;

import dev.revealed.mdp.route.Trips.Trip;
import dev.revealed.numeric.BadInput;
import dev.revealed.numeric.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A generated city of any size: crossings on a square grid that is a little crooked, streets in both directions between
 * neighbours, every eighth street a faster one, and one in seven of the horizontal streets of odd rows missing. Features
 * are those of Borlänge: travel time in minutes, left turn, a constant per link, u-turn. Everything depends on the seed.
 *
 * @param trips one or more to each destination, along streets but not the shortest
 */
public record GridCity(Trips trips, PairFeatures features) {
    private static final double MISSING = 1.0 / 7;
    private static final int FAST = 8;
    private static final double LEFT = -0.5236; // 30 degrees
    private static final double UTURN = 3.1;

    /** A city of about so many links. */
    public static GridCity of(int links, int destinations, int tripsEach, RandomStream stream) {
        BadInput.when(links < 100, "a city of %d links".formatted(links), "Ask for 100 or more.");
        BadInput.count("`destinations`", destinations);
        BadInput.count("trips per destination", tripsEach);
        return new Builder(Math.max(4, (int) Math.round(Math.sqrt(links / 3.85))), stream)
                .city(destinations, tripsEach);
    }

    private static final class Builder {
        private final int side;
        private final RandomStream stream;
        private final double[] x; // of crossings
        private final double[] y;
        private final int[] out; // by crossing and direction (east, north, west, south): the link, or -1
        private int[] from; // crossings of links
        private int[] to;

        Builder(int side, RandomStream stream) {
            this.side = side;
            this.stream = stream;
            int crossings = side * side;
            RandomStream places = stream.named("places");
            x = new double[crossings];
            y = new double[crossings];
            for (int i = 0; i < crossings; i++) {
                int row = i / side;
                x[i] = i - row * side + places.nextDouble(-0.25, 0.25);
                y[i] = row + places.nextDouble(-0.25, 0.25);
            }
            out = new int[4 * crossings];
            Arrays.fill(out, -1);
            from = new int[4 * crossings];
            to = new int[4 * crossings];
            RandomStream missing = stream.named("missing");
            int links = 0;
            for (int i = 0; i < crossings; i++) {
                boolean east = i % side + 1 < side;
                if (east && !((i / side) % 2 == 1 && missing.nextDouble() < MISSING)) {
                    links = street(i, 0, i + 1, links);
                }
                if (i + side < crossings) {
                    links = street(i, 1, i + side, links);
                }
            }
            from = Arrays.copyOf(from, links);
            to = Arrays.copyOf(to, links);
        }

        private int street(int a, int direction, int b, int links) {
            out[4 * a + direction] = links;
            from[links] = a;
            to[links] = b;
            out[4 * b + direction + 2] = links + 1;
            from[links + 1] = b;
            to[links + 1] = a;
            return links + 2;
        }

        GridCity city(int destinations, int tripsEach) {
            int[] start = new int[from.length + 1];
            int[] next = new int[4 * from.length];
            for (int k = 0; k < from.length; k++) {
                int end = start[k];
                for (int direction = 0; direction < 4; direction++) {
                    int link = out[4 * to[k] + direction];
                    if (link >= 0) {
                        next[end++] = link;
                    }
                }
                Arrays.sort(next, start[k], end);
                start[k + 1] = end;
            }
            List<String> names = new ArrayList<>(from.length);
            for (int k = 0; k < from.length; k++) {
                names.add(Integer.toString(k + 1));
            }
            Network network = new Network(names, start, Arrays.copyOf(next, start[from.length]));
            return new GridCity(trips(network, destinations, tripsEach), features(network));
        }

        private PairFeatures features(Network network) {
            double[][] values = new double[4][network.pairs()];
            for (int k = 0; k < from.length; k++) {
                for (int e = network.start()[k]; e < network.start()[k + 1]; e++) {
                    int a = network.to()[e];
                    double turn = angle(k, a);
                    values[0][e] = minutes(a);
                    values[1][e] = turn < LEFT && turn > -UTURN ? 1 : 0;
                    values[2][e] = 1;
                    values[3][e] = to[a] == from[k] ? 1 : 0;
                }
            }
            return new PairFeatures(List.of("time", "left", "constant", "uturn"), values);
        }

        private double minutes(int link) {
            int a = from[link];
            int b = to[link];
            boolean fast = a / side == b / side ? (a / side) % FAST == 0 : (a % side) % FAST == 0;
            return Math.hypot(x[b] - x[a], y[b] - y[a]) * (fast ? 0.1 : 0.2);
        }

        /** Between two links, negative to the left. */
        private double angle(int k, int a) {
            double turn = Math.atan2(y[to[k]] - y[from[k]], x[to[k]] - x[from[k]])
                    - Math.atan2(y[to[a]] - y[from[a]], x[to[a]] - x[from[a]]);
            return turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
        }

        private Trips trips(Network network, int destinations, int tripsEach) {
            RandomStream random = stream.named("trips");
            List<Destination> ends = new ArrayList<>();
            List<Trip> trips = new ArrayList<>();
            for (int d = 0; d < destinations; d++) {
                int end = random.nextInt(side * side);
                List<Integer> last = new ArrayList<>();
                for (int direction = 0; direction < 4; direction++) {
                    int leaving = out[4 * end + direction];
                    if (leaving >= 0) {
                        last.add(leaving % 2 == 0 ? leaving + 1 : leaving - 1); // the other direction of that street
                    }
                }
                ends.add(new Destination.Place(
                        "D" + (d + 1), last.stream().mapToInt(i -> i).toArray()));
                for (int t = 0; t < tripsEach; t++) {
                    int begin = random.nextInt(side * side);
                    while (begin == end) {
                        begin = random.nextInt(side * side);
                    }
                    trips.add(new Trip("T%d.%d".formatted(d + 1, t + 1), path(begin, end), d));
                }
            }
            return new Trips(network, ends, trips);
        }

        /** To a row where no street is missing, along it, then to the destination. */
        private int[] path(int begin, int end) {
            List<Integer> links = new ArrayList<>();
            int at = begin;
            if (at % side != end % side && (at / side) % 2 == 1) {
                at = drive(at, at - side, links);
            }
            while (at % side != end % side) {
                at = drive(at, at % side < end % side ? at + 1 : at - 1, links);
            }
            while (at != end) {
                at = drive(at, at < end ? at + side : at - side, links);
            }
            return links.stream().mapToInt(i -> i).toArray();
        }

        private int drive(int at, int next, List<Integer> links) {
            int direction = next == at + 1 ? 0 : next == at - 1 ? 2 : next > at ? 1 : 3;
            links.add(out[4 * at + direction]);
            return next;
        }
    }
}
