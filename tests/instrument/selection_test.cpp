//===- tests/instrument/selection_test.cpp - which loops are regions ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/instrument/toolchain.h"

using namespace specrt;
using testing::HasSubstr;
using testing::Not;

namespace {

using SelectedLoops = ToolchainTest;

/// Each level needs the one before. A patch needs itself only, so the loop over patches is a
/// region.
TEST_F(SelectedLoops, NestsOfLevelsAreRegionsAndLoopsOverPatchesToo) {
  const std::string Arrays = "static int n[9], m[9], at[9];\nstatic double u[9999];\n"
                             "int *sizes(void) { return n; } int *rows(void) { return m; }\n"
                             "int *places(void) { return at; } double *all(void) { return u; }\n";
  write("levels.c", Arrays +
                        "void f(int k) { for (; k > 0; k--) {\n"
                        "  const double *fine = u + at[k]; double *coarse = u + at[k - 1];\n"
                        "  for (int i = 0; i < n[k - 1]; i++)\n"
                        "    for (int j = 0; j < m[k - 1]; j++)\n"
                        "      coarse[i * m[k - 1] + j] = 0.5 * fine[2 * i * m[k] + 2 * j]; } }\n");
  const std::string Levels = check("$CC -O2 -Rpass=specrt -Rpass-missed=specrt -c levels.c").Err;
  EXPECT_THAT(Levels, HasSubstr("levels.c:5:17: remark: loop is not a region: its iterations go "
                                "from one level of an array to the next"));
  EXPECT_THAT(Levels, HasSubstr("levels.c:7:3: remark: loop is a region"));
  write("patches.c", Arrays + "void f(int k) { for (; k > 0; k--) {\n"
                              "  double *patch = u + at[k];\n"
                              "  for (int i = 0; i < n[k]; i++)\n"
                              "    for (int j = 0; j < m[k]; j++)\n"
                              "      patch[i * m[k] + j] *= 0.5; } }\n");
  const std::string Patches = check("$CC -O2 -Rpass=specrt -Rpass-missed=specrt -c patches.c").Err;
  EXPECT_THAT(Patches, HasSubstr("patches.c:5:17: remark: loop is a region"));
}

/// Loop info does not contain the copy of a nest, into which scalar evolution looks through a
/// counter that a loop around carries on.
TEST_F(SelectedLoops, CountersThatLoopsAroundCarryOnAreCompiled) {
  write("pack.c", "extern void use(int);\n"
                  "void pack(double *l, const double *a, int n) { int nd = 0;\n"
                  "  for (int k = 0; k < n; k++) {\n"
                  "    for (int i = 0; i < n; i++) l[nd++] = a[i];\n"
                  "    use(k); } }\n"
                  "void nodes(int *l, int n, int en) { int nd = 0, z = 0;\n"
                  "  for (int k = 0; k < n; k++) {\n"
                  "    for (int j = 0; j < n; j++) {\n"
                  "      for (int i = 0; i < n; i++) { l[z] = nd; z++; nd++; }\n"
                  "      nd++; }\n"
                  "    nd += en; } }\n");
  for (const char *Flags : {"-O1", "-O2", "-O3", "-Os"}) {
    const std::string Said = check(std::string("$CC -Rpass=specrt -c pack.c ") + Flags).Err;
    EXPECT_THAT(Said, HasSubstr("pack.c:4:5: remark: loop is a region")) << Flags;
  }
}

/// Time steps over a torus have no model, so that each of them is a region. Those over a grid may
/// be tiled.
TEST_F(SelectedLoops, StepsOverATorusAreRegions) {
  for (const auto &[Name, East, IsOne] :
       {std::tuple("torus", "(j + 1) % 512", false), std::tuple("grid", "j + 1", true)}) {
    SCOPED_TRACE(Name);
    const std::string File = std::string(Name) + ".c";
    write(File, std::string("static double u[513][513], v[513][513];\n"
                            "double *get(void) { return u[0]; }\n"
                            "void f(int steps) { for (int t = 0; t < steps; t++) {\n"
                            "  for (int i = 0; i < 512; i++)\n"
                            "    for (int j = 0; j < 512; j++) v[i][j] = 0.5 * u[i][") +
                    East +
                    "];\n"
                    "  for (int i = 0; i < 512; i++)\n"
                    "    for (int j = 0; j < 512; j++) u[i][j] = v[i][j]; } }\n");
    const std::string Said = check("$CC -O2 -Rpass=specrt -Rpass-missed=specrt -c " + File).Err;
    const std::string Outer = File + ":3:21: remark: loop is ";
    EXPECT_THAT(Said, HasSubstr(Outer + (IsOne ? "a region" : "not a region: it repeats loops")));
    EXPECT_THAT(Said, IsOne ? Not(HasSubstr(File + ":4:3: remark: loop is a region"))
                            : testing::Matcher<const std::string &>(
                                  HasSubstr(File + ":4:3: remark: loop is a region")));
  }
}

/// Transforms of blocks in a work array double their strides from pass to pass. Only the copies of
/// structures into the work array and out of it tell one block from the next.
TEST_F(SelectedLoops, CopiesOfStructuresAreAccesses) {
  write("blocks.c", "struct number { double re, im; };\n"
                    "static struct number w[64][16];\n"
                    "void f(struct number (*a)[64][16], int blocks) {\n"
                    "  for (int b = 0; b < blocks; b++) {\n"
                    "    for (int i = 0; i < 64; i++)\n"
                    "      for (int j = 0; j < 16; j++) w[i][j] = a[b][i][j];\n"
                    "    for (int pass = 0; pass < 6; pass++)\n"
                    "      for (int i = 0; i < 32 >> pass; i++)\n"
                    "        for (int j = 0; j < 16; j++)\n"
                    "          w[i << pass][j].re += 0.5 * w[(i << pass) + 1][j].im;\n"
                    "    for (int i = 0; i < 64; i++)\n"
                    "      for (int j = 0; j < 16; j++) a[b][i][j] = w[i][j]; } }\n");
  EXPECT_THAT(check("$CC -O3 -Rpass=specrt -Rpass-missed=specrt -c blocks.c").Err,
              HasSubstr("blocks.c:4:3: remark: loop is a region"));
}

/// LLVM folds i + 1 to 1 on the path of the first iteration, and the counter is a phi of both.
TEST_F(SelectedLoops, FactorisationsWithAPathForTheFirstIterationAreRegions) {
  write("lu.c", "void lu(float *a, int n) {\n"
                "  for (int i = 0; i < n; i++) {\n"
                "    for (int j = i; j < n; j++) { float s = a[i * n + j];\n"
                "      for (int k = 0; k < i; k++) s -= a[i * n + k] * a[k * n + j];\n"
                "      a[i * n + j] = s; }\n"
                "    for (int j = i + 1; j < n; j++) { float s = a[j * n + i];\n"
                "      for (int k = 0; k < i; k++) s -= a[j * n + k] * a[k * n + i];\n"
                "      a[j * n + i] = s / a[i * n + i]; } } }\n");
  for (const char *Flags : {"-O2", "-O3"})
    EXPECT_THAT(check(std::string("$CC -Rpass=specrt -c lu.c ") + Flags).Err,
                HasSubstr("lu.c:2:3: remark: loop is a region"))
        << Flags;
}

/// The nests in which the solvers of bench/solvers spend their time. Threads can share those of a
/// Fourier transform, whose passes they could not.
TEST_F(SelectedLoops, NestsOfSolversAreRegions) {
  const std::pair<const char *, std::vector<const char *>> Solvers[] = {
      {"multigrid", {"resid", "psinv", "rprj3", "interp"}},
      {"fourier", {"cffts1", "cffts2", "cffts3", "evolve"}},
      {"block_lines", {"x_solve", "y_solve", "z_solve", "compute_fluxes"}},
      {"scalar_lines", {"txinvr", "x_solve", "y_solve", "z_solve", "compute_fluxes"}},
      {"ssor", {"ssor", "rhs"}},
      {"hydro", {"integrateStress", "hourglassForces", "calcKinematics", "calcQ"}},
      {"molecules", {"computeForce", "redistributeAtoms"}}};
  for (const auto &[Solver, Functions] : Solvers) {
    const std::string Bench = SPECRT_TEST_BENCH;
    const std::string Said =
        check("$CXX -std=c++20 -O3 -I" + Bench + "/programs -Rpass=specrt -c " + Bench +
              "/solvers/" + Solver + ".cpp")
            .Err;
    for (const std::string Function : Functions)
      EXPECT_THAT(Said, HasSubstr("loop is a region: " + Function + ":")) << Solver;
    EXPECT_THAT(Said, Not(HasSubstr("loop is a region: cfftz:")));
  }
}

} // namespace
