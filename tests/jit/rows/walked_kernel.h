//===- tests/jit/rows/walked_kernel.h - compares tables with and without run prediction ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ROWS_WALKED_KERNEL_H
#define SPECRT_TESTS_JIT_ROWS_WALKED_KERNEL_H

#include "runtime/rows/row_table.h"
#include "runtime/rows/run_predictor.h"
#include "runtime/rows/segments.h"
#include "tests/jit/rows/row_versions.h"

#include <functional>
#include <gtest/gtest.h>
#include <vector>

namespace specrt {

/// What the last call has had walked.
struct WalkedCall {
  specrt_rows_inspector *Inspector = nullptr;
  size_t NumInputs = 0;
  std::vector<uint64_t> Inputs;
  uint64_t Rows = 0;
};
inline WalkedCall LastCall;

inline void recordCall(const uint64_t *Inputs, specrt_row_trace *Into) {
  LastCall.Inputs.assign(Inputs, Inputs + LastCall.NumInputs);
  LastCall.Rows = Into->num_rows;
  LastCall.Inspector(Inputs, Into);
}

inline std::vector<int64_t> numbersOf(const RowTable &T, const specrt_sparse_loop &Loop) {
  std::vector<int64_t> All;
  for (const specrt_rows_segment &S : T.Segments) {
    All.insert(All.end(), {S.first, S.count, int64_t{S.kind}, int64_t{S.class_index}});
    const std::optional<SegmentForm> Form = formOf(Loop, S);
    EXPECT_TRUE(Form && !Form->mayDepend());
    if (Form)
      All.insert(All.end(), S.origins,
                 S.origins + originLayout(Loop, *Form, static_cast<uint64_t>(S.count)).Words);
  }
  return All;
}

inline void expectSame(const InspectedRows &A, const InspectedRows &B,
                       const specrt_sparse_loop &Loop) {
  EXPECT_STREQ(A.Problem, B.Problem);
  EXPECT_EQ(A.IsHopeless, B.IsHopeless);
  ASSERT_EQ(A.Table == nullptr, B.Table == nullptr);
  if (!A.Table)
    return;
  EXPECT_EQ(numbersOf(*A.Table, Loop), numbersOf(*B.Table, Loop));
  EXPECT_EQ(A.Table->RowsInClasses, B.Table->RowsInClasses);
  EXPECT_EQ(A.Table->Key, B.Table->Key);
  EXPECT_EQ(A.Table->Extents, B.Table->Extents);
  ASSERT_EQ(A.Table->Watched.size(), B.Table->Watched.size());
  for (size_t I = 0; I < A.Table->Watched.size(); ++I)
    EXPECT_EQ(A.Table->Watched[I]->figures().Bytes, B.Table->Watched[I]->figures().Bytes);
  const RowCells OfA = A.Table->Picture->cells(), OfB = B.Table->Picture->cells();
  EXPECT_EQ(OfA.Width, OfB.Width);
  EXPECT_EQ(OfA.Lines, OfB.Lines);
  EXPECT_EQ(OfA.Classes, OfB.Classes);
}

struct WithoutRunPrediction {
  WithoutRunPrediction() { runPredictionIsOff() = true; }
  ~WithoutRunPrediction() { runPredictionIsOff() = false; }
};

/// The versions for one kernel, and how it is called.
template <typename Function> class WalkedKernel {
public:
  using Caller = std::function<void(Function *)>;

  WalkedKernel(const char *Name, Function *Original, const Caller &Run,
               const char *File = SPECRT_LINEAR_KERNELS)
      : Original(Original),
        Versions(Name, [&](void *Body) { Run(reinterpret_cast<Function *>(Body)); }, File) {}

  bool isLinear() const { return version().Rows->is_linear; }
  /// The last one is for one thread.
  const RowVersion &version() const { return Versions.all().back(); }
  bool hasVersion() const { return !Versions.all().empty(); }

  /// Compares tables of the rows of this call, and what \p Run leaves in \p Result. Returns the
  /// number of predicted rows.
  template <typename T> uint64_t compare(const Caller &Run, std::vector<T> &Result) const {
    const RowVersion &V = version();
    V.begin();
    const std::vector<T> Before = Result;
    Run(Original);
    const std::vector<T> Expected = Result;
    Result = Before;
    LastCall = {V.Rows->inspect, V.Rows->num_inputs, {}, 0};
    V.Rows->inspect = recordCall;
    Run(reinterpret_cast<Function *>(V.Body));
    V.Rows->inspect = LastCall.Inspector;
    EXPECT_EQ(Result, Expected);
    Result = Before;
    if (LastCall.Rows == 0)
      return 0; // no loop
    const InspectedRows Predicted = inspectRows(*V.Rows, LastCall.Inputs.data(), LastCall.Rows);
    const WithoutRunPrediction Mode;
    const InspectedRows Walked = inspectRows(*V.Rows, LastCall.Inputs.data(), LastCall.Rows);
    EXPECT_EQ(Walked.RowsPredicted, 0u);
    expectSame(Predicted, Walked, *V.Rows);
    return Predicted.RowsPredicted;
  }

private:
  Function *Original;
  RowVersions Versions;
};

} // namespace specrt

#endif
