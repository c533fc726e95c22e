package dev.revealed.app.view;

/** Text made safe inside XML and HTML. */
final class Markup {

    private Markup() {}

    /** Escapes what has a meaning in markup and replaces what XML cannot hold (control characters, lone surrogates). */
    static String escape(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(isXml(c) ? c : 0xFFFD);
            }
        });
        return safe.toString();
    }

    private static boolean isXml(int c) {
        boolean control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
        return !control && (c < 0xD800 || c > 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
    }
}
