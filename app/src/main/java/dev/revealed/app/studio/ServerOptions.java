package dev.revealed.app.studio;

import dev.revealed.app.BaseCommand;
import dev.revealed.app.Main;
import dev.revealed.app.PlainOptions;
import dev.revealed.app.view.Console;
import dev.revealed.numeric.BadInput;
import dev.revealed.runs.Json;
import dev.revealed.studio.Certificate;
import dev.revealed.studio.Studio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
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
                    + " For other machines it needs --certificate or --unencrypted; an SSH tunnel needs neither.")
    private String host = Studio.Options.HERE;

    @Option(
            names = "--certificate",
            paramLabel = "FILE",
            description = "Certificate and key to encrypt with, PKCS12; the address then begins with https.")
    private @Nullable Path certificate;

    @Option(
            names = "--certificate-password",
            paramLabel = "FILE",
            description = "Text file with the password of --certificate in its first line (default: none).")
    private @Nullable Path password;

    @Option(
            names = "--unencrypted",
            description =
                    "With --host: serve other machines without encryption. Whoever listens on the network between can"
                            + " then read the address, read the folders and start commands.")
    private boolean unencrypted;

    @Mixin
    private PlainOptions plain = new PlainOptions();

    /** What is printed with --json. */
    private record Document(String address, int port, List<String> folders) {}

    /** Serves until the command is ended. */
    int serve(List<Path> folders, Function<Studio, URI> address) {
        Console console = Console.system(plain.json);
        Optional<SSLContext> secure = secure();
        try (Studio studio = Studio.start(
                new Studio.Options(folders, host, port, secure),
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
                        "warning: --host %s: whoever reaches this machine and has the address can read these folders and start commands%s."
                                .formatted(host, secure.isPresent() ? "" : ", and the address travels unencrypted"));
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

    /** Beyond this machine a certificate, or the word of the user that there need be none. */
    private Optional<SSLContext> secure() {
        BadInput.when(
                unencrypted && certificate != null,
                "--unencrypted and --certificate are both given",
                "Leave one of them out.");
        BadInput.when(
                unencrypted && isLoopback(),
                "--unencrypted has no effect here: --host %s lets no other machine in".formatted(host),
                "Leave it out, or name an address of this machine with --host.");
        if (certificate != null) {
            return Optional.of(Certificate.read(Main.existing(certificate), firstLine(password)));
        }
        if (password != null) {
            throw new BadInput("--certificate-password without --certificate", "Name the file of the certificate.");
        }
        if (!isLoopback() && !unencrypted) {
            throw new BadInput(
                    "--host %s would let other machines read these folders and start commands, over connections that anyone between can read"
                            .formatted(host),
                    "Give --certificate FILE; or use an SSH tunnel without --host (docs/guide/studio.md); or say --unencrypted.");
        }
        return Optional.empty();
    }

    private static char[] firstLine(@Nullable Path file) {
        if (file == null) {
            return new char[0];
        }
        try (Stream<String> lines = Files.lines(Main.existing(file))) {
            return lines.findFirst().orElse("").toCharArray();
        } catch (IOException | UncheckedIOException e) {
            throw new BadInput("%s cannot be read (%s)".formatted(file, e.getMessage()), "Check its permissions.");
        }
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
