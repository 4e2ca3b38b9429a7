//===- analysis/library_calls.h - intrinsics that end as library calls ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code generation turns llvm.exp into a call of the function called exp where the code is linked:
// the C library's, the program's own, or a plug-in's. A version is linked elsewhere, and LLVM folds
// the intrinsic with the compiling process's function. Therefore such intrinsics become calls in a
// region's bitcode, with the callee in the region's symbol table. Intrinsics with results that IEEE
// 754 defines, such as square roots, are left alone.
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

/// Declares a library function in the current module; if it returns null, the intrinsic stays.
using LibraryDeclarer =
    llvm::function_ref<llvm::FunctionCallee(llvm::StringRef Name, llvm::FunctionType *T)>;

/// Returns the function that code generation calls for \p I, or for each element of a vector:
/// "expf", "__powidf2". Returns "" if it calls none or one with an exact result. llvm.powi with a
/// constant exponent becomes multiplications.
std::string libraryFunctionFor(const llvm::IntrinsicInst &I);

/// Replaces all such intrinsics of \p F by calls. A sine and a cosine of one value in one block
/// become one call of sincos, as in code generation.
void callLibraryFunctions(llvm::Function &F, LibraryDeclarer Declare);

} // namespace specrt

#endif
