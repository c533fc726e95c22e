package dev.revealed.numeric;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.dense.row.factory.LinearSolverFactory_DDRM;

/** Small dense linear algebra on {@code double[n][n]}, by EJML. */
public final class Dense {
    private Dense() {}

    /** Solves A x = b by LU; empty when A is singular to working precision. */
    public static Optional<double[]> solve(double[][] a, double[] b) {
        var solver = LinearSolverFactory_DDRM.lu(a.length);
        if (!solver.setA(new DMatrixRMaj(a))) {
            return Optional.empty();
        }
        DMatrixRMaj x = new DMatrixRMaj(b.length, 1);
        solver.solve(new DMatrixRMaj(b.length, 1, true, b), x);
        return Vec.isFinite(x.data) ? Optional.of(x.data) : Optional.empty();
    }

    /** Solves A x = b for several b by Cholesky; empty when A is not positive definite to working precision. */
    public static Optional<double[][]> solveDefinite(double[][] a, double[][] b) {
        var solver = LinearSolverFactory_DDRM.chol(a.length);
        if (!solver.setA(new DMatrixRMaj(a))) {
            return Optional.empty();
        }
        double[][] x = new double[b.length][];
        for (int i = 0; i < b.length; i++) {
            DMatrixRMaj own = new DMatrixRMaj(a.length, 1);
            solver.solve(new DMatrixRMaj(a.length, 1, true, b[i].clone()), own);
            x[i] = own.data;
        }
        return Arrays.stream(x).allMatch(Vec::isFinite) ? Optional.of(x) : Optional.empty();
    }

    /** The inverse; empty when singular. */
    public static Optional<double[][]> inverse(double[][] a) {
        DMatrixRMaj inverse = new DMatrixRMaj(a.length, a.length);
        if (!CommonOps_DDRM.invert(new DMatrixRMaj(a), inverse) || !Vec.isFinite(inverse.data)) {
            return Optional.empty();
        }
        double[][] rows = new double[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            System.arraycopy(inverse.data, i * a.length, rows[i], 0, a.length);
        }
        return Optional.of(rows);
    }

    /**
     * A^-1 b for a positive semidefinite A, on the directions along which A is not zero; nothing along the others. Rows and
     * columns are brought to one scale first, so that units do not decide what counts as zero.
     */
    public static double[] solvePositive(double[][] a, double[] b) {
        int n = b.length;
        double[] scale = new double[n];
        Arrays.setAll(scale, j -> a[j][j] > 0 ? 1 / Math.sqrt(a[j][j]) : 0);
        double[][] scaled = new double[n][n];
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                scaled[j][k] = scale[j] * a[j][k] * scale[k];
            }
        }
        Eigen eigen = symmetricEigen(scaled);
        double[] x = new double[n];
        for (int i = 0; i < n; i++) {
            if (eigen.values()[i] > 1e-12) {
                double dot = 0;
                for (int j = 0; j < n; j++) {
                    dot += eigen.vectors()[i][j] * scale[j] * b[j];
                }
                for (int j = 0; j < n; j++) {
                    x[j] += dot / eigen.values()[i] * eigen.vectors()[i][j] * scale[j];
                }
            }
        }
        return x;
    }

    /** Eigenvalues in ascending order with their unit eigenvectors as rows. */
    public record Eigen(double[] values, double[][] vectors) {}

    public static Eigen symmetricEigen(double[][] a) {
        int n = a.length;
        for (double[] row : a) {
            for (double value : row) {
                if (!Double.isFinite(value)) {
                    throw new BadInput(
                            "numbers of the estimation are too large or too small for double precision",
                            "Bring utilities, features and data to ordinary sizes: thousands in place of units, say.");
                }
            }
        }
        var decomposition = DecompositionFactory_DDRM.eig(n, true, true);
        if (!decomposition.decompose(new DMatrixRMaj(a))) {
            throw new ArithmeticException("the eigenvalue iteration of a %d x %d matrix failed".formatted(n, n));
        }
        IntToDoubleFunction value = i -> decomposition.getEigenvalue(i).getReal();
        int[] order = Vec.order(n, value);
        double[] values = Arrays.stream(order).mapToDouble(value).toArray();
        double[][] vectors = new double[n][];
        Arrays.setAll(
                vectors, i -> decomposition.getEigenVector(order[i]).getData().clone());
        return new Eigen(values, vectors);
    }

    /** Eigenvalues of a symmetric matrix alone, in ascending order, for a fraction of the work. */
    public static double[] symmetricEigenvalues(double[][] a) {
        int n = a.length;
        var decomposition = DecompositionFactory_DDRM.eig(n, false, true);
        if (!decomposition.decompose(new DMatrixRMaj(a))) {
            throw new ArithmeticException("the eigenvalue iteration of a %d x %d matrix failed".formatted(n, n));
        }
        return IntStream.range(0, n)
                .mapToDouble(i -> decomposition.getEigenvalue(i).getReal())
                .sorted()
                .toArray();
    }

    /** C = A B. */
    public static double[][] multiply(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < b.length; k++) {
                Vec.axpy(a[i][k], b[k], c[i]);
            }
        }
        return c;
    }

    public static double[] multiply(double[][] a, double[] x) {
        return Arrays.stream(a).mapToDouble(row -> Vec.dot(row, x)).toArray();
    }
}
