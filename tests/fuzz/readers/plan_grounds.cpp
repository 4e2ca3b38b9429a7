//===- tests/fuzz/readers/plan_grounds.cpp - the calls for which persistent plans are valid ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plans/table_image.h"
#include "runtime/rows/plan_store.h"
#include "tests/fuzz/readers/reader.h"
#include "tests/runtime/rows/row_loop.h"

using namespace specrt;

namespace {

struct StoredLoop : RowTables {
  StoredLoop() {
    // Its plans are stored, however little time they took.
    Deciding[0] = SPECRT_ROWS_DECIDING_BY_CONTENT;
    Loop.digest[0] = 9;
    leastPersistentNs() = 0;
  }
  void TestBody() override {}
  std::array<uint64_t, 4> inputs() { return RowTables::inputs(Y); }
};

StoredLoop &loop() {
  static StoredLoop &Only = *new StoredLoop;
  return Only;
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const auto Inputs = loop().inputs();
  const specrt_sparse_loop &Loop = loop().Loop;
  std::vector<RowGrounds> Read = decodeGrounds(viewOf(Data, Size));
  demand(Read.size() <= MaxGrounds, "they are few");
  for (RowGrounds &G : Read) {
    if (!recallGrounds(Loop, Inputs.data(), Inputs[3], G, WatchCopies::OfAll))
      continue;
    demand(!G.Watched.empty() && G.isFor(Loop, Inputs.data(), Inputs[3]),
           "they are for this call, and something decides");
    for (const RowExtent &X : G.Extents)
      demand(X.Base < Loop.num_bases && X.Low < X.High, "extents are of bases, and not empty");
    G.areApart(Loop, Inputs.data());
    dataBytes(Loop, G);
  }
  return 0;
}

std::vector<std::string> seeds() {
  const auto Inputs = loop().inputs();
  const InspectedRows Found = inspectRows(loop().Loop, Inputs.data(), Inputs[3], 1e18);
  demand(Found.Table && !Found.Table->Contents.empty(), "rows can be walked");
  RowGrounds G;
  G.Extents = Found.Table->Extents;
  G.Contents = Found.Table->Contents;
  RowGrounds Wide = G, WideData = G, None;
  WideData.Extents[1].Low = INT64_MIN;
  Wide.Extents[0].Low = INT64_MIN;
  Wide.Extents[0].High = INT64_MAX;
  return {encodeGrounds({G}), encodeGrounds({G, G, G}), encodeGrounds({Wide}),
          encodeGrounds({WideData}), encodeGrounds({None})};
}
