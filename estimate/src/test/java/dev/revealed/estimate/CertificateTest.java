package dev.revealed.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.estimate.Certificate.Ball;
import dev.revealed.estimate.Certificate.Linear;
import dev.revealed.estimate.Certificate.Pointwise;
import dev.revealed.estimate.Certificate.Quantity;
import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against numbers worked out by hand. */
class CertificateTest {
    /** The range and discount of the authors' code. */
    private static final Certificate CODE = Certificate.of(20, 0.99, 4, 0.05);

    private static final Pointwise POINT = new Pointwise();

    @Test
    void lemma1AndCorollary2AsPrinted() {
        // 2000 sqrt(ln 40 / 2N): ln 40 = 3.688879
        assertThat(CODE.bound(Quantity.LIKELIHOOD_ERROR, POINT, 50).value()).isCloseTo(384.13, within(0.005));
        assertThat(CODE.bound(Quantity.EXCESS, POINT, 50).value()).isCloseTo(768.26, within(0.01));
        // C^2 ln 40 / (2 (1-g)^2) = 4e6 * 3.688879 / 2, and four times that: the specification's "about 3e7"
        assertThat(CODE.need(Quantity.LIKELIHOOD_ERROR, POINT, 1).trajectories())
                .hasValue(7_377_759);
        assertThat(CODE.need(Quantity.EXCESS, POINT, 1).trajectories()).hasValue(29_511_036);
    }

    @ParameterizedTest
    @EnumSource
    void theNumberNeededIsTheSmallestThatSuffices(Quantity quantity) {
        for (Certificate.Scope scope : new Certificate.Scope[] {POINT, new Ball(3, 2, 1), new Linear(3, 2, 2)}) {
            long n = CODE.need(quantity, scope, 5).trajectories().orElseThrow();
            assertThat(CODE.bound(quantity, scope, n).value()).isLessThanOrEqualTo(5);
            assertThat(CODE.bound(quantity, scope, n - 1).value()).isGreaterThan(5);
        }
    }

    @Test
    void uniformFormAtAHandPickedCoverIsAnUpperLimitOfTheOptimisedOne() {
        Certificate certificate = Certificate.of(1, 0.5, 2, 0.1);
        // eta = 0.1, R = 1, p = 2, Lr = 3, N = 1000: 2 sqrt((2 ln 21 + ln 20)/2000) + 2*3*0.1*2 = 0.13478 + 1.2
        double byHand = 2 * Math.sqrt((2 * Math.log(21) + Math.log(20)) / 2000) + 1.2;
        double optimised = certificate
                .bound(Quantity.LIKELIHOOD_ERROR, new Ball(2, 1, 3), 1000)
                .value();
        // eta = 0.001 costs 0.012 for the cover and 2 sqrt((2 ln 2001 + ln 20)/2000) = 0.1908 for the union
        assertThat(optimised).isLessThan(byHand).isLessThanOrEqualTo(0.2029);
        // and never below the union bound over a single theta
        assertThat(optimised)
                .isGreaterThan(certificate
                        .bound(Quantity.LIKELIHOOD_ERROR, POINT, 1000)
                        .value());
    }

    @Test
    void linearFormCountsCoordinates() {
        // R1 Phi/(1-g) = 2*1/0.5 = 4; sqrt(ln(2*10/0.1)/(2*200)) = sqrt(5.298317/400) = 0.115090
        Certificate certificate = Certificate.of(1, 0.5, 2, 0.1);
        Linear linear = new Linear(10, 2, 1);
        assertThat(certificate.bound(Quantity.LIKELIHOOD_ERROR, linear, 200).value())
                .isCloseTo(0.46036, within(1e-5));
        assertThat(certificate.bound(Quantity.EXCESS, linear, 200).value()).isCloseTo(0.92072, within(1e-5));
        // one coordinate and the same width is Lemma 1
        assertThat(certificate
                        .bound(Quantity.LIKELIHOOD_ERROR, new Linear(1, 1, 1), 7)
                        .value())
                .isEqualTo(
                        certificate.bound(Quantity.LIKELIHOOD_ERROR, POINT, 7).value(), within(1e-15));
    }

    @Test
    void saysWhenABoundSaysNothing() {
        // ln 40 / 2 = 1.84: one trajectory bounds nothing, two do so barely
        assertThat(CODE.bound(Quantity.LIKELIHOOD_ERROR, POINT, 1).vacuous()).isTrue();
        assertThat(CODE.bound(Quantity.LIKELIHOOD_ERROR, POINT, 2).vacuous()).isFalse();
        // excess: the ceiling is 2000 + 100 ln 4, so that 4000 sqrt(1.844/N) is vacuous up to N = 6
        assertThat(CODE.ceiling(Quantity.EXCESS)).isCloseTo(2138.63, within(0.005));
        assertThat(CODE.bound(Quantity.EXCESS, POINT, 6).vacuous()).isTrue();
        assertThat(CODE.bound(Quantity.EXCESS, POINT, 7).vacuous()).isFalse();
        // and the uniform policy is within 138.63 of the best without any data: 4000 sqrt(1.844/N) is above up to 1535
        assertThat(CODE.bound(Quantity.EXCESS, POINT, 1535).uninformative()).isTrue();
        assertThat(CODE.bound(Quantity.EXCESS, POINT, 1536).uninformative()).isFalse();
    }

    @Test
    void demonstrationsCutEarlyLeaveATail() {
        Certificate cut = Certificate.of(1, 0.5, 2, 0.1).cutAt(3);
        // 0.5^3 (1 + ln 2) / 0.5
        assertThat(cut.truncation()).isCloseTo(0.42329, within(1e-5));
        assertThat(Certificate.of(1, 0.5, 2, 0.1).truncation()).isZero();
        // the tail is not linear in theta: 4 (7/8 * 0.115090 + 1/8)
        assertThat(cut.bound(Quantity.LIKELIHOOD_ERROR, new Linear(10, 2, 1), 200)
                        .value())
                .isCloseTo(0.90282, within(1e-5));
        assertThat(cut.need(Quantity.LIKELIHOOD_ERROR, new Linear(10, 2, 1), 0.5)
                        .trajectories())
                .as("at the size of the tail no number of trajectories is enough")
                .isEmpty();
    }

    @Test
    void refusesWhatCannotBe() {
        assertThatThrownBy(() -> Certificate.of(0, 0.9, 2, 0.05)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Certificate.of(1, 1, 2, 0.05)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Certificate.of(1, 0.9, 0, 0.05)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> Certificate.of(1, 0.9, 2, 1.5)).hasMessageContaining("delta is 1.5");
        assertThatThrownBy(() -> CODE.cutAt(0)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> CODE.bound(Quantity.EXCESS, POINT, 0)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> CODE.need(Quantity.EXCESS, POINT, -1)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> new Ball(0, 1, 1)).isInstanceOf(BadInput.class);
        assertThatThrownBy(() -> new Linear(1, Double.NaN, 1)).isInstanceOf(BadInput.class);
    }
}
