//===- specializer/sparse/equations/language/regular_expression.cpp - words of relations -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/language/regular_expression.h"

#include <algorithm>

namespace specrt {

using Kind = RegularExpression::Kind;

bool RegularExpression::operator==(const RegularExpression &Other) const {
  return Root == Other.Root || (kind() == Other.kind() && Root->Letter == Other.Root->Letter &&
                                Root->Parts == Other.Root->Parts);
}

RegularExpression operator|(const RegularExpression &A, const RegularExpression &B) {
  if (A.isEmpty())
    return B;
  if (B.isEmpty())
    return A;
  RegularExpression::Parts All;
  for (const RegularExpression *Side : {&A, &B}) {
    const bool IsUnion = Side->kind() == Kind::Union;
    for (const RegularExpression &Part : IsUnion ? Side->parts() : RegularExpression::Parts{*Side})
      if (std::find(All.begin(), All.end(), Part) == All.end())
        All.push_back(Part);
  }
  return All.size() == 1 ? All[0] : RegularExpression(Kind::Union, 0, std::move(All));
}

RegularExpression operator*(const RegularExpression &A, const RegularExpression &B) {
  if (A.isEmpty() || B.isEmpty())
    return {};
  if (A.isEpsilon())
    return B;
  if (B.isEpsilon())
    return A;
  RegularExpression::Parts All;
  for (const RegularExpression *Side : {&A, &B})
    if (Side->kind() == Kind::Concatenation)
      All.insert(All.end(), Side->parts().begin(), Side->parts().end());
    else
      All.push_back(*Side);
  return {Kind::Concatenation, 0, std::move(All)};
}

RegularExpression RegularExpression::star() const {
  switch (kind()) {
  case Kind::Empty:
  case Kind::Epsilon:
    return epsilon();
  case Kind::Star:
    return *this;
  case Kind::Union: { // (ε|x)* = x*
    RegularExpression Rest;
    for (const RegularExpression &Part : parts())
      if (!Part.isEpsilon())
        Rest = Rest | Part;
    return Rest.parts().size() == parts().size() ? RegularExpression(Kind::Star, 0, {Rest})
                                                 : Rest.star();
  }
  default:
    return {Kind::Star, 0, {*this}};
  }
}

std::string RegularExpression::text(const std::function<std::string(unsigned)> &LetterText) const {
  auto Join = [&](const char *Between, bool Brackets) {
    std::string Text;
    for (const RegularExpression &Part : parts()) {
      const std::string Inner = Part.text(LetterText);
      Text += Text.empty() ? "" : Between;
      Text += Brackets && Part.kind() == Kind::Union ? "(" + Inner + ")" : Inner;
    }
    return Text;
  };
  switch (kind()) {
  case Kind::Empty:
    return "∅";
  case Kind::Epsilon:
    return "ε";
  case Kind::Letter:
    return LetterText(letterNumber());
  case Kind::Union:
    return Join("|", false);
  case Kind::Concatenation:
    return Join(".", true);
  case Kind::Star:
    return parts()[0].kind() == Kind::Letter ? Join("", false) + "*" : "(" + Join("", false) + ")*";
  }
  return "";
}

std::string letterName(unsigned Number) {
  const std::string Name(1, static_cast<char>('a' + Number % 26));
  return Number < 26 ? Name : Name + std::to_string(Number / 26);
}

} // namespace specrt
