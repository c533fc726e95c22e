package dev.revealed.mdp.choice;

import dev.revealed.numeric.BadInput;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** All combinations of the values of some state variables, numbered with the last variable running fastest. */
public record StateSpace(List<Variable> variables) {

    /** A variable and the values it may take. */
    public record Variable(String name, double[] values) {
        public Variable {
            if (values.length == 0) {
                throw new BadInput(
                        "state variable '%s' has no values".formatted(name), "Give its grid at least one value.");
            }
            for (double value : values) {
                BadInput.finite("a value of state variable '" + name + "'", value);
            }
        }

        public int size() {
            return values.length;
        }
    }

    public StateSpace {
        variables = List.copyOf(variables);
        Set<String> names = new HashSet<>();
        long size = 1;
        for (Variable variable : variables) {
            if (!names.add(variable.name())) {
                throw new BadInput(
                        "there are two state variables named '%s'".formatted(variable.name()), "Rename one of them.");
            }
            size *= variable.size();
            if (size > Integer.MAX_VALUE / 4) {
                throw new BadInput("the state variables span more than 2^29 states", "Use coarser grids.");
            }
        }
        if (variables.isEmpty()) {
            throw new BadInput("there are no state variables", "Give at least one.");
        }
    }

    public static StateSpace of(Variable... variables) {
        return new StateSpace(List.of(variables));
    }

    public int size() {
        return variables.getFirst().size() * stride(0);
    }

    /** By how much the state number grows when a variable moves to its next value. */
    public int stride(int variable) {
        int stride = 1;
        for (int v = variables.size() - 1; v > variable; v--) {
            stride *= variables.get(v).size();
        }
        return stride;
    }

    /** The place of a variable's value in its grid. */
    public int coordinate(int state, int variable) {
        return state / stride(variable) % variables.get(variable).size();
    }

    public double value(int state, int variable) {
        return variables.get(variable).values()[coordinate(state, variable)];
    }

    /** {@code mileage=3, season=winter}-like text for messages. */
    public String describe(int state) {
        return IntStream.range(0, variables.size())
                .mapToObj(v -> variables.get(v).name() + "=" + value(state, v))
                .collect(Collectors.joining(", "));
    }
}
