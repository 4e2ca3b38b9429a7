//===- jit/code/symbol_table.h - the program's symbols, by table ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region refers to globals and functions of the program, static ones too, whose addresses only
// its descriptor knows. Code that may run in another process cannot contain them and must not look
// them up by name. So each function that refers to symbol I of the descriptor reads slot I of a
// table, once, at its start:
//
//     @t = dso_local global [num_symbols x ptr] zeroinitializer
//     %s = load ptr, ptr getelementptr(@t, I), !invariant.load
//
// Whoever maps the code fills the table before the first call. This happens after optimisation,
// which thereby still sees distinct global objects.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_SYMBOL_TABLE_H
#define SPECRT_JIT_CODE_SYMBOL_TABLE_H

#include "specrt/abi.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <string>

namespace specrt {

/// The table in a module, created on first use.
class SymbolTable {
public:
  SymbolTable(llvm::Module &M, const specrt_region &Region, std::string Name)
      : M(M), Region(Region), Name(std::move(Name)) {}

  /// The address of the descriptor's symbol \p Number, read where \p B stands.
  llvm::Value *load(llvm::IRBuilderBase &B, unsigned Number);

  /// Null while nothing has been read.
  llvm::GlobalVariable *global() const { return Table; }

private:
  llvm::Module &M;
  const specrt_region &Region;
  std::string Name;
  llvm::GlobalVariable *Table = nullptr;
};

/// Makes \p M read the addresses of all symbols of \p Region from a table called \p TableName.
/// Bodies of functions that were there for inlining only are dropped. Returns the table, or null
/// when the code refers to no symbol. A symbol whose address stands in another constant's
/// initializer is left alone: such a module still needs the symbol by name.
llvm::GlobalVariable *bindSymbolsByTable(llvm::Module &M, const specrt_region &Region,
                                         const std::string &TableName);

} // namespace specrt

#endif
