//===- specializer/polyhedral/interleaving/position_text.h - describes positions -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_POSITION_TEXT_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_INTERLEAVING_POSITION_TEXT_H

#include "specializer/polyhedral/interleaving/nest_positions.h"
#include "specializer/polyhedral/schedule/array_name.h"
#include <string>

namespace specrt {

/// Returns the offsets of \p Nests as a text such as "[0,0] [2,1]", or "[2+3k]" for a grain of 3.
std::string textOfOffsets(llvm::ArrayRef<PlacedNest> Nests);

/// Returns why \p Nests cannot have their positions. The text names one of the pairs of iterations
/// in \p Backwards, with its array and lines. \p Backwards is not empty and holds the pairs that
/// would run in the wrong order.
std::string describeRefusal(const isl::union_map &Backwards, llvm::ArrayRef<PlacedNest> Nests,
                            NameOfArray Names);

} // namespace specrt

#endif
