//===- specializer/sparse/zeros/skip_proof.h - proves that zeros make iterations idle -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SkipTests (../conditions) derive from a model which zeros make which iterations idle. Code that
// leaves out iterations must give the same bits, so this proof works on instructions: it follows
// the values of a loop under the presumption that one element is +0 or -0. The element varies with
// the loop's counter or, for a loop that is left out as a whole, is invariant in it. Each value is
// zero, equal to some other value, or unknown. Conditions that the presumption does not settle
// become demands on the call: other factors are finite (0 * infinity is not zero), and the initial
// values of sums are neither -0 (-0 + +0 is +0) nor signalling NaNs.
//
// With rounding to nearest, x + y is -0 only if both are. So a sum that is not -0 never becomes -0.
// A fused x * y + z may, if the product is below the smallest number. That is excluded if all bits
// of all products are within the range of numbers: nonzero factors must not be smaller than some
// power of two.
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

/// Conditions on a call under which iterations may be left out.
struct SkipDemands {
  llvm::SmallSetVector<llvm::LoadInst *, 4> Finite;     ///< loads in the loop
  llvm::SmallSetVector<llvm::Value *, 4> FiniteNumbers; ///< values from outside
  llvm::SmallSetVector<llvm::PHINode *, 4> Sums; ///< phis of the loop's header; their initial
                                                 ///< values
  llvm::SmallSetVector<llvm::StoreInst *, 4> SumsInMemory; ///< stores of a loaded value plus zero
  /// Loads and numbers that are factors of fused products; they have the type of the sum.
  llvm::SmallSetVector<llvm::Value *, 4> Factors;
  unsigned MostFactors = 0; ///< of one product; 0: no product is fused
  bool FusesFloat = false;  ///< whether products are fused in 32 bits, otherwise in 64
  /// Returns the power of two that nonzero factors must not be below.
  int minExponent() const;
};

/// Identifies the element that a proof presumes to be zero: the loads from an address, or a value
/// from outside of the loop.
struct PresumedZero {
  const llvm::SCEV *Address = nullptr; ///< of the loads; null: there are none
  llvm::Type *Type = nullptr;
  const llvm::Value *Number = nullptr; ///< null: none

  /// Returns the element that \p Load reads.
  static PresumedZero readBy(const llvm::LoadInst &Load, llvm::ScalarEvolution &SE);
};

/// Follows the values of one loop.
class SkipProof {
public:
  SkipProof(const llvm::Loop &L, const llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
            const PresumedZero &Element)
      : L(L), LI(LI), SE(SE), Element(Element) {}

  /// Returns whether an iteration has no effect if the demands are met.
  bool run();

  SkipDemands Demands;
  /// The loads of the element.
  llvm::SmallSetVector<llvm::LoadInst *, 2> Elements;

private:
  /// A value is zero, equal to Root, or unknown (null).
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
