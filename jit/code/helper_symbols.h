//===- jit/code/helper_symbols.h - what generated code may call by name ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything the region's source refers to comes with an address in its descriptor. What remains
// are functions that code generation itself introduces: memcpy for a copied block, floor for the
// intrinsic of that name, a helper of the compiler's run-time library, Polly's parallel loops. Only
// these are looked up, so that no code can bind to a symbol of the program by accident. Functions
// without an exact result are among them for SPECRT_FP=fast; in other modes no code asks for them
// (specializer/rounding/library_calls.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_HELPER_SYMBOLS_H
#define SPECRT_JIT_CODE_HELPER_SYMBOLS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>

namespace specrt {

/// The address of a helper as the program itself would call it; null for any other name.
void *helperAddress(const std::string &Name);

/// Is it the name of a helper or of an entry point of parallel loops?
bool isHelper(llvm::StringRef Name);

/// The entry points of parallel loops under the names Polly uses, from libspecrt-parallel.so in
/// \p Directory, which is opened at the first call and stays open. From now on its loops use at
/// most
/// \p Threads threads. With "" as
/// \p Directory all addresses are arbitrary, for code that is not run in this process.
llvm::Expected<llvm::StringMap<void *>> parallelSymbols(const std::string &Directory,
                                                        unsigned Threads);

} // namespace specrt

#endif
