//===- runtime/wrap/signature.h - parses C signatures ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   signature = type name "(" [ argument { "," argument } | "void" ] ")"
//   argument  = type [ name ]
//   type      = "void" | "bool" | "i8" | ... | "ptr" | "{" type { "," type } "}"
//
// A parsed type contains its layout in C and how the System V ABI of x86-64 passes it (section
// 3.2.3).
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WRAP_SIGNATURE_H
#define SPECRT_RUNTIME_WRAP_SIGNATURE_H

#include "specrt/jit_api.h"
#include <string>
#include <string_view>
#include <vector>

namespace specrt {

struct CType {
  specrt_c_type Abi{};        ///< text is not set: see Text
  std::string Text;           ///< without unnecessary spaces: "{f64, i32}"
  std::vector<CType> Members; ///< of a struct

  bool isStruct() const { return Abi.kind == SPECRT_C_STRUCT; }
  /// Returns whether it is an integer that regions get widened to 32 bits.
  bool isNarrow() const { return Abi.kind >= SPECRT_KIND_I1 && Abi.kind <= SPECRT_KIND_I16; }
};

struct Signature {
  std::string Name;
  CType Result;
  std::vector<CType> Arguments;
  std::vector<std::string> ArgumentNames; ///< "" if the signature has none
};

/// Parses \p Text into \p Result. Returns "", or one sentence with the position (from 1) of the
/// error and what is expected there.
std::string parseSignature(std::string_view Text, Signature &Result);

} // namespace specrt

#endif
