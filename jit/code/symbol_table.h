//===- jit/code/symbol_table.h - accesses the program's symbols through a table ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region refers to globals and functions of the program, including static ones, whose addresses
// only its descriptor contains. Code that may run in another process cannot contain these addresses
// and must not look the symbols up by name. So each function that refers to symbol I of the
// descriptor reads slot I of a table, once, at its start:
//
//     @t = dso_local global [num_symbols x ptr] zeroinitializer
//     %s = load ptr, ptr getelementptr(@t, I), !invariant.load
//
// The loader of the code fills the table before the first call. The table is introduced after
// optimisation, which thereby still sees distinct global objects.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_SYMBOL_TABLE_H
#define SPECRT_JIT_CODE_SYMBOL_TABLE_H

#include "specrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <string>

namespace specrt {

/// The table in a module, which is created on first use.
class SymbolTable {
public:
  SymbolTable(llvm::Module &M, const specrt_region &Region, std::string Name)
      : M(M), Region(Region), Name(std::move(Name)) {}

  /// Returns the address of the descriptor's symbol \p Number, read at \p B's insertion point.
  llvm::Value *load(llvm::IRBuilderBase &B, unsigned Number);

  /// Returns the table; null if no symbol was read.
  llvm::GlobalVariable *global() const { return Table; }

private:
  llvm::Module &M;
  const specrt_region &Region;
  std::string Name;
  llvm::GlobalVariable *Table = nullptr;
};

/// Makes \p M read the addresses of all symbols of \p Region from a table called \p TableName.
/// Deletes function bodies that were there for inlining only. Returns the table, or null when the
/// code refers to no symbol. A symbol whose address is in another constant's initializer is left
/// unchanged: such a module still needs the symbol by name.
llvm::GlobalVariable *bindSymbolsByTable(llvm::Module &M, const specrt_region &Region,
                                         const std::string &TableName);

} // namespace specrt

#endif
