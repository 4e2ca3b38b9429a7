//===- specializer/polyhedral/kernel/contraction_kernel.cpp - the form of a kernel ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/kernel/contraction_kernel.h"
#include "specializer/polyhedral/kernel/packed_contraction.h"
#include "specializer/polyhedral/kernel/unpacked_contraction.h"

using namespace llvm;

namespace specrt {

KernelForm emitContraction(IRBuilderBase &Builder, const Contraction &C,
                           const ContractionBlock &Block, const TilingTarget &Target,
                           const Function &User, BaseOf baseOf, UniformOf uniform) {
  if (emitUnpackedContraction(Builder, C, Block, Target, User, baseOf, uniform))
    return KernelForm::Unpacked;
  emitPackedContraction(Builder, C, Block, Target, User, baseOf, uniform);
  return KernelForm::Packed;
}

} // namespace specrt
