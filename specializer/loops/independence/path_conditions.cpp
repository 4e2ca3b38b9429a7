//===- specializer/loops/independence/path_conditions.cpp - when a block is executed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/path_conditions.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace specrt {
namespace {

/// Conditions with more results or alternatives are not compared.
constexpr size_t MaxResults = 6, MaxAlternatives = 16;
/// Operations of a condition further away are not compared with others.
constexpr unsigned MaxDepth = 8;

std::string textOf(const void *Pointer) {
  std::string Text;
  raw_string_ostream(Text) << Pointer;
  return Text;
}

/// Removes alternatives that contradict themselves, and results that occur twice.
void simplify(std::vector<PathCondition::Conjunction> &Any) {
  erase_if(Any, [](PathCondition::Conjunction &All) {
    sort(All);
    All.erase(llvm::unique(All), All.end());
    for (size_t I = 1; I < All.size(); ++I)
      if (All[I - 1].first == All[I].first)
        return true;
    return false;
  });
}

std::vector<PathCondition::Conjunction> both(ArrayRef<PathCondition::Conjunction> A,
                                             ArrayRef<PathCondition::Conjunction> B) {
  std::vector<PathCondition::Conjunction> All;
  for (const auto &Left : A)
    for (const auto &Right : B) {
      All.push_back(Left);
      All.back().append(Right);
    }
  simplify(All);
  return All;
}

} // namespace

/// Describes \p I by itself and the iterations of the loops around it.
void PathConditions::describeExecution(const Instruction &I, Shape &To) {
  To.Text += "value " + textOf(&I);
  for (const Loop *In = LI.getLoopFor(I.getParent()); In && In != &L; In = In->getParentLoop()) {
    To.Text += "#";
    To.At.emplace_back().add(In, 1);
  }
}

void PathConditions::describeOperation(const Instruction &I, Shape &To, unsigned Depth) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    const SCEV *Address = SE.getSCEV(const_cast<Value *>(Load->getPointerOperand()));
    const SCEV *Base = SE.getPointerBase(Address);
    LinearForm Offset;
    SmallVector<const SCEV *, 2> Others;
    if (!Load->isSimple() || !IsConstant(*Load) || !SE.isLoopInvariant(Base, &L) ||
        !splitAffine(SE.getMinusSCEV(Address, Base), Offset, Others) || !Others.empty())
      return describeExecution(I, To);
    To.Text += "load " + textOf(Load->getType()) + textOf(Base) + "#";
    To.At.push_back(Offset);
    return;
  }
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  const bool IsOperation = isa<BinaryOperator, CastInst, CmpInst, SelectInst, FreezeInst>(I) ||
                           (Call && !I.mayReadOrWriteMemory() && I.isSafeToRemove()) ||
                           I.getOpcode() == Instruction::FNeg;
  if (!IsOperation || Depth == MaxDepth)
    return describeExecution(I, To);
  To.Text += std::to_string(I.getOpcode()) + textOf(I.getType());
  if (const auto *Test = dyn_cast<CmpInst>(&I))
    To.Text += "." + std::to_string(Test->getPredicate());
  // Freeze of a poison value may be a different number each time.
  if (isa<FreezeInst>(I))
    return describeExecution(I, To);
  To.Text += "(";
  for (const Value *Operand : I.operands()) {
    describe(*Operand, To, Depth + 1);
    To.Text += ",";
  }
  To.Text += ")";
}

void PathConditions::describe(const Value &V, Shape &To, unsigned Depth) {
  const auto *I = dyn_cast<Instruction>(&V);
  if (!I || !L.contains(I)) {
    To.Text += textOf(&V);
    return;
  }
  LinearForm Number;
  SmallVector<const SCEV *, 2> Others;
  if (V.getType()->isIntegerTy() && !V.getType()->isIntegerTy(1) &&
      SE.getTypeSizeInBits(V.getType()) <= 64 &&
      splitAffine(SE.getSCEV(const_cast<Value *>(&V)), Number, Others) && Others.empty()) {
    To.Text += "number" + textOf(V.getType()) + "#";
    To.At.push_back(Number);
    return;
  }
  describeOperation(*I, To, Depth);
}

unsigned PathConditions::resultOf(const Shape &Of, PathCondition &To) {
  const unsigned Array = Arrays.insert({Of.Text, unsigned(Arrays.size())}).first->second;
  const auto IsSame = [&](const LinearForm &A, const LinearForm &B) {
    LinearForm Difference = A;
    Difference.add(B, -1);
    return Difference.Constant == 0 && Difference.loops().empty();
  };
  for (size_t I = 0; I < To.Results.size(); ++I)
    if (To.Results[I].Array == Array && all_of(zip_equal(To.Results[I].At, Of.At), [&](auto Each) {
          return IsSame(std::get<0>(Each), std::get<1>(Each));
        }))
      return unsigned(I);
  To.Results.push_back({Array, Of.At});
  return unsigned(To.Results.size() - 1);
}

/// Returns the alternatives in which \p Condition has the value \p IsTrue.
std::optional<std::vector<PathCondition::Conjunction>>
PathConditions::resultsOf(const Value &Condition, bool IsTrue, PathCondition &To, unsigned Depth) {
  using namespace PatternMatch;
  if (const auto *Constant = dyn_cast<ConstantInt>(&Condition)) {
    std::vector<PathCondition::Conjunction> Any(Constant->isOne() == IsTrue ? 1 : 0);
    return Any;
  }
  Value *A = nullptr, *B = nullptr;
  auto *Changed = const_cast<Value *>(&Condition);
  if (Depth < MaxDepth && match(Changed, m_Not(m_Value(A))))
    return resultsOf(*A, !IsTrue, To, Depth + 1);
  const bool IsAnd = match(Changed, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (Depth < MaxDepth && (IsAnd || match(Changed, m_LogicalOr(m_Value(A), m_Value(B))))) {
    const auto Left = resultsOf(*A, IsTrue, To, Depth + 1);
    const auto Right = resultsOf(*B, IsTrue, To, Depth + 1);
    if (!Left || !Right)
      return std::nullopt;
    if (IsAnd == IsTrue)
      return both(*Left, *Right);
    auto Any = *Left;
    Any.insert(Any.end(), Right->begin(), Right->end());
    return Any.size() > MaxAlternatives ? std::nullopt : std::optional(Any);
  }
  Shape Of;
  bool Value = IsTrue;
  const auto *Test = dyn_cast<CmpInst>(&Condition);
  if (Test && L.contains(Test) && Test->getInversePredicate() < Test->getPredicate()) {
    // A condition and its opposite are one result.
    Value = !Value;
    Of.Text = std::to_string(Test->getOpcode()) + textOf(Test->getType()) + "." +
              std::to_string(Test->getInversePredicate()) + "(";
    for (const auto *Operand : {Test->getOperand(0), Test->getOperand(1)}) {
      describe(*Operand, Of, Depth + 1);
      Of.Text += ",";
    }
    Of.Text += ")";
  } else {
    describe(Condition, Of, Depth);
  }
  const unsigned Result = resultOf(Of, To);
  if (To.Results.size() > MaxResults)
    return std::nullopt;
  return std::vector<PathCondition::Conjunction>{{{Result, Value}}};
}

/// Adds the condition under which an iteration of \p In executes \p BB, a block outside of the
/// loops in it or the header of one of these.
bool PathConditions::addItem(const BasicBlock &BB, const Loop &In, PathCondition &To,
                             unsigned Depth) {
  if (Depth == 4 * MaxDepth)
    return false;
  SmallVector<BranchDirection, 4> Deciding;
  for (BasicBlock *From : In.blocks()) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch)
      return false;
    if (!Branch->isConditional() || LI.getLoopFor(From)->getLoopLatch() == From ||
        PDT.properlyDominates(&BB, From))
      continue;
    for (const unsigned Side : {0u, 1u})
      if (PDT.dominates(&BB, Branch->getSuccessor(Side)))
        Deciding.push_back({Branch, Side == 0});
  }
  if (Deciding.empty())
    return true;
  std::vector<PathCondition::Conjunction> Any;
  for (const BranchDirection &Each : Deciding) {
    PathCondition Before;
    Before.Results = To.Results;
    Before.Any = {{}};
    Before.Directions.emplace();
    if (LI.getLoopFor(Each.Branch->getParent()) != &In ||
        !addItem(*Each.Branch->getParent(), In, Before, Depth + 1))
      return false;
    To.Results = Before.Results;
    const auto Results = resultsOf(*Each.Branch->getCondition(), Each.IsFirst, To, 0);
    if (!Results)
      return false;
    const auto Here = both(Before.Any, *Results);
    Any.insert(Any.end(), Here.begin(), Here.end());
    if (Any.size() > MaxAlternatives)
      return false;
    if (Deciding.size() > 1 || !Before.Directions)
      To.Directions.reset();
    else if (To.Directions) {
      To.Directions->append(*Before.Directions);
      To.Directions->push_back(Each);
    }
  }
  To.Any = both(To.Any, Any);
  return To.Any.size() <= MaxAlternatives;
}

bool PathConditions::addBlock(const BasicBlock &BB, PathCondition &To, unsigned Depth) {
  const BasicBlock *Item = &BB;
  for (const Loop *In = LI.getLoopFor(&BB); In; In = In->getParentLoop()) {
    if (!addItem(*Item, *In, To, Depth))
      return false;
    if (In == &L)
      return true;
    Item = In->getHeader();
  }
  return false;
}

std::optional<PathCondition> PathConditions::of(const BasicBlock &BB) {
  PathCondition Found;
  Found.Any = {{}};
  Found.Directions.emplace();
  if (!addBlock(BB, Found, 0))
    return std::nullopt;
  return Found;
}

} // namespace specrt
