//===- tests/papers/zeros/compiled_equations.cpp - equations of compiled C ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/papers/zeros/compiled_equations.h"
#include "tests/polyhedral/nest_compiler.h"

#include "llvm/Support/ErrorHandling.h"

namespace specrt {

static ScopEquations onlyScop(const std::string &Function) {
  NestCompiler Compiler(SPECRT_ZEROS_IR, Function);
  llvm::Function &F = Compiler.canonical();
  std::vector<ScopEquations> All = equationsOfScops(F, Compiler.functions());
  if (All.size() != 1)
    llvm::report_fatal_error(
        llvm::Twine(Function + " has " + std::to_string(All.size()) + " Scops"));
  return std::move(All[0]);
}

CompiledEquations::CompiledEquations(const std::string &Function)
    : Scop(onlyScop(Function)), Solution(solve(Scop.System)) {}

unsigned CompiledEquations::named(const std::string &Name) const {
  for (unsigned I = 0; I < Scop.System.size(); ++I)
    if (Scop.System[I].Name == Name)
      return I;
  llvm::report_fatal_error(llvm::Twine("no equation of " + Name));
}

isl::set
CompiledEquations::elements(const std::string &Name,
                            const std::vector<std::pair<std::string, std::string>> &LiveIns,
                            const std::string &Parameters) {
  std::map<unsigned, isl::set> Known;
  for (const auto &[Array, Text] : LiveIns)
    Known[named(Array)] = set(Text);
  SparsitySystem System = Scop.System;
  for (SparsityEquation &Equation : System)
    Equation.Domain = Equation.Domain.intersect_params(set(Parameters));
  const auto Found = concretise(System, Solution, Known);
  if (!Found)
    llvm::report_fatal_error(llvm::Twine("no solution of " + Name));
  IsExact = Found->IsExact;
  Rounds = Found->Rounds;
  return Found->Nonzero[named(Name)].apply(Scop.Writes[named(Name)]);
}

std::string CompiledEquations::solution(const std::string &Name) const {
  std::string Text;
  for (const SolvedPart &Part : Solution.Equations[named(Name)].Parts) {
    Text += Text.empty() ? "" : "|";
    Text += Part.IsTerm ? "{}" : Scop.System[Part.Name].Name;
    if (!Part.Path.isEpsilon()) {
      const std::string Path = Part.Path.text(letterName);
      Text += Part.Path.kind() == RegularExpression::Kind::Union ? ".(" + Path + ")" : "." + Path;
    }
  }
  return Text;
}

} // namespace specrt
