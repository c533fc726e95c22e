package dev.revealed.mujoco;

import dev.revealed.numeric.BadInput;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skipped, with the reason, where the library is not installed; in CI it must be, so there the test runs and fails. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsMujoco.Condition.class)
@interface NeedsMujoco {
    final class Condition implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            try {
                return ConditionEvaluationResult.enabled(
                        "MuJoCo " + Library.get().layout().version());
            } catch (BadInput e) {
                if ("true".equals(System.getenv("CI"))) {
                    return ConditionEvaluationResult.enabled("without MuJoCo, to fail");
                }
                System.err.println("SKIPPED " + context.getDisplayName() + ": " + e.getMessage());
                return ConditionEvaluationResult.disabled(e.getMessage());
            }
        }
    }
}
