//===- structure/rows/row_candidates.cpp - classes that were seen, and what they save ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_candidates.h"

namespace specrt {
namespace {

struct Seen {
  const EntryKind *Kinds;
  const uint64_t *Trace, *Delta;
  size_t Entries;
  uint32_t Step;

  uint64_t hash() const {
    uint64_t Hash = mixed(Step, Entries);
    for (size_t I = 0; I < Entries; ++I)
      Hash = mixed(Hash, Kinds[I] == EntryKind::Value ? Delta[I] : Trace[I]);
    return Hash;
  }

  bool is(const RowClass &Class) const {
    if (Class.Step != Step || Class.entries() != Entries)
      return false;
    for (size_t I = 0; I < Entries; ++I)
      if (Class.Kinds[I] != Kinds[I] ||
          (Kinds[I] == EntryKind::Value ? static_cast<uint64_t>(*Class.Deltas[I]) != Delta[I]
                                        : static_cast<uint64_t>(Class.Control[I]) != Trace[I]))
        return false;
    return true;
  }

  RowClass toClass() const {
    RowClass Class;
    Class.Step = Step;
    for (size_t I = 0; I < Entries; ++I) {
      const bool IsValue = Kinds[I] == EntryKind::Value;
      Class.Kinds.push_back(Kinds[I]);
      Class.Control.push_back(IsValue ? 0 : static_cast<int64_t>(Trace[I]));
      Class.Deltas.emplace_back(IsValue ? static_cast<int64_t>(Delta[I]) : 0);
    }
    return Class;
  }
};

} // namespace

void RowCandidates::add(const EntryKind *Kinds, const uint64_t *Trace, const uint64_t *Delta,
                        size_t Entries, uint32_t Step, int64_t Count) {
  const size_t Values = numValues(Kinds, Entries);
  const uint32_t MinRows = Costs.minRows(Values, Step, false);
  if (Count < MinRows)
    return;
  const Seen Found{Kinds, Trace, Delta, Entries, Step};
  const uint64_t Hash = Found.hash();
  for (auto [At, End] = ByHash.equal_range(Hash); At != End; ++At)
    if (Found.is(Candidates[At->second].Class))
      return Candidates[At->second].addSegment(Costs, Values, Count);
  const size_t More =
      sizeof(RowCandidate) + 64 +
      Entries * (sizeof(EntryKind) + sizeof(int64_t) + sizeof(std::optional<int64_t>));
  if (Bytes + More > MaxBytes)
    return;
  Bytes += More;
  ByHash.emplace(Hash, static_cast<uint32_t>(Candidates.size()));
  Candidates.push_back({Found.toClass()});
  Candidates.back().Class.MinRows = MinRows;
  Candidates.back().addSegment(Costs, Values, Count);
}

} // namespace specrt
