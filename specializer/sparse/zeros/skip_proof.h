//===- specializer/sparse/zeros/skip_proof.h - what iterations do where an element is zero ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SkipTests (../conditions) say of a model which zeros let which iterations do nothing. Code that
// leaves iterations out must give the same bits, so what counts is what instructions do: here each
// value of a loop is followed under the presumption that one element is +0 or -0: one that varies
// with the loop's counter, or, for a loop that is left out as a whole, one that it does not change.
// A value is zero itself, the same as some other value, or anything. What the presumption does not
// settle is demanded of the call: other factors are finite (0 * infinity is no zero), and what sums
// are added to is neither -0 (which +0 turns into +0) nor a signalling NaN.
//
// Rounding to nearest, x + y is -0 only where both are. So a sum that is not -0 never becomes it.
// A fused x * y + z may, where the product lies below the smallest number. That cannot happen when
// all bits of all products are within the range of numbers: factors that are not zero must not be
// smaller than some power of two.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_ZEROS_SKIP_PROOF_H
#define SPECRT_SPECIALIZER_SPARSE_ZEROS_SKIP_PROOF_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

namespace llvm {
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace specrt {

/// What a call must be like, so that iterations may be left out.
struct SkipDemands {
  llvm::SmallSetVector<llvm::LoadInst *, 4> Finite;     ///< in the loop
  llvm::SmallSetVector<llvm::Value *, 4> FiniteNumbers; ///< from outside
  llvm::SmallSetVector<llvm::PHINode *, 4> Sums; ///< of the loop's header: their first values
  llvm::SmallSetVector<llvm::StoreInst *, 4> SumsInMemory; ///< that write what was read plus zero
  /// Of fused products: the loads and numbers that are factors, of the width of the sum.
  llvm::SmallSetVector<llvm::Value *, 4> Factors;
  unsigned MostFactors = 0; ///< of one product; 0: none is fused
  bool FusesFloat = false;  ///< in 32 bits, otherwise in 64
  /// Factors that are not zero are at least two to this power.
  int minExponent() const;
};

/// Names the element that a proof takes to be zero: whatever loads from an address read, or a value
/// from outside of the loop.
struct PresumedZero {
  const llvm::SCEV *Address = nullptr; ///< of the loads; null: there are none
  llvm::Type *Type = nullptr;
  const llvm::Value *Number = nullptr; ///< null: none

  /// Returns the element that \p Load reads.
  static PresumedZero readBy(const llvm::LoadInst &Load, llvm::ScalarEvolution &SE);
};

/// Follows values of one loop.
class SkipProof {
public:
  SkipProof(const llvm::Loop &L, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
            const PresumedZero &Element)
      : L(L), LI(LI), SE(SE), Element(Element) {}

  /// Does an iteration change nothing, when the demands are met?
  bool run();

  SkipDemands Demands;
  /// The loads of the element.
  llvm::SmallSetVector<llvm::LoadInst *, 2> Elements;

private:
  /// Zero; the same as Root; or anything (null).
  struct State {
    bool IsZero = false;
    llvm::Value *Root = nullptr;
    bool operator==(const State &) const = default;
    bool isKnown() const { return IsZero || Root; }
  };
  State stateOf(llvm::Value *V);
  State evaluate(llvm::Value *V);
  State evaluatePhi(llvm::PHINode &Phi);
  State evaluateSelect(llvm::SelectInst &I);
  State evaluateCall(const llvm::CallInst &I);
  State product(llvm::Value *A, llvm::Value *B);
  State sum(State A, State B);
  State fused(const llvm::CallInst &I);
  bool isElement(const llvm::LoadInst &Load) const;
  bool isFinite(llvm::Value *V);
  bool addFactors(llvm::Value *V, llvm::Type *Wide, unsigned &Count);
  bool keepsMemory(llvm::StoreInst &Store);
  bool isHarmless(const llvm::Instruction &I) const;

  const llvm::Loop &L;
  const llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const PresumedZero Element;
  llvm::DenseMap<llvm::Value *, State> Known;
  bool HasFailed = false;
};

} // namespace specrt

#endif
