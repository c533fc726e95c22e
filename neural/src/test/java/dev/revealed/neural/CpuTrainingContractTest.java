package dev.revealed.neural;

import dev.revealed.numeric.RandomStream;
import java.util.List;

class CpuTrainingContractTest extends TrainingContract {
    @Override
    protected Training training(long seed) {
        Line line = new Line(7);
        RandomStream stream = RandomStream.of(seed);
        Sac.Settings settings = Sac.Settings.PAPER.withHidden(8, 8).withBatch(6);
        return new CpuTraining(
                List.of(line, new Line(7)),
                new Sac(line.space(), settings, stream, 1),
                new Training.Schedule(60, 0.7, 100),
                stream);
    }
}
