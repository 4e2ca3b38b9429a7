//===- structure/rows/row_class_table.cpp - looks up classes by their contents -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/rows/row_class_table.h"

namespace specrt {

uint64_t RowView::hash() const {
  uint64_t Hash = mixed(Step, Entries);
  for (size_t I = 0; I < Entries; ++I)
    Hash = mixed(Hash, Kinds[I] == EntryKind::Value ? Delta[I] : Trace[I]);
  return Hash;
}

bool RowView::is(const RowClass &Class) const {
  if (Class.Step != Step || Class.entries() != Entries || Class.hasLoaded())
    return false;
  for (size_t I = 0; I < Entries; ++I)
    if (Class.Kinds[I] != Kinds[I] ||
        (Kinds[I] == EntryKind::Value ? static_cast<uint64_t>(*Class.Deltas[I]) != Delta[I]
                                      : static_cast<uint64_t>(Class.Control[I]) != Trace[I]))
      return false;
  return true;
}

RowClass RowView::toClass() const {
  RowClass Class;
  Class.Step = Step;
  for (size_t I = 0; I < Entries; ++I) {
    const bool IsValue = Kinds[I] == EntryKind::Value;
    Class.Kinds.push_back(Kinds[I]);
    Class.Control.push_back(IsValue ? 0 : static_cast<int64_t>(Trace[I]));
    Class.Deltas.emplace_back(IsValue ? static_cast<int64_t>(Delta[I]) : 0);
    Class.Ties.emplace_back();
  }
  return Class;
}

void RowClassTable::add(const RowClass &Class, uint32_t Number) {
  if (Class.hasLoaded())
    return;
  std::vector<uint64_t> Trace(Class.Control.begin(), Class.Control.end()), Delta;
  for (const std::optional<int64_t> &D : Class.Deltas)
    Delta.push_back(static_cast<uint64_t>(*D));
  const RowView View{Class.Kinds.data(), Trace.data(), Delta.data(), Class.entries(), Class.Step};
  ByHash.emplace(View.hash(), Number);
}

} // namespace specrt
