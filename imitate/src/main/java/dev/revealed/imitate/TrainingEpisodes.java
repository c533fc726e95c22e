package dev.revealed.imitate;

import dev.revealed.neural.Training;
import dev.revealed.settings.Part;

/** Episodes of training that ended since the last line of metrics. */
@Part
record TrainingEpisodes(long episodes, double episodeTrueReturn, double episodeLength) {
    static TrainingEpisodes of(Training.Episodes ended) {
        return new TrainingEpisodes(ended.count(), ended.meanReturn(), ended.meanLength());
    }
}
