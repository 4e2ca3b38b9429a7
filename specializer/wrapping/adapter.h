//===- specializer/wrapping/adapter.h - a C function with a region's arguments ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In LLVM IR a C function has other parameters than in its source: clang passes a struct as one or
// two values, as a pointer to a copy, or as a value that fits into a register. The adapter is a
// function with the parameters that jit_api.h defines for wrapped functions; it decomposes structs
// as clang did, and contains the original's code.
//
//     double dot3(struct { double x, y, z; } a, float w)
//     clang:    double @dot3(ptr byval %a, float %w)
//     adapter:  double @dot3.specrt(ptr %a, float %w)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_WRAPPING_ADAPTER_H
#define SPECRT_SPECIALIZER_WRAPPING_ADAPTER_H

#include "specrt/jit_api.h"
#include "llvm/IR/Function.h"
#include <string>

namespace specrt {

/// A C signature; the pieces belong to the request.
struct CSignature {
  const specrt_c_type &Result;
  llvm::ArrayRef<specrt_c_type> Arguments;
};

struct Adapter {
  llvm::Function *F = nullptr; ///< null: see Status
  specrt_describe_status Status = SPECRT_DESCRIBE_OK;
  std::string Error; ///< one sentence
};

/// Builds "<name>.specrt" beside \p Original, which afterwards is only used for recursive calls,
/// and whose debug info moves to the adapter. Fails with Mismatch if Original's type is not what
/// clang generates for \p Signature, with Unsupported for calling conventions other than C's; the
/// module is then unchanged.
Adapter buildAdapter(llvm::Function &Original, const CSignature &Signature);

} // namespace specrt

#endif
