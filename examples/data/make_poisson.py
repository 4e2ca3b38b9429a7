#!/usr/bin/env python3
# examples/data/make_poisson.py - writes poisson.mtx, the matrix of the cg example
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The five-point Laplacian on an n x n grid, symmetric, in Matrix Market format.

usage: make_poisson.py [n [file]]    (default: 90, poisson.mtx beside this script)
"""
import pathlib
import sys


def entries(n):
    """Yields the lower triangle as (row, column, value), counted from 1."""
    for i in range(n):
        for j in range(n):
            row = i * n + j + 1
            if i > 0:
                yield row, row - n, -1
            if j > 0:
                yield row, row - 1, -1
            yield row, row, 4


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 90
    default = pathlib.Path(__file__).with_name("poisson.mtx")
    path = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else default
    if n < 1:
        sys.exit("n must be positive")
    lines = [f"{row} {column} {value}" for row, column, value in entries(n)]
    header = [
        "%%MatrixMarket matrix coordinate real symmetric",
        f"% five-point Laplacian on a {n} x {n} grid, made by make_poisson.py",
        f"{n * n} {n * n} {len(lines)}",
    ]
    path.write_text("\n".join(header + lines) + "\n")


if __name__ == "__main__":
    main()
