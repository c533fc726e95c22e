package dev.revealed.mdp.route;

import java.util.Arrays;

/** Where a trip ends; its value is 0, and the step that enters it has no features. */
public sealed interface Destination {

    String name();

    /** The links from which the process ends: the right-hand side is 1 there. */
    int[] lastLinks();

    /** A place that is no link, entered from some links: a node of the network. */
    record Place(String name, int[] lastLinks) implements Destination {
        public Place {
            lastLinks = Arrays.stream(lastLinks).sorted().distinct().toArray();
        }
    }

    /** A link of the network on which trips end as soon as they reach it. */
    record OnLink(String name, int link) implements Destination {
        @Override
        public int[] lastLinks() {
            return new int[] {link};
        }
    }
}
