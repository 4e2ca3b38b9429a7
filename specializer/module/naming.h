//===- specializer/module/naming.h - the names of generated functions ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profiler or a debugger shows for generated code: the region, which candidate it is, and
// what was taken to be constant. Such a name is no valid C++ symbol, so nothing demangles it and no
// function of a program has it.
//
//     gemm:27.tiled[n=1000,m=1000]          a candidate
//     gemm:27.tiled[n=1000,m=1000].loop     the body of its parallel loop
//     gemm:27.guards[n=1000,m=1000]         the entry that checks the guards
//
// The same request gives the same names: they are part of stored code.
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

/// What the source calls the array that begins at \p Array, an argument of the region's function or
/// a global variable; "" for any other value.
std::string nameOfArray(const specrt_region &Region, const llvm::Value &Array);

/// The name of the function that is \p Candidate of \p Request.
std::string nameOfCandidate(const specrt_jit_request &Request, llvm::StringRef Candidate);

/// The name of the function that checks \p Guards.
std::string nameOfEntry(const specrt_region &Region, GuardView Guards);

/// Renames the functions of \p M before code generation: \p Entry becomes \p Name and stays the
/// only function that others can see; every other one is local and called after it. Returns the
/// symbol of \p Entry, which differs from \p Name only when the module refers to something else by
/// that name.
std::string nameFunctions(llvm::Module &M, llvm::Function &Entry, llvm::StringRef Name);

} // namespace specrt

#endif
