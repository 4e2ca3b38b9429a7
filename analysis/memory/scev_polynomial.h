//===- analysis/memory/scev_polynomial.h - from SCEV to polynomials -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts an integer SCEV expression to a polynomial over arguments and iteration numbers. A w-bit
// expression is a value modulo 2^w; Reading chooses one of the congruent integers. To read as
// Signed or Unsigned, either the polynomial's range must fit in the type (a congruent integer that
// fits is equal), or the expression's no-wrap flag must guarantee it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MEMORY_SCEV_POLYNOMIAL_H
#define SPECRT_ANALYSIS_MEMORY_SCEV_POLYNOMIAL_H

#include "analysis/memory/polynomial.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class APInt;
class Loop;
class SCEV;
class SCEVAddRecExpr;
class SCEVMinMaxExpr;
class SCEVNAryExpr;
class SCEVUDivExpr;
class SCEVUnknown;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

enum class Reading {
  Modular, ///< any integer congruent to the value modulo 2^width
  Signed,  ///< exactly the signed value
  Unsigned ///< exactly the unsigned value
};

class ScevPolynomials {
public:
  /// \p AssumeNoWrap as in computeAccesses().
  ScevPolynomials(llvm::ScalarEvolution &SE, bool AssumeNoWrap)
      : SE(SE), AssumeNoWrap(AssumeNoWrap) {}

  std::optional<Polynomial> convert(const llvm::SCEV *S, Reading How);

  /// Returns an upper bound of the number of times the backedge of \p L is taken.
  std::optional<Polynomial> backedgeCount(const llvm::Loop *L);

  const VariableTable &variables() const { return Variables; }

private:
  std::optional<Polynomial> convertUncached(const llvm::SCEV *S, Reading How);
  std::optional<Polynomial> convertUnknown(const llvm::SCEVUnknown *S, Reading How);
  std::optional<Polynomial> convertRing(const llvm::SCEV *S, Reading How);
  std::optional<Polynomial> combine(const llvm::SCEVNAryExpr *S, Reading How);
  std::optional<Polynomial> combineAddRec(const llvm::SCEVAddRecExpr *S, Reading How);
  std::optional<Polynomial> convertMinMax(const llvm::SCEVNAryExpr *S, Reading How);
  std::optional<Polynomial> convertUDiv(const llvm::SCEVUDivExpr *S);
  std::optional<Polynomial> choose(const Polynomial &A, const Polynomial &B, bool Max);
  std::optional<Polynomial> binomial(const llvm::Loop *L, unsigned Order);
  std::optional<Polynomial> fitted(std::optional<Polynomial> P, unsigned Width, Reading How);
  unsigned iteration(const llvm::Loop *L);

  llvm::ScalarEvolution &SE;
  bool AssumeNoWrap;
  VariableTable Variables;
  llvm::DenseMap<std::pair<const llvm::SCEV *, unsigned>, std::optional<Polynomial>> Cache;
  llvm::DenseMap<std::pair<const llvm::Loop *, unsigned>, unsigned> Iterations;
  llvm::DenseMap<const llvm::Loop *, std::optional<Polynomial>> BackedgeCounts;
};

} // namespace specrt

#endif
