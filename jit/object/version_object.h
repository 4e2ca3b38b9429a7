//===- jit/object/version_object.h - the self-description of a shared object ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bodies and entries (entries.h) of a shared object of the cache are object files that exist
// already. The shared object has one more module: the guards, the tables of addresses, and the
// specrt_version_object that describes all of it to the loader.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_OBJECT_VERSION_OBJECT_H
#define SPECRT_JIT_OBJECT_VERSION_OBJECT_H

#include "jit/object/entries.h"
#include "specrt/abi.h"
#include "specrt/version_object.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A body as its object file defines it.
struct ObjectBody {
  const EntriesObject *Entries = nullptr; ///< shared by bodies with the same guards
  std::string Name;                       ///< name of the candidate
  std::string Entry;                      ///< symbol of the body, global in its object file
  std::string Table; ///< symbol of its table (jit/code/symbol_table.h); "" when there is none
  std::string Rows;  ///< symbol of its first specrt_sparse_loop; "" when there is none
  bool Parallel = false;
  double CompileMs = 0;
};

/// Returns the module that is linked with the object files of bodies and entries. It defines each
/// of \p Helpers as a jump through a table, so that the object imports nothing.
llvm::Expected<std::unique_ptr<llvm::Module>>
describeVersionObject(const specrt_region &Region, llvm::ArrayRef<ObjectBody> Bodies,
                      llvm::ArrayRef<std::string> Helpers, llvm::StringRef Key,
                      const llvm::DataLayout &Layout, llvm::LLVMContext &Context);

/// Returns the helpers that \p Objects call, whose addresses a shared object of them needs when it
/// is loaded. Fails when they refer to anything else by name.
llvm::Expected<std::vector<std::string>> helpersOf(llvm::ArrayRef<llvm::MemoryBufferRef> Objects);

} // namespace specrt

#endif
