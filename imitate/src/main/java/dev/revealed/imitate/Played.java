package dev.revealed.imitate;

import dev.revealed.neural.Training;
import dev.revealed.settings.Part;

/** Episodes of training that ended since the last line of metrics. */
@Part
record Played(long episodes, double episodeTrueReturn, double episodeLength) {
    static Played of(Training.Episodes ended) {
        return new Played(ended.count(), ended.meanReturn(), ended.meanLength());
    }
}
