package dev.revealed.app.route;

import dev.revealed.app.view.Numbers;
import dev.revealed.app.view.Table;
import dev.revealed.mdp.route.Demand;
import dev.revealed.mdp.route.Destination;
import dev.revealed.mdp.route.Trips;
import dev.revealed.settings.Part;

/** How much data there is; steps are those between links, and those into destinations that are no links. */
@Part
record RouteSize(int links, int pairs, int destinations, int originDestinationPairs, int trips, long steps) {

    static RouteSize of(Trips trips) {
        int used = (int) trips.list().stream()
                .mapToInt(Trips.Trip::destination)
                .distinct()
                .count();
        long into = trips.list().stream()
                .filter(trip -> trips.destinations().get(trip.destination()) instanceof Destination.Place)
                .count();
        return new RouteSize(
                trips.network().links(),
                trips.network().pairs(),
                used,
                Demand.of(trips).flows().size(),
                trips.size(),
                trips.steps() + into);
    }

    /** Adds these facts to a table. */
    Table facts(Table table) {
        return table.fact("Links", Numbers.count(links))
                .fact("Pairs of links", Numbers.count(pairs))
                .fact("Destinations", Numbers.count(destinations))
                .fact("Origin-destination pairs", Numbers.count(originDestinationPairs))
                .fact("Trips", Numbers.count(trips))
                .fact("Steps", Numbers.count(steps));
    }

    /** Adds a log-likelihood, also per trip and per step. */
    Table logLikelihood(Table table, double value) {
        return table.fact("Log-likelihood", Numbers.decimals(value, 3))
                .fact("  per trip", Numbers.decimals(value / trips, 6))
                .fact("  per step", Numbers.decimals(value / Math.max(1, steps), 6));
    }
}
