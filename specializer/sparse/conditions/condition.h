//===- specializer/sparse/conditions/condition.h - disjunctions of conjunctions of guards ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CONDITIONS_CONDITION_H
#define SPECRT_SPECIALIZER_SPARSE_CONDITIONS_CONDITION_H

#include <functional>
#include <string>
#include <vector>

namespace specrt {

/// A guard says "this element is an entry", that is, it may be nonzero. No condition contains its
/// negation, so that a disjunction of conjunctions of which none contains another (absorption) is
/// unique: equal conditions are equal values.
class Condition {
public:
  static Condition never() { return {}; }
  static Condition always() { return Condition({{}}); }
  static Condition guard(unsigned Number) { return Condition({{Number}}); }

  friend Condition operator|(const Condition &A, const Condition &B);
  /// Weaker than the conjunction, namely A, when that would be too long.
  friend Condition operator&(const Condition &A, const Condition &B);

  bool isAlways() const { return Terms.size() == 1 && Terms[0].empty(); }
  bool isNever() const { return Terms.empty(); }
  /// Where guard \p Number does not hold, this does not hold either: it dominates.
  bool implies(unsigned Number) const;
  bool operator==(const Condition &) const = default;

  /// "A[i] or B[i] and C[i]"
  std::string text(const std::function<std::string(unsigned)> &GuardText) const;

private:
  using Conjunction = std::vector<unsigned>; // ascending
  Condition() = default;
  explicit Condition(std::vector<Conjunction> Of);

  std::vector<Conjunction> Terms; // ascending
};

} // namespace specrt

#endif
