//===- runtime/rows/unrolled_rows.cpp - checks the rows of code for certain rows ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"
#include "runtime/rows/inspector_sink.h"

#include <algorithm>

namespace specrt {
namespace {

/// Checks rows that run in the order of the program, so their dependences do not matter.
class UnrolledRowsSink : public InspectorSink {
public:
  UnrolledRowsSink(const specrt_sparse_loop &From, uint64_t Rows, double MaxNs)
      : InspectorSink(From, Rows, 1, MaxNs), Expected(*From.unrolled) {
    reportAll();
  }

  InspectedRows table(bool IsParallel) const override;

private:
  const char *add(uint64_t Count) override;
  void skip(uint64_t /*Count*/) override {}
  const char *finish() override {
    return Row == Expected.num_rows ? nullptr : words(Reason::RowsUnlike);
  }
  std::vector<uint32_t> classesOfRows(const std::vector<uint64_t> &Some) const override {
    return std::vector<uint32_t>(Some.size(), 0);
  }

  const specrt_row_traces Expected; ///< valid as long as rows are added
  uint64_t Row = 0, Entry = 0;      ///< position of the next one
};

const char *UnrolledRowsSink::add(uint64_t Count) {
  if (Row == Expected.num_rows || Count != Expected.lengths[Row] ||
      !std::equal(kinds, kinds + Count, Expected.kinds + Entry) ||
      !std::equal(trace(), trace() + Count, Expected.values + Entry))
    return words(Reason::RowsUnlike);
  ++Row;
  Entry += Count;
  return nullptr;
}

InspectedRows UnrolledRowsSink::table(bool IsParallel) const {
  auto T = std::make_shared<RowTable>();
  T->RowsInClasses = T->RowsUnrolled = Rows;
  T->IsWorthIt = true;
  return complete(std::move(T), IsParallel);
}

} // namespace

InspectedRows inspectUnrolledRows(const specrt_sparse_loop &Loop, const uint64_t *Inputs,
                                  uint64_t Rows, double MaxNs) {
  if (Rows != Loop.unrolled->num_rows)
    return {.Problem = words(Reason::RowsUnlike), .IsHopeless = true};
  auto Sink = std::make_shared<UnrolledRowsSink>(Loop, Rows, MaxNs);
  Loop.inspect(Inputs, Sink.get());
  return InspectorSink::end(std::move(Sink), Inputs);
}

} // namespace specrt
