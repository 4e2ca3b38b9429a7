//===- instrument/rounding.cpp - results that only this compilation has ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/rounding.h"
#include "analysis/reordering.h"
#include "llvm/Analysis/LoopInfo.h"

using namespace llvm;

namespace specrt {

Refusal refuseRounding(const Loop &L, bool ForLTO) {
  for (const Loop *Inner : L.getLoopsInPreorder())
    if (const Instruction *I = findReorderedReduction(*Inner, /*SimplifiedAgain=*/ForLTO))
      return {"a pragma lets the compiler reorder a floating-point reduction", I};
  return {};
}

} // namespace specrt
