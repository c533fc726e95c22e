package dev.revealed.mujoco;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

@NeedsMujoco
class LibraryTest {
    @Test
    void aMissingFileIsNamedAndTheCommandGiven() {
        assertThatThrownBy(() -> Library.open("/nowhere/libmujoco.so"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("REVEALED_MUJOCO is /nowhere/libmujoco.so")
                .hasMessageContaining("apt-get install libmujoco2.2.2");
    }

    @Test
    void anotherLibraryIsNotTakenForMujoco() {
        assertThatThrownBy(() -> Library.open("libm.so.6"))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("libm.so.6 is a library but not MuJoCo: it has no mj_version");
    }

    @Test
    void unknownVersionsAreRefusedByName() {
        assertThatThrownBy(() -> Layout.of(3013000))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("version 3.13.0")
                .hasMessageContaining("2.2.2, 2.3.0");
        assertThatThrownBy(() -> Layout.of(221)).hasMessageContaining("version 2.2.1");
    }

    @Test
    void versionsWithLongSizesAreKnown() {
        assertThat(Layout.of(222).version()).isEqualTo("2.2.2");
        assertThat(Layout.of(222).at("sizeof.count")).isEqualTo(4);
        assertThat(Layout.of(3005000).version()).isEqualTo("3.5.0");
        assertThat(Layout.of(3005000).at("sizeof.count")).isEqualTo(8);
    }

    /** MuJoCo's own way is to end the process. */
    @Test
    void aFatalErrorIsAnExceptionWithTaskAndStep() {
        Assumptions.assumeTrue(
                Library.get().layout().version().equals("2.2.2"), "the place of the integrator in 2.2.2");
        try (Model model = Model.compile("hopper", Inertia.MODERN);
                Locomotion simulator = new Locomotion(Task.HOPPER, Options.STANDARD, model, false)) {
            simulator.step(new float[3], 0);
            model.segment().set(JAVA_INT, 232 + 200, 77); // an integrator that does not exist
            assertThatThrownBy(() -> simulator.step(new float[3], 0))
                    .isInstanceOf(SimulationFailure.class)
                    .hasMessageContaining("hopper, step 2: MuJoCo gave up: ")
                    .hasMessageContaining("integrator");
        }
    }
}
