//===- specializer/loops/independence/hull_demands.cpp - conditions on addresses ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/hull_demands.h"
#include "specializer/loops/independence/loop_accesses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Accesses with a distance up to this become one. Their sum of bytes does not wrap.
constexpr int64_t MaxJoined = int64_t{1} << 31;

/// Extends \p Known so that it includes \p New. Returns false if their distance is not known.
bool extend(HullDemands::Access &Known, const HullDemands::Access &New, ScalarEvolution &SE) {
  const auto *Between = dyn_cast<SCEVConstant>(SE.getMinusSCEV(New.Address, Known.Address));
  if (!Between || !Between->getAPInt().isSignedIntN(32))
    return false;
  const int64_t Distance = Between->getAPInt().getSExtValue();
  if (Known.Bytes > uint64_t(MaxJoined) || New.Bytes > uint64_t(MaxJoined))
    return false;
  if (Distance >= 0) {
    Known.Bytes = std::max(Known.Bytes, uint64_t(Distance) + New.Bytes);
  } else {
    Known.Bytes = std::max(New.Bytes, uint64_t(-Distance) + Known.Bytes);
    Known.Address = New.Address;
  }
  return true;
}

} // namespace

unsigned HullDemands::add(const LoopAccess &A, HullKind Kind, const LoopInfo &LI,
                          ScalarEvolution &SE, int64_t Step) {
  auto *Of = find_if(Hulls, [&](const Hull &Each) {
    return Each.Base == A.Base && Each.Kind == Kind && Each.Step == Step;
  });
  if (Of == Hulls.end()) {
    Hulls.push_back({.Base = A.Base, .Kind = Kind, .Step = Step});
    Of = &Hulls.back();
  }
  const Access New{A.I, A.Address, A.Bytes};
  const Loop *In = LI.getLoopFor(A.I->getParent());
  if (none_of(Of->Of, [&](Access &Known) {
        return LI.getLoopFor(Known.I->getParent()) == In && extend(Known, New, SE);
      }))
    Of->Of.push_back(New);
  return unsigned(Of - Hulls.begin());
}

} // namespace specrt
