//===- jit/object/entries.h - the entries of stored versions --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of a stored version, which check its guards (jit/code/guard_code.h), are an object
// file of their own. The candidates of a compile are stored as soon as they exist and usually have
// the same guards, and generating code for some dozens of guards takes longer than linking.
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

/// The symbols of a pair of entries. They are hidden and begin with the entry's name, which follows
/// from the guards. Entries read the descriptor's symbols from the table \c GuardSymbolsName, which
/// another module defines.
struct VersionEntries {
  std::string Entry, ExactEntry;
  std::string State; ///< a specrt_version_state, all zero
  bool ReadsSymbols = false;
};

inline constexpr llvm::StringLiteral GuardSymbolsName = "specrt.guard.symbols";

/// Returns a module that defines the entries for \p Guards. Fails for a guard that has a problem.
llvm::Expected<std::unique_ptr<llvm::Module>> defineEntries(const specrt_region &Region,
                                                            const GuardList &Guards,
                                                            llvm::LLVMContext &Context,
                                                            VersionEntries &Defined);

/// The entries for some guards, as an object file.
struct EntriesObject {
  std::string RegionText; ///< properties of the region that the code depends on
  GuardList Guards;
  VersionEntries Symbols;
  std::unique_ptr<llvm::MemoryBuffer> Object;

  bool isFor(const specrt_region &Region, const GuardList &Wanted) const;
};

/// Returns a text of all properties of \p Region that entries depend on.
std::string textOfSignature(const specrt_region &Region);

} // namespace specrt

#endif
