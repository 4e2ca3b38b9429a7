//===- instrument/emit/bitcode.h - writes a region's code for compilation at run time -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the module that libspecrt-jit.so specialises: the region, the callees whose definitions
// stand for what is called, constant tables, and declarations of everything else. Nothing in it
// depends on the rest of the translation unit, so the same source and flags give the same bytes.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_BITCODE_H
#define SPECRT_INSTRUMENT_EMIT_BITCODE_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <string>
#include <vector>

namespace llvm {
class Function;
class GlobalValue;
class Module;
} // namespace llvm

namespace specrt {

struct RegionBitcode {
  llvm::SmallVector<char, 0> Bytes;
  /// XXH3-128 of Bytes: low, high.
  std::array<uint64_t, 2> Hash;
  std::string EntrySymbol;
  /// Every global that the module refers to and its name there, in order of first reference.
  llvm::MapVector<llvm::GlobalValue *, std::string> Symbols;
};

/// The bitcode of several functions of one file.
struct FunctionsBitcode {
  llvm::SmallVector<char, 0> Bytes;
  /// XXH3-128 of Bytes: low, high.
  std::array<uint64_t, 2> Hash;
  /// For each function, the other globals that its code refers to and their names in the module.
  std::vector<llvm::MapVector<llvm::GlobalValue *, std::string>> Symbols;
};

/// Writes a module that defines all \p Functions as available_externally.
FunctionsBitcode writeBitcode(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Functions);

/// Writes the module of \p Body. Library functions that code generation may call anyway are only
/// declared. Callees and constant tables become available_externally, so code generation may inline
/// them or call the original through the symbol table. Debug info is reduced to file and line of
/// instructions and loops.
RegionBitcode writeBitcode(llvm::Function &Body);

} // namespace specrt

#endif
