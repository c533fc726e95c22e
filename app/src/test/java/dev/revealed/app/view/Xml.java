package dev.revealed.app.view;

import static org.assertj.core.api.Assertions.fail;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** The JDK's parser as a judge of our markup. */
final class Xml {

    private Xml() {}

    static Document parse(String markup) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(new InputSource(new StringReader(markup)));
        } catch (SAXException | java.io.IOException | ParserConfigurationException e) {
            return fail("not well-formed: " + e.getMessage() + "\n" + markup, e);
        }
    }

    static List<Element> elements(String markup, String name) {
        var nodes = parse(markup).getElementsByTagName(name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    static List<String> texts(String markup, String name) {
        return elements(markup, name).stream().map(Element::getTextContent).toList();
    }
}
