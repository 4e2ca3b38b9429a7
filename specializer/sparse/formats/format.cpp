//===- specializer/sparse/formats/format.cpp - how code runs the rows of segments ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/formats/format.h"

#include <array>

using namespace llvm;

namespace specrt {

ArrayRef<const Format *> allFormats() {
  static const std::array<const Format *, SPECRT_SEGMENT_PATTERN_ROWS + 1> All = {
      &asWritten(),  &affineRows(),    &registerBlocks(), &streamedBlocks(), &listedAsWritten(),
      &listedRows(), &wavefrontRows(), &patternGroups(),  &patternRows()};
  return All;
}

std::vector<ClassCode> codesOf(const LoopClasses &Of) {
  std::vector<ClassCode> Codes;
  for (unsigned I = 0; I < Of.Classes.size(); ++I) {
    ClassCode Code;
    for (const Format *Each : allFormats())
      if (Each->hasClass() && Each->matches(Of, I, Codes)) {
        Code.Kinds |= SPECRT_SEGMENT_BIT(Each->kind());
        Each->describe(Of, I, Code);
      }
    Codes.push_back(std::move(Code));
  }
  return Codes;
}

} // namespace specrt
