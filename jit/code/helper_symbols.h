//===- jit/code/helper_symbols.h - functions that generated code may call by name ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each function and global that the region's source refers to has an address in its descriptor. The
// remaining ones are functions that code generation itself introduces: memcpy for a copied block,
// floor for the intrinsic of that name, a helper of the compiler's run-time library, Polly's
// parallel loops. Only these are looked up by name, so that no code can bind to a symbol of the
// program by accident. They include functions without an exact result for SPECRT_FP=fast; in other
// modes no code refers to them (specializer/rounding/library_calls.h).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_JIT_CODE_HELPER_SYMBOLS_H
#define SPECRT_JIT_CODE_HELPER_SYMBOLS_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>

namespace specrt {

/// Returns the address of a helper as the program would call it; null for any other name.
void *helperAddress(const std::string &Name);

/// Returns whether \p Name is a helper or an entry point of parallel loops.
bool isHelper(llvm::StringRef Name);

/// Returns the entry points of parallel loops under the names Polly uses, from
/// libspecrt-parallel.so in \p Directory. The library is opened at the first call and stays open;
/// its loops use at most \p Threads threads from now on. With "" as \p Directory all addresses are
/// arbitrary, for code that is not run in this process.
llvm::Expected<llvm::StringMap<void *>> parallelSymbols(const std::string &Directory,
                                                        unsigned Threads);

} // namespace specrt

#endif
