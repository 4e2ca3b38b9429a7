//===- analysis/module_bytes.cpp - writes a region's module as bitcode ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/module_bytes.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace specrt {

std::array<uint64_t, 2> writeModule(const Module &M, SmallVectorImpl<char> &Bytes) {
  // Not WriteBitcodeToFile: it adds a symbol table that only linkers read.
  BitcodeWriter Writer(Bytes);
  Writer.writeModule(M);
  Writer.writeStrtab();
  XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(StringRef(Bytes.data(), Bytes.size())));
  return {Hash.low64, Hash.high64};
}

} // namespace specrt
