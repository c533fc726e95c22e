package dev.revealed.mujoco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.revealed.mujoco.Rules.Health;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When an episode may go on, at the edges. */
class RulesTest {
    @ParameterizedTest
    @CsvSource({
        "hopper,0.7,0,0,false",
        "hopper,0.7001,0.1999,99.9,true",
        "hopper,0.7001,-0.2,0,false",
        "hopper,1.2,0,-100,false",
        "hopper,1.2,0,NaN,false",
        "walker2d,0.8,0,0,false",
        "walker2d,0.8001,0.999,1e9,true",
        "walker2d,1.9999,-1,0,false",
        "walker2d,2,0,0,false"
    })
    void planarRobots(String task, double height, double angle, double velocity, boolean healthy) {
        double[] qpos = {1e6, height, angle, 0, 0, 0};
        double[] qvel = {0, 0, 0, 0, 0, velocity};
        assertThat(Task.named(task).rules().health().healthy(qpos, qvel)).isEqualTo(healthy);
    }

    @ParameterizedTest
    @CsvSource({
        "ant,0.2,0,true",
        "ant,0.1999,0,false",
        "ant,1,0,true",
        "ant,1.0001,0,false",
        "ant,0.5,NaN,false",
        "humanoid,1,0,true",
        "humanoid,0.9999,0,false",
        "humanoid,2,0,true",
        "humanoid,2.0001,0,false",
        "customant,0,0,true"
    })
    void spatialRobots(String task, double height, double velocity, boolean healthy) {
        Health health = Task.named(task).rules().health();
        assertThat(health.healthy(new double[] {0, 0, height}, new double[] {velocity}))
                .isEqualTo(healthy);
    }
}
