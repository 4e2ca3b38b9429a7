//===- specializer/speculation/memory/implied_comparisons.cpp - comparisons that guards imply -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/memory/implied_comparisons.h"
#include "guards/address.h"
#include "guards/polynomial.h"
#include "specializer/rounding/place_comparisons.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace specrt {
namespace {

/// Two temporary loads, of the first and last byte of a range. computeAccesses() then includes the
/// range in that of its base.
struct Probe {
  Probe(const ByteRange &Bytes, IRBuilderBase &B)
      : First(B.CreateLoad(B.getInt8Ty(), Bytes.Begin)),
        Last(B.CreateLoad(B.getInt8Ty(), B.CreatePtrAdd(Bytes.End, B.getInt64(-1)))) {}
  void erase() const {
    RecursivelyDeleteTriviallyDeadInstructions(First);
    RecursivelyDeleteTriviallyDeadInstructions(Last);
  }

  LoadInst *First, *Last;
};

/// Returns the number of the base in \p Accesses whose range contains the bytes of \p Of; nothing
/// if there is none. The size of a variable does not bound these bytes, because the function does
/// not access all of them.
std::optional<unsigned> baseAround(const Probe &Of, const AccessSummary &Accesses,
                                   const AccessSummary &WithProbes) {
  for (const BaseAccesses &Wider : WithProbes.Bases) {
    if (!Wider.isBounded() || Wider.IsWholeObject || !is_contained(Wider.Instructions, Of.First) ||
        !is_contained(Wider.Instructions, Of.Last))
      continue;
    for (auto [Number, Base] : enumerate(Accesses.Bases))
      if (isSameBase(Base.Base, Wider.Base) && isSamePolynomial(Base.Begin, Wider.Begin) &&
          isSamePolynomial(Base.End, Wider.End))
        return unsigned(Number);
  }
  return std::nullopt;
}

} // namespace

void decideComparisons(Function &F, const AccessSummary &Accesses,
                       function_ref<AccessSummary()> FindAccesses,
                       function_ref<bool(unsigned, unsigned)> AreGuarded) {
  const SmallVector<CallInst *> Comparisons = comparisonsIn(F);
  if (Comparisons.empty())
    return;
  SmallVector<std::array<Probe, 2>> Probes;
  for (CallInst *Comparison : Comparisons) {
    IRBuilder<> B(Comparison);
    const auto [X, Y] = rangesOf(*Comparison);
    Probes.push_back({Probe(X, B), Probe(Y, B)});
  }
  const AccessSummary WithProbes = FindAccesses();
  for (auto [Comparison, Compared] : zip_equal(Comparisons, Probes)) {
    const std::optional<unsigned> I = baseAround(Compared[0], Accesses, WithProbes);
    const std::optional<unsigned> J = baseAround(Compared[1], Accesses, WithProbes);
    if (I && J && AreGuarded(*I, *J))
      markImplied(*Comparison);
  }
  for (const std::array<Probe, 2> &Compared : Probes)
    for (const Probe &Each : Compared)
      Each.erase();
}

} // namespace specrt
