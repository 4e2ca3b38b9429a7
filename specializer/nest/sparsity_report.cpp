//===- specializer/nest/sparsity_report.cpp - reports zeros of a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/nest/sparsity_report.h"
#include "guards/words.h"
#include "specializer/module/naming.h"
#include "specializer/sparse/conditions/statement_conditions.h"
#include "specializer/sparse/equations/equations_text.h"
#include "specializer/sparse/zeros/sparse_arrays.h"
#include "structure/program/program_text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit of about 60 ms of isl.
constexpr unsigned long MaxOperations = 300'000;
constexpr size_t MaxNests = 4, MaxLines = 80, MaxColumns = 320;

/// Names arrays as in the source, and marks them noalias, which guards have ensured.
void prepare(const specrt_region &Region, Function &F) {
  for (Argument &A : F.args()) {
    if (const std::string Name = nameOfArray(Region, A); !Name.empty())
      A.setName(Name);
    if (A.getType()->isPointerTy())
      A.addAttr(Attribute::NoAlias);
  }
}

/// Returns a few lines, none of them long.
std::string shortened(const std::string &Text) {
  std::string Short;
  SmallVector<StringRef> Lines;
  StringRef(Text).rtrim('\n').split(Lines, '\n');
  for (StringRef Line : ArrayRef(Lines).take_front(MaxLines)) {
    size_t End = std::min(Line.size(), MaxColumns);
    while (End < Line.size() && End > 0 && (static_cast<uint8_t>(Line[End]) & 0xC0) == 0x80)
      --End; // within a character
    Short += (Line.take_front(End) + (End < Line.size() ? " ...\n" : "\n")).str();
  }
  if (Lines.size() > MaxLines)
    Short += "... and " + std::to_string(Lines.size() - MaxLines) + " more lines\n";
  return Short;
}

/// Returns the base of \p Array in \p F; null for a temporary.
const Value *baseOf(const DenseArray &Array, const Function &F) {
  if (Array.IsTemporary)
    return nullptr;
  const Value *Base = F.getValueSymbolTable()->lookup(Array.Name);
  return Base ? Base : F.getParent()->getNamedValue(Array.Name);
}

std::vector<bool> sparseArrays(const DenseProgram &Program, const Function &F,
                               const specrt_jit_request &Request) {
  std::vector<bool> Sparse;
  for (const DenseArray &Array : Program.Arrays) {
    const Value *Base = baseOf(Array, F);
    Sparse.push_back(Base && sparseArray(Request, *Base));
  }
  return Sparse;
}

size_t numLoops(const std::vector<DenseItem> &Items) {
  size_t Sum = 0;
  for (const DenseItem &Item : Items)
    Sum += Item.IsLoop ? 1 + numLoops(Item.Body) : 0;
  return Sum;
}

/// Returns the program's text with arrays named as in reports.
std::string reportedProgram(DenseProgram Program, const Function &F, const specrt_region &Region) {
  for (DenseArray &Array : Program.Arrays)
    if (const Value *Base = baseOf(Array, F))
      if (const std::optional<uint32_t> Access = accessOf(Region, *Base))
        Array.Name = describe(Region.accesses[*Access].range.base, Region);
  return programText(Program);
}

/// Returns "where A[i][j] is zero, an iteration of loop 2 (j) does nothing, if x[j] is finite".
std::string skipText(const DenseProgram &Program, const SkipTest &Test) {
  const std::string Loop =
      "loop " + std::to_string(Test.Loop + 1) + " (" + counterName(Test.Depth - 1) + ")";
  std::string Text = "where " + Program.accessText(Test.Element) + " is zero, " +
                     (Test.Level < Test.Depth ? "all of " : "an iteration of ") + Loop +
                     " does nothing";
  SmallVector<std::string> Others;
  for (const DenseAccess &Other : Test.MustBeFinite)
    if (!Program.Arrays[Other.Array].IsTemporary)
      Others.push_back(Program.accessText(Other));
  if (!Others.empty())
    Text += ", if " + join(Others, " and ") + (Others.size() == 1 ? " is" : " are") + " finite";
  return Text + "\n";
}

} // namespace

SparsityReport reportSparsity(const specrt_jit_request &Request, Function &F,
                              FunctionAnalysisManager &FAM) {
  prepare(*Request.region, F);
  SparsityReport Report;
  std::string Why = "its loops are not affine, or take isl too long";
  const std::vector<ScopEquations> Nests = equationsOfScops(F, FAM, MaxOperations);
  for (const ScopEquations &Nest : ArrayRef(Nests).take_front(MaxNests)) {
    if (!Nest.Program) {
      Why = Nest.WithoutProgram;
      continue;
    }
    const std::string Text = equationsText(Nest, MaxOperations);
    if (Text.empty())
      continue;
    Report.Equations += (Report.Equations.empty() ? "" : "\n") + Text;
    for (const SkipTest &Test : skipTests(*Nest.Program, sparseArrays(*Nest.Program, F, Request)))
      Report.Skips += skipText(*Nest.Program, Test);
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  const size_t Loops = FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder().size();
  if (Nests.size() == 1 && Nests[0].Program && numLoops(Nests[0].Program->Items) == Loops)
    Report.Program = reportedProgram(*Nests[0].Program, F, *Request.region);
  if (Report.Equations.empty())
    Report.Equations = "No equations: " + Why + ".";
  Report.Equations = shortened(Report.Equations);
  if (!Report.Skips.empty())
    Report.Skips = shortened(Report.Skips);
  return Report;
}

} // namespace specrt
