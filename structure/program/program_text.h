//===- structure/program/program_text.h - serialisation of programs -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Carries a program from the compiler to the process that computes where its arrays can be nonzero,
// possibly in a later run. The text consists of words between blanks and is not meant for people.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_PROGRAM_PROGRAM_TEXT_H
#define SPECRT_STRUCTURE_PROGRAM_PROGRAM_TEXT_H

#include "structure/program/dense_program.h"

#include <optional>
#include <string_view>

namespace specrt {

/// Serialises \p Of, whose names must not contain control characters.
std::string programText(const DenseProgram &Of);

/// Parses and validates untrusted text. Returns nothing if \p Text is no program, or a larger one
/// than structure/propagation accepts.
std::optional<DenseProgram> readProgram(std::string_view Text);

} // namespace specrt

#endif
