//===- runtime/report/missing_code.h - functions without code, in words ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_MISSING_CODE_H
#define SPECRT_RUNTIME_REPORT_MISSING_CODE_H

#include "runtime/compile/function_table.h"
#include <string>

namespace specrt {

/// Why a region runs its original, and what a user can do about it.
struct MissingCodeWords {
  std::string Reason; ///< begins with the words of Reason::CodeElsewhere
  std::string Advice;
};

/// Describes missing code. \p Region is the live descriptor: the image that contains an address
/// says whether a function is the program's own or a library's. Takes no lock of the loader.
MissingCodeWords describe(const MissingCode &Missing, const specrt_region &Region);

} // namespace specrt

#endif
