//===- jit/object/entries.h - the entries of stored versions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What checks the guards of a stored version (jit/code/guard_code.h) is an object file of its own:
// the candidates of a compile, each of which is stored as soon as it exists, demand the same as a
// rule, and generating code for some dozens of guards takes longer than linking.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_OBJECT_ENTRIES_H
#define SPECRT_JIT_OBJECT_ENTRIES_H

#include "guards/guard_list.h"
#include "specrt/abi.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace specrt {

/// Symbols are hidden and begin with the entry's name, which follows from the guards. They read the
/// descriptor's symbols from the table \c GuardSymbolsName, which is not theirs.
struct VersionEntries {
  std::string Entry, ExactEntry;
  std::string State; ///< a specrt_version_state, all zero
  bool ReadsSymbols = false;
};

inline constexpr llvm::StringLiteral GuardSymbolsName = "specrt.guard.symbols";

/// The module that defines the entries for \p Guards. Fails for a guard that has a problem.
llvm::Expected<std::unique_ptr<llvm::Module>> defineEntries(const specrt_region &Region,
                                                            const GuardList &Guards,
                                                            llvm::LLVMContext &Context,
                                                            VersionEntries &Defined);

/// Such a module as an object file.
struct EntriesObject {
  std::string RegionText; ///< what the code depends on beside the guards
  GuardList Guards;
  VersionEntries Symbols;
  std::unique_ptr<llvm::MemoryBuffer> Object;

  bool isFor(const specrt_region &Region, const GuardList &Wanted) const;
};

/// All of \p Region that entries depend on.
std::string textOfSignature(const specrt_region &Region);

} // namespace specrt

#endif
