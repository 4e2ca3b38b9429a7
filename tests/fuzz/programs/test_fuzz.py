#!/usr/bin/env python3
# tests/fuzz/programs/test_fuzz.py - random programs are the same each time, and find differences
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_fuzz.py CLANG CLANGXX"""
import pathlib
import re
import sys
import tempfile
import unittest

import builds
import programs


class Programs(unittest.TestCase):
    def test_a_seed_means_one_program(self):
        self.assertEqual(programs.generate(7), programs.generate(7))
        self.assertNotEqual(programs.generate(7), programs.generate(8))

    def test_have_five_nests_and_most_features_soon(self):
        some = [programs.generate(seed) for seed in range(200)]
        self.assertTrue(all(program.num_nests >= 5 for program in some))
        text = "\n".join(source.text for program in some for source in program.sources)
        flags = {flag for program in some for flag in program.flags + program.link_flags}
        for word in ["template", "operator()", "__restrict", "**A", "goto", "target(", "X[", "while (",
                     "fmin", "fma(", "copysign", "set_mode(UPWARD)", "SPECIAL", "__bf16", "dlopen",
                     "#pragma omp simd", "#pragma omp parallel", "#pragma clang loop", "switch (",
                     "outside_row_", "shared_", "own[", "work_k", "n_k", "int8_t", "uint64_t", "float"]:
            self.assertIn(word, text)
        for flag in ["-O1", "-O2", "-O3", "-Os", "-fPIC", "-flto", "-flto=thin", "-fopenmp",
                     "-Wl,--gc-sections", "-ffp-contract=fast", "-march=native"]:
            self.assertIn(flag, flags)

    def test_structures_overlap_as_wholes(self):
        """A part of one at the place of another part of another is undefined."""
        some = [programs.generate(seed) for seed in range(200)]
        arrays = [array for program in some for source in program.sources
                  for array in re.findall(r"\(struct cell_k\d \*\)(.+?)[,)]", source.text)]
        self.assertTrue(arrays)
        self.assertTrue(all(array.startswith("pool + ") for array in arrays), arrays)

    def test_pragmas_for_floating_point_begin_their_block(self):
        some = [programs.generate(seed) for seed in range(400)]
        before = [re.findall(r"(\S+)\s+#pragma clang fp", source.text)
                  for program in some for source in program.sources]
        self.assertEqual({word for words in before for word in words}, {"{"})

    def test_can_be_read_again(self):
        program = programs.generate(3)
        with tempfile.TemporaryDirectory() as folder:
            program.write(pathlib.Path(folder))
            self.assertEqual(programs.Program.read(pathlib.Path(folder)), program)

    def test_find_a_compiler_that_changes_bits(self):
        """In place of the driver: clang that may reorder."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            tools = builds.Toolchain(root, root, *COMPILERS)
            for cxx, compiler in zip((False, True), COMPILERS):
                loose = root / f"loose{cxx}"
                loose.write_text(f'#!/bin/sh\nexec {compiler} "$@" -Ofast -w\n')
                loose.chmod(0o755)
                tools.specrt[cxx] = str(loose)
            kinds = [builds.compare(programs.generate(seed), root / str(seed), tools).kind
                     for seed in range(6)]
        self.assertIn("mismatch", kinds)
        self.assertNotIn("defect", kinds)

    def test_programs_that_break_the_promise_of_their_flags_are_not_compared(self):
        """An infinity that no result shows, a NaN that fmin takes away, and neither."""
        kinds = {body: self.kind_of_finite(body) for body in (
            "y[0] = 1 / (1 / (x[0] - x[0]))", "y[0] = fmin(sqrt(-1 - x[0] * x[0]), 1.0)",
            "y[0] = fmin(1 / (1 + x[0] * x[0]), 0.5)")}
        self.assertEqual(list(kinds.values()), ["undefined", "undefined", "same"])

    def kind_of_finite(self, body):
        program = programs.Program(1, flags=["-O2", "-ffast-math"], finite=True, exact=False)
        program.sources = [programs.Source("kernels0.c", f"""#include "program.h"
void call_k0(const struct call *call) {{
  const double *x = (const double *)call->pool;
  double *y = (double *)call->pool + 1;
  {body};
}}
int main(void) {{
  static const struct series series[] = {{{{{{0}}, {{{{1, 1, 1}}, {{1, 1, 1}}}}, 3, ORDINARY, 0, NEAREST}}}};
  struct kernel kernel = {{"k0", call_k0, F64, 0, series, 1}};
  return drive(&kernel, 1);
}}
""")]
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            tools = builds.Toolchain(root, root, *COMPILERS)
            tools.specrt = tools.plain
            return builds.compare(program, root / "1", tools).kind


if __name__ == "__main__":
    COMPILERS = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1])
