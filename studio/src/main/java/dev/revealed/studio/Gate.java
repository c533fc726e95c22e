package dev.revealed.studio;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets in who came by the address that was printed in the terminal, and nobody else. Other pages in the same browser are
 * kept out three ways: they cannot know the token, the cookie is not sent with what they ask for, and requests that
 * name another host or come from another site are refused before anything else is looked at.
 *
 * @param names of this machine that a request may ask for
 * @param secure whether the cookie is for encrypted connections alone
 */
record Gate(String token, String cookie, Set<String> names, boolean secure) {
    private static final int TOKEN_BYTES = 24;
    private static final Set<String> OWN_SITE = Set.of("same-origin", "none");

    static Gate make(int port, Set<String> names, boolean secure) {
        byte[] bytes = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(bytes);
        return new Gate(
                HexFormat.of().formatHex(bytes), "revealed-" + port, names, secure); // cookies do not tell ports apart
    }

    /** The refusal of a request that is not let in. */
    Optional<Reply> refusal(HttpExchange exchange) {
        Headers headers = exchange.getRequestHeaders();
        if (!names.contains(name(headers.getFirst("Host")))) {
            return refuse(421, "This server answers to " + String.join(", ", names) + " only.");
        }
        String site = headers.getFirst("Sec-Fetch-Site");
        String origin = headers.getFirst("Origin");
        if ((site != null && !OWN_SITE.contains(site)) || (origin != null && !isOwn(origin, headers))) {
            return refuse(403, "Requests of other pages are refused.");
        }
        if (!exchange.getRequestMethod().equals("GET")) {
            String type = String.valueOf(headers.getFirst("Content-Type"));
            if (!exchange.getRequestMethod().equals("POST")) {
                return refuse(405, "GET and POST are known here.");
            }
            if (!type.toLowerCase(Locale.ROOT).startsWith("application/json")) { // forms of other pages cannot send it
                return refuse(415, "Send application/json.");
            }
        }
        return asked(exchange.getRequestURI()).isPresent() || known(headers)
                ? Optional.empty()
                : refuse(
                        403,
                        "Open the address that 'studio' printed in the terminal: it has a token that this one lacks.");
    }

    /** What to answer the address with the token: the page without it, which a cookie then opens. */
    Optional<Reply> welcome(HttpExchange exchange) {
        return asked(exchange.getRequestURI())
                .map(right -> Reply.seeOther("/")
                        .with(
                                "Set-Cookie",
                                "%s=%s; Path=/; HttpOnly; SameSite=Strict%s"
                                        .formatted(cookie, right, secure ? "; Secure" : "")));
    }

    /** The token, where an address has the right one. */
    private Optional<String> asked(URI address) {
        String query = address.getRawQuery();
        return "/".equals(address.getRawPath()) && query != null && same(query, "token=" + token)
                ? Optional.of(token)
                : Optional.empty();
    }

    private boolean known(Headers headers) {
        List<String> sent = headers.getOrDefault("Cookie", List.of());
        return sent.stream()
                .flatMap(line -> Arrays.stream(line.split(";", -1)))
                .anyMatch(each -> same(each.strip(), cookie + "=" + token));
    }

    /** Takes as long for any other text as for the right one. */
    private static boolean same(String given, String right) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), right.getBytes(StandardCharsets.UTF_8));
    }

    private static boolean isOwn(String origin, Headers headers) {
        try {
            return String.valueOf(URI.create(origin).getRawAuthority()).equalsIgnoreCase(headers.getFirst("Host"));
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** The name in a Host header: a tunnel may change the port. */
    private static String name(@Nullable String host) {
        if (host == null) {
            return "";
        }
        int colon = host.lastIndexOf(':');
        String name = colon > host.lastIndexOf(']') ? host.substring(0, colon) : host;
        return name.toLowerCase(Locale.ROOT);
    }

    private static Optional<Reply> refuse(int status, String why) {
        return Optional.of(Reply.text(status, why + "\n"));
    }
}
