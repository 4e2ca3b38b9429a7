//===- runtime/wrap/wrap_code.h - the code of wrapped functions -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three pieces of code per wrapped function, all made by libffi at run time:
//
//   callable   has the function's C signature; the program calls it
//   thunk      has the region's form (jit_api.h) and observes; the slot begins with it, and entries
//              send sampled calls to it
//   original   has the region's form and calls the function: what runs when no guard holds. Without
//              structs both forms are the same to the processor, and it is the function itself
//
// The callable does what a stub and its thunk do in a compiled program; the function takes the role
// of the nest in place. A call costs one pass through libffi, and a second one if the slot holds an
// entry.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WRAP_WRAP_CODE_H
#define SPECRT_RUNTIME_WRAP_WRAP_CODE_H

#include "runtime/wrap/wrapped_function.h"

namespace specrt {

/// Makes the code of \p W and sets Callable, Code and the descriptor's original and thunk. Returns
/// false when there is no memory that may contain code.
bool makeWrapCode(WrappedFunction &W);

} // namespace specrt

#endif
