package dev.revealed.neural.ensemble;

import dev.revealed.neural.Adam;
import dev.revealed.neural.DivergenceFailure;
import dev.revealed.neural.Mlp;
import dev.revealed.neural.Network;
import dev.revealed.neural.Tape;
import dev.revealed.numeric.Parallel;
import dev.revealed.numeric.RandomStream;
import dev.revealed.numeric.Tensors;
import java.util.List;

/** An ensemble on the processor: a task for a thread is a member's whole pass, so that no sum is shared between threads. */
final class CpuEnsemble implements Ensemble {
    private final PredictedRows rows;
    private final int batch;
    private final List<Member> members;

    CpuEnsemble(Mlp shape, PredictedRows rows, Settings settings, List<RandomStream> streams) {
        this.rows = rows;
        batch = settings.batch();
        members = streams.stream()
                .map(stream -> new Member(shape, settings, stream))
                .toList();
    }

    @Override
    public double[] pass(int[][] orders) {
        double[] found = new double[members.size()];
        Parallel.tasks(members.size(), m -> found[m] = members.get(m).pass(orders[m]));
        return found;
    }

    @Override
    public double[] losses(int[] of) {
        double[] found = new double[members.size()];
        Parallel.tasks(members.size(), m -> found[m] = members.get(m).loss(of));
        return found;
    }

    @Override
    public float[] parameters(int member) {
        return members.get(member).network.parameters().clone();
    }

    @Override
    public void save(int member, String prefix, Tensors into) {
        Member one = members.get(member);
        one.network.save(prefix, into);
        one.adam.save(prefix + ".adam", into);
    }

    @Override
    public void restore(int member, String prefix, Tensors from) {
        Member one = members.get(member);
        one.network.restore(prefix, from);
        one.adam.restore(prefix + ".adam", from);
    }

    @Override
    public void close() {}

    private final class Member {
        private final Network network;
        private final Adam adam;
        private final Tape tape;
        private final float[] gradient;
        private final float[] inputs;
        private final float[] targets;
        private final boolean[] ended;

        Member(Mlp shape, Settings settings, RandomStream stream) {
            network = Network.random(shape, stream);
            int parameters = network.parameters().length;
            adam = new Adam(settings.adam(), parameters);
            tape = network.tape(batch);
            gradient = new float[parameters];
            inputs = new float[batch * rows.width()];
            targets = new float[batch * rows.wide()];
            ended = new boolean[rows.ends() ? batch : 0];
        }

        double pass(int[] order) {
            int batches = order.length / batch;
            double sum = 0;
            for (int b = 0; b < batches; b++) {
                load(order, b * batch, batch);
                tape.forward(inputs, batch);
                double loss = Gaussian.loss(batch, rows.wide(), tape.output(), targets, ended, tape.outputGradient());
                if (!Double.isFinite(loss)) {
                    throw new DivergenceFailure(adam.steps() + 1, "loss of the world model", loss);
                }
                sum += loss;
                tape.propagate(batch);
                tape.gradient(batch, gradient, false);
                adam.step(network.parameters(), gradient);
                network.changed();
            }
            return sum / batches;
        }

        double loss(int[] of) {
            double sum = 0;
            for (int from = 0; from < of.length; from += batch) {
                int count = Math.min(batch, of.length - from);
                load(of, from, count);
                tape.forward(inputs, count);
                sum += count * Gaussian.loss(count, rows.wide(), tape.output(), targets, ended, new float[0]);
            }
            return sum / of.length;
        }

        private void load(int[] order, int from, int count) {
            int width = rows.width();
            int wide = rows.wide();
            for (int i = 0; i < count; i++) {
                int row = order[from + i];
                System.arraycopy(rows.inputs(), row * width, inputs, i * width, width);
                System.arraycopy(rows.targets(), row * wide, targets, i * wide, wide);
                if (rows.ends()) {
                    ended[i] = rows.ended()[row];
                }
            }
        }
    }
}
