//===- specializer/polyhedral/rejection_text.cpp - Polly's reasons in plain words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/rejection_text.h"

namespace specrt {

RejectionText rejectionText(polly::RejectReasonKind Kind) {
  using K = polly::RejectReasonKind;
  switch (Kind) {
  case K::Alias:
    return {"alias", "the arrays may overlap in memory", true};
  case K::NonAffineAccess:
    return {"non-affine access", "an array index is not a linear function of loop counters", true};
  case K::DifferentElementSize:
    return {"element size", "one array is accessed with elements of different size", false};
  case K::LoopBound:
    return {"non-affine bound",
            "the number of iterations is not a linear function of values known "
            "when the loop starts",
            true};
  case K::NonAffBranch:
    return {"non-affine branch", "a condition is not a linear function of loop counters", true};
  case K::VariantBasePtr:
    return {"variant base", "the base address of an array changes inside the loop", true};
  case K::NoBasePtr:
  case K::UndefBasePtr:
    return {"unknown base", "the array behind an access cannot be identified", false};
  case K::UndefCond:
  case K::InvalidCond:
  case K::UndefOperand:
    return {"data-dependent control", "a branch depends on data computed in the loop", false};
  case K::LoopHasNoExit:
  case K::LoopHasMultipleExits:
  case K::LoopOnlySomeLatches:
    return {"loop exits", "the loop has no exit or several exits", false};
  case K::FuncCall:
    return {"call", "a function with unknown effects is called", false};
  case K::NonSimpleMemoryAccess:
    return {"volatile or atomic", "a memory access is volatile or atomic", false};
  case K::InvalidTerminator:
  case K::IrreducibleRegion:
  case K::UnreachableInExit:
  case K::IndirectPredecessor:
    return {"control flow", "the control flow is not made of loops and conditions", false};
  case K::IntToPtr:
    return {"integer to pointer", "an integer is converted to a pointer", false};
  case K::Alloca:
    return {"stack allocation", "memory is allocated on the stack inside the loop", false};
  default:
    return {"other", nullptr, false};
  }
}

} // namespace specrt
