package dev.revealed.numeric.nlp;

import dev.revealed.numeric.Buckets;
import dev.revealed.numeric.Vec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The variables that equations determine and those left free: x = (b, f), Jacobian (B, F) with B square. Everything the
 * null-space method asks follows from the factors of B.
 */
final class SqpBasis {
    private final int n;
    private final Nlp.Pattern places;
    private final int[] determined;
    private final int[] free;
    private final int[] freeOf; // place among the free, or -1
    private final int[] start; // B in compressed columns: where each column begins,
    private final int[] row;
    private final int[] from; // and where each entry stands in the pattern of the Jacobian
    private final double[] value;
    private final int[] order;
    private @Nullable SparseLu factors;

    SqpBasis(int n, Nlp.Pattern places, int[] determined) {
        this.n = n;
        this.places = places;
        this.determined = determined;
        int[] column = new int[n]; // of B, or -1
        Arrays.fill(column, -1);
        for (int k = 0; k < determined.length; k++) {
            column[determined[k]] = k;
        }
        freeOf = new int[n];
        free = new int[n - determined.length];
        int count = 0;
        for (int j = 0; j < n; j++) {
            freeOf[j] = column[j] >= 0 ? -1 : count;
            if (column[j] < 0) {
                free[count++] = j;
            }
        }
        int[] columns = Arrays.stream(places.column()).map(j -> column[j]).toArray();
        Buckets entries = Buckets.of(columns, determined.length);
        start = entries.start();
        from = entries.row();
        row = Arrays.stream(from).map(e -> places.row()[e]).toArray();
        value = new double[row.length];
        order = SparseLu.order(start);
    }

    /** Variables with independent columns, one for each of m equations or fewer where those repeat each other. */
    static int[] independent(int m, int n, Nlp.Pattern places, double[] jacobian) {
        double[][] a = new double[m][n];
        for (int e = 0; e < jacobian.length; e++) {
            a[places.row()[e]][places.column()[e]] += jacobian[e];
        }
        List<Integer> chosen = new ArrayList<>();
        double largest = 0;
        for (int k = 0; k < m; k++) {
            int r = k;
            int c = 0;
            for (int i = k; i < m; i++) {
                for (int j = 0; j < n; j++) {
                    if (Math.abs(a[i][j]) > Math.abs(a[r][c])) {
                        r = i;
                        c = j;
                    }
                }
            }
            largest = Math.max(largest, Math.abs(a[r][c]));
            if (!(Math.abs(a[r][c]) > 1e-12 * largest)) {
                break;
            }
            double[] pivot = a[r];
            a[r] = a[k];
            a[k] = pivot;
            chosen.add(c);
            for (int i = k + 1; i < m; i++) {
                Vec.axpy(-a[i][c] / pivot[c], pivot, a[i]);
                a[i][c] = 0;
            }
        }
        return chosen.stream().mapToInt(j -> j).toArray();
    }

    /** Number of equations that have a variable of their own. */
    int constraints() {
        return determined.length;
    }

    /** False when B is singular. */
    boolean factorise(double[] jacobian) {
        Arrays.setAll(value, e -> jacobian[from[e]]);
        factors = SparseLu.of(order, start, row, value).orElse(null);
        return factors != null;
    }

    private SparseLu factors() {
        return Objects.requireNonNull(factors, "factorise first");
    }

    /** The multipliers that make the gradient of the Lagrangian vanish in the determined variables: -B'^-1 gradient. */
    double[] multipliers(double[] gradient) {
        double[] own = Arrays.stream(determined).mapToDouble(j -> -gradient[j]).toArray();
        return factors().solveTransposed(own);
    }

    /** The gradient along the constraints: what is left of the Lagrangian's in the free variables. */
    double[] reduced(double[] jacobian, double[] gradient, double[] multipliers) {
        double[] reduced = Arrays.stream(free).mapToDouble(j -> gradient[j]).toArray();
        for (int e = 0; e < jacobian.length; e++) {
            int j = freeOf[places.column()[e]];
            if (j >= 0) {
                reduced[j] += jacobian[e] * multipliers[places.row()[e]];
            }
        }
        return reduced;
    }

    /** The move of the determined variables that takes the linearised constraints to zero. */
    double[] correction(double[] constraints) {
        double[] step = new double[n];
        spread(factors().solve(constraints), step);
        return step;
    }

    /** Directions that keep the linearised constraints, one for each free variable. */
    double[][] nullSpace(double[] jacobian) {
        double[][] columns = new double[free.length][determined.length];
        for (int e = 0; e < jacobian.length; e++) {
            int j = freeOf[places.column()[e]];
            if (j >= 0) {
                columns[j][places.row()[e]] += jacobian[e];
            }
        }
        double[][] z = new double[free.length][n];
        for (int j = 0; j < free.length; j++) {
            spread(factors().solve(columns[j]), z[j]);
            z[j][free[j]] = 1;
        }
        return z;
    }

    private void spread(double[] own, double[] step) {
        for (int k = 0; k < own.length; k++) {
            step[determined[k]] = -own[k];
        }
    }
}
