//===- structure/program/program_text.h - programs as text ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a program gets from the compiler to who asks where its arrays can be nonzero, also in a later
// run. Words between blanks; not for people.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROGRAM_PROGRAM_TEXT_H
#define SPECRT_STRUCTURE_PROGRAM_PROGRAM_TEXT_H

#include "structure/program/dense_program.h"

#include <optional>
#include <string_view>

namespace specrt {

/// Names must not contain control characters.
std::string programText(const DenseProgram &Of);

/// Nothing when \p Text is no program, or one that is larger than structure/propagation takes.
/// Trusts nothing.
std::optional<DenseProgram> readProgram(std::string_view Text);

} // namespace specrt

#endif
