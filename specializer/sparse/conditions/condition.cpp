//===- specializer/sparse/conditions/condition.cpp - disjunctions of conjunctions of guards ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/conditions/condition.h"

#include <algorithm>
#include <iterator>

namespace specrt {

/// Statements have a handful of operands; a longer condition does not pay for a test.
static constexpr size_t MaxTerms = 256;

Condition::Condition(std::vector<Conjunction> Of) {
  std::sort(Of.begin(), Of.end(), [](const Conjunction &A, const Conjunction &B) {
    return A.size() != B.size() ? A.size() < B.size() : A < B;
  });
  for (Conjunction &Term : Of)
    if (std::none_of(Terms.begin(), Terms.end(), [&](const Conjunction &Shorter) {
          return std::includes(Term.begin(), Term.end(), Shorter.begin(), Shorter.end());
        }))
      Terms.push_back(std::move(Term));
}

Condition operator|(const Condition &A, const Condition &B) {
  std::vector<Condition::Conjunction> All = A.Terms;
  All.insert(All.end(), B.Terms.begin(), B.Terms.end());
  return Condition(std::move(All));
}

Condition operator&(const Condition &A, const Condition &B) {
  if (A.Terms.size() * B.Terms.size() > MaxTerms)
    return A;
  std::vector<Condition::Conjunction> All;
  for (const Condition::Conjunction &Left : A.Terms)
    for (const Condition::Conjunction &Right : B.Terms) {
      Condition::Conjunction &Both = All.emplace_back();
      std::set_union(Left.begin(), Left.end(), Right.begin(), Right.end(),
                     std::back_inserter(Both));
    }
  return Condition(std::move(All));
}

bool Condition::implies(unsigned Number) const {
  return std::all_of(Terms.begin(), Terms.end(), [&](const Conjunction &Term) {
    return std::binary_search(Term.begin(), Term.end(), Number);
  });
}

std::string Condition::text(const std::function<std::string(unsigned)> &GuardText) const {
  if (isNever() || isAlways())
    return isNever() ? "never" : "always";
  std::string Text;
  for (const Conjunction &Term : Terms) {
    Text += Text.empty() ? "" : " or ";
    for (size_t I = 0; I < Term.size(); ++I)
      Text += (I ? " and " : "") + GuardText(Term[I]);
  }
  return Text;
}

} // namespace specrt
