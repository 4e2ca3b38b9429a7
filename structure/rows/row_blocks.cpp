//===- structure/rows/row_blocks.cpp - joins segments of rows into blocks -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_blocks.h"

#include <algorithm>
#include <unordered_map>

namespace specrt {
namespace {

class BlockJoiner {
public:
  BlockJoiner(RowStructure &S, const std::vector<bool> &MayJoin) : S(S), MayJoin(MayJoin) {
    for (size_t I = 0; I < S.Segments.size(); ++I)
      if (isPhase(S.Segments[I]))
        ByFirst.emplace(S.Segments[I].First, I);
  }

  void join() {
    std::vector<RowSegment> Joined;
    for (size_t I = 0; I < S.Segments.size(); ++I)
      if (isPhase(S.Segments[I]) && S.Segments[I].First % S.Segments[I].RowStep == 0)
        joinPhases(I, Joined);
    std::erase_if(S.Segments, [](const RowSegment &Segment) { return Segment.Count == 0; });
    S.Segments.insert(S.Segments.end(), Joined.begin(), Joined.end());
    std::sort(S.Segments.begin(), S.Segments.end(),
              [](const RowSegment &A, const RowSegment &B) { return A.First < B.First; });
  }

private:
  bool isPhase(const RowSegment &Segment) const {
    return Segment.Class != RestClass && MayJoin[Segment.Class] && Segment.Count > 0;
  }
  bool isBehind(const RowSegment &First, const RowSegment &Other, int64_t Rows) const;
  void joinPhases(size_t First, std::vector<RowSegment> &Joined);
  void dropFirst(RowSegment &Segment, int64_t Count);

  RowStructure &S;
  const std::vector<bool> &MayJoin;
  std::unordered_map<int64_t, size_t> ByFirst;
};

/// Returns whether each row of \p Other is the row of the same block \p Rows rows after a row of \p
/// First.
bool BlockJoiner::isBehind(const RowSegment &First, const RowSegment &Other, int64_t Rows) const {
  if (Other.Class != First.Class)
    return false;
  const RowClass &Class = S.Classes[First.Class];
  for (size_t I = 0; I < Class.entries(); ++I)
    if (Class.Kinds[I] == EntryKind::Value &&
        static_cast<uint64_t>(S.Origins[Other.Origins + I]) !=
            static_cast<uint64_t>(S.Origins[First.Origins + I]) +
                static_cast<uint64_t>(Rows) * static_cast<uint64_t>(*Class.tie(I).Apart))
      return false;
  return true;
}

void BlockJoiner::dropFirst(RowSegment &Segment, int64_t Count) {
  const size_t Entries = S.Classes[Segment.Class].entries();
  const uint64_t Origins = S.Origins.size();
  for (size_t I = 0; I < Entries; ++I)
    S.Origins.push_back(S.entryOf(Segment, Count, I));
  Segment.First += Count * Segment.RowStep;
  Segment.Count -= Count;
  Segment.Origins = Origins;
}

void BlockJoiner::joinPhases(size_t First, std::vector<RowSegment> &Joined) {
  RowSegment Whole = S.Segments[First];
  std::vector<size_t> Phases{First};
  for (int64_t Row = 1; Row < Whole.RowStep; ++Row) {
    const auto At = ByFirst.find(Whole.First + Row);
    if (At == ByFirst.end() || !isBehind(Whole, S.Segments[At->second], Row))
      return;
    Phases.push_back(At->second);
    Whole.Count = std::min(Whole.Count, S.Segments[At->second].Count);
  }
  for (const size_t Phase : Phases) {
    if (S.Segments[Phase].Count == Whole.Count)
      S.Segments[Phase].Count = 0;
    else
      dropFirst(S.Segments[Phase], Whole.Count);
  }
  Whole.IsBlocks = true;
  Joined.push_back(Whole);
}

} // namespace

void joinBlocks(RowStructure &S, const std::vector<bool> &MayJoin) {
  if (std::find(MayJoin.begin(), MayJoin.end(), true) != MayJoin.end())
    BlockJoiner(S, MayJoin).join();
}

} // namespace specrt
