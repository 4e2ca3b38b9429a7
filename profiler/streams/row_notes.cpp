//===- profiler/streams/row_notes.cpp - notes of a row during its inspection ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/streams/row_notes.h"

#include <cstring>

namespace specrt {
namespace {

uint64_t inMemory(uint64_t Address, uint32_t Bytes) {
  uint64_t Value = 0;
  std::memcpy(&Value, reinterpret_cast<const void *>(Address), Bytes);
  return Value;
}

} // namespace

/// Returns the slot of the page, which may be empty.
size_t NotedPages::slotOf(uint64_t Page) const {
  size_t Slot = (Page * 0x9e3779b97f4a7c15u >> 40) % NumSlots;
  while (Pages[Slot] != 0 && Pages[Slot] != Page)
    Slot = (Slot + 1) % NumSlots;
  return Slot;
}

void NotedPages::addPage(uint64_t Page) {
  Last = Page;
  const size_t Slot = slotOf(Page);
  if (Pages[Slot] == Page || NumPages == MaxPages)
    return;
  Pages[Slot] = Page;
  ++NumPages;
}

bool NotedPages::haveAll(uint64_t Low, uint64_t High) const {
  for (uint64_t Page = Low / PageBytes; Low < High && Page <= (High - 1) / PageBytes; ++Page)
    if (Pages[slotOf(Page)] != Page)
      return false;
  return true;
}

void RowNotes::begin(NotedPages *AllPages) {
  Pages = AllPages;
  store = storeOne;
  load = loadOne;
  end = endRow;
  for (Place &P : Places)
    P.Row = 0;
  NumUsed = 0;
  Row = 1;
  NumStores = 0;
  IsFull = false;
}

/// Returns the slot of the place, which may be empty.
size_t RowNotes::slotOf(uint64_t Address) const {
  size_t Slot = (Address * 0x9e3779b97f4a7c15u >> 40) % NumSlots;
  while (Places[Slot].Row == Row && Places[Slot].Address != Address)
    Slot = (Slot + 1) % NumSlots;
  return Slot;
}

void RowNotes::storeOne(specrt_row_notes *Notes, uint64_t Address, uint32_t Bytes, uint64_t Value,
                        uint32_t IsKnown) {
  auto &Mine = *static_cast<RowNotes *>(Notes);
  Mine.noteAt(Address, Bytes);
  ++Mine.NumStores;
  const size_t Slot = Mine.slotOf(Address);
  Place &P = Mine.Places[Slot];
  if (P.Row != Mine.Row) {
    if (Mine.NumUsed == MaxPlaces || Address % Bytes != 0) {
      Mine.IsFull = true;
      return;
    }
    Mine.Used[Mine.NumUsed++] = static_cast<uint16_t>(Slot);
  } else if (P.Bytes != Bytes) {
    Mine.IsFull = true;
  }
  P = {.Address = Address,
       .Value = Value,
       .Row = Mine.Row,
       .Source = Mine.NumStores,
       .Bytes = static_cast<uint8_t>(Bytes),
       .IsKnown = IsKnown != 0};
}

uint64_t RowNotes::loadOne(specrt_row_notes *Notes, uint64_t Address, uint32_t Bytes) {
  auto &Mine = *static_cast<RowNotes *>(Notes);
  Mine.noteAt(Address, Bytes);
  if (Mine.IsFull || Address % Bytes != 0)
    return SPECRT_ROWS_NO_SOURCE;
  const Place &P = Mine.Places[Mine.slotOf(Address)];
  if (P.Row == Mine.Row) {
    Mine.loaded = P.Value;
    return P.Bytes == Bytes ? P.Source : SPECRT_ROWS_NO_SOURCE;
  }
  Mine.loaded = inMemory(Address, Bytes);
  return 0;
}

uint32_t RowNotes::endRow(specrt_row_notes *Notes) {
  auto &Mine = *static_cast<RowNotes *>(Notes);
  bool IsAsBefore = !Mine.IsFull;
  for (size_t I = 0; I < Mine.NumUsed; ++I) {
    const Place &P = Mine.Places[Mine.Used[I]];
    IsAsBefore &= P.IsKnown && P.Value == inMemory(P.Address, P.Bytes);
  }
  ++Mine.Row;
  Mine.NumUsed = 0;
  Mine.NumStores = 0;
  return IsAsBefore;
}

} // namespace specrt
