#!/usr/bin/env python3
# bench/polybench/reference.py - checks what a kernel computes against its definition
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: reference.py PROGRAM|DIRECTORY... [--size=SIZES]...

Runs each program (see driver.c), of a directory those that clang made, and compares its arrays
after the call with values derived from the arrays before it, by plain Python that shares nothing
with the C loops: matrix products, residuals of decompositions and systems, dense elimination,
shortest paths by Bellman and Ford. So a kernel that was written wrongly is noticed, whatever
compiled it. Slow: meant for sizes below 100.
"""
import argparse
import array
import itertools
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ALPHA, BETA = 1.5, 1.2  # the factors that the kernel files pass
TYPES = {"double": "d", "float": "f", "int": "i", "char": "b"}
TOLERANCES = {"double": 1e-9, "float": 1e-4, "int": 0, "char": 0}  # of an array's largest value


# --- Small linear algebra on nested lists

def transpose(a):
    return [list(column) for column in zip(*a)]


def dot(x, y):
    return math.fsum(a * b for a, b in zip(x, y))


def apply(a, x):
    return [dot(row, x) for row in a]


def product(a, b):
    columns = transpose(b)
    return [[dot(row, column) for column in columns] for row in a]


def combine(alpha, a, beta, b):
    """alpha a + beta b, of vectors or matrices."""
    if a and isinstance(a[0], list):
        return [combine(alpha, x, beta, y) for x, y in zip(a, b)]
    return [alpha * x + beta * y for x, y in zip(a, b)]


def matrix(rows, columns, element):
    return [[element(i, j) for j in range(columns)] for i in range(rows)]


def lower(a, diagonal=None):
    """The lower triangle, with ones or zeros on the diagonal when asked to."""
    n = len(a)
    return matrix(n, n, lambda i, j: a[i][j] if j < i or (i == j and diagonal is None)
                  else (diagonal or 0.0) if i == j else 0.0)


def upper(a):
    return transpose(lower(transpose(a)))


def mean(x):
    return math.fsum(x) / len(x)


def solve(a, b):
    """a x = b by elimination with row exchanges."""
    n = len(b)
    rows = [a[i][:] + [b[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda i: abs(rows[i][k]))
        rows[k], rows[best] = rows[best], rows[k]
        for i in range(k + 1, n):
            factor = rows[i][k] / rows[k][k]
            if factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - dot(rows[i][i + 1:n], x[i + 1:])) / rows[i][i]
    return x


# --- The definitions. Each yields (what, expected, actual). S: sizes, B: before, A: after the call.

def check_gemm(S, B, A):
    yield "C", combine(BETA, B["C"], ALPHA, product(B["A"], B["B"])), A["C"]


check_gemm_dot = check_gemm


def check_gemm_batched(S, B, A):
    for c, a, b, result in zip(B["C"], B["A"], B["B"], A["C"]):
        yield "C_b", combine(1.0, c, 1.0, product(a, b)), result


check_gemm_each = check_gemm_batched


def check_2mm(S, B, A):
    abc = product(product(B["A"], B["B"]), B["C"])
    yield "D", combine(ALPHA, abc, BETA, B["D"]), A["D"]


def check_3mm(S, B, A):
    yield "E", product(B["A"], B["B"]), A["E"]
    yield "F", product(B["C"], B["D"]), A["F"]
    yield "G", product(product(B["A"], B["B"]), product(B["C"], B["D"])), A["G"]


def implicit_lines(explicit, weight_implicit, weight_explicit):
    """(1 - wi D2) x = (1 + we D2 across) u line by line, with ones at both ends of each line."""
    n = len(explicit)
    system = matrix(n, n, lambda i, j: 1.0 if i == j and i in (0, n - 1) else
                    0.0 if i in (0, n - 1) else
                    1.0 + 2.0 * weight_implicit if i == j else
                    -weight_implicit if abs(i - j) == 1 else 0.0)
    result = {}
    for line in range(1, n - 1):
        right = [u[1] + weight_explicit * (u[0] - 2.0 * u[1] + u[2])
                 for u in (row[line - 1:line + 2] for row in explicit)]
        right[0] = right[-1] = 1.0
        result[line] = solve(system, right)
    return result


def check_adi(S, B, A):
    n, nt = S["n"], S["nt"]
    u, v = [row[:] for row in B["U"]], [row[:] for row in B["V"]]
    across, along = 1.0 * n * n / nt / 2.0, 2.0 * n * n / nt / 2.0
    for _ in range(nt):
        for column, values in implicit_lines(u, along, across).items():
            for i in range(n):
                v[i][column] = values[i]
        for row, values in implicit_lines(transpose(v), across, along).items():
            u[row] = values
    yield "V", v, A["V"]
    yield "U", u, A["U"]


def check_atax(S, B, A):
    yield "y", apply(transpose(B["A"]), apply(B["A"], B["x"])), A["y"]


def check_bicg(S, B, A):
    yield "s", apply(transpose(B["A"]), B["r"]), A["s"]
    yield "q", apply(B["A"], B["p"]), A["q"]


def check_cholesky(S, B, A):
    factor = lower(A["A"])
    yield "L L^T", B["A"], product(factor, transpose(factor))


def check_correlation(S, B, A):
    centred = [[x - mean(column) for x in column] for column in transpose(B["X"])]
    length = [math.sqrt(dot(column, column)) for column in centred]
    m = S["m"]
    unit = [[x / size for x in column] for column, size in zip(centred, length)]
    yield "R", matrix(m, m, lambda i, j: dot(unit[i], unit[j])), A["R"]


def check_covariance(S, B, A):
    centred = [[x - mean(column) for x in column] for column in transpose(B["X"])]
    m, n = S["m"], S["n"]
    yield "C", matrix(m, m, lambda i, j: dot(centred[i], centred[j]) / (n - 1)), A["C"]


def smooth(line, alpha=0.25):
    """Convolution with Deriche's kernel, summed term by term."""
    e = math.exp(-alpha)
    k = (1 - e) ** 2 / (1 + 2 * alpha * e - e ** 2)
    weight = [k * (alpha * d + 1) * e ** d for d in range(len(line))]
    return [math.fsum(x * weight[abs(i - j)] for j, x in enumerate(line)) for i in range(len(line))]


def check_deriche(S, B, A):
    rows = [smooth(row) for row in B["In"]]
    yield "Out", transpose([smooth(column) for column in transpose(rows)]), A["Out"]


def check_doitgen(S, B, A):
    yield "A", [product(slab, B["C"]) for slab in B["A"]], A["A"]


def check_durbin(S, B, A):
    n, first = S["n"], [1.0] + B["r"]
    toeplitz = matrix(n, n, lambda i, j: first[abs(i - j)])
    yield "T y", [-x for x in B["r"]], apply(toeplitz, A["y"])


def check_fdtd_2d(S, B, A):
    nx, ny = S["nx"], S["ny"]
    ex, ey, hz = B["Ex"], B["Ey"], B["Hz"]
    for source in B["Source"]:
        ey = matrix(nx, ny, lambda i, j: source if i == 0 else
                    ey[i][j] - (hz[i][j] - hz[i - 1][j]) / 2)
        ex = matrix(nx, ny, lambda i, j: ex[i][j] if j == 0 else
                    ex[i][j] - (hz[i][j] - hz[i][j - 1]) / 2)
        hz = matrix(nx, ny, lambda i, j: hz[i][j] if i == nx - 1 or j == ny - 1 else hz[i][j] -
                    0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]))
    yield "Ex", ex, A["Ex"]
    yield "Ey", ey, A["Ey"]
    yield "Hz", hz, A["Hz"]


def check_floyd_warshall(S, B, A):
    """Distances from each start by relaxing all edges until nothing changes."""
    edges, n = B["D"], S["n"]
    for start in range(n):
        distance = edges[start][:]
        while True:
            shorter = [min(distance[j], min(distance[k] + edges[k][j] for k in range(n)))
                       for j in range(n)]
            if shorter == distance:
                break
            distance = shorter
        yield f"distances from {start}", distance, A["D"][start]


def check_gemver(S, B, A):
    n = S["n"]
    a = matrix(n, n, lambda i, j: B["A"][i][j] + B["u1"][i] * B["v1"][j] + B["u2"][i] * B["v2"][j])
    x = combine(1.0, combine(1.0, B["x"], BETA, apply(transpose(a), B["y"])), 1.0, B["z"])
    yield "A", a, A["A"]
    yield "x", x, A["x"]
    yield "w", combine(1.0, B["w"], ALPHA, apply(a, x)), A["w"]


def check_gesummv(S, B, A):
    yield "y", combine(ALPHA, apply(B["A"], B["x"]), BETA, apply(B["B"], B["x"])), A["y"]


def check_gramschmidt(S, B, A):
    q = transpose(A["Q"])
    yield "Q R", B["A"], product(A["Q"], upper(A["R"]))
    yield "|q|", [1.0] * S["n"], [math.sqrt(dot(column, column)) for column in q]
    independent = q[:min(S["m"], S["n"]) // 2]  # later ones may be lost to rounding
    yield "Q^T Q", matrix(len(independent), len(independent), lambda i, j: float(i == j)), \
        matrix(len(independent), len(independent), lambda i, j: dot(independent[i], independent[j]))


def sweep(grid, new):
    """A step of a stencil: new(*position) inside, the old value on the surface."""
    shape = []
    level = grid
    while isinstance(level, list):
        shape.append(len(level))
        level = level[0]

    def build(level, position):
        if not isinstance(level, list):
            inside = all(0 < p < extent - 1 for p, extent in zip(position, shape))
            return new(*position) if inside else level
        return [build(part, (*position, i)) for i, part in enumerate(level)]
    return build(grid, ())


def relax(B, A, steps, new):
    """Sweeps from A to B and back; new(grid) gives the function of a position."""
    a, b = B["A"], B["B"]
    for _ in range(steps):
        b = sweep(b, new(a))
        a = sweep(a, new(b))
    yield "A", a, A["A"]
    yield "B", b, A["B"]


def check_heat_3d(S, B, A):
    def new(x):
        return lambda i, j, k: x[i][j][k] / 4 + (
            x[i - 1][j][k] + x[i + 1][j][k] + x[i][j - 1][k] + x[i][j + 1][k] + x[i][j][k - 1] +
            x[i][j][k + 1]) / 8
    return relax(B, A, S["nt"], new)


def check_jacobi_1d(S, B, A):
    return relax(B, A, S["nt"], lambda x: lambda i: mean(x[i - 1:i + 2]))


def check_jacobi_2d(S, B, A):
    return relax(B, A, S["nt"], lambda x: lambda i, j: mean(
        [x[i][j], x[i - 1][j], x[i + 1][j], x[i][j - 1], x[i][j + 1]]))


def check_seidel_2d(S, B, A):
    n, x = S["n"], [row[:] for row in B["A"]]
    for _ in range(S["nt"]):
        for i, j in itertools.product(range(1, n - 1), repeat=2):
            x[i][j] = mean([value for row in x[i - 1:i + 2] for value in row[j - 1:j + 2]])
    yield "A", x, A["A"]


def check_lu(S, B, A):
    yield "L U", B["A"], product(lower(A["A"], 1.0), upper(A["A"]))


def check_ludcmp(S, B, A):
    yield from check_lu(S, B, A)
    yield "A x", B["b"], apply(B["A"], A["x"])


def check_mvt(S, B, A):
    yield "x1", combine(1.0, B["x1"], 1.0, apply(B["A"], B["y1"])), A["x1"]
    yield "x2", combine(1.0, B["x2"], 1.0, apply(transpose(B["A"]), B["y2"])), A["x2"]


def check_nussinov(S, B, A):
    """Most pairs by the other recurrence: base i stays alone or pairs with some k."""
    bases, best = B["Bases"], {}
    n = S["n"]

    def pairs(i, j):
        return best.get((i, j), 0)
    for i in reversed(range(n)):
        for j in range(i + 1, n):
            best[i, j] = max([pairs(i + 1, j)] + [
                pairs(i + 1, k - 1) + pairs(k + 1, j) + (bases[i] + bases[k] == 3)
                for k in range(i + 2, j + 1)])
    yield "T", matrix(n, n, pairs), A["T"]


def check_symm(S, B, A):
    full = matrix(S["m"], S["m"], lambda i, j: B["A"][max(i, j)][min(i, j)])
    yield "C", combine(BETA, B["C"], ALPHA, product(full, B["B"])), A["C"]


def lower_update(B, A, update):
    """The lower triangle becomes beta C + alpha update, the rest stays."""
    c = combine(BETA, B["C"], ALPHA, update)
    n = len(c)
    yield "C", matrix(n, n, lambda i, j: c[i][j] if j <= i else B["C"][i][j]), A["C"]


def check_syrk(S, B, A):
    return lower_update(B, A, product(B["A"], transpose(B["A"])))


def check_syr2k(S, B, A):
    ab = product(B["A"], transpose(B["B"]))
    return lower_update(B, A, combine(1.0, ab, 1.0, transpose(ab)))


def check_trisolv(S, B, A):
    yield "L x", B["b"], apply(lower(B["L"]), A["x"])


def check_trmm(S, B, A):
    result = product(transpose(lower(B["A"], 1.0)), B["B"])
    yield "B", combine(ALPHA, result, 0.0, result), A["B"]


def check_ttm(S, B, A):
    for c, a, result in zip(B["C"], B["A"], A["C"]):
        yield "C_a", combine(1.0, c, 1.0, product(transpose(B["B"]), a)), result


def check_ttv(S, B, A):
    yield "C", [combine(1.0, c, 1.0, apply(transpose(a), B["x"]))
                for c, a in zip(B["C"], B["A"])], A["C"]


def check_mttkrp(S, B, A):
    x, b, c = B["X"], B["B"], B["C"]
    yield "M", matrix(S["ni"], S["nr"], lambda i, r: B["M"][i][r] + math.fsum(
        x[i][j][k] * b[j][r] * c[k][r] for j in range(S["nj"]) for k in range(S["nk"]))), A["M"]


def check_ccsd(S, B, A):
    a, b, c = B["A"], B["B"], B["C"]
    for p, q in itertools.product(range(S["na"]), range(S["nb"])):
        yield f"C_{p},{q}", matrix(S["nc"], S["nd"], lambda r, s: c[p][q][r][s] + math.fsum(
            a[p][e][q][f] * b[s][f][r][e]
            for e in range(S["ne"]) for f in range(S["nf"]))), A["C"][p][q]


# --- Running

def nest(values, extents):
    if len(extents) == 1:
        return values
    step = len(values) // extents[0]
    return [nest(values[i * step:(i + 1) * step], extents[1:]) for i in range(extents[0])]


def read_arrays(path, description, sizes):
    arrays = {}
    with open(path, "rb") as file:
        for info in description["arrays"]:
            extents = [sizes[name] for name in info["extents"]]
            values = array.array(TYPES[info["type"]])
            values.fromfile(file, math.prod(extents))
            arrays[info["name"]] = nest(values.tolist(), extents)
    return arrays


def flatten(values):
    return [x for part in values for x in flatten(part)] if isinstance(values, list) else [values]


def worst_error(expected, actual):
    """The largest difference in units of the largest expected value; inf when shapes differ."""
    expected, actual = flatten(expected), flatten(actual)
    if len(expected) != len(actual):
        return math.inf
    scale = max(map(abs, expected), default=0) or 1
    error = max((abs(x - y) for x, y in zip(expected, actual)), default=0) / scale
    return error if error == error else math.inf


def check(program, size):
    """Runs one program; returns a list of complaints."""
    description = json.loads(subprocess.run([program, "--describe"], check=True,
                                            stdout=subprocess.PIPE).stdout)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        before, after = pathlib.Path(directory, "before"), pathlib.Path(directory, "after")
        finished = subprocess.run([program, f"--size={size}", f"--initial={before}",
                                   f"--output={after}"], stdout=subprocess.PIPE, text=True)
        if finished.returncode != 0:
            return [f"{program} --size={size} ended with {finished.returncode}"]
        sizes = json.loads(finished.stdout)["sizes"]
        arrays = [read_arrays(path, description, sizes) for path in (before, after)]
    function = globals()["check_" + description["kernel"].replace("-", "_")]
    tolerance = TOLERANCES[description["arrays"][-1]["type"]]
    errors = [(what, worst_error(expected, actual))
              for what, expected, actual in function(sizes, *arrays)]
    if not errors:
        return [f"{program} --size={size}: nothing was checked"]
    return [f"{program} --size={size}: {what} is wrong by {error:.1e} of its largest value"
            for what, error in errors if error > tolerance]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--size", action="append", default=[])
    options = parser.parse_intermixed_args()
    programs = [program for path in options.programs
                for program in (sorted(path.glob("*-clang")) if path.is_dir() else [path])]
    complaints = [complaint for program in programs for size in options.size or ["MINI"]
                  for complaint in check(program, size)]
    print("\n".join(complaints) or f"{len(programs)} kernels compute what they should")
    sys.exit(bool(complaints) or not programs)


if __name__ == "__main__":
    main()
