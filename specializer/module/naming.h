//===- specializer/module/naming.h - the names of generated functions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of generated functions that profilers and debuggers show: the region, the candidate, and
// the assumed constants. Such a name is not a valid C++ symbol, so it is not demangled and differs
// from all functions of programs.
//
//     gemm:27.tiled[n=1000,m=1000]          a candidate
//     gemm:27.tiled[n=1000,m=1000].loop     the body of its parallel loop
//     gemm:27.guards[n=1000,m=1000]         the entry that checks the guards
//
// Equal requests give equal names: they are part of stored code.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_NAMING_H
#define SPECRT_SPECIALIZER_MODULE_NAMING_H

#include "guards/guard_list.h"
#include "specrt/jit_api.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Function;
class Module;
class Value;
} // namespace llvm

namespace specrt {

/// Returns the source's name of the array that begins at \p Array, an argument of the region's
/// function or a global variable; "" for other values.
std::string nameOfArray(const specrt_region &Region, const llvm::Value &Array);

/// Returns the name of the function that implements \p Candidate of \p Request.
std::string nameOfCandidate(const specrt_jit_request &Request, llvm::StringRef Candidate);

/// Returns the name of the function that checks \p Guards.
std::string nameOfEntry(const specrt_region &Region, GuardView Guards);

/// Renames the functions of \p M before code generation: \p Entry becomes \p Name and stays the
/// only visible function; all others become local, with names derived from it. Returns the symbol
/// of \p Entry, which differs from \p Name only if the module uses that name for something else.
std::string nameFunctions(llvm::Module &M, llvm::Function &Entry, llvm::StringRef Name);

} // namespace specrt

#endif
