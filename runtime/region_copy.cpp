//===- runtime/region_copy.cpp - a descriptor that outlives its image -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/region_copy.h"

namespace specrt {

RegionCopy::RegionCopy(const specrt_region &Source, bool WithBitcode)
    : Copy(Source), Kinds(Source.arg_kinds, Source.arg_kinds + Source.num_args),
      Symbols(Source.symbols, Source.symbols + Source.num_symbols),
      Accesses(Source.accesses, Source.accesses + Source.num_accesses),
      Loops(Source.loops, Source.loops + Source.num_loops) {
  for (uint32_t I = 0; I < Source.num_args; ++I)
    Names.push_back(keep(Source.arg_names ? Source.arg_names[I] : ""));
  for (specrt_symbol &Symbol : Symbols)
    Symbol.name = keep(Symbol.name);
  Copy.name = keep(Source.name);
  Copy.function = keep(Source.function);
  Copy.file = keep(Source.file);
  Copy.entry_symbol = keep(Source.entry_symbol);
  Copy.pipeline = keep(Source.pipeline);
  Copy.arg_kinds = Kinds.data();
  Copy.arg_names = Names.data();
  Copy.symbols = Symbols.data();
  Copy.accesses = Accesses.data();
  Copy.loops = Loops.data();
  Copy.thunk = nullptr;
  Copy.slot = nullptr;
  Copy.state = nullptr;
  dropBitcode();
  if (WithBitcode)
    addBitcode(Source);
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
