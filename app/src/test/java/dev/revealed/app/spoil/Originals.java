package dev.revealed.app.spoil;

import dev.revealed.app.Cli;
import dev.revealed.data.EpisodeFiles;
import dev.revealed.data.npz.NpyArray;
import dev.revealed.data.npz.Npz;
import dev.revealed.mdp.Episode;
import dev.revealed.mdp.Episode.Ending;
import dev.revealed.mdp.Episodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Small inputs of every kind, all of them good, and the commands that read them. */
final class Originals {
    private static final String SHOP = """
            discount: 0.9
            settings: {yard: 3}
            states:
              stock: 0..yard
              season: [0, 1]
              demand: -1..1 by 1
            actions: [wait, sell]
            parameters: [storage, effort, margin]
            utility:
              wait: -storage * stock
              sell: -storage * stock - effort + margin * (1 + season) / 2 + min(demand, 1) * 0.1
            available: {sell: stock > 0}
            transitions:
              stock:
                wait: {shift: [0, 1], probabilities: [quiet]}    # a car comes in with probability 1 - quiet
                sell: stock - 1
              season: counted
              demand: {autoregressive: [mu, rho, sigma]}
            data:
              individual: dealer
              period: week
              action: {column: choice, codes: [W, S]}
              columns:
                demand: {column: index, nearest: true}
            """;
    private static final String TINY = " --hidden 8 --batch 8 --replay 1000 --episodes 1 --random-steps 30";
    private static final String LEARN = TINY + " --block 60 --recent 100 --reward-hidden 8 --iterations 2";
    private static final String PROCESS = "grid/mdp\\.npz";
    private static final String TABLES = "grid/(kernel|features|start|reference)\\.csv";

    private final Path folder;
    private final boolean mujoco;
    private final boolean slow;
    private final Cli cli = new Cli();

    private Originals(Path folder, boolean mujoco, boolean slow) {
        this.folder = folder;
        this.mujoco = mujoco;
        this.slow = slow;
    }

    /**
     * Makes them in an empty folder.
     *
     * @param mujoco whether there is a simulator to make and read demonstrations, policies and rewards with
     * @param slow whether to run commands that take seconds
     */
    static Originals in(Path folder, boolean mujoco, boolean slow) throws IOException {
        Originals all = new Originals(folder, mujoco, slow);
        Files.createDirectories(folder);
        all.processes();
        all.panels();
        all.roads();
        if (mujoco) {
            all.runs();
        }
        return all;
    }

    Path folder() {
        return folder;
    }

    private void run(String words) {
        int code = cli.run(words.replace("{in}", folder.toString()).split(" "));
        if (code != 0) {
            throw new IllegalStateException("%s ended with %d: %s".formatted(words, code, cli.err()));
        }
    }

    private void processes() throws IOException {
        run("simulate --model gridworld --size 3 --trajectories 8 --length 5 --out {in}/grid");
        Path grid = folder.resolve("grid");
        StringBuilder reference = new StringBuilder("state,action,probability\n");
        for (int state = 0; state < 9; state++) {
            for (int action = 0; action < 5; action++) {
                reference.append("%d,%d,0.2\n".formatted(state, action));
            }
        }
        Files.writeString(grid.resolve("reference.csv"), reference);
        StringBuilder log = new StringBuilder("state,action,next,reward\n");
        for (int move = 0; move < 90; move++) {
            log.append("%d,%d,%d,0\n".formatted(move % 9, move % 5, (move * 7 + 3) % 9));
        }
        Files.writeString(grid.resolve("log.csv"), log);
        Npz.write(
                grid.resolve("log.npz"),
                java.util.Map.of(
                        "state", NpyArray.of(new int[] {0, 3, 8, 4}),
                        "action", NpyArray.of(new int[] {1, 0, 4, 2}),
                        "next", NpyArray.of(new int[] {0, 1, 5, 8})));
        Npz.write(
                grid.resolve("trajectories.npz"),
                java.util.Map.of(
                        "states",
                        NpyArray.matrix(new int[] {0, 0, 0, 0, 0, 0}, 2, 3),
                        "actions",
                        NpyArray.matrix(new int[] {4, 4, 4, 4}, 2, 2)));
    }

    private void panels() throws IOException {
        Files.writeString(folder.resolve("shop.yaml"), SHOP);
        run("simulate --model {in}/shop.yaml --individuals 10 --periods 10 --out {in}/shop --parameters"
                + " storage=0.2,effort=0.5,margin=1,quiet=0.5,mu=0,rho=0.5,sigma=0.8");
        run("simulate --model rust-bus --individuals 8 --periods 15 --out {in}/buses --parameters"
                + " RC=3,theta11=20,theta30=0.35,theta31=0.64");
        run("estimate --model {in}/shop.yaml --data {in}/shop/panel.csv --method nfxp --out {in}/shop-fit");
        run("estimate --model rust-bus --data {in}/buses/panel.csv --method nfxp --out {in}/bus-fit");
        run("estimate --model rust-bus --data {in}/buses/panel.csv --method ccp --se bootstrap --bootstrap 3 --out"
                + " {in}/bootstrap");
        interrupt("bootstrap");
    }

    /** A road network in each form: pairs with links beside them, links with nodes, lines; trips in a cell and in rows. */
    private void roads() throws IOException {
        Path roads = Files.createDirectories(folder.resolve("roads"));
        StringBuilder pairs = new StringBuilder("from,to,time,angle\n");
        StringBuilder links = new StringBuilder("link,from_node,to_node,time,kind,x1,y1,x2,y2\n");
        StringBuilder lines = new StringBuilder("{\"type\": \"FeatureCollection\", \"features\": [");
        int count = 12;
        for (int k = 0; k < count; k++) {
            pairs.append("r%d,r%d,%s,%s\n".formatted(k, (k + 1) % count, 1 + 0.1 * (k % 3), 0.1 * k));
            pairs.append("r%d,r%d,%s,%s\n".formatted(k, (k + 5) % count, 2 + 0.1 * (k % 4), -0.2 * k));
            int next = (k + 1) % count;
            links.append("r%d,n%d,n%d,%s,%s,%s,%s,%s,%s\n"
                    .formatted(k, k, next, 1 + 0.1 * (k % 3), k % 2 == 0 ? "main" : "side", k, k % 4, next, next % 4));
            lines.append(k == 0 ? "" : ",")
                    .append(
                            "\n{\"type\": \"Feature\", \"geometry\": {\"type\": \"LineString\", \"coordinates\": [[%d, %d], [%d, %d]]}, \"properties\": {\"link\": \"r%d\", \"time\": %s}}"
                                    .formatted(k, k % 4, next, next % 4, k, 1 + 0.1 * (k % 3)));
        }
        Files.writeString(roads.resolve("pairs.csv"), pairs);
        Files.writeString(roads.resolve("links.csv"), links);
        Files.writeString(roads.resolve("lines.geojson"), lines.append("]}\n"));
        Files.writeString(roads.resolve("destinations.csv"), "destination,last_link\nhome,r3\nhome,r7\n");
        Files.writeString(roads.resolve("demand.csv"), "origin,destination,trips\nr0,r7,20\nr2,home,10\nr1,r5,12\n");
        run("simulate --out {in}/roads/drawn --parameters time=-1.2,constant=-0.5 --demand {in}/roads/demand.csv"
                + ROADS);
        Files.copy(roads.resolve("drawn/trips.csv"), roads.resolve("trips.csv"));
        Files.writeString(
                roads.resolve("rows.csv"),
                "trip,order,link,destination\na,1,r0,\na,2,r1,\na,3,r2,\nb,1,r2,\nb,2,r3,\nb,3,r4,r5\n");
        run("estimate --out {in}/roads-fit" + TRIPS + ROADS);
    }

    private static final String ROADS = " --network {in}/roads/pairs.csv --destinations {in}/roads/destinations.csv"
            + " --feature time --feature constant=1";
    private static final String TRIPS = " --trips {in}/roads/trips.csv";

    /** Commands on road networks. */
    private static void ofRoads(List<SpoiledCommand> all) {
        for (String model : List.of("rl", "rl-ls", "rl --links {in}/roads/links.csv")) {
            String estimate = "estimate" + TRIPS + ROADS + " --model " + model;
            add(all, "road pairs CSV", "roads", "roads/pairs.csv", estimate);
            add(all, "road trips CSV", "roads", "roads/(trips|destinations).csv", estimate);
        }
        String drawn = " --parameters time=-1.2,constant=-0.5 --demand {in}/roads/demand.csv";
        add(all, "road links CSV", "roads", "roads/links.csv", "flows --links {in}/roads/links.csv" + ROADS + drawn);
        add(all, "road demand CSV", "roads", "roads/demand.csv", "simulate" + ROADS + drawn);
        add(all, "road demand CSV", "roads", "roads/demand.csv", "predict --likeliest 3" + ROADS + drawn);
        add(
                all,
                "road lines GeoJSON",
                "roads",
                "roads/lines.geojson",
                "predict --network {in}/roads/lines.geojson --feature time --parameters time=-2 --towards r3");
        add(
                all,
                "road trips CSV",
                "roads",
                "roads/rows.csv",
                "predict --paths {in}/roads/rows.csv" + ROADS + " --parameters time=-1.2,constant=-0.5");
        for (String words :
                List.of("flows --select r3", "counterfactual --close r2", "counterfactual --change r3:time=time*1.1")) {
            add(
                    all,
                    "result JSON",
                    "roads roads-fit",
                    "roads-fit/(result|spec).json",
                    words + " --from {in}/roads-fit");
        }
    }

    private void runs() throws IOException {
        run("expert --task hopper --steps 120 --evaluate-every 60 --checkpoint-every 40 --out {in}/expert" + TINY);
        run("record --policy {in}/expert --episodes 3 --out {in}/demos");
        String imitate = "imitate --task hopper --demos {in}/demos/demonstrations.npz --evaluate-every 1"
                + " --checkpoint-every 1" + LEARN;
        run(imitate + " --bootstrap --seeds 1-2 --out {in}/imitated");
        run(
                "imitate --method bc --task hopper --demos {in}/demos/demonstrations.npz --iterations 20 --evaluate-every 10"
                        + " --checkpoint-every 10 --hidden 8 --episodes 1 --out {in}/cloned");
        for (String name : List.of("expert", "imitated", "cloned")) {
            copy(folder.resolve(name), folder.resolve(name + "-cut"));
            interrupt(name + "-cut");
        }
        interrupt("imitated-cut/seed-2");
        Files.writeString(
                folder.resolve("imitate-runs.txt"),
                "# two of them\n--seed 3 --temperature auto\n\n--reward state --optimiser sgd-decaying --seed 2\n");
        Files.writeString(
                folder.resolve("expert-runs.txt"), "--seed 3 --temperature auto\n--discount 0.9 --critics 3\n");
        Path strange = Files.createDirectories(folder.resolve("strange"));
        for (String ending : List.of(".npz", ".hdf5")) {
            EpisodeFiles.write(strange.resolve("wide" + ending), episodes(17, 6));
            EpisodeFiles.write(strange.resolve("column-too-many" + ending), episodes(11, 4));
            EpisodeFiles.write(strange.resolve("states" + ending), episodes(11, 0));
        }
    }

    private static Episodes episodes(int observations, int actions) {
        float[] states = new float[3 * observations];
        Arrays.fill(states, 0.1f);
        return new Episodes(
                List.of(new Episode(2, states, actions == 0 ? null : new float[2 * actions], null, Ending.TRUNCATED)));
    }

    /** Leaves a folder as a command that was killed leaves it. */
    private void interrupt(String name) throws IOException {
        Files.delete(folder.resolve(name).resolve("result.json"));
    }

    /** Copies a file, or a folder with everything in it. */
    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Path there = to.resolve(from.relativize(path).toString());
                Files.createDirectories(
                        path.equals(from) || there.getParent() == null ? to.getParent() : there.getParent());
                if (Files.isDirectory(path)) {
                    Files.createDirectories(there);
                } else {
                    Files.copy(path, there);
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Every command that reads a file, with each kind of file that it reads. */
    List<SpoiledCommand> commands() {
        List<SpoiledCommand> all = new ArrayList<>();
        String process = "--mdp {in}/grid/mdp.npz";
        String tables = "--mdp {in}/grid/kernel.csv --features {in}/grid/features.csv --start {in}/grid/start.csv"
                + " --reference {in}/grid/reference.csv --discount 0.9";
        String seen = " --trajectories {in}/grid/trajectories.csv --iterations 20";
        for (String method :
                List.of("ml-irl", "maxent-irl", "nfxp", "deep-maxent-irl --reward perceptron --hidden 4")) {
            String estimate = " --method " + method;
            add(all, "process NPZ", "grid", PROCESS, "estimate " + process + seen + estimate);
            add(all, "process CSV", "grid", TABLES, "estimate " + tables + seen + estimate);
            add(all, "trajectories CSV", "grid", "grid/trajectories.csv", "estimate " + process + seen + estimate);
            add(
                    all,
                    "trajectories NPZ",
                    "grid",
                    "grid/trajectories.npz",
                    "estimate " + process + " --trajectories {in}/grid/trajectories.npz --iterations 20" + estimate);
        }
        for (String log : List.of("log.csv", "log.npz")) {
            add(
                    all,
                    log.endsWith("csv") ? "log CSV" : "log NPZ",
                    "grid",
                    "grid/" + log,
                    "estimate --dynamics smoothed --caution 0 --bootstrap 20 --features {in}/grid/features.csv --discount 0.9"
                            + " --transitions {in}/grid/" + log + seen);
        }
        String draw = " --trajectories 3 --length 4";
        add(
                all,
                "process NPZ",
                "grid",
                PROCESS,
                "simulate " + process + draw + " --parameters home=1,mud=-1,shade=0.5");
        add(all, "process CSV", "grid", TABLES, "simulate " + tables + draw + " --parameters home=1,mud=-1,shade=0.5");
        for (String method : List.of(
                "ml-irl",
                "nfxp",
                "mpec --solver java",
                "ccp",
                "npl",
                "hmss --draws 20",
                "bbl --draws 20",
                "td-ccp",
                "maxent",
                "nfxp --likelihood full",
                "nfxp --types 2 --type-parameters storage")) {
            String estimate = "estimate --model {in}/shop.yaml --data {in}/shop/panel.csv --method " + method;
            add(all, "panel CSV", "shop shop.yaml", "shop/panel.csv", estimate);
            add(all, "model YAML", "shop shop.yaml", "shop.yaml", estimate);
        }
        for (String method : List.of(
                "ml-irl", "nfxp", "ccp", "npl", "td-ccp", "nfxp --set bins=175", "npl --se bootstrap --bootstrap 2")) {
            add(
                    all,
                    "Rust's bus data",
                    "buses",
                    "buses/panel.csv",
                    "estimate --model rust-bus --data {in}/buses/panel.csv --method " + method);
        }
        add(
                all,
                "model YAML",
                "shop.yaml",
                "shop.yaml",
                "simulate --model {in}/shop.yaml --individuals 3 --periods 4"
                        + " --parameters storage=0.2,effort=0.5,margin=1,quiet=0.5,mu=0,rho=0.5,sigma=0.8");
        ofRoads(all);
        for (String from : List.of("shop-fit", "shop-fit/result.json")) {
            add(
                    all,
                    "result JSON",
                    "shop-fit shop.yaml",
                    "shop-fit/(result|spec).json",
                    "counterfactual --horizon 3 --draws 40 --set effort=1 --from {in}/" + from);
        }
        add(
                all,
                "result JSON",
                "bus-fit",
                "bus-fit/(result|spec).json",
                "counterfactual --horizon 3 --intervals delta --set RC=2 --from {in}/bus-fit");
        for (String spoiled : List.of("checkpoint/.*", "spec.json", "buses/panel.csv")) {
            add(
                    all,
                    spoiled.equals("checkpoint/.*")
                            ? "bootstrap journal"
                            : spoiled.equals("spec.json") ? spoiled : "Rust's bus data",
                    "bootstrap buses",
                    spoiled.startsWith("buses") ? spoiled : "bootstrap/" + spoiled,
                    "estimate --model rust-bus --data {in}/buses/panel.csv --method ccp --se bootstrap --bootstrap 3 --resume"
                            + " --out {in}/bootstrap");
        }
        if (slow) {
            add(all, "Rust's bus data", "buses", "buses/panel.csv", "reproduce rust --data {in}/buses/panel.csv");
        }
        if (mujoco) {
            ofRuns(all);
        }
        return all;
    }

    private static void ofRuns(List<SpoiledCommand> all) {
        for (String ending : List.of("npz", "hdf5")) {
            String kind = "demonstrations " + ending.toUpperCase(java.util.Locale.ROOT);
            String file = "demos/demonstrations." + ending;
            String demos = " --task hopper --demos {in}/" + file;
            add(all, kind, file, file, "imitate --checkpoint-every 1" + demos + LEARN);
            add(all, kind, file, file, "imitate --method bc --iterations 5 --hidden 8 --episodes 1" + demos);
            add(
                    all,
                    kind,
                    file,
                    file,
                    "imitate --checkpoint-every 1 --reward state --bootstrap --seeds 1-2" + demos + LEARN);
            add(all, kind, file + " imitated", file, "reward --reward {in}/imitated/seed-1 --data {in}/" + file);
            add(all, kind, file + " imitated", file, "reward-intervals --reward {in}/imitated --data {in}/" + file);
        }
        String data = " --data {in}/demos/demonstrations.npz";
        String reward = "imitated/seed-1/(reward.safetensors|spec.json|result.json)";
        add(all, "reward", "imitated demos", reward, "reward --reward {in}/imitated/seed-1" + data);
        add(all, "reward", "imitated demos", reward, "reward-intervals --reward {in}/imitated" + data);
        add(
                all,
                "reward",
                "imitated demos",
                reward,
                "expert --task hopper --checkpoint-every 60 --steps 60 --evaluate-every 60 --reward {in}/imitated/seed-1"
                        + TINY);
        add(
                all,
                "reward",
                "imitated",
                "imitated/seed-1/reward.safetensors",
                "expert --task hopper --checkpoint-every 60 --steps 60 --reward {in}/imitated/seed-1/reward.safetensors"
                        + TINY);
        String policy = "expert/(policy.safetensors|best.safetensors|spec.json)";
        add(all, "policy", "expert", policy, "evaluate --policy {in}/expert --episodes 1");
        add(
                all,
                "policy",
                "expert",
                policy,
                "evaluate --policy {in}/expert --checkpoint best --task hopper --episodes 1");
        add(
                all,
                "policy",
                "expert",
                policy,
                "evaluate --policy {in}/expert/policy.safetensors --episodes 1 --stochastic");
        add(all, "policy", "expert", policy, "record --policy {in}/expert --episodes 2");
        add(
                all,
                "policy",
                "expert imitated",
                policy,
                "reward --reward {in}/imitated/seed-1 --policy {in}/expert --task hopper --episodes 1");
        add(
                all,
                "policy",
                "cloned",
                "cloned/policy.safetensors",
                "record --policy {in}/cloned --episodes 1 --deterministic");
        add(
                all,
                "runs file",
                "demos imitate-runs.txt",
                "imitate-runs.txt",
                "imitate --checkpoint-every 1 --task hopper --demos {in}/demos/demonstrations.npz --runs {in}/imitate-runs.txt"
                        + LEARN);
        add(
                all,
                "runs file",
                "expert-runs.txt",
                "expert-runs.txt",
                "expert --task hopper --checkpoint-every 60 --steps 60 --runs {in}/expert-runs.txt" + TINY);
        for (String name : List.of("expert-cut", "cloned-cut", "imitated-cut")) {
            String run = name.equals("imitated-cut") ? name + "/seed-2" : name;
            String resume = (name.startsWith("expert") ? "expert" : "imitate") + " --resume --out {in}/" + name;
            add(all, "checkpoint", name + " demos", run + "/checkpoint/.*", resume);
            add(all, "spec.json", name + " demos", name + "/(.*/)?spec.json", resume);
            add(all, "files of a run", name + " demos", name + "/.*", resume);
            if (!name.startsWith("expert")) {
                add(all, "demonstrations NPZ", name + " demos", "demos/demonstrations.npz", resume);
            }
        }
        add(
                all,
                "checkpoint",
                "cloned-cut",
                "cloned-cut/(checkpoint/.*|policy.safetensors)",
                "evaluate --policy {in}/cloned-cut --episodes 1");
        add(
                all,
                "files of a run",
                "imitated cloned",
                "(imitated|cloned)/(.*/)?(spec.json|result.json|metrics.jsonl|.*csv)",
                "reproduce table1 --from {in}");
    }

    private static void add(List<SpoiledCommand> all, String kind, String inputs, String spoiled, String words) {
        all.add(new SpoiledCommand(kind, List.of(inputs.split(" ", -1)), spoiled, words));
    }
}
