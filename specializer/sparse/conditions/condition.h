//===- specializer/sparse/conditions/condition.h - disjunctions of conjunctions of guards ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_CONDITIONS_CONDITION_H
#define SPECRT_SPECIALIZER_SPARSE_CONDITIONS_CONDITION_H

#include <functional>
#include <string>
#include <vector>

namespace specrt {

/// A monotone condition over guards. A guard says that an element is an entry, that is, may be
/// nonzero. As no condition contains negations, the disjunction of conjunctions of which none
/// contains another (absorption) is unique: equal conditions are equal values.
class Condition {
public:
  static Condition never() { return {}; }
  static Condition always() { return Condition({{}}); }
  static Condition guard(unsigned Number) { return Condition({{Number}}); }

  friend Condition operator|(const Condition &A, const Condition &B);
  /// Returns A, which is weaker than the conjunction, if the conjunction would be too long.
  friend Condition operator&(const Condition &A, const Condition &B);

  bool isAlways() const { return Terms.size() == 1 && Terms[0].empty(); }
  bool isNever() const { return Terms.empty(); }
  /// Returns whether this implies guard \p Number: the guard dominates.
  bool implies(unsigned Number) const;
  bool operator==(const Condition &) const = default;

  /// Returns text such as "A[i] or B[i] and C[i]".
  std::string text(const std::function<std::string(unsigned)> &GuardText) const;

private:
  using Conjunction = std::vector<unsigned>; // ascending
  Condition() = default;
  explicit Condition(std::vector<Conjunction> Of);

  std::vector<Conjunction> Terms; // ascending
};

} // namespace specrt

#endif
