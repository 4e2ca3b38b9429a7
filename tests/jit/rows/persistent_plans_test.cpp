//===- tests/jit/rows/persistent_plans_test.cpp - tables of an earlier run, bit for bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"
#include "tests/jit/rows/noted_rows.h"
#include "tests/jit/rows/regular_rows.h"
#include "tests/runtime/plans/plan_folder.h"
#include <utility>

extern "C" {
void csr(int, const int *, const int *, const double *, const double *, double *);
void gauss_seidel(int, const int *, const int *, const double *, const double *, double *);
void sweeps(int, const int *, const int *, const double *, const double *, double *);
}

using namespace specrt;

namespace {

using Plain = Sparse<int, int, double>;

void forgetAll(const RowVersions &Versions) {
  for (const RowVersion &V : Versions.all())
    forgetRows(V.Body);
}

/// Matrices with these patterns are met in one run, and their like, with other numbers, in the
/// next; elsewhere, if it \p Moves.
template <typename Kernel>
void compareRecalled(const Kernel &K, const std::vector<Pattern> &Patterns, bool Moves = true) {
  Random Engine(13);
  PlanFolder Folder;
  const auto Versions = K.versions();
  ASSERT_EQ(Versions->all().size(), 2U) << lastLog();
  for (const RowVersion &V : Versions->all())
    for (const Pattern &P : Patterns) {
      SCOPED_TRACE(V.Name + ", " + std::to_string(P.size()) + " rows");
      Pattern Rows = K.fit(P);
      Folder.use(); // a process does not keep many
      forgetAll(*Versions);
      V.begin();
      Plain First(Rows, 1, Engine);
      K.compare(V, First);
      EXPECT_GT(V.figures().Inspections, 0U);
      const RowFigures Walked = V.figures();
      PlanFolder::write();
      Folder.use();
      forgetAll(*Versions);
      V.begin();
      const Plain Other(Rows, 1, Engine);
      Plain Second = Other;
      if (!Moves) {
        Second = std::move(First);
        Second.Val = Other.Val;
      }
      K.compare(V, Second);
      const RowFigures Seen = V.figures();
      EXPECT_EQ(Seen.Inspections, 0U) << Seen.Problem;
      EXPECT_EQ(Seen.Recalled, Walked.Inspections);
      EXPECT_EQ(Seen.Calls, Walked.Calls);
      EXPECT_EQ(Seen.Segments, Walked.Segments);
      EXPECT_EQ(Seen.RowsInLanes, Walked.RowsInLanes);
      EXPECT_EQ(Seen.RowsInBlocks, Walked.RowsInBlocks);
      EXPECT_EQ(Seen.RowsInClasses, Walked.RowsInClasses);
      for (int Use = 0; Use < 12 && !testing::Test::HasFailure(); ++Use) {
        K.change(Second, Rows, Engine);
        K.compare(V, Second);
      }
    }
  EXPECT_EQ(Folder.Said, "");
}

#define KERNEL(Name)                                                                               \
  rowKernel<Plain>(#Name, &(Name), [](decltype(&(Name)) F, Plain &A) {                             \
    F(A.rows(), A.Ptr.data(), A.Col.data(), A.Val.data(), A.X.data(), A.Y.data());                 \
  })

/// Lines of grids, short and long, and blocks.
std::vector<Pattern> regular() {
  return {gridPattern(60, 60), grid3Pattern(12, 12, 12), blockPattern(20, 20, 3),
          bandPattern(3000, 2)};
}

/// And rows that have no order.
std::vector<Pattern> patterns() {
  Random Engine(17);
  std::vector<Pattern> All = regular();
  All.push_back(mixedPattern(2000));
  All.push_back(randomPattern(2000, 7, Engine));
  All.push_back(evenPattern(1500, 5, Engine));
  return All;
}

TEST(PersistentPlans, OfProducts) { compareRecalled(KERNEL(csr), patterns()); }
TEST(PersistentPlans, OfSweeps) { compareRecalled(KERNEL(gauss_seidel), patterns()); }
TEST(PersistentPlans, OfSweepsInBothDirections) { compareRecalled(KERNEL(sweeps), patterns()); }

/// One array of them says where itself is read, so that it counts where in a page it begins.
TEST(PersistentPlans, ThatMakeNotes) {
  compareRecalled(incompleteFactorisation(), regular(), /*Moves=*/false);
}

} // namespace
