package dev.revealed.studies;

import dev.revealed.estimate.MlIrl;
import dev.revealed.estimate.choice.PanelMethod;
import dev.revealed.estimate.choice.constrained.Mpec;
import dev.revealed.estimate.choice.likelihood.MaxEnt;
import dev.revealed.estimate.choice.likelihood.MlIrlMethod;
import dev.revealed.estimate.choice.likelihood.NestedFixedPoint;
import dev.revealed.estimate.choice.simulated.Bbl;
import dev.revealed.estimate.choice.simulated.Hmss;
import dev.revealed.estimate.choice.twostep.Ccp;
import dev.revealed.estimate.choice.twostep.Npl;
import dev.revealed.estimate.choice.twostep.TdCcp;
import java.util.List;

/** A method for choice models that is studied, with the name it has in tables. */
record StudyMethod(String name, PanelMethod method) {

    /** Every method as it is by default, and in its other form where it has one. */
    static List<StudyMethod> all() {
        return List.of(
                new StudyMethod("nfxp", NestedFixedPoint.standard()),
                new StudyMethod(
                        "nfxp, full likelihood", NestedFixedPoint.standard().full(true)),
                new StudyMethod("ml-irl", new MlIrlMethod(MlIrl.preconditioned())),
                new StudyMethod("npl", Npl.standard()),
                new StudyMethod("mpec", Mpec.standard()),
                new StudyMethod("ccp", Ccp.standard()),
                new StudyMethod("hmss", Hmss.standard()),
                new StudyMethod("bbl", Bbl.standard()),
                new StudyMethod("td-ccp", TdCcp.semiGradient()),
                new StudyMethod("td-ccp, locally robust", TdCcp.locallyRobust()),
                new StudyMethod("maxent", MaxEnt.standard()));
    }

    /** The place of the method with that name among {@link #all}. */
    static int place(String name) {
        return all().stream().map(StudyMethod::name).toList().indexOf(name);
    }
}
