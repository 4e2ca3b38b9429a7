//===- specializer/sparse/formats/register_blocks.h - blocks of consecutive rows ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_FORMATS_REGISTER_BLOCKS_H
#define SPECRT_SPECIALIZER_SPARSE_FORMATS_REGISTER_BLOCKS_H

#include "specializer/sparse/classes/lanes/lane_plan.h"
#include "specializer/sparse/formats/loop_classes.h"

namespace specrt {

/// Returns the vectors for the rows of a block of class number \p I; empty if the class has no
/// blocks, or the rows cannot be vectorised.
std::vector<LanePlan> blockPlans(const LoopClasses &Of, unsigned I);

} // namespace specrt

#endif
