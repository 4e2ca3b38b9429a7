//===- runtime/compile/region_table.cpp - describes the regions of an image ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/region_table.h"
#include "runtime/base/log.h"
#include "specrt/packed_region.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace specrt {
namespace {

bool isKnown(const specrt_record &Record) {
  return specrt_constants_of(&Record)->abi_version == SPECRT_ABI_VERSION;
}

/// Describes a region of another version of the ABI: only its version, slot and state are used. The
/// texts are empty, so that they can be printed.
void describeUnknown(specrt_record &Record, specrt_region &Region) {
  Region.abi_version = specrt_constants_of(&Record)->abi_version;
  Region.name = Region.function = Region.file = "";
  Region.slot = &Record.slot;
}

} // namespace

/// Returns zeroed memory, which an earlier image may have used; null when there is none.
RegionTables::Table *RegionTables::tableOf(size_t Bytes) {
  const auto Unused = std::find_if(Tables.begin(), Tables.end(),
                                   [=](const Table &T) { return !T.Records && T.Bytes == Bytes; });
  if (Unused != Tables.end()) {
    std::memset(static_cast<void *>(Unused->Regions.Begin), 0, Bytes);
    return &*Unused;
  }
  Tables.reserve(Tables.size() + 1);
  void *Memory = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Memory == MAP_FAILED)
    return nullptr;
  return &Tables.emplace_back(
      Table{nullptr, {static_cast<specrt_region **>(Memory), nullptr}, Bytes});
}

RegionTables::Range RegionTables::add(specrt_record **Begin, specrt_record **End, void *Thunk) {
  if (Begin >= End)
    return {};
  if (const Range Known = find(Begin); Known.Begin)
    return Known;
  const auto Count = static_cast<size_t>(End - Begin);
  size_t NumSymbols = 0;
  for (specrt_record **Entry = Begin; Entry != End; ++Entry)
    if (*Entry && isKnown(**Entry))
      NumSymbols += specrt_count_symbols(*Entry);
  Table *T = tableOf(Count * (sizeof(specrt_region *) + sizeof(specrt_region)) +
                     NumSymbols * sizeof(specrt_symbol));
  if (!T) {
    logLine(LogLevel::Warning, "no memory for %zu regions: they run their original code", Count);
    return {};
  }
  T->Records = Begin;
  T->Regions.End = T->Regions.Begin + Count;
  auto *const First = reinterpret_cast<specrt_region *>(T->Regions.End);
  specrt_region *Next = First;
  auto *Symbols = reinterpret_cast<specrt_symbol *>(First + Count);
  for (size_t I = 0; I < Count; ++I) {
    specrt_record *Record = Begin[I];
    if (!Record)
      continue;
    // The linker may have listed a record twice. A description from before the image was
    // unregistered lies outside of this table and is replaced.
    if (Record->region < First || Record->region >= Next) {
      specrt_region &Region = *Next++;
      if (isKnown(*Record)) {
        specrt_unpack_region(Record, &Region, Symbols);
        Symbols += Region.num_symbols;
        Region.thunk = Thunk;
      } else {
        describeUnknown(*Record, Region);
      }
      __atomic_store_n(&Record->region, &Region, __ATOMIC_RELEASE);
    }
    T->Regions.Begin[I] = Record->region;
  }
  return T->Regions;
}

RegionTables::Range RegionTables::find(specrt_record **Begin) const {
  for (const Table &T : Tables)
    if (T.Records == Begin)
      return T.Regions;
  return {};
}

void RegionTables::retire(specrt_record **Begin) {
  for (Table &T : Tables)
    if (T.Records == Begin)
      T.Records = nullptr;
}

} // namespace specrt
