//===- specializer/sparse/equations/language/regular_expression.h - words of relations -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A letter stands for a relation between iterations, a word for the composition of its letters from
// left to right, a language for the union of its words. An expression without names is therefore a
// relation, and its star is the reflexive transitive closure.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_REGULAR_EXPRESSION_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_LANGUAGE_REGULAR_EXPRESSION_H

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace specrt {

/// A value type whose parts are shared. Operations simplify by the laws of empty and epsilon.
class RegularExpression {
public:
  enum class Kind { Empty, Epsilon, Letter, Union, Concatenation, Star };
  using Parts = std::vector<RegularExpression>;

  RegularExpression() : RegularExpression(Kind::Empty, 0, {}) {}
  static RegularExpression epsilon() { return {Kind::Epsilon, 0, {}}; }
  static RegularExpression letter(unsigned Number) { return {Kind::Letter, Number, {}}; }

  friend RegularExpression operator|(const RegularExpression &A, const RegularExpression &B);
  /// Concatenates A and B.
  friend RegularExpression operator*(const RegularExpression &A, const RegularExpression &B);
  RegularExpression star() const;

  Kind kind() const { return Root->Kind; }
  bool isEmpty() const { return kind() == Kind::Empty; }
  bool isEpsilon() const { return kind() == Kind::Epsilon; }
  unsigned letterNumber() const { return Root->Letter; }
  const Parts &parts() const { return Root->Parts; }
  bool operator==(const RegularExpression &Other) const;

  /// Returns text such as "(d|e).(b|c)*".
  std::string text(const std::function<std::string(unsigned Letter)> &LetterText) const;

private:
  struct Node {
    RegularExpression::Kind Kind;
    unsigned Letter;
    RegularExpression::Parts Parts;
  };
  RegularExpression(Kind K, unsigned Letter, Parts Of)
      : Root(std::make_shared<const Node>(Node{K, Letter, std::move(Of)})) {}

  std::shared_ptr<const Node> Root;
};

/// Returns "a" ... "z", then "a1" ...
std::string letterName(unsigned Number);

} // namespace specrt

#endif
