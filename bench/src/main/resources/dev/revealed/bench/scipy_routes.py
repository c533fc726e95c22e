"""Recursive logit with SciPy: sparse LU (SuperLU), all destinations at once, BFGS. Reads what the benchmark wrote.

Prints, one to a line: the version, seconds of a likelihood, of a likelihood with gradient, of an estimate, its
evaluations, its log-likelihood.
"""
import sys
import time

import numpy as np
import scipy
from scipy.optimize import minimize
from scipy.sparse import csc_matrix, identity
from scipy.sparse.linalg import splu

folder = sys.argv[1]


def read(name, kind):
    return np.fromfile(folder + "/" + name, dtype=kind)


start, to = read("start", "<i4"), read("to", "<i4")
x = read("features", "<f8").reshape(-1, len(to))
end_start, ends = read("end_start", "<i4"), read("ends", "<i4")
origin, destination = read("origin", "<i4"), read("destination", "<i4")
observed = read("observed", "<f8").reshape(len(origin), -1).sum(axis=0)
n = len(start) - 1
row = np.repeat(np.arange(n), np.diff(start))
b = np.zeros((n, len(end_start) - 1))
for d in range(len(end_start) - 1):
    b[ends[end_start[d]:end_start[d + 1]], d] = 1
weight = np.zeros_like(b)
np.add.at(weight, (origin, destination), 1)
points = weight > 0


def likelihood(beta, gradient=True):
    m = np.exp(beta @ x)
    lu = splu(identity(n, format="csc") - csc_matrix((m, (row, to)), shape=(n, n)))
    z = lu.solve(b)
    if not np.all(z[points] > 0):
        return np.inf, np.zeros_like(beta)
    value = beta @ observed - weight[points] @ np.log(z[points])
    if not gradient:
        return -value / len(origin), None
    right = np.zeros_like(b)
    right[points] = weight[points] / z[points]
    w = lu.solve(right, "T")
    uses = m * np.einsum("ed,ed->e", w[row], z[to])
    return -value / len(origin), -(observed - x @ uses) / len(origin)


def best(run, times=5):
    least = np.inf
    for _ in range(times):
        begin = time.perf_counter()
        result = run()
        least = min(least, time.perf_counter() - begin)
    return least, result


beta = np.full(len(x), -1.5)
print(scipy.__version__)
print(best(lambda: likelihood(beta, False))[0])
print(best(lambda: likelihood(beta))[0])
seconds, found = best(lambda: minimize(likelihood, beta, jac=True, method="BFGS", options={"gtol": 1e-7}), 1)
print(seconds)
print(found.nfev)
print(-found.fun * len(origin))
