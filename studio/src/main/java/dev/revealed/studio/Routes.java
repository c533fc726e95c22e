package dev.revealed.studio;

import com.sun.net.httpserver.HttpExchange;
import dev.revealed.numeric.BadInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What each address answers. */
final class Routes implements AutoCloseable {
    private static final int MOST_FILE = 64 << 20; // bytes
    private static final OpenOption[] AS_IT_IS = {StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS};

    /** How a browser shows files of runs, by their endings; others are saved. */
    private static final Map<String, String> TYPES = Map.of(
            "svg", "image/svg+xml",
            "html", "text/html; charset=utf-8",
            "json", "text/plain; charset=utf-8",
            "jsonl", "text/plain; charset=utf-8",
            "csv", "text/plain; charset=utf-8",
            "tex", "text/plain; charset=utf-8",
            "txt", "text/plain; charset=utf-8",
            "md", "text/plain; charset=utf-8");

    /** Options of 'counterfactual'. */
    private static final List<String> ASKED = List.of(
            "set",
            "remove",
            "discount",
            "demand",
            "action",
            "individuals",
            "horizon",
            "numeraire",
            "intervals",
            "draws",
            "level",
            "seed");

    private final Assets assets = new Assets();
    private final Catalogue catalogue;
    private final LiveRows live;
    private final Commands commands;
    private final Jobs jobs;

    Routes(List<Path> folders, Commands commands, Consumer<Throwable> defects) {
        catalogue = new Catalogue(folders);
        live = new LiveRows(catalogue, defects);
        this.commands = commands;
        jobs = new Jobs(folders.getFirst(), commands);
    }

    void events(HttpExchange exchange) throws IOException {
        live.stream(exchange);
    }

    Reply reply(Request request) throws IOException {
        if (!request.part(0).equals("api")) {
            return request.method().equals("GET")
                    ? assets.get(String.join("/", request.path()), request.exchange())
                            .orElseGet(Reply::unknown)
                    : Reply.unknown();
        }
        if (request.part(1).equals("runs") && request.path().size() > 2) {
            return catalogue
                    .run(request.part(2))
                    .map(run -> ofRun(request, run))
                    .orElseGet(Reply::unknown);
        }
        if (request.to(2).equals("GET /api/tasks") && request.path().size() == 3) {
            return Reply.json(Playback.shapes(request.part(2)));
        }
        if (request.to(2).equals("POST /api/jobs") && request.part(3).equals("stop")) {
            return jobs.stop(request.part(2)) ? Reply.json(jobs.list()) : Reply.unknown();
        }
        return switch (request.to(9)) {
            case "GET /api/runs" -> Reply.json(catalogue.list());
            case "GET /api/jobs" -> Reply.json(jobs.list());
            case "POST /api/jobs" -> Reply.json(jobs.start(request.fields()));
            case "POST /api/checks" -> Reply.json(jobs.check(request.fields()));
            case "POST /api/uploads" -> Reply.json(jobs.upload(request.fields()));
            case "GET /api/forms" -> Reply.json(commands.forms());
            default -> Reply.unknown();
        };
    }

    private Reply ofRun(Request request, Catalogue.Run run) {
        String what = request.path().size() > 3 ? request.method() + " " + request.part(3) : request.method();
        try {
            return switch (what) {
                case "GET" -> Reply.json(catalogue.detail(run));
                case "GET metrics" -> Reply.json(Curves.of(run.folder()));
                case "GET files" -> file(run, request.part(4));
                case "POST episodes" -> Reply.bytes("application/octet-stream", episode(run, request.fields()));
                case "POST resume" -> Reply.json(jobs.resume(run));
                case "GET ghost" -> Reply.bytes("application/octet-stream", Playback.ghost(run.folder()));
                case "GET reward" -> reward(run, request);
                case "POST counterfactual" -> Reply.json(counterfactual(run, request.fields()));
                default -> Reply.unknown();
            };
        } catch (IOException e) {
            throw new BadInput(
                    "%s cannot be read (%s)".formatted(run.name(), BadInput.reason(e)), "Check its permissions.");
        }
    }

    /** A recovered reward, or a slice of it: reward/X/Y, by the numbers of two inputs. */
    private Reply reward(Catalogue.Run run, Request request) {
        RewardExplorer explorer = RewardExplorer.of(run.folder());
        if (request.path().size() == 4) {
            return Reply.json(explorer.overview(run.name(), catalogue.likeRewards(run)));
        }
        try {
            return Reply.json(explorer.slice(Integer.parseInt(request.part(4)), Integer.parseInt(request.part(5))));
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            return Reply.unknown();
        }
    }

    private static byte[] episode(Catalogue.Run run, Map<?, ?> asked) {
        String policy = Request.text(asked, "policy");
        if (!Catalogue.policies(run.folder()).contains(policy)) {
            throw new BadInput("the run has no policy '%s'".formatted(policy), "Reload the page.");
        }
        Double seed = Request.number(asked, "seed");
        Double number = Request.number(asked, "episode");
        return Playback.episode(
                run.folder(),
                policy,
                seed == null ? 1 : seed.longValue(),
                number == null ? 0 : number.intValue(),
                !Boolean.TRUE.equals(asked.get("stochastic")));
    }

    /** What 'counterfactual' says of a fitted model: the page may give these options, and no others. */
    private String counterfactual(Catalogue.Run run, Map<?, ?> asked) {
        Map<String, List<String>> options = new LinkedHashMap<>();
        options.put("from", List.of(run.folder().toString()));
        for (String name : ASKED) {
            Object given = asked.get(name);
            List<?> values = given instanceof List<?> list ? list : given == null ? List.of() : List.of(given);
            options.put(name, values.stream().map(String::valueOf).toList());
        }
        return commands.document("counterfactual", options);
    }

    private static Reply file(Catalogue.Run run, String name) throws IOException {
        Path file = Catalogue.file(run, name).orElse(null);
        if (file == null) {
            return Reply.unknown();
        }
        if (Files.size(file) > MOST_FILE) {
            return Reply.problem(413, name + " is too large for the page", "Open it where it is: " + file);
        }
        try (InputStream in = Files.newInputStream(file, AS_IT_IS)) {
            byte[] bytes = in.readAllBytes();
            String type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
            return type == null
                    ? Reply.file("application/octet-stream", bytes).with("Content-Disposition", "attachment")
                    : Reply.file(type, bytes);
        }
    }

    @Override
    public void close() {
        live.close();
    }
}
