//===- specializer/sparse/equations/equations_text.cpp - prints equations of zeros -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/equations/equations_text.h"
#include "polly/Support/GICHelper.h"
#include "structure/program/zero_rules.h"
#include "isl/map.h"

#include <cstdlib>

namespace specrt {
namespace {

/// Where a value may be nonzero, in words.
struct Place {
  enum { Nowhere, Somewhere, Everywhere } Is = Nowhere;
  std::string Text = {}; ///< text if Somewhere
  /// Whether Text is one place, a union (Any) or an intersection (All).
  enum { One, Any, All } Of = One;
  std::string part() const { return Of == One ? Text : "(" + Text + ")"; }
};

struct WordsOf {
  const DenseProgram &Program;
  const DenseStatement &Statement;

  Place never() const { return {}; }
  Place always() const { return {Place::Everywhere}; }
  Place read(unsigned Access) const {
    return {Place::Somewhere, Program.accessText(Statement.Reads[Access])};
  }
  Place anyOf(const Place &A, const Place &B) const {
    if (A.Is != Place::Somewhere || B.Is != Place::Somewhere)
      return A.Is < B.Is ? B : A;
    const auto Part = [](const Place &P) { return P.Of == Place::All ? P.part() : P.Text; };
    return A.Text == B.Text ? A : Place{Place::Somewhere, Part(A) + " or " + Part(B), Place::Any};
  }
  Place allOf(const Place &A, const Place &B) const {
    if (A.Is != Place::Somewhere || B.Is != Place::Somewhere)
      return A.Is < B.Is ? A : B;
    const auto Part = [](const Place &P) { return P.Of == Place::Any ? P.part() : P.Text; };
    return A.Text == B.Text ? A : Place{Place::Somewhere, Part(A) + " and " + Part(B), Place::All};
  }
};

std::string words(const DenseProgram &Program, const DenseStatement &Statement) {
  const Place Where = nonzeroWhere(Statement.Value, WordsOf{Program, Statement});
  std::string Text = Where.Is == Place::Nowhere      ? "zero everywhere"
                     : Where.Is == Place::Everywhere ? "may be nonzero everywhere"
                     : Where.Of == Place::All        ? "nonzero only where " + Where.Text + " are"
                                                     : "nonzero only where " + Where.Text + " is";
  return Statement.MayWrite ? Text + ", or where it was" : Text;
}

bool isRestricted(const RelationLetter &L) {
  return L.Restriction.K != SparsityTerm::Kind::Empty &&
         L.Restriction.K != SparsityTerm::Kind::Everything;
}

/// Returns whether two relations are equal; false if isl gave up.
bool areSame(const isl::map &A, const isl::map &B) {
  return A.get_space().is_equal(B.get_space()).is_true() && A.is_equal(B).is_true();
}

class EquationsText {
public:
  explicit EquationsText(const ScopEquations &Of) : Of(Of), Solution(solve(Of.System)) {}
  std::string run();

private:
  std::string letterOf(const isl::map &Relation);
  std::string termText(const SparsityTerm &Term);
  std::string bracketed(const SparsityTerm &Term);
  std::string solutionText(const SolvedEquation &Solved);

  const ScopEquations &Of;
  const SparsitySolution Solution;
  std::vector<isl::map> More; ///< letters after those of the solution
};

/// Returns the letter of a relation: one of the solution's if it has no restriction.
std::string EquationsText::letterOf(const isl::map &Relation) {
  for (size_t I = 0; I < Solution.Letters.size(); ++I)
    if (const RelationLetter &L = Solution.Letters[I];
        !isRestricted(L) && areSame(L.Relation, Relation))
      return letterName(static_cast<unsigned>(I));
  size_t I = 0;
  while (I < More.size() && !areSame(More[I], Relation))
    ++I;
  if (I == More.size())
    More.push_back(Relation);
  return letterName(static_cast<unsigned>(Solution.Letters.size() + I));
}

std::string EquationsText::bracketed(const SparsityTerm &Term) {
  return Term.Parts.empty() ? termText(Term) : "(" + termText(Term) + ")";
}

std::string EquationsText::termText(const SparsityTerm &Term) {
  switch (Term.K) {
  case SparsityTerm::Kind::Empty:
    return "nothing";
  case SparsityTerm::Kind::Everything:
    return "everything";
  case SparsityTerm::Kind::Read:
    return Of.System[Term.Name].Name + "." + letterOf(Term.Flow);
  case SparsityTerm::Kind::Intersection:
  case SparsityTerm::Kind::Union:
    break;
  }
  std::string Text;
  for (const SparsityTerm &Part : Term.Parts) {
    if (!Text.empty())
      Text += Term.K == SparsityTerm::Kind::Union ? " | " : " & ";
    Text += bracketed(Part);
  }
  return Text;
}

std::string EquationsText::solutionText(const SolvedEquation &Solved) {
  if (Solved.NeedsIteration)
    return "no closed form: two of its own values are multiplied";
  std::string Text;
  for (const SolvedPart &Part : Solved.Parts) {
    Text += Text.empty() ? "" : " | ";
    Text += Part.IsTerm ? bracketed(Part.Term) : Of.System[Part.Name].Name;
    if (!Part.Path.isEpsilon()) {
      const std::string Path = Part.Path.text(letterName);
      Text += Part.Path.kind() == RegularExpression::Kind::Union ? ".(" + Path + ")" : "." + Path;
    }
  }
  return Text.empty() ? "nothing" : Text;
}

std::string EquationsText::run() {
  std::string Text;
  for (unsigned I = 0; I < Of.Program->Statements.size(); ++I) {
    const std::string Name = Of.System[I].Name, Equation = termText(Of.System[I].Value),
                      Solved = solutionText(Solution.Equations[I]);
    for (const std::string &Piece :
         {Name, std::string(": "), Of.Program->statementText(I), std::string("\n  "),
          words(*Of.Program, Of.Program->Statements[I]), std::string("\n  "), Name,
          std::string(" = "), Equation, std::string("\n")})
      Text += Piece;
    if (Solved != Equation)
      Text += "  " + std::string(Name.size(), ' ') + " = " + Solved + "\n";
  }
  const auto AddLetter = [&](unsigned Number, const isl::map &Relation, const std::string &Where) {
    char *Set = isl_map_to_str(Relation.get());
    Text += letterName(Number) + " = " + (Set ? Set : "?") + Where + "\n";
    std::free(Set);
  };
  for (unsigned I = 0; I < Solution.Letters.size(); ++I) {
    const RelationLetter &L = Solution.Letters[I];
    AddLetter(I, L.Relation, isRestricted(L) ? ", where " + termText(L.Restriction) : "");
  }
  for (unsigned I = 0; I < More.size(); ++I)
    AddLetter(static_cast<unsigned>(Solution.Letters.size()) + I, More[I], "");
  return Text;
}

} // namespace

std::string equationsText(const ScopEquations &Of, unsigned long MaxOperations) {
  isl_ctx *Context = Of.Context.get();
  const polly::IslMaxOperationsGuard Limit(Context, MaxOperations);
  std::string Text = EquationsText(Of).run();
  return isl_ctx_last_error(Context) == isl_error_none ? std::move(Text) : std::string();
}

} // namespace specrt
