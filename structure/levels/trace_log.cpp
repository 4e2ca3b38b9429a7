//===- structure/levels/trace_log.cpp - compressed traces of all rows -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/levels/trace_log.h"

#include <algorithm>

namespace specrt {

void TraceLog::row(const EntryKind *Kinds, const int64_t *Trace, size_t Entries) {
  const bool Grows = Growing.extend(Rows, Kinds, Trace, Entries) ||
                     (Growing.count() == 1 && Growing.pair(Rows, Kinds, Trace, Entries));
  if (!Grows) {
    endRun();
    Growing.start(Rows, Kinds, Trace, Entries);
  }
  RunOf.push_back(static_cast<uint32_t>(Runs.size())); // the index that the growing run will get
  ++Rows;
}

void TraceLog::endRun() {
  if (Growing.count() == 0)
    return;
  const RowView View = Growing.view();
  Runs.push_back({layoutOf({View.Kinds, View.Kinds + View.Entries}),
                  static_cast<uint32_t>(View.Entries), Growing.first(), Words.size()});
  Growing.appendOrigins(Words);
  if (Growing.count() > 1)
    Words.insert(Words.end(), View.Delta, View.Delta + View.Entries);
  Growing.clear();
}

uint32_t TraceLog::layoutOf(const std::vector<EntryKind> &Kinds) {
  uint64_t Hash = Kinds.size();
  for (EntryKind Kind : Kinds)
    Hash = mixed(Hash, static_cast<uint64_t>(Kind));
  for (auto [At, End] = LayoutByHash.equal_range(Hash); At != End; ++At)
    if (Layouts[At->second].Kinds == Kinds)
      return At->second;
  const auto New = static_cast<uint32_t>(Layouts.size());
  Layouts.push_back({Kinds, numValues(Kinds.data(), Kinds.size())});
  LayoutByHash.emplace(Hash, New);
  LayoutBytes += Kinds.size() + sizeof(Layout) + 64;
  return New;
}

size_t TraceLog::bytes() const {
  return RunOf.capacity() * sizeof(uint32_t) + Runs.capacity() * sizeof(Run) +
         Words.capacity() * sizeof(int64_t) + LayoutBytes;
}

void TraceLog::trace(int64_t Row, int64_t *Trace) const {
  const Run &R = runOf(Row);
  const int64_t *First = Words.data() + R.Words;
  if (Row == R.First) {
    std::copy_n(First, R.Entries, Trace);
    return;
  }
  const auto K = static_cast<uint64_t>(Row - R.First);
  for (uint32_t I = 0; I < R.Entries; ++I)
    Trace[I] = static_cast<int64_t>(static_cast<uint64_t>(First[I]) +
                                    K * static_cast<uint64_t>(First[R.Entries + I]));
}

} // namespace specrt
