package dev.revealed.bench;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.Adam;
import org.bytedeco.pytorch.AdamOptions;
import org.bytedeco.pytorch.Context;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.ScalarOptional;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * The same update by libtorch, written as its users write it: eager operations, automatic gradients, the library's Adam.
 * Subnormal numbers are flushed to zero, which it does not do by itself and which speeds it up.
 */
@SuppressWarnings("try") // scopes and guards work by being open
final class Libtorch implements SacBench.Rival {
    private static final int HIDDEN = 256;
    private static final double LOG_2 = Math.log(2);
    private static final double HALF_LOG_TWO_PI = 0.5 * Math.log(2 * Math.PI);

    private int inUse;

    @Override
    public String name() {
        return "libtorch";
    }

    @Override
    public Runnable update(int observations, int actions, int batch, int threads) {
        torch.manual_seed(1);
        Update update = new Update(observations, actions, batch);
        return () -> {
            useThreads(threads);
            update.run();
        };
    }

    /** Both its own threads and those of the BLAS it comes with. */
    private void useThreads(int threads) {
        if (threads != inUse) {
            torch.set_num_threads(threads);
            openblas_nolapack.blas_set_num_threads(threads);
            Context.setFlushDenormal(true);
            inUse = threads;
        }
    }

    private static TensorVector parameters(LinearImpl... layers) {
        TensorVector all = new TensorVector();
        for (LinearImpl layer : layers) {
            all.push_back(layer.weight());
            all.push_back(layer.bias());
        }
        return all;
    }

    private static Scalar scalar(double value) {
        return new Scalar(value);
    }

    private static final class Critic {
        private final LinearImpl first;
        private final LinearImpl second;
        private final LinearImpl last;

        Critic(int in) {
            first = new LinearImpl(in, HIDDEN);
            second = new LinearImpl(HIDDEN, HIDDEN);
            last = new LinearImpl(HIDDEN, 1);
        }

        Tensor value(Tensor pair) {
            return last.forward(second.forward(first.forward(pair).relu()).relu())
                    .squeeze(-1);
        }

        LinearImpl[] layers() {
            return new LinearImpl[] {first, second, last};
        }
    }

    /** Networks, optimisers and one batch. */
    private static final class Update implements Runnable {
        private final LinearImpl first;
        private final LinearImpl second;
        private final LinearImpl mean;
        private final LinearImpl logStd;
        private final Critic[] critics;
        private final Critic[] targets;
        private final TensorVector criticParameters;
        private final TensorVector targetParameters;
        private final Adam actorAdam;
        private final Adam criticAdam;
        private final Tensor states;
        private final Tensor taken;
        private final Tensor rewards;
        private final Tensor nextStates;
        private final Tensor live;

        /** An action and its log density. */
        private record Draw(Tensor action, Tensor logDensity) {}

        Update(int observations, int actions, int batch) {
            first = new LinearImpl(observations, HIDDEN);
            second = new LinearImpl(HIDDEN, HIDDEN);
            mean = new LinearImpl(HIDDEN, actions);
            logStd = new LinearImpl(HIDDEN, actions);
            critics = new Critic[] {new Critic(observations + actions), new Critic(observations + actions)};
            targets = new Critic[] {new Critic(observations + actions), new Critic(observations + actions)};
            criticParameters = all(critics);
            targetParameters = all(targets);
            for (long i = 0; i < criticParameters.size(); i++) {
                targetParameters.get(i).set_requires_grad(false);
                targetParameters.get(i).copy_(criticParameters.get(i).detach());
            }
            actorAdam = new Adam(parameters(first, second, mean, logStd), new AdamOptions(1e-3));
            criticAdam = new Adam(all(critics), new AdamOptions(1e-3));
            states = torch.randn(batch, observations);
            taken = torch.rand(batch, actions).mul(scalar(2)).sub(scalar(1));
            rewards = torch.randn(batch);
            nextStates = torch.randn(batch, observations);
            live = torch.ones(batch);
        }

        private static TensorVector all(Critic[] critics) {
            LinearImpl[] a = critics[0].layers();
            LinearImpl[] b = critics[1].layers();
            return parameters(a[0], a[1], a[2], b[0], b[1], b[2]);
        }

        private Draw draw(Tensor observed) {
            Tensor hidden = second.forward(first.forward(observed).relu()).relu();
            Tensor mu = mean.forward(hidden);
            Tensor log = logStd.forward(hidden).clamp(new ScalarOptional(scalar(-20)), new ScalarOptional(scalar(2)));
            Tensor std = log.exp();
            Tensor u = mu.add(std.mul(torch.randn_like(mu)));
            Tensor z = u.sub(mu).div(std);
            Tensor normal = z.square()
                    .mul(scalar(-0.5))
                    .sub(log)
                    .sub(scalar(HALF_LOG_TWO_PI))
                    .sum(1);
            Tensor slope = u.add(torch.softplus(u.mul(scalar(-2))))
                    .neg()
                    .add(scalar(LOG_2))
                    .mul(scalar(2));
            return new Draw(u.tanh(), normal.sub(slope.sum(1)));
        }

        private static Tensor pair(Tensor state, Tensor action) {
            return torch.cat(new TensorVector(state, action), -1);
        }

        @Override
        public void run() {
            try (PointerScope scope = new PointerScope()) {
                improveCritics();
                for (long i = 0; i < criticParameters.size(); i++) {
                    criticParameters.get(i).set_requires_grad(false);
                }
                improveActor();
                for (long i = 0; i < criticParameters.size(); i++) {
                    criticParameters.get(i).set_requires_grad(true);
                }
                try (NoGradGuard guard = new NoGradGuard()) {
                    for (long i = 0; i < criticParameters.size(); i++) {
                        targetParameters.get(i).mul_(scalar(0.995)).add_(criticParameters.get(i), scalar(0.005));
                    }
                }
            }
        }

        private void improveCritics() {
            criticAdam.zero_grad();
            Tensor stored = pair(states, taken);
            Tensor q1 = critics[0].value(stored);
            Tensor q2 = critics[1].value(stored);
            Tensor target;
            try (NoGradGuard guard = new NoGradGuard()) {
                Draw next = draw(nextStates);
                Tensor ahead = pair(nextStates, next.action);
                Tensor least = targets[0].value(ahead).minimum(targets[1].value(ahead));
                target = rewards.add(live.mul(scalar(0.99)).mul(least.sub(next.logDensity.mul(scalar(0.2)))));
            }
            q1.sub(target).square().mean().add(q2.sub(target).square().mean()).backward();
            criticAdam.step();
        }

        private void improveActor() {
            actorAdam.zero_grad();
            Draw now = draw(states);
            Tensor pairs = pair(states, now.action);
            Tensor least = critics[0].value(pairs).minimum(critics[1].value(pairs));
            now.logDensity.mul(scalar(0.2)).sub(least).mean().backward();
            actorAdam.step();
        }
    }
}
