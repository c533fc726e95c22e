package dev.revealed.app.studio;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.PlainOptions;
import dev.revealed.app.view.Console;
import dev.revealed.runs.Json;
import dev.revealed.studio.Studio;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of commands that open the page. */
final class ServerOptions {
    @Option(
            names = "--port",
            paramLabel = "N",
            description = "Port of the page; 0 takes any that is free" + BaseCommand.DEFAULT)
    private int port;

    @Option(names = "--no-open", description = "Only print the address, without opening a browser.")
    private boolean noOpen;

    @Option(
            names = "--host",
            paramLabel = "NAME",
            description = "Name or address of this machine to listen at" + BaseCommand.DEFAULT
                    + " Other machines can then read the folders if they have the token, and it travels"
                    + " without encryption: prefer an SSH tunnel.")
    private String host = Studio.Options.HERE;

    @Mixin
    private PlainOptions plain = new PlainOptions();

    /** What is printed with --json. */
    private record Document(String address, int port, List<String> folders) {}

    /** Serves until the command is ended. */
    int serve(List<Path> folders, Function<Studio, URI> address) {
        Console console = Console.system(plain.json);
        try (Studio studio = Studio.start(
                new Studio.Options(folders, host, port),
                new PageCommands(),
                defect -> console.warn("a defect in Revealed; " + Main.details(defect)))) {
            URI open = address.apply(studio);
            console.say("The page over %s is at"
                    .formatted(String.join(
                            ", ", folders.stream().map(Path::toString).toList())));
            console.say(open.toString());
            console.say("End it with Ctrl-C.");
            if (!isLoopback()) {
                console.warn(
                        "caution: --host %s: whoever reaches this machine and has the address can read these folders and"
                                        .formatted(host)
                                + " start commands, and the address travels unencrypted.");
            }
            console.json(Json.write(new Document(
                    open.toString(),
                    open.getPort(),
                    folders.stream().map(Path::toString).toList())));
            if (!noOpen) {
                open(open);
            }
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private boolean isLoopback() {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** In the user's browser, where there is one. */
    private static void open(URI address) {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        List<String> command = system.contains("mac")
                ? List.of("open", address.toString())
                : system.contains("windows")
                        ? List.of("rundll32", "url.dll,FileProtocolHandler", address.toString())
                        : List.of("xdg-open", address.toString());
        try {
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // no browser here; the address is printed
        }
    }
}
