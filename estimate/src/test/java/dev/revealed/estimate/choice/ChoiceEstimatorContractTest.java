package dev.revealed.estimate.choice;

import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.inference.ChoiceEstimate;
import dev.revealed.estimate.choice.inference.ChoiceEstimator;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import dev.revealed.estimate.choice.types.TypesEstimator;
import org.junit.jupiter.api.Nested;

/** Every method for choice models keeps the contract, and so does a mixture of one type. */
class ChoiceEstimatorContractTest {
    /** A method, with the usual standard errors. */
    abstract static class OfMethod extends ChoiceEstimatorContract {
        private final PanelMethod method;

        OfMethod(PanelMethod method) {
            this.method = method;
        }

        @Override
        protected ChoiceEstimate fit(ChoiceProblem problem) {
            return new ChoiceEstimator(method).fit(problem, 1);
        }
    }

    @Nested
    class Nfxp extends OfMethod {
        Nfxp() {
            super(NestedFixedPoint.standard());
        }
    }

    @Nested
    class NfxpByBhhh extends OfMethod {
        NfxpByBhhh() {
            super(NestedFixedPoint.standard().by(NestedFixedPoint.Search.BHHH));
        }
    }

    @Nested
    class NfxpByLbfgs extends OfMethod {
        NfxpByLbfgs() {
            super(NestedFixedPoint.standard().by(NestedFixedPoint.Search.LBFGS));
        }
    }

    @Nested
    class FullLikelihood extends OfMethod {
        FullLikelihood() {
            super(NestedFixedPoint.standard().full(true));
        }
    }

    @Nested
    class SingleLoop extends OfMethod {
        SingleLoop() {
            super(new MlIrlMethod(MlIrl.preconditioned()));
        }
    }

    @Nested
    class MaximumEntropy extends OfMethod {
        MaximumEntropy() {
            super(MaxEnt.standard());
        }
    }

    @Nested
    class Constrained extends OfMethod {
        Constrained() {
            super(Mpec.standard().by(Mpec.Solver.JAVA));
        }
    }

    @Nested
    class HotzMiller extends OfMethod {
        HotzMiller() {
            super(Ccp.standard());
        }
    }

    @Nested
    class NestedPseudoLikelihood extends OfMethod {
        NestedPseudoLikelihood() {
            super(Npl.standard());
        }
    }

    @Nested
    class TemporalDifference extends OfMethod {
        TemporalDifference() {
            super(TdCcp.semiGradient());
        }
    }

    @Nested
    class TemporalDifferenceRobust extends OfMethod {
        TemporalDifferenceRobust() {
            super(TdCcp.locallyRobust());
        }
    }

    @Nested
    class HotzMillerSandersSmith extends OfMethod {
        HotzMillerSandersSmith() {
            super(Hmss.standard());
        }
    }

    @Nested
    class BajariBenkardLevin extends OfMethod {
        BajariBenkardLevin() {
            super(Bbl.standard());
        }
    }

    abstract static class OneType extends ChoiceEstimatorContract {
        private final TypesEstimator.Form form;

        OneType(TypesEstimator.Form form) {
            this.form = form;
        }

        @Override
        protected ChoiceEstimate fit(ChoiceProblem problem) {
            return TypesEstimator.of(1).by(form).fit(problem, 1);
        }
    }

    @Nested
    class OneTypeFull extends OneType {
        OneTypeFull() {
            super(TypesEstimator.Form.FULL);
        }
    }

    @Nested
    class OneTypeNpl extends OneType {
        OneTypeNpl() {
            super(TypesEstimator.Form.NPL);
        }
    }

    @Nested
    class OneTypeCcp extends OneType {
        OneTypeCcp() {
            super(TypesEstimator.Form.CCP);
        }
    }
}
