package dev.revealed.data.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.revealed.mdp.choice.ChoiceModel;
import dev.revealed.numeric.BadInput;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shocks in model files. */
class ShockSectionTest {
    private static final String NESTS = "{nests: {mend: {actions: [repair, replace], dissimilarity: lambda}}}";

    private static ChoiceModel read(String shocks) {
        String text = """
                discount: 0
                states: {wear: 0..2}
                actions: [run, repair, replace]
                parameters: [upkeep, cost]
                utility: {run: -upkeep * wear, repair: -cost / 2, replace: -cost}
                transitions: {wear: wear}
                shocks: %s
                """.formatted(shocks);
        return ModelFile.parse("m.yaml", text, Map.of()).model();
    }

    /** Without a future the value of a state is the nested sum itself. */
    @Test
    void nestsWithADissimilarityToEstimate() {
        ChoiceModel model = read(NESTS);
        assertThat(model.utility().names()).containsExactly("upkeep", "cost", "lambda");
        double nest = Math.exp(-0.5 / 0.5) + Math.exp(-1 / 0.5);
        assertThat(model.solve(new double[] {0.3, 1, 0.5}, new double[0]).values()[1])
                .isCloseTo(Math.log(Math.exp(-0.3) + Math.sqrt(nest)), within(1e-10));
    }

    @Test
    void knownDissimilaritiesNormalAndGumbelShocks() {
        assertThat(read(NESTS.replace("lambda", "0.5")).utility().names()).containsExactly("upkeep", "cost");
        assertThat(read("normal").isLogit()).isFalse();
        assertThat(read("gumbel").isLogit()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {nests: {m: {actions: [repair, replac], dissimilarity: x}}} | Did you mean 'replace'
                    {nests: {m: {actions: [repair], dissimilarity: x}}} | Two or more
                    {nests: {m: {actions: [repair, replace], dissimilarity: 1.5}}} | at most 1
                    {nests: {m: {actions: [repair, replace], dissimilarity: cost}}} | already the name
                    {nests: {a: {actions: [run, repair], dissimilarity: x}, b: {actions: [repair, replace], dissimilarity: y}}} | in two nests
                    cauchy | the shocks are 'cauchy'
                    """)
    void refusesOtherShocks(String shocks, String said) {
        assertThatThrownBy(() -> read(shocks))
                .isInstanceOf(BadInput.class)
                .hasMessageContaining("m.yaml, line 7")
                .hasMessageContaining(said);
    }
}
