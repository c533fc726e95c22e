package dev.revealed.app.view;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One self-contained HTML page: headings, paragraphs, tables, pictures, the command that made it all, and a footer that
 * says where the numbers came from. The page is also well-formed XML, asks nothing of the network and follows the
 * reader's light or dark setting. Text keeps to a narrow column; a table takes the width it needs, up to that of the
 * window, and scrolls beyond.
 */
public record Report(String title, List<Block> blocks, List<Table.Fact> provenance) {

    private static final String CSS = """
            :root { color-scheme: light dark; --ink: #24292f; --dim: #656d76; --rule: #d0d7de; --code: #f3f5f7;
              --paper: #ffffff; --shade: rgb(0 0 0 / .28); }
            @media (prefers-color-scheme: dark) {
              :root { --ink: #d8dee4; --dim: #8b949e; --rule: #3a424c; --code: #1c2229; --paper: #12161b;
                --shade: rgb(255 255 255 / .28); }
            }
            body { color: var(--ink); background: var(--paper); margin: 3rem 0; padding: 0 1.2rem;
              font: 17px/1.55 Charter, Georgia, 'Times New Roman', serif; }
            h1, h2 { line-height: 1.2; font-weight: 600; text-wrap: balance; }
            h1 { font-size: 1.9rem; } h2 { font-size: 1.25rem; margin-top: 2.4rem; }
            figure { margin: 1.8rem 0; }
            figure.picture { overflow-x: auto; }
            body > * { max-width: 46rem; margin-left: auto; margin-right: auto; }
            figure.picture { max-width: min(100%, 80rem); }
            figure.table { width: fit-content; min-width: min(46rem, 100%); max-width: 100%; }
            figure.table > :not(.scroll) { max-width: 46rem; }
            .scroll { overflow-x: auto; background: linear-gradient(90deg, var(--paper) 1rem, transparent) local left,
              linear-gradient(270deg, var(--paper) 1rem, transparent) local right,
              linear-gradient(90deg, var(--shade), transparent) scroll left,
              linear-gradient(270deg, var(--shade), transparent) scroll right; background-repeat: no-repeat;
              background-size: 2rem 100%, 2rem 100%, .7rem 100%, .7rem 100%; }
            figcaption { font-weight: 600; margin-bottom: .5rem; }
            figure.picture figcaption { font-weight: normal; color: var(--dim); font-size: .9rem; text-align: center;
              max-width: 46rem; margin-left: auto; margin-right: auto; }
            svg { color: var(--ink); display: block; margin: auto; max-width: 100%; height: auto; } svg .paper { fill: none; }
            dl { columns: 2; column-gap: 2.5rem; margin: 0 0 .8rem; font-size: .9rem; }
            dl div { display: flex; justify-content: space-between; gap: 1rem; break-inside: avoid; }
            dt { color: var(--dim); } dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
            table { border-collapse: collapse; width: 100%; font-size: .95rem; font-variant-numeric: tabular-nums;
              border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink); }
            th { font-weight: 600; border-bottom: 1px solid var(--ink); }
            th, td { padding: .25rem .6rem; text-align: left; white-space: nowrap; } .n { text-align: right; }
            th:first-child, td:first-child { padding-left: 0; } th:last-child, td:last-child { padding-right: 0; }
            .note { color: var(--dim); font-size: .85rem; margin: .4rem 0 0; }
            pre { background: var(--code); padding: .8rem 1rem; border-radius: 6px; white-space: pre-wrap; overflow-wrap: anywhere;
              font: 14px/1.45 ui-monospace, Menlo, Consolas, monospace; }
            footer { border-top: 1px solid var(--rule); margin-top: 3rem; padding-top: 1rem; }
            footer dl { columns: 1; font-size: .85rem; } footer div { justify-content: start; } footer dt { width: 8rem; }
            .narrow { display: none; }
            @media (max-width: 40rem) { dl { columns: 1; } figure.picture > svg { max-width: none; min-width: 32rem; }
              .wide { display: none; } .narrow { display: block; } }
            @media print { .wide { display: block; } .narrow { display: none; } figure { break-inside: avoid; } body { margin: 0; } body > *, figure.table { max-width: none; } .scroll { overflow: visible; } }
            """;

    /** A part of the page. */
    public sealed interface Block {}

    /** A text between two tags. */
    public record Text(String before, String text, String after) implements Block {}

    public record Tabular(Table table) implements Block {}

    public record Figure(Picture picture, String caption) implements Block {}

    public Report {
        blocks = List.copyOf(blocks);
        provenance = List.copyOf(provenance);
    }

    public static Report titled(String title) {
        return new Report(title, List.of(), List.of());
    }

    public Report heading(String text) {
        return plus(new Text("<h2>", text, "</h2>"));
    }

    public Report paragraph(String text) {
        return plus(new Text("<p>", text, "</p>"));
    }

    public Report table(Table table) {
        return plus(new Tabular(table));
    }

    public Report picture(Picture picture, String caption) {
        return plus(new Figure(picture, caption));
    }

    public Report code(String text) {
        return plus(new Text("<pre><code>", text, "</code></pre>"));
    }

    /** Adds a line to the footer: version, seed, hash of the data, machine... */
    public Report provenance(String key, Object value) {
        Table.Fact fact = new Table.Fact(key, value.toString());
        return new Report(
                title,
                blocks,
                Stream.concat(provenance.stream(), Stream.of(fact)).toList());
    }

    private Report plus(Block block) {
        return new Report(
                title, Stream.concat(blocks.stream(), Stream.of(block)).toList(), provenance);
    }

    public String toHtml() {
        String head = Markup.escape(title);
        String footer = provenance.stream()
                .map(f -> "<div><dt>%s</dt><dd>%s</dd></div>\n"
                        .formatted(Markup.escape(f.key()), Markup.escape(f.value())))
                .collect(Collectors.joining());
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8"/>
                <meta name="viewport" content="width=device-width, initial-scale=1"/>
                <title>%s</title>
                <style>
                %s</style>
                </head>
                <body>
                <h1>%s</h1>
                %s%s</body>
                </html>
                """.formatted(
                        head,
                        CSS,
                        head,
                        blocks.stream().map(Report::html).collect(Collectors.joining()),
                        footer.isEmpty() ? "" : "<footer>\n<dl>\n" + footer + "</dl>\n</footer>\n");
    }

    /** Where a phone has a picture of its own, both, of which a page shows one. */
    private static String drawn(Picture picture) {
        Picture narrow = picture.narrow();
        return narrow == picture
                ? picture.toSvg()
                : "<div class=\"wide\">%s</div>\n<div class=\"narrow\">%s</div>\n"
                        .formatted(picture.toSvg(), narrow.toSvg());
    }

    private static String html(Block block) {
        return switch (block) {
            case Text(String before, String text, String after) -> before + Markup.escape(text) + after + "\n";
            case Tabular(Table table) -> table.toHtml();
            case Figure(Picture picture, String caption) ->
                "<figure class=\"picture\">\n" + drawn(picture)
                        + (caption.isEmpty() ? "" : "<figcaption>" + Markup.escape(caption) + "</figcaption>\n")
                        + "</figure>\n";
        };
    }
}
