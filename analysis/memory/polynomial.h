//===- analysis/memory/polynomial.h - polynomials over bounded variables --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algebra below access ranges. A Polynomial has integer coefficients over numbered variables. A
// variable is either an integer argument of the function, which stays symbolic, or is to be
// eliminated: an iteration number, a minimum, a quotient, a value with a known range. The bounds of
// such a variable are polynomials in variables with smaller numbers, so that elimination from the
// highest number down ends with arguments only:
//   p = c*v + r,  Lo <= v <= Hi,  c >= 0   ==>   c*Lo + r <= p <= c*Hi + r
//
// All arithmetic is exact (128-bit with overflow checks); overflow makes a result unknown.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MEMORY_POLYNOMIAL_H
#define SPECRT_ANALYSIS_MEMORY_POLYNOMIAL_H

#include "specrt/guard.h"
#include "llvm/ADT/SmallVector.h"
#include <map>
#include <optional>
#include <vector>

namespace specrt {

__extension__ typedef __int128 Wide;

/// Sorted variable numbers, repeated for powers; empty for the constant term.
using Monomial = llvm::SmallVector<unsigned, 4>;

class Polynomial {
public:
  Polynomial() = default;
  explicit Polynomial(Wide Constant) {
    if (Constant != 0)
      Terms[{}] = Constant;
  }
  static Polynomial variable(unsigned Number) {
    Polynomial P;
    P.Terms[{Number}] = 1;
    return P;
  }

  const std::map<Monomial, Wide> &terms() const { return Terms; }
  bool isConstant() const { return Terms.empty() || (Terms.size() == 1 && constant() != 0); }
  Wide constant() const {
    auto It = Terms.find({});
    return It == Terms.end() ? 0 : It->second;
  }
  bool operator==(const Polynomial &Other) const { return Terms == Other.Terms; }

  /// Returns the highest variable number for which \p Select holds.
  template <typename Predicate> std::optional<unsigned> highestVariable(Predicate Select) const {
    std::optional<unsigned> Best;
    for (const auto &[Variables, Coefficient] : Terms)
      for (unsigned Variable : Variables)
        if (Select(Variable) && (!Best || Variable > *Best))
          Best = Variable;
    return Best;
  }

  /// Returns the polynomial with all coefficients divided by \p Divisor, if all are multiples of
  /// it.
  std::optional<Polynomial> dividedBy(Wide Divisor) const;

  friend std::optional<Polynomial> operator+(const Polynomial &A, const Polynomial &B);
  friend std::optional<Polynomial> operator-(const Polynomial &A, const Polynomial &B);
  friend std::optional<Polynomial> operator*(const Polynomial &A, const Polynomial &B);

  /// Adds Coefficient * Variables; false on overflow or when the polynomial gets too large.
  bool addTerm(const Monomial &Variables, Wide Coefficient);

private:
  std::map<Monomial, Wide> Terms;
};

/// A closed interval; a missing end is infinite.
struct Interval {
  std::optional<Wide> Low, High;
  bool isNonNegative() const { return Low && *Low >= 0; }
  bool isNonPositive() const { return High && *High <= 0; }
  bool isWithin(Wide Min, Wide Max) const { return Low && High && *Low >= Min && *High <= Max; }
};

/// A variable of polynomials.
struct Variable {
  /// Argument variables stay symbolic; Factor is their encoding in a specrt_term.
  bool IsArgument = false;
  uint16_t Factor = 0;
  /// Constant bounds.
  Interval Range;
  /// Polynomial bounds in variables with smaller numbers. The upper bound is
  /// Scale * variable <= High: a quotient floor(p / 4) has Scale 4 and High p.
  std::optional<Polynomial> Low, High;
  Wide Scale = 1;
};

class VariableTable {
public:
  unsigned add(Variable V) {
    Variables.push_back(std::move(V));
    return Variables.size() - 1;
  }
  const Variable &operator[](unsigned Number) const { return Variables[Number]; }

  /// Returns constant bounds of \p P.
  Interval range(const Polynomial &P) const;

  /// Returns a polynomial over arguments only that is >= P (\p Upper) or <= P for all admissible
  /// values of the eliminated variables; none if a sign or a bound is unknown.
  std::optional<Polynomial> bound(Polynomial P, bool Upper) const { return bound(P, Upper, 0); }

  /// Returns a polynomial over arguments that is at least (\p Upper) or at most both \p A and \p B.
  std::optional<Polynomial> extreme(const Polynomial &A, const Polynomial &B, bool Upper) const;

  /// Converts \p P to the exchange format; num_terms is SPECRT_UNKNOWN if \p P is none, too large
  /// for the format or not over arguments only.
  specrt_polynomial exportPolynomial(const std::optional<Polynomial> &P) const;

private:
  std::optional<Polynomial> bound(Polynomial P, bool Upper, unsigned Depth) const;
  std::optional<Polynomial> eliminate(const Polynomial &P, unsigned Number, bool Upper,
                                      unsigned Depth) const;
  /// Returns +1 for >= 0, -1 for <= 0, none if unknown.
  std::optional<int> sign(const Polynomial &P, unsigned Depth) const;
  Interval termwiseRange(const Polynomial &P) const;

  std::vector<Variable> Variables;
};

} // namespace specrt

#endif
