//===- runtime/compile/region_copy.h - a descriptor that outlives its image ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_REGION_COPY_H
#define SPECRT_RUNTIME_COMPILE_REGION_COPY_H

#include "runtime/compile/function_table.h"
#include "specrt/abi.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A deep copy of a region's descriptor, with nothing packed: compiling, reporting and storing work
/// on it, so that dlclose of the program's library never has to wait for them. The code addresses
/// in it (original, symbols) are as valid as the image they point to. slot, thunk and state are
/// null. A copy of a copy refers to the code of other files in the first one, which must outlive
/// it.
class RegionCopy {
public:
  /// \p Distant is the code of other files that Source calls; null if Source is a copy that has it.
  RegionCopy(const specrt_region &Source, bool WithBitcode,
             std::shared_ptr<const DistantCode> Distant = nullptr);
  RegionCopy(const RegionCopy &) = delete;
  RegionCopy &operator=(const RegionCopy &) = delete;

  const specrt_region &region() const { return Copy; }

  /// Takes over the addresses in \p Source, the descriptor of the same region in an image that was
  /// loaded again, and the code of other files that it calls now. Everything else, and the address
  /// of region(), stays the same.
  void moveTo(const specrt_region &Source, std::shared_ptr<const DistantCode> Code);

  /// The bitcode is large and only needed while compiling.
  bool hasBitcode() const { return Copy.bitcode != nullptr; }
  void addBitcode(const specrt_region &Source);
  void dropBitcode();

private:
  const char *keep(const char *Text);
  void addDistantCode(const DistantCode &Code);
  void setSymbols(const std::vector<specrt_symbol> &New);
  void copyTables(const specrt_region &Source);
  void unpackTables(const specrt_region &Source);
  void unpackWords(const uint8_t *At);
  void copyWords(const specrt_region &Source);
  void add(specrt_place Place);
  void add(specrt_memory_name Name);

  specrt_region Copy;
  std::deque<std::string> Strings;
  std::vector<uint8_t> Kinds;
  std::vector<const char *> Names;
  std::vector<specrt_symbol> Symbols;
  std::vector<specrt_access> Accesses;
  std::vector<specrt_loop> Loops;
  std::vector<specrt_cell> Cells;
  std::vector<specrt_place> Places;
  std::vector<specrt_memory_name> MemoryNames;
  std::vector<char> Bitcode;
  std::shared_ptr<const DistantCode> Distant;
};

} // namespace specrt

#endif
