package dev.revealed.app.route;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A small city unlike Borlänge: streets of a 6 by 6 grid with coordinates in degrees, links with words for names and
 * columns of their own, trips that end on links.
 */
final class City {
    private static final int SIDE = 6;

    final Path edges;
    final Path nodes;
    final Path demand;

    City(Path folder) throws IOException {
        StringBuilder links = new StringBuilder("edge_id,u,v,minutes,kind\n");
        StringBuilder points = new StringBuilder("osmid,lon,lat\n");
        Random random = new Random(4);
        List<String> names = new ArrayList<>();
        for (int i = 0; i < SIDE; i++) {
            for (int j = 0; j < SIDE; j++) {
                points.append("n%d%d,%s,%s\n".formatted(i, j, 18 + 0.01 * i, 59 + 0.005 * j));
                for (int[] move : new int[][] {{1, 0}, {0, 1}, {-1, 0}, {0, -1}}) {
                    int x = i + move[0];
                    int y = j + move[1];
                    if (x >= 0 && y >= 0 && x < SIDE && y < SIDE) {
                        String name = "street %d%d-%d%d".formatted(i, j, x, y).replace(' ', '.');
                        String kind = j == 2 && y == 2 ? "main" : "side";
                        names.add(name);
                        links.append("%s,n%d%d,n%d%d,%.3f,%s\n"
                                .formatted(
                                        name, i, j, x, y, (kind.equals("main") ? 0.6 : 1) + random.nextDouble(), kind));
                    }
                }
            }
        }
        StringBuilder table = new StringBuilder("ori,des,volume\n");
        for (int pair = 0; pair < 40; pair++) {
            String from = names.get(random.nextInt(names.size()));
            String to = names.get(random.nextInt(names.size()));
            if (!from.equals(to)) {
                table.append("%s,%s,25\n".formatted(from, to));
            }
        }
        edges = Files.writeString(folder.resolve("edges.csv"), links);
        nodes = Files.writeString(folder.resolve("nodes.csv"), points);
        demand = Files.writeString(folder.resolve("demand.csv"), table);
    }

    /** The options that name the network and its features. */
    List<String> options() {
        return List.of(
                "--network",
                edges.toString(),
                "--nodes",
                nodes.toString(),
                "--feature",
                "minutes",
                "--feature",
                "left=angle < -0.5 and not uturn",
                "--feature",
                "constant=1",
                "--feature",
                "uturn",
                "--feature",
                "main=kind == 'main'");
    }

    static final String TRUTH = "minutes=-1.5,left=-0.5,constant=-1,uturn=-2,main=0.4";
    static final double[] VALUES = {-1.5, -0.5, -1, -2, 0.4};
}
