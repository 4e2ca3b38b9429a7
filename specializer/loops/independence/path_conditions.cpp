//===- specializer/loops/independence/path_conditions.cpp - conditions of blocks in loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/path_conditions.h"
#include "analysis/rounding/fast_math.h"
#include "specializer/loops/loop_slice.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

using Alternatives = PathCondition::Alternatives;
using Conjunction = PathCondition::Conjunction;

/// Each alternative becomes a basic map of a filter (conditional_program.h). The time that isl
/// takes to compare two filters grows with the product of their numbers.
constexpr size_t MaxAlternatives = 16;
/// The text of a condition repeats an operation for each use of its result, so its length is
/// exponential in the number of operations. Further operations are not compared with others.
constexpr unsigned MaxOperations = 64;

std::string textOf(const void *Pointer) {
  std::string Text;
  raw_string_ostream(Text) << Pointer;
  return Text;
}

/// Removes alternatives that contradict themselves or imply another one, and results that occur
/// twice. Returns nothing if too many alternatives remain.
std::optional<Alternatives> simplified(Alternatives Any) {
  erase_if(Any, [](Conjunction &All) {
    sort(All);
    All.erase(llvm::unique(All), All.end());
    for (size_t I = 1; I < All.size(); ++I)
      if (All[I - 1].first == All[I].first)
        return true;
    return false;
  });
  sort(Any);
  Any.erase(llvm::unique(Any), Any.end());
  Alternatives Rest;
  for (const Conjunction &Each : Any)
    if (none_of(Any, [&](const Conjunction &Other) {
          return Other.size() < Each.size() &&
                 std::includes(Each.begin(), Each.end(), Other.begin(), Other.end());
        }))
      Rest.push_back(Each);
  return Rest.size() <= MaxAlternatives ? std::optional(std::move(Rest)) : std::nullopt;
}

std::optional<Alternatives> both(const Alternatives &A, const Alternatives &B) {
  Alternatives All;
  for (const Conjunction &Left : A)
    for (const Conjunction &Right : B) {
      All.push_back(Left);
      All.back().append(Right);
    }
  return simplified(std::move(All));
}

std::optional<Alternatives> either(Alternatives A, const Alternatives &B) {
  A.insert(A.end(), B.begin(), B.end());
  return simplified(std::move(A));
}

bool isSame(const LinearForm &A, const LinearForm &B) {
  LinearForm Difference = A;
  Difference.add(B, -1);
  return Difference.Constant == 0 && Difference.loops().empty();
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

void PathConditions::describeLoad(const LoadInst &Load, Shape &To) {
  const SCEV *Address = SE.getSCEV(const_cast<Value *>(Load.getPointerOperand()));
  const SCEV *Base = SE.getPointerBase(Address);
  LinearForm Offset;
  SmallVector<const SCEV *, 2> Others;
  if (!Load.isSimple() || !IsConstant(Load) || !SE.isLoopInvariant(Base, &L) ||
      !splitAffine(SE.getMinusSCEV(Address, Base), Offset, Others) || !Others.empty())
    return describeExecution(Load, To);
  To.Text += "load " + textOf(Load.getType()) + textOf(Base) + "#";
  To.At.push_back(Offset);
}

void PathConditions::describeOperation(const Instruction &I, Shape &To) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  const bool IsOperation = isa<BinaryOperator, CastInst, CmpInst, SelectInst>(I) ||
                           (Call && !I.mayReadOrWriteMemory() && I.isSafeToRemove()) ||
                           I.getOpcode() == Instruction::FNeg;
  if (!IsOperation || mayDifferInCopies(I) || ++To.NumOperations > MaxOperations)
    return describeExecution(I, To);
  To.Text += std::to_string(I.getOpcode()) + textOf(I.getType());
  if (const auto *Test = dyn_cast<CmpInst>(&I))
    To.Text += "." + std::to_string(Test->getPredicate());
  To.Text += "(";
  for (const Value *Operand : I.operands()) {
    describe(*Operand, To);
    To.Text += ",";
  }
  To.Text += ")";
}

void PathConditions::describe(const Value &V, Shape &To) {
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
  } else if (const auto *Load = dyn_cast<LoadInst>(I)) {
    describeLoad(*Load, To);
  } else {
    describeOperation(*I, To);
  }
}

unsigned PathConditions::resultOf(const Shape &Of) {
  const unsigned Array = Arrays.insert({Of.Text, unsigned(Arrays.size())}).first->second;
  const auto Known = find_if(Results, [&](const ConditionResult &Each) {
    return Each.Array == Array && all_of(zip_equal(Each.At, Of.At), [](const auto &Pair) {
             return isSame(std::get<0>(Pair), std::get<1>(Pair));
           });
  });
  const auto Number = unsigned(Known - Results.begin());
  if (Known == Results.end())
    Results.push_back({Array, Of.At});
  return Number;
}

/// Returns the alternatives in which \p Condition has the value \p IsTrue.
std::optional<Alternatives> PathConditions::resultsOf(const Value &Condition, bool IsTrue) {
  const std::pair Key(&Condition, IsTrue);
  if (const auto Known = Values.find(Key); Known != Values.end())
    return Known->second;
  return Values[Key] = mayGoOn() ? computeResults(Condition, IsTrue) : std::nullopt;
}

std::optional<Alternatives> PathConditions::computeResults(const Value &Condition, bool IsTrue) {
  using namespace PatternMatch;
  if (const auto *Constant = dyn_cast<ConstantInt>(&Condition))
    return Alternatives(Constant->isOne() == IsTrue ? 1 : 0);
  Value *A = nullptr, *B = nullptr;
  auto *Of = const_cast<Value *>(&Condition);
  if (match(Of, m_Not(m_Value(A))))
    return resultsOf(*A, !IsTrue);
  const bool IsAnd = match(Of, m_LogicalAnd(m_Value(A), m_Value(B)));
  if (IsAnd || match(Of, m_LogicalOr(m_Value(A), m_Value(B)))) {
    const auto Left = resultsOf(*A, IsTrue), Right = resultsOf(*B, IsTrue);
    if (!Left || !Right)
      return std::nullopt;
    return IsAnd == IsTrue ? both(*Left, *Right) : either(*Left, *Right);
  }
  Shape Text;
  const auto *Test = dyn_cast<CmpInst>(&Condition);
  // A condition and its opposite are one result.
  const bool IsInverted =
      Test && L.contains(Test) && Test->getInversePredicate() < Test->getPredicate();
  if (IsInverted) {
    Text.Text = std::to_string(Test->getOpcode()) + textOf(Test->getType()) + "." +
                std::to_string(Test->getInversePredicate()) + "(";
    for (const Value *Operand : Test->operands()) {
      describe(*Operand, Text);
      Text.Text += ",";
    }
    Text.Text += ")";
  } else {
    describe(Condition, Text);
  }
  return Alternatives{Conjunction{{resultOf(Text), IsTrue != IsInverted}}};
}

/// Returns the condition under which an iteration of \p In executes \p BB, a block outside of the
/// loops in it or the header of one of these.
std::optional<PathConditions::BlockCondition> PathConditions::inLoop(const BasicBlock &BB,
                                                                     const Loop &In) {
  const std::pair Key(&BB, &In);
  if (const auto Known = Blocks.find(Key); Known != Blocks.end())
    return Known->second;
  return Blocks[Key] = mayGoOn() ? computeInLoop(BB, In) : std::nullopt;
}

std::optional<PathConditions::BlockCondition> PathConditions::computeInLoop(const BasicBlock &BB,
                                                                            const Loop &In) {
  SmallVector<BranchDirection, 4> Deciding;
  for (BasicBlock *From : In.blocks()) {
    auto *Branch = dyn_cast<BranchInst>(From->getTerminator());
    if (!Branch)
      return std::nullopt;
    if (!Branch->isConditional() || LI.getLoopFor(From)->getLoopLatch() == From)
      continue;
    for (const unsigned Side : {0u, 1u})
      if (decidesFor(*From, Side, BB, PDT))
        Deciding.push_back({Branch, Side == 0});
  }
  BlockCondition Found;
  if (Deciding.empty())
    Found = {.Any = {{}}, .Sufficient = PathCondition::Directions()};
  for (const BranchDirection &Each : Deciding) {
    const BasicBlock &From = *Each.Branch->getParent();
    if (LI.getLoopFor(&From) != &In)
      return std::nullopt;
    const auto Before = inLoop(From, In);
    const auto Goes = resultsOf(*Each.Branch->getCondition(), Each.IsFirst);
    const auto Here = Before && Goes ? both(Before->Any, *Goes) : std::nullopt;
    auto Any = Here ? either(std::move(Found.Any), *Here) : std::nullopt;
    if (!Any)
      return std::nullopt;
    Found.Any = std::move(*Any);
    if (Deciding.size() == 1 && Before->Sufficient) {
      Found.Sufficient = Before->Sufficient;
      Found.Sufficient->push_back(Each);
    }
  }
  return Found;
}

std::optional<PathCondition> PathConditions::of(const BasicBlock &BB) {
  PathCondition Found;
  Found.Any = {{}};
  Found.Sufficient.emplace();
  const BasicBlock *Item = &BB;
  for (const Loop *In = LI.getLoopFor(&BB);; In = In->getParentLoop()) {
    const auto Here = inLoop(*Item, *In);
    auto All = Here ? both(Found.Any, Here->Any) : std::nullopt;
    if (!All)
      return std::nullopt;
    Found.Any = std::move(*All);
    if (Here->Sufficient && Found.Sufficient)
      Found.Sufficient->append(*Here->Sufficient);
    else
      Found.Sufficient.reset();
    if (In == &L)
      break;
    Item = In->getHeader();
  }
  std::map<unsigned, unsigned> Numbers; ///< [number of a result] its number in Found
  for (Conjunction &All : Found.Any)
    for (auto &[Result, IsTrue] : All) {
      const auto [At, IsNew] = Numbers.insert({Result, unsigned(Numbers.size())});
      if (IsNew)
        Found.Results.push_back(Results[Result]);
      Result = At->second;
    }
  return Found;
}

} // namespace specrt
