//===- analysis/library_calls.h - intrinsics that end as library calls ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation turns llvm.exp into a call of whatever function is called exp where the code is
// linked: the C library's, the program's own, one of a plug-in. A version is linked elsewhere, and
// LLVM folds the intrinsic by the compiling process's function. So where a region's bitcode is
// taken such intrinsics become calls, and the callee goes into the region's symbol table. Only
// intrinsics whose result IEEE 754 does not define: a square root is the same everywhere.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_LIBRARY_CALLS_H
#define SPECRT_ANALYSIS_LIBRARY_CALLS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DerivedTypes.h"
#include <string>

namespace llvm {
class Function;
class IntrinsicInst;
} // namespace llvm

namespace specrt {

/// Declares a library function in the module at hand; a null callee leaves the intrinsic alone.
using LibraryDeclarer =
    llvm::function_ref<llvm::FunctionCallee(llvm::StringRef Name, llvm::FunctionType *T)>;

/// The function that code generation calls for \p I, for each element of a vector: "expf",
/// "__powidf2"; "" when it calls none, or one with an exact result. llvm.powi with a constant
/// exponent becomes multiplications.
std::string libraryFunctionFor(const llvm::IntrinsicInst &I);

/// Turns all such intrinsics of \p F into calls. A sine and a cosine of one value in one block
/// become one call of sincos, as in code generation.
void callLibraryFunctions(llvm::Function &F, LibraryDeclarer Declare);

} // namespace specrt

#endif
