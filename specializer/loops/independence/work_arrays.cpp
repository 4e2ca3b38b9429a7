//===- specializer/loops/independence/work_arrays.cpp - arrays each iteration writes anew ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/independence/work_arrays.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/polyhedral/storage/expand_storage.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include <algorithm>

using namespace llvm;

namespace specrt {
namespace {

/// Limits the time of the proof to some tenths of a second.
constexpr unsigned MaxSteps = 1 << 22;
/// Limits the recursion where a loop may end in each of its iterations.
constexpr unsigned MaxDepth = 256;

/// Interprets one iteration of a loop with the integers that are known and with sets of bytes of
/// one array. ScalarEvolution would need trip counts, which loops lack whose exits clang has moved.
class AbstractIteration {
public:
  AbstractIteration(const Loop &L, const Value &Base, FunctionAnalysisManager &FAM)
      : L(L), Base(Base), DL(L.getHeader()->getDataLayout()),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(*L.getHeader()->getParent())) {}

  /// Returns false if the loop cannot be interpreted.
  bool prepare(ArrayRef<ArrayAccess> Accesses);
  /// Returns whether each byte is written before it is read, and whether all iterations of the loop
  /// certainly write the same bytes.
  bool run() {
    return execute(L.getHeader(), nullptr, nullptr, /*IsCertain=*/true, 0) && !May.test(Certain);
  }
  const BitVector &written() const { return Certain; }

private:
  /// An instruction that decides about branches or addresses in the array, or an access.
  struct Step {
    const Instruction *I;
    const ArrayAccess *Access; ///< null for an instruction
  };

  void need(const Value *V);
  bool repeats(const Loop &Inner) const;
  static bool canEvaluate(const Instruction &I);
  /// Returns the value of an integer, or the offset of a pointer in the array; null if unknown.
  ConstantInt *valueOf(const Value *V) const;
  ConstantInt *evaluate(const Instruction &I) const;
  ConstantInt *evaluateAddress(const GEPOperator &Address) const;
  void set(const Instruction &I, ConstantInt *Value, bool IsCertain);
  void enter(const BasicBlock *BB, const BasicBlock *From, bool IsCertain);
  bool touch(const ArrayAccess &Access, bool IsCertain);
  bool execute(const BasicBlock *BB, const BasicBlock *From, const BasicBlock *Until,
               bool IsCertain, unsigned Depth);
  void forgetSince(size_t Position);

  const Loop &L;
  const Value &Base;
  const DataLayout &DL;
  const PostDominatorTree &PDT;
  SmallPtrSet<const Instruction *, 32> Needed;
  DenseMap<const Instruction *, SmallVector<const ArrayAccess *, 2>> By; ///< accesses to the array
  /// [latch] The block behind a loop of which one iteration is enough.
  DenseMap<const BasicBlock *, const BasicBlock *> Ends;
  DenseMap<const BasicBlock *, SmallVector<Step, 8>> Steps; ///< without phis
  DenseMap<const Instruction *, ConstantInt *> Known;
  SmallVector<const Instruction *, 0> Uncertain; ///< values that not every iteration computes
  BitVector Certain, May;                        ///< bytes that are written so far
  unsigned NumSteps = 0;
};

bool AbstractIteration::canEvaluate(const Instruction &I) {
  const Type *T = I.getType();
  return (T->isPointerTy() || T->isIntegerTy()) &&
         isa<BinaryOperator, ICmpInst, ZExtInst, SExtInst, TruncInst, SelectInst, FreezeInst,
             PHINode, GetElementPtrInst>(I);
}

/// Adds the instructions in the loop that compute \p V.
void AbstractIteration::need(const Value *V) {
  SmallVector<const Value *, 16> Open{V};
  while (!Open.empty()) {
    const auto *I = dyn_cast<Instruction>(Open.pop_back_val());
    if (I && L.contains(I) && canEvaluate(*I) && Needed.insert(I).second)
      Open.append(I->op_begin(), I->op_end());
  }
}

/// Returns whether all iterations of \p Inner access the same bytes in the same order: its counters
/// decide about nothing but its end.
bool AbstractIteration::repeats(const Loop &Inner) const {
  if (!isLeftBehindLatch(Inner))
    return false;
  SmallSetVector<const Instruction *, 8> Varying;
  for (const PHINode &Phi : Inner.getHeader()->phis())
    if (Needed.contains(&Phi))
      Varying.insert(&Phi);
  for (size_t I = 0; I < Varying.size(); ++I)
    for (const User *U : Varying[I]->users()) {
      const auto *Next = cast<Instruction>(U);
      if (By.contains(Next) ||
          (isa<BranchInst>(Next) && Next != Inner.getLoopLatch()->getTerminator()))
        return false;
      if (Needed.contains(Next))
        Varying.insert(Next);
    }
  return true;
}

bool AbstractIteration::prepare(ArrayRef<ArrayAccess> Accesses) {
  for (const ArrayAccess &Each : Accesses) {
    By[Each.I].push_back(&Each);
    need(Each.Pointer);
  }
  for (const BasicBlock *BB : L.blocks()) {
    const auto *Branch = dyn_cast<BranchInst>(BB->getTerminator());
    if (!Branch)
      return false;
    if (Branch->isConditional())
      need(Branch->getCondition());
  }
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      if (Needed.contains(&I) && !isa<PHINode>(I))
        Steps[BB].push_back({&I, nullptr});
      auto Here = By.lookup(&I);
      // A copy reads before it writes.
      stable_sort(Here, [](const auto *A, const auto *B) { return A->IsWrite < B->IsWrite; });
      for (const ArrayAccess *Each : Here)
        Steps[BB].push_back({&I, Each});
    }
  for (const Loop *Inner : L.getLoopsInPreorder())
    if (Inner != &L && repeats(*Inner))
      Ends[Inner->getLoopLatch()] = Inner->getExitBlock();
  // Phis of the header differ from iteration to iteration.
  for (const PHINode &Phi : L.getHeader()->phis())
    Needed.erase(&Phi);
  return true;
}

ConstantInt *AbstractIteration::valueOf(const Value *V) const {
  if (const auto *I = dyn_cast<Instruction>(V); I && I != &Base)
    return Known.lookup(I);
  if (!V->getType()->isPointerTy())
    return const_cast<ConstantInt *>(dyn_cast<ConstantInt>(V));
  APInt Offset(DL.getIndexTypeSizeInBits(V->getType()), 0);
  const Value *Object = V->stripAndAccumulateConstantOffsets(DL, Offset, /*AllowNonInbounds=*/true);
  return Object == &Base ? ConstantInt::get(V->getContext(), Offset) : nullptr;
}

ConstantInt *AbstractIteration::evaluateAddress(const GEPOperator &Address) const {
  const unsigned Bits = DL.getIndexTypeSizeInBits(Address.getType());
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(Bits, 0);
  ConstantInt *const Start = valueOf(Address.getPointerOperand());
  if (!Start || !Address.collectOffset(DL, Bits, Variable, Constant))
    return nullptr;
  APInt Sum = Start->getValue() + Constant;
  for (const auto &[Index, Scale] : Variable) {
    const ConstantInt *const Number = valueOf(Index);
    if (!Number)
      return nullptr;
    Sum += Number->getValue().sextOrTrunc(Bits) * Scale;
  }
  return ConstantInt::get(Address.getContext(), Sum);
}

ConstantInt *AbstractIteration::evaluate(const Instruction &I) const {
  if (const auto *Address = dyn_cast<GEPOperator>(&I))
    return evaluateAddress(*Address);
  if (const auto *Choice = dyn_cast<SelectInst>(&I)) {
    const ConstantInt *const Condition = valueOf(Choice->getCondition());
    return !Condition
               ? nullptr
               : valueOf(Condition->isZero() ? Choice->getFalseValue() : Choice->getTrueValue());
  }
  SmallVector<Constant *, 2> Operands;
  for (const Use &Operand : I.operands())
    if (ConstantInt *const Number = valueOf(Operand.get()))
      Operands.push_back(Number);
    else
      return nullptr;
  const auto *Test = dyn_cast<ICmpInst>(&I);
  if (Test && Test->getOperand(0)->getType()->isPointerTy())
    // Offsets are signed: an address in front of the array is below it.
    return dyn_cast_or_null<ConstantInt>(ConstantFoldCompareInstOperands(
        Test->isEquality() ? Test->getPredicate() : Test->getSignedPredicate(), Operands[0],
        Operands[1], DL));
  return dyn_cast_or_null<ConstantInt>(ConstantFoldInstOperands(&I, Operands, DL));
}

void AbstractIteration::set(const Instruction &I, ConstantInt *Value, bool IsCertain) {
  if (!Value) {
    Known.erase(&I);
    return;
  }
  Known[&I] = Value;
  if (!IsCertain)
    Uncertain.push_back(&I);
}

/// Forgets values that were computed on one side of a branch.
void AbstractIteration::forgetSince(size_t Position) {
  while (Uncertain.size() > Position)
    Known.erase(Uncertain.pop_back_val());
}

/// Evaluates the phis of \p BB; their values are not known if \p From is null.
void AbstractIteration::enter(const BasicBlock *BB, const BasicBlock *From, bool IsCertain) {
  SmallVector<std::pair<const PHINode *, ConstantInt *>, 8> Values;
  for (const PHINode &Phi : BB->phis())
    if (Needed.contains(&Phi))
      Values.emplace_back(&Phi, From ? valueOf(Phi.getIncomingValueForBlock(From)) : nullptr);
  for (const auto &[Phi, Value] : Values)
    set(*Phi, Value, IsCertain);
}

bool AbstractIteration::touch(const ArrayAccess &Access, bool IsCertain) {
  const ConstantInt *const At = valueOf(Access.Pointer);
  // The type is as wide as an address.
  if (!At || At->isNegative() || At->getZExtValue() + Access.Bytes > uint64_t(MaxExpandedBytes))
    return false;
  const auto Begin = unsigned(At->getZExtValue()), End = Begin + unsigned(Access.Bytes);
  if (End > Certain.size()) {
    Certain.resize(End);
    May.resize(End);
  }
  if (!Access.IsWrite)
    return Begin == End || Certain.find_first_unset_in(Begin, End) < 0;
  (IsCertain ? Certain : May).set(Begin, End);
  return true;
}

/// Executes blocks from \p BB, which is entered from \p From, to the beginning of \p Until or the
/// end of the iteration. Returns false if that fails, or if a byte is read too early.
bool AbstractIteration::execute(const BasicBlock *BB, const BasicBlock *From,
                                const BasicBlock *Until, bool IsCertain, unsigned Depth) {
  while (BB != Until) {
    enter(BB, From, IsCertain);
    for (const Step &Each : Steps[BB]) {
      if (++NumSteps > MaxSteps || (Each.Access && !touch(*Each.Access, IsCertain)))
        return false;
      if (!Each.Access)
        set(*Each.I, evaluate(*Each.I), IsCertain);
    }
    if (BB == L.getLoopLatch())
      return true;
    const auto *Branch = cast<BranchInst>(BB->getTerminator());
    From = BB;
    if (++NumSteps > MaxSteps)
      return false;
    if (Branch->isUnconditional()) {
      BB = Branch->getSuccessor(0);
      continue;
    }
    if (const BasicBlock *End = Ends.lookup(BB)) {
      BB = End;
      continue;
    }
    if (const ConstantInt *Condition = valueOf(Branch->getCondition())) {
      BB = Branch->getSuccessor(Condition->isZero() ? 1 : 0);
      continue;
    }
    const DomTreeNode *Join = PDT.getNode(BB)->getIDom();
    if (!Join || !Join->getBlock() || !L.contains(Join->getBlock()) || Depth == MaxDepth)
      return false;
    for (const BasicBlock *Side : Branch->successors()) {
      const size_t Before = Uncertain.size();
      if (!execute(Side, From, Join->getBlock(), /*IsCertain=*/false, Depth + 1))
        return false;
      forgetSince(Before);
    }
    BB = Join->getBlock();
    From = nullptr;
  }
  return true;
}

} // namespace

bool isOnlyAccessed(const Value &Base, const Loop &L) {
  const auto IsInArray = [&](const Value *V) {
    return V->getType()->isPointerTy() && getUnderlyingObject(V, /*MaxLookup=*/0) == &Base;
  };
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB) {
      const auto *Store = dyn_cast<StoreInst>(&I);
      if (Store ? IsInArray(Store->getValueOperand())
                : !isa<LoadInst, GetElementPtrInst, PHINode, ICmpInst, MemIntrinsic,
                       LifetimeIntrinsic>(I) &&
                      any_of(I.operands(), [&](const Use &U) { return IsInArray(U.get()); }))
        return false;
    }
  return true;
}

std::optional<WorkArray> workArrayAt(Value &Base, ArrayRef<ArrayAccess> Accesses, const Loop &L,
                                     FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*L.getHeader()->getParent());
  const SCEV *Count = backedgesOf(L, SE);
  const auto *Last = Count ? dyn_cast<SCEVConstant>(Count) : nullptr;
  if (!Last || !Last->getAPInt().isIntN(32) || !isOnlyAccessed(Base, L))
    return std::nullopt;
  AbstractIteration Any(L, Base, FAM);
  if (!Any.prepare(Accesses) || !Any.run())
    return std::nullopt;
  const int First = Any.written().find_first();
  if (First < 0)
    return std::nullopt;
  return WorkArray{&Base, uint64_t(First), uint64_t(Any.written().find_last() + 1 - First),
                   int64_t(Last->getAPInt().getZExtValue())};
}

} // namespace specrt
