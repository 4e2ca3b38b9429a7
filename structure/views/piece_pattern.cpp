//===- structure/views/piece_pattern.cpp - patterns as affine pieces ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/views/piece_pattern.h"
#include "structure/rows/row_miner.h"

namespace specrt {
namespace {

RowStructure mined(RowMiner Miner, const CsrPattern &Of) {
  std::vector<EntryKind> Kinds = {EntryKind::Trips};
  std::vector<int64_t> Trace;
  for (int64_t Row = 0; Row < Of.rows(); ++Row) {
    const std::span<const uint32_t> Columns = Of.row(Row);
    Trace.assign(1, static_cast<int64_t>(Columns.size()));
    Trace.insert(Trace.end(), Columns.begin(), Columns.end());
    if (Kinds.size() < Trace.size())
      Kinds.resize(Trace.size(), EntryKind::Value);
    Miner.row(Kinds.data(), Trace.data(), Trace.size());
  }
  return Miner.finish();
}

} // namespace

PiecePattern::PiecePattern(const CsrPattern &Of, double MinShare) : Columns(Of.Columns) {
  RowMinerOptions Options;
  Options.Costs.LeastShare = MinShare;
  std::vector<RowClass> Classes = mined(RowMiner::discover(Options), Of).Classes;
  // Classes with loaded values do not determine where entries are.
  std::erase_if(Classes, [](const RowClass &Class) { return Class.hasLoaded(); });
  Structure = mined(RowMiner::assign(std::move(Classes), Options), Of);
  if (Structure.GivenUp)
    Structure.Segments = {{RestClass, 0, 1, Of.rows(), 0}};
  Rest.Columns = Columns;
  for (const RowSegment &Segment : Structure.Segments)
    for (int64_t K = 0; Segment.Class == RestClass && K < Segment.Count; ++K) {
      const std::span<const uint32_t> Row = Of.row(Structure.rowOf(Segment, K));
      Rest.Column.insert(Rest.Column.end(), Row.begin(), Row.end());
      Rest.endRow();
    }
}

CsrPattern PiecePattern::toCsr() const {
  struct Place {
    const RowSegment *Segment = nullptr; // null: rest
    int64_t K = 0;
  };
  std::vector<Place> Places(static_cast<size_t>(Structure.Rows));
  int64_t RestRow = 0;
  for (const RowSegment &Segment : Structure.Segments)
    for (int64_t K = 0; K < Segment.Count; ++K)
      Places[static_cast<size_t>(Structure.rowOf(Segment, K))] =
          Segment.Class == RestClass ? Place{nullptr, RestRow++} : Place{&Segment, K};
  CsrPattern Result;
  Result.Columns = Columns;
  for (const auto &[Segment, K] : Places) {
    if (Segment)
      for (size_t I = 1; I < Structure.Classes[Segment->Class].entries(); ++I)
        Result.Column.push_back(static_cast<uint32_t>(Structure.entryOf(*Segment, K, I)));
    else
      Result.Column.insert(Result.Column.end(), Rest.row(K).begin(), Rest.row(K).end());
    Result.endRow();
  }
  return Result;
}

size_t PiecePattern::bytes() const {
  size_t Bytes = Structure.Segments.size() * sizeof(RowSegment) +
                 Structure.Origins.size() * sizeof(int64_t) + Rest.bytes();
  for (const RowClass &Class : Structure.Classes)
    Bytes += Class.entries() * (sizeof(EntryKind) + 2 * sizeof(int64_t));
  return Bytes;
}

} // namespace specrt
