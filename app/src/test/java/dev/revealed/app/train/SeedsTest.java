package dev.revealed.app.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.revealed.numeric.BadInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SeedsTest {
    @Test
    void seedsAndRangesInTheOrderWritten() {
        assertThat(Seeds.parse("1-5,8,11-12")).containsExactly(1L, 2L, 3L, 4L, 5L, 8L, 11L, 12L);
        assertThat(Seeds.parse("7")).containsExactly(7L);
        assertThat(Seeds.parse("9, 0 ,3-3")).containsExactly(9L, 0L, 3L);
        assertThat(Seeds.parse("123456789012345678")).containsExactly(123_456_789_012_345_678L);
        assertThat(Seeds.parse("1-1000")).hasSize(1000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "\"\" | '' is neither a seed",
                "1,,2 | '' is neither a seed",
                "1-2-3 | '1-2-3' is neither a seed",
                "-4 | '-4' is neither a seed",
                "one | 'one' is neither a seed",
                "1.5 | '1.5' is neither a seed",
                "9999999999999999999 | is neither a seed",
                "5-3 | 5-3 runs backwards",
                "1-5,3 | seed 3 is there twice",
                "1-1001 | more than 1000",
                "1-600,700-1200 | more than 1000",
                "0-999999999999999999 | more than 1000"
            })
    void whatIsNoListOfSeedsIsSaid(String text, String says) {
        assertThatExceptionOfType(BadInput.class)
                .isThrownBy(() -> Seeds.parse(text))
                .satisfies(e -> assertThat(e.problem()).startsWith("--seeds is '" + text + "'"))
                .withMessageContaining(says)
                .withMessageContaining("such as 1-14");
    }
}
