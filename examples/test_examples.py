#!/usr/bin/env python3
# examples/test_examples.py - checks one example: same bits with specrt, clear errors on bad input
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_examples.py NAME PLAIN_PROGRAM [SPECRT_PROGRAM]

An example without SPECRT_PROGRAM has no input; it must print what data/NAME.txt holds.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).with_name("data")

# Sizes that end within a second without any optimisation. The second set differs in one recurring
# value, so that a profile written by the first must not spoil it.
SMALL = {
    "gemm": [["70", "80", "90", "--repeat=40"], ["70", "81", "90", "--repeat=40"],
             ["70", "80", "90", "--repeat=40", "--order=ikj"]],
    "heat2d": [["60", "80", "300"], ["61", "80", "300"]],
    "backprop": [["200", "30", "50"], ["200", "31", "50"]],
    "cg": [["--repeat=2"], ["--repeat=1"], ["--repeat=2", "--rows=pointers"]],
    "pcg": [["--repeat=4"], ["--repeat=4", "--preconditioner=symgs"],
            ["--repeat=4", "--rows=pointers"],
            ["--repeat=4", "--rows=pointers", "--preconditioner=symgs"],
            ["--repeat=3", "--matrix=elements3:12"], ["--repeat=3", "--matrix=permuted:grid3d:9"],
            ["--repeat=3", "--matrix=cubes:12", "--preconditioner=symgs"]],
    "spmm": [["--repeat=4", "--matrix=powerlaw:1500"],
             ["--repeat=4", "--matrix=powerlaw:1500", "--rows=pointers"],
             ["--repeat=3", "--features=5", "--matrix=quadratic:15"],
             ["--repeat=3", "--features=16", "--matrix=arrow:900", "--rows=pointers"]],
    "amg": [["--repeat=3"], ["--repeat=3", "--matrix=band:3000"],
            ["--repeat=3", "--matrix=elements6:10"],
            ["--repeat=3", "--rows=pointers"]],
    "dense-sparse": [["200", "--repeat=40"], ["201", "--repeat=40", "--kernel=vector"],
                     ["150", "--repeat=20", "--kernel=matrix", "--columns=20"],
                     ["200", "--repeat=20", "--kernel=seidel", "--density=60"]],
    "circuit": [["5", "40"], ["6", "10"]],
    "markov": [["200"], ["201", "--successors=3"]],
    "blur": [["3", "--repeat=10"], ["4", "--repeat=10"]],
    "plate": [["60", "80", "10"], ["61", "80", "10"]],
    "kmeans": [["3000", "7", "10"], ["3001", "8", "10"]],
    "rows": [["90", "--repeat=20"], ["91", "--repeat=20"]],
    "pipeline": [["150", "170", "--repeat=60"], ["151", "170", "--repeat=60", "--nests=filter"],
                 ["90", "400", "--repeat=60", "--nests=products"], ["3", "3", "--repeat=20"]],
    "openmp": [["100", "120", "100"], ["101", "120", "100"]],
    "eigen": [["90", "--repeat=20"], ["90", "--repeat=20", "--product=lazy"]],
}

SPARSE = "%%MatrixMarket matrix coordinate real symmetric\n"
GENERAL = "%%MatrixMarket matrix coordinate real general\n"
# (arguments, contents of the file @ in them, words the message must contain)
BAD_MATRICES = [
    (["--matrix=/nonexistent.mtx"], None, "No such file"),
    (["--matrix=@"], b"", "is empty"),
    (["--matrix=@"], b"hello\n", "not a Matrix Market file"),
    (["--matrix=@"], SPARSE + "2 3 1\n1 1 1\n", "not square"),
    (["--matrix=@"], SPARSE + "2 2 1\n3 1 1\n", ":3: entry (3, 1) lies outside"),
    (["--matrix=@"], SPARSE + "2 2 2\n1 1 1\n", "the file ends after 1 of 2"),
    (["--matrix=@"], SPARSE + "2 2 1\n1 1 x\n", ":3: expected 'row column value'"),
    (["--matrix=@"], SPARSE + "2 2 1\n1 1 1\n2 2 1\n", "more entries"),
    (["--matrix=@"], SPARSE + "2 2 1\n1 2 1\n", "lower triangle"),
    (["--matrix=@"], "%%MatrixMarket matrix array real general\n", "'matrix array'"),
]
NOT_SYMMETRIC = [
    (["--matrix=@"], GENERAL + "2 2 3\n1 1 1\n1 2 5\n2 2 1\n", "not symmetric: see entry (1, 2)"),
]
BAD = {
    "gemm": [(["0"], None, "n must be an integer"), (["5x"], None, "not '5x'"),
             (["1", "1", "1", "1"], None, "unexpected argument"),
             (["--order=kji"], None, "ijk or ikj")],
    "heat2d": [(["2"], None, "rows must be"), (["--output=/nonexistent/x", "9", "9", "1"], None,
                                               "cannot write '/nonexistent/x'")],
    "backprop": [(["--speed=9"], None, "unknown option"), (["--output"], None, "needs a value")],
    "cg": [*BAD_MATRICES, *NOT_SYMMETRIC, (["--rows=lists"], None, "compressed or pointers")],
    "pcg": [*BAD_MATRICES, *NOT_SYMMETRIC,
            (["--preconditioner=lu"], None, "ic0 or symgs"),
            (["--matrix=@"], SPARSE + "2 2 2\n1 1 1\n2 1 1\n", "nothing on the diagonal in row 2"),
            (["--matrix=@"], SPARSE + "2 2 3\n1 1 1\n2 1 2\n2 2 1\n", "breaks down in row 2"),
            (["--matrix=@"], SPARSE + "1 1 2\n1 1 1\n1 1 1\n", "entry (1, 1) twice")],
    "spmm": [*BAD_MATRICES, (["--rows=lists"], None, "compressed or pointers"),
             (["--matrix=grid2d:x"], None, "size of 'grid2d:x' must be an integer"),
             (["--features=100000", "--matrix=random:20000"], None, "do not fit")],
    "amg": [*BAD_MATRICES, *NOT_SYMMETRIC, (["--levels=0"], None, "levels must be")],
    "dense-sparse": [
        *BAD_MATRICES[:3], (["--density=x"], None, "not 'x'"), (["--density=101"], None, "0 to 100"),
        (["--kernel=cg"], None, "vector, matrix, jacobi or seidel"),
        (["--matrix=@"], GENERAL + "2 3 1\n1 1 1\n", "not square"),
        (["--matrix=@"], GENERAL + "2 2 1\n1 1 1\n", "the diagonal is zero in row 2")],
    "circuit": [(["1"], None, "levels must be")],
    "markov": [(["1"], None, "n must be"), (["3", "--successors=4"], None, "not be more than states")],
    "blur": [(["--image=/nonexistent.ppm"], None, "No such file"),
             (["--image=@"], b"P5\n1 1\n255\n0", "not a binary PPM"),
             (["--image=@"], b"P6\n0 1\n255\n", "width must be"),
             (["--image=@"], b"P6\n1 1\n65535\n000000", "only 8 bits"),
             (["--image=@"], b"P6\n2 1\n255\n000", "expected 6 bytes of pixels, found 3")],
    "plate": [(["2"], None, "rows must be")],
    "kmeans": [(["3", "4"], None, "clusters must not be more than points")],
    "rows": [(["0"], None, "n must be")],
    "pipeline": [(["2"], None, "rows must be"),
                 (["--nests=stages"], None, "relaxation, filter or products")],
    "openmp": [(["9", "2"], None, "columns must be")],
    "eigen": [(["--product=eager"], None, "tuned or lazy")],
}

failures = 0


def check(condition, message):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", message)


def run(program, arguments, environment=None):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120,
                          env={**os.environ, **(environment or {})})


def result(finished):
    """Everything printed except the time."""
    return [line for line in finished.stdout.splitlines() if not line.startswith("seconds=")]


def check_same_bits(name, plain, specrt, scratch):
    for arguments in SMALL[name]:
        outputs = []
        for run_name, program in (("plain", plain), ("first", specrt), ("second", specrt)):
            path = scratch / run_name
            finished = run(program, [*arguments, f"--output={path}"],
                           {"SPECRT_CACHE_DIR": str(scratch / "cache"), "SPECRT_HOT": "1"})
            check(finished.returncode == 0, f"{run_name} {arguments}: {finished.stderr}")
            check(finished.stderr == "", f"{run_name} {arguments} prints {finished.stderr!r}")
            check(any(line.startswith("checksum=") for line in result(finished)),
                  f"{run_name} {arguments}: no checksum in {finished.stdout!r}")
            outputs.append((result(finished), path.read_bytes() if path.exists() else None))
        check(outputs[0][1], f"{arguments} writes no output")
        check(outputs[0] == outputs[1], f"first run of {arguments} differs: {outputs[0][0]} "
              f"{outputs[1][0]}")
        check(outputs[0] == outputs[2], f"second run of {arguments} differs: {outputs[0][0]} "
              f"{outputs[2][0]}")


def check_errors(name, program, scratch):
    finished = run(program, ["--help"])
    check(finished.returncode == 0 and "usage:" in finished.stdout, "--help")
    for arguments, contents, words in BAD[name]:
        path = scratch / "bad"
        if contents is not None:
            path.write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        finished = run(program, [a.replace("@", str(path)) for a in arguments])
        check(finished.returncode == 2, f"{arguments} exits with {finished.returncode}, not 2")
        check(finished.stderr.startswith("error: ") and words in finished.stderr,
              f"{arguments}: '{words}' is not in {finished.stderr!r}")


def check_data(scratch):
    for script, arguments, data in (("make_poisson.py", ["90"], "poisson.mtx"),
                                    ("make_picture.py", ["400", "300"], "picture.ppm")):
        subprocess.run([sys.executable, DATA / script, *arguments, scratch / data], check=True)
        check((scratch / data).read_bytes() == (DATA / data).read_bytes(),
              f"{data} is not what {script} makes")


def check_output(name, program):
    finished = run(program, [])
    check(finished.returncode == 0, f"{name}: {finished.stderr}")
    check(finished.stdout == (DATA / f"{name}.txt").read_text(),
          f"{name} prints something else than data/{name}.txt:\n{finished.stdout}")


def main():
    name, plain, *specrt = sys.argv[1:]
    if not specrt:
        check_output(name, plain)
        sys.exit(failures != 0)
    # The compile server may still write into the cache.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        scratch = pathlib.Path(directory)
        check_errors(name, plain, scratch)
        check_data(scratch)
        check_same_bits(name, plain, specrt[0], scratch)
    sys.exit(failures != 0)


if __name__ == "__main__":
    main()
