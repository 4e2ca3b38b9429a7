//===- specializer/polyhedral/interleaving/position_text.h - positions in words ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_POSITION_TEXT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_POSITION_TEXT_H

#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace llvm {
class Value;
}

namespace specrt {

/// What people call the array that begins at a value; null: as in the model.
using ArrayNames = llvm::function_ref<std::string(const llvm::Value &)>;

/// Returns "[0,0] [2,1]", and "[2+3k]" for a grain of 3.
std::string textOfOffsets(llvm::ArrayRef<PlacedNest> Nests);

/// Returns why \p Nests cannot be placed so, where \p Backwards, which is not empty, holds pairs of
/// iterations that would run in the wrong order: names one, with its array and lines.
std::string describeRefusal(const isl::union_map &Backwards, llvm::ArrayRef<PlacedNest> Nests,
                            ArrayNames Names);

} // namespace specrt

#endif
