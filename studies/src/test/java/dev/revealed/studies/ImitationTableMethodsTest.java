package dev.revealed.studies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.imitate.ImitationMethod;
import dev.revealed.studies.ImitationTable.Method;
import org.junit.jupiter.api.Test;

class ImitationTableMethodsTest {
    /** Runs of one method never count for another. */
    @Test
    void everyMethodHasRowsOfItsOwn() {
        assertThat(ImitationMethod.names().stream().map(name -> Method.of(name, true)))
                .doesNotHaveDuplicates();
        assertThat(Method.of("ml-irl", false)).isNotEqualTo(Method.of("ml-irl", true));
    }

    @Test
    void whatWasPublishedStandsBesideTheMethodThatDoesTheSame() {
        PublishedReturns hopper = PublishedReturns.of("hopper").orElseThrow();
        assertThat(hopper.by(Method.of("gail", false))).isEqualTo(2762.77);
        assertThat(hopper.by(Method.of("f-irl", true))).isEqualTo(3116.02);
        assertThat(hopper.by(Method.of("iq-learn", false))).isEqualTo(3039.21);
        assertThat(hopper.by(Method.of("sqil", false))).isNaN();
    }
}
