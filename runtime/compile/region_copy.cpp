//===- runtime/compile/region_copy.cpp - a descriptor that outlives its image ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/compile/region_copy.h"
#include "specrt/packed_region.h"

#include <cstddef>
#include <cstring>

namespace specrt {

/// Returns the copy without the members that belong to the program's region alone.
static specrt_region constantPart(const specrt_region &Source) {
  specrt_region Copy{};
  std::memcpy(&Copy, &Source, offsetof(specrt_region, poll_at));
  Copy.size = sizeof(specrt_region);
  if (Source.size >= sizeof(specrt_region)) {
    Copy.callees = Source.callees;
    Copy.num_callees = Source.num_callees;
  }
  return Copy;
}

RegionCopy::RegionCopy(const specrt_region &Source, bool WithBitcode,
                       std::shared_ptr<const DistantCode> Distant)
    : Copy(constantPart(Source)), Kinds(Source.arg_kinds, Source.arg_kinds + Source.num_args),
      Symbols(Source.symbols, Source.symbols + Source.num_symbols),
      Cells(Source.cells, Source.cells + Source.num_cells), Distant(std::move(Distant)) {
  if (this->Distant)
    addDistantCode(*this->Distant);
  for (specrt_symbol &Symbol : Symbols)
    Symbol.name = keep(Symbol.name);
  Copy.name = keep(Source.name);
  Copy.function = keep(Source.function);
  Copy.file = keep(Source.file);
  if (Source.flags & SPECRT_REGION_PACKED)
    unpackTables(Source);
  else
    copyTables(Source);
  Copy.arg_kinds = Kinds.data();
  Copy.arg_names = Names.data();
  Copy.symbols = Symbols.data();
  Copy.accesses = Accesses.data();
  Copy.loops = Loops.data();
  Copy.cells = Cells.data();
  Copy.places = Places.data();
  Copy.num_places = Places.size();
  Copy.memory_names = MemoryNames.data();
  Copy.num_memory_names = MemoryNames.size();
  Copy.flags &= ~uint32_t{SPECRT_REGION_PACKED | SPECRT_REGION_WORDS};
  Copy.thunk = nullptr;
  Copy.slot = nullptr;
  Copy.state = nullptr;
  dropBitcode();
  if (WithBitcode)
    addBitcode(Source);
}

void RegionCopy::addDistantCode(const DistantCode &Code) {
  Symbols = Code.Symbols;
  Copy.num_symbols = static_cast<uint32_t>(Symbols.size());
  Copy.callees = Code.Callees.data();
  Copy.num_callees = Code.Callees.size();
}

void RegionCopy::moveTo(const specrt_region &Source, std::shared_ptr<const DistantCode> Code) {
  Copy.original = Source.original;
  Copy.callees = nullptr;
  Copy.num_callees = 0;
  if (Code) {
    setSymbols(Code->Symbols);
    Copy.callees = Code->Callees.data();
    Copy.num_callees = Code->Callees.size();
  } else {
    setSymbols({Source.symbols, Source.symbols + Source.num_symbols});
  }
  Distant = std::move(Code);
}

/// A name that is known already is not copied again.
void RegionCopy::setSymbols(const std::vector<specrt_symbol> &New) {
  Symbols.resize(New.size(), specrt_symbol{"", nullptr});
  for (size_t I = 0; I < New.size(); ++I) {
    if (std::strcmp(Symbols[I].name, New[I].name) != 0)
      Symbols[I].name = keep(New[I].name);
    Symbols[I].address = New[I].address;
  }
  Copy.symbols = Symbols.data();
  Copy.num_symbols = static_cast<uint32_t>(Symbols.size());
}

void RegionCopy::copyTables(const specrt_region &Source) {
  Copy.entry_symbol = keep(Source.entry_symbol);
  Copy.pipeline = keep(Source.pipeline);
  for (uint32_t I = 0; I < Source.num_args; ++I)
    Names.push_back(keep(Source.arg_names ? Source.arg_names[I] : ""));
  Accesses.assign(Source.accesses, Source.accesses + Source.num_accesses);
  Loops.assign(Source.loops, Source.loops + Source.num_loops);
  if (Source.size >= sizeof(specrt_region))
    copyWords(Source);
}

void RegionCopy::add(specrt_place Place) {
  Place.function = keep(Place.function);
  Place.file = keep(Place.file);
  Places.push_back(Place);
}

void RegionCopy::add(specrt_memory_name Name) {
  Name.text = keep(Name.text);
  MemoryNames.push_back(Name);
}

void RegionCopy::copyWords(const specrt_region &Source) {
  Copy.title = Source.title ? keep(Source.title) : nullptr;
  for (uint64_t I = 0; I < Source.num_places; ++I)
    add(Source.places[I]);
  for (uint64_t I = 0; I < Source.num_memory_names; ++I)
    add(Source.memory_names[I]);
}

void RegionCopy::unpackWords(const uint8_t *At) {
  const char *Title = specrt_unpack_text(&At);
  Copy.title = keep(*Title ? Title : Copy.name);
  for (uint64_t Left = specrt_unpack_number(&At); Left > 0; --Left) {
    specrt_place Place = specrt_unpack_place(&At);
    if (std::strcmp(Place.file, "\1") == 0)
      Place.file = Places.empty() ? Copy.file : Places.back().file;
    add(Place);
  }
  for (uint64_t Left = specrt_unpack_number(&At); Left > 0; --Left)
    add(specrt_unpack_memory_name(&At));
}

void RegionCopy::unpackTables(const specrt_region &Source) {
  const uint8_t *At = Source.arg_kinds + Source.num_args;
  if (Source.flags & SPECRT_REGION_CALLS)
    for (uint64_t Calls = specrt_unpack_number(&At); Calls > 0; --Calls)
      specrt_unpack_number(&At);
  const char *Entry = specrt_unpack_text(&At);
  Copy.entry_symbol =
      *Entry == '\1' ? Strings.emplace_back(Copy.function).append(Entry + 1).c_str() : keep(Entry);
  Copy.pipeline = keep(specrt_unpack_text(&At));
  for (uint32_t I = 0; I < Source.num_args; ++I)
    Names.push_back(keep(specrt_unpack_text(&At)));
  for (uint32_t I = 0; I < Source.num_accesses; ++I)
    Accesses.push_back(specrt_unpack_access(&At));
  for (uint32_t I = 0; I < Source.num_loops; ++I)
    Loops.push_back(specrt_unpack_loop(&At));
  if (Source.flags & SPECRT_REGION_WORDS)
    unpackWords(At);
}

const char *RegionCopy::keep(const char *Text) {
  return Strings.emplace_back(Text ? Text : "").c_str();
}

void RegionCopy::addBitcode(const specrt_region &Source) {
  const char *Begin = static_cast<const char *>(Source.bitcode);
  Bitcode.assign(Begin, Begin + Source.bitcode_size);
  Copy.bitcode = Bitcode.data();
  Copy.bitcode_size = Source.bitcode_size;
}

void RegionCopy::dropBitcode() {
  Bitcode = {};
  Copy.bitcode = nullptr;
  Copy.bitcode_size = 0;
}

} // namespace specrt
