//===- tests/jit/rows/row_versions.h - the candidates for sparse rows, one region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_JIT_ROWS_ROW_VERSIONS_H
#define SPECRT_TESTS_JIT_ROWS_ROW_VERSIONS_H

#include "runtime/record/row_recording.h"
#include "runtime/rows/fusion/fused_rows.h"
#include "runtime/rows/row_tables.h"
#include "tests/jit/recording.h"
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

/// A compiler whose versions are given real tables.
inline specrt::Compiler &rowsCompiler() {
  static specrt::Compiler &C = *[] {
    static constexpr specrt_entry_runs_functions Runs{specrt::beginEntryRuns, specrt::endEntryRuns};
    static constexpr specrt_fused_rows_functions Fused{specrt::beginFusedRows,
                                                       specrt::endFusedRows};
    specrt_jit_config Config = {.log = [](int, const char *Message) { lastLog() = Message; },
                                .library_directory = SPECRT_TEST_LIBRARIES,
                                .rows_begin = &specrt::beginRows,
                                .rows_end = &specrt::endRows,
                                .entry_runs = &Runs,
                                .fused_rows = &Fused,
                                .zeros = nullptr};
    return llvm::cantFail(specrt::Compiler::create(Config)).release();
  }();
  return C;
}

struct RowsRecording : TestRecording {
  RowsRecording() {
    rows = [](specrt_recording *R, uint32_t Loop, const specrt_sparse_loop *SparseLoop,
              const uint64_t *Inputs, uint64_t NumRows) {
      static_cast<RowsRecording *>(R)->Seen.walk(Loop, *SparseLoop, Inputs, NumRows, UINT64_MAX);
    };
    Seen.prepare();
  }
  specrt::RowRecording Seen;
};

struct RowVersion {
  std::string Name;
  void *Body;
  specrt_sparse_loop *Rows;

  specrt::RowFigures figures() const { return specrt::rowFigures(Rows); }
  /// Without tables, and with what may be spent on them at first.
  void begin() const {
    specrt::forgetRows(Body);
    specrt::ownRows(Body, Rows);
  }
};

/// `rows` and `rows-parallel` of a function of kernels.c, for rows as a call has them.
class RowVersions {
public:
  /// \p Call gets the instrumented version. \p Dump: a folder for the code, or null. \p Only: the
  /// one candidate to be built, or null. \p Mode: enum specrt_fp_mode.
  RowVersions(const char *Kernel, const std::function<void(void *)> &Call,
              const char *File = SPECRT_ROWS_KERNELS, const char *Dump = nullptr,
              const char *Only = nullptr, uint32_t Mode = SPECRT_FP_STRICT)
      : Region(TestRegion::fromBitcode(File, Kernel)) {
    Region->request().fp_mode = Mode;
    Region->request().threads = 3;
    Region->request().dump_directory = Dump;
    Region->request().only = Only;
    learn(Call);
    if (!Only) // rows in classes
      for (specrt::RowsOfLoop &Of : Shapes)
        Of.Traces = {};
    compile();
  }
  ~RowVersions() {
    for (const RowVersion &V : All)
      specrt::forgetRows(V.Body);
    for (unsigned I = 0; Result && I < Result->num_candidates; ++I)
      rowsCompiler().release(Result->candidates[I].handle);
    if (Result)
      delete specrt::CompileResult::from(Result);
  }
  RowVersions(const RowVersions &) = delete;
  RowVersions &operator=(const RowVersions &) = delete;

  const std::vector<RowVersion> &all() const { return All; }
  const std::vector<specrt::RowsOfLoop> &shapes() const { return Shapes; }
  unsigned rowLoops() const { return NumRowLoops; }

private:
  bool hasTraces() const {
    return std::any_of(Shapes.begin(), Shapes.end(),
                       [](const specrt::RowsOfLoop &Of) { return !Of.Traces.empty(); });
  }
  void learn(const std::function<void(void *)> &Call) {
    RowsRecording Into;
    const specrt_jit_instrumented *Version = rowsCompiler().instrument(Region->request(), Into);
    ASSERT_EQ(Version->error, nullptr) << (Version->error ? Version->error : "");
    Into.begin(*Version, size_t{1} << 19);
    NumRowLoops = Version->num_row_loops;
    Call(Version->body);
    Shapes = Into.Seen.shapes(/*WithUnsteady=*/true);
    rowsCompiler().release(Version->handle);
    delete static_cast<const specrt::InstrumentedResult *>(Version);
  }

  void compile() {
    if (Shapes.empty() || (Region->request().only && !hasTraces()))
      return;
    Facts = std::make_unique<specrt::RowFacts>(Shapes);
    Region->request().rows = Facts->plain().data();
    Region->request().num_rows = static_cast<uint32_t>(Facts->plain().size());
    Result = rowsCompiler().compile(Region->request());
    ASSERT_EQ(Result->error, nullptr) << (Result->error ? Result->error : "");
    for (unsigned I = 0; I < Result->num_candidates; ++I) {
      const specrt_jit_candidate &C = Result->candidates[I];
      All.push_back({C.name, C.body, C.rows});
      ASSERT_NE(C.rows, nullptr) << C.name;
      specrt::ownRows(C.body, C.rows);
    }
  }

  std::unique_ptr<TestRegion> Region;
  std::vector<specrt::RowsOfLoop> Shapes;
  std::unique_ptr<specrt::RowFacts> Facts;
  const specrt_jit_result *Result = nullptr;
  std::vector<RowVersion> All;
  unsigned NumRowLoops = 0;
};

#endif
