package dev.revealed.estimate;

import org.junit.jupiter.api.Nested;

/** Every estimator on finite processes keeps the contract. */
class EstimatorContractTest {
    @Nested
    class NestedFixedPoint extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return Nfxp.standard();
        }
    }

    @Nested
    class Preconditioned extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return MlIrl.preconditioned();
        }
    }

    @Nested
    class Tracked extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return MlIrl.tracked(new StepRule.Automatic(), 20_000, 1e-5);
        }
    }

    @Nested
    class Paper extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return MlIrl.paper(1, 0.5, 2_000);
        }

        @Override
        protected boolean exact() {
            return false;
        }
    }

    @Nested
    class MaxEnt extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return MlIrl.maxEnt(new StepRule.Automatic(), 20_000, 1e-5);
        }
    }

    @Nested
    class DeepMaxEnt extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return MlIrl.deepMaxEnt(0.02, 2_000, 1e-4);
        }
    }

    @Nested
    class Deep extends EstimatorContract {
        @Override
        protected Estimator estimator() {
            return MlIrl.deep(0.02, 5_000, 1e-4);
        }
    }
}
