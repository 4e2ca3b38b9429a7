//===- specializer/sparse/zeros/zeros.cpp - makes loops skip iterations that zeros make idle -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/zeros/zeros.h"
#include "analysis/merged_values.h"
#include "specializer/loops/loop_copy.h"
#include "specializer/loops/loop_shape.h"
#include "specializer/loops/shareable_loops.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/model/reload_scalars.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include <cmath>

using namespace llvm;

namespace specrt {
namespace {

/// Emits code that checks the demands of a loop.
class DemandBuilder {
protected:
  DemandBuilder(const LoopWithDemands &Of, SCEVExpander &Expander, const ZeroWalks &Walks)
      : Of(Of), L(*Of.L), Expander(Expander), Walks(Walks), M(*L.getHeader()->getModule()),
        B(M.getContext()), Word(B.getInt64Ty()), Pointer(B.getPtrTy()) {}

  /// Emits the checks in the preheaders of their nests. Returns a pointer that is null if a check
  /// fails, otherwise \p Token; returns null if there are neither a token nor checks.
  Value *check(Value *Token);
  /// Returns an i1 in the loop's preheader that is true if all demands are met and \p Token, if
  /// given, is not null. \p Multiplier is a further number that changes sums in memory, or null.
  Value *areMet(Value *Token, Value *Multiplier = nullptr);
  CallInst *call(StringRef Name, Type *Result, ArrayRef<Value *> Arguments);

  const LoopWithDemands &Of;
  Loop &L;
  SCEVExpander &Expander;
  const ZeroWalks &Walks;
  Module &M;
  IRBuilder<> B;
  Type *Word, *Pointer;

private:
  void note(Value *Note, Value *Unfit);
  void noteWhatIsWritten(const LoopWithDemands::Check &Check);
  Value *isFit(Value *Number, int MinExponent);
  Value *isSum(Value *Number);

  /// Variables (i1) that are true if, since its check, a number was written that violates the
  /// demand.
  SmallVector<Value *> Notes;
  SmallVector<Value *> NotesOfSums; ///< those that belong to checks of sums
};

/// Builds a loop over the list beside the original loop.
class SkipBuilder : DemandBuilder {
public:
  SkipBuilder(const SkipLoop &Skip, ScalarEvolution &SE, SCEVExpander &Expander,
              const ZeroWalks &Walks)
      : DemandBuilder(Skip, Expander, Walks), Skip(Skip), SE(SE) {}

  /// Returns the header of the new loop.
  BasicBlock *build();

private:
  Value *askForList();
  Value *rowNumber();
  void setCounters(BasicBlock *Header, Value *Position);
  Value *field(Value *List, unsigned Number) {
    return B.CreateLoad(Pointer, B.CreateConstInBoundsGEP1_64(Pointer, List, Number));
  }

  const SkipLoop &Skip;
  ScalarEvolution &SE;
  ValueToValueMapTy Map;
  DenseMap<PHINode *, Value *> Steps; ///< steps of counters
};

/// Builds a branch around the loop.
class IdleBuilder : DemandBuilder {
public:
  IdleBuilder(const IdleLoop &Idle, SCEVExpander &Expander, ScalarEvolution &SE,
              const ZeroWalks &Walks)
      : DemandBuilder(Idle, Expander, Walks), Idle(Idle), SE(SE) {}
  void build();

private:
  const IdleLoop &Idle;
  ScalarEvolution &SE;
};

CallInst *DemandBuilder::call(StringRef Name, Type *Result, ArrayRef<Value *> Arguments) {
  SmallVector<Type *> Types;
  for (Value *A : Arguments)
    Types.push_back(A->getType());
  CallInst *Call =
      B.CreateCall(M.getOrInsertFunction(Name, FunctionType::get(Result, Types, false)), Arguments);
  Call->setDoesNotThrow();
  return Call;
}

Value *DemandBuilder::check(Value *Token) {
  for (const LoopWithDemands::Check &Check : Of.Checks) {
    B.SetInsertPoint(Check.Walk.Nest->getLoopPreheader()->getTerminator());
    Value *Walk = Walks.write(B, Check.Walk);
    Token = call(SPECRT_ZEROS_FIT, Pointer, {Token ? Token : Walk, Walk, B.getInt32(Check.Demand)});
    noteWhatIsWritten(Check);
  }
  return Token;
}

/// Returns an i1 that is true if \p Number meets SPECRT_ZEROS_FINITE.
Value *DemandBuilder::isFit(Value *Number, int MinExponent) {
  Value *IsFinite = B.createIsFPClass(Number, fcFinite);
  if (MinExponent == 0)
    return IsFinite;
  Type *T = Number->getType();
  Value *IsLarge = B.CreateFCmpOGE(B.CreateUnaryIntrinsic(Intrinsic::fabs, Number),
                                   ConstantFP::get(T, std::ldexp(1.0, MinExponent)));
  return B.CreateAnd(IsFinite, B.CreateOr(IsLarge, B.CreateFCmpOEQ(Number, ConstantFP::get(T, 0))));
}

/// Returns an i1 that is true if \p Number meets SPECRT_ZEROS_SUMMED_UP.
Value *DemandBuilder::isSum(Value *Number) {
  return B.createIsFPClass(Number, fcAllFlags & ~(fcNegZero | fcSubnormal | fcSNan));
}

void DemandBuilder::note(Value *Note, Value *Unfit) {
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt1Ty(), Note), Unfit), Note);
}

/// Emits a test of each number that is written after the check. With fused products, sums always
/// have a note, because products with too small factors may make a sum -0.
void DemandBuilder::noteWhatIsWritten(const LoopWithDemands::Check &Check) {
  const bool AreSums = Check.Demand == SPECRT_ZEROS_SUMMED_UP;
  if (Check.Written.empty() && !(AreSums && Of.Demands.MostFactors > 0))
    return;
  BasicBlock &Entry = L.getHeader()->getParent()->getEntryBlock();
  Value *Note = IRBuilder<>(&Entry, Entry.begin()).CreateAlloca(B.getInt1Ty());
  Notes.push_back(Note);
  if (AreSums)
    NotesOfSums.push_back(Note);
  B.SetInsertPoint(Check.Walk.Nest->getLoopPreheader()->getTerminator());
  B.CreateStore(B.getFalse(), Note);
  for (StoreInst *Store : Check.Written) {
    B.SetInsertPoint(Store->getNextNode());
    Value *Number = Store->getValueOperand();
    Value *Unfit = B.CreateNot(AreSums ? isSum(Number) : isFit(Number, Check.Walk.MinExponent));
    note(Note, Unfit);
    // Also notes it for sums: the loop may use the number before areMet() runs again, and this
    // check may be repeated in between, which clears the note.
    if (!AreSums && Of.Demands.MostFactors > 0)
      for (Value *OfSums : NotesOfSums)
        note(OfSums, Unfit);
  }
}

/// Emits the test of all demands. With fused products, sums are known not to be -0 only as long as
/// every loop that adds to them uses factors that meet the demands; a violation is noted.
Value *DemandBuilder::areMet(Value *Token, Value *Multiplier) {
  B.SetInsertPoint(L.getLoopPreheader()->getTerminator());
  Value *All = Token ? B.CreateIsNotNull(Token) : B.getTrue();
  for (Value *Number : Of.Demands.FiniteNumbers)
    All = B.CreateAnd(
        All, isFit(Number, Of.Demands.Factors.contains(Number) ? Of.Demands.minExponent() : 0));
  if (Of.Demands.MostFactors > 0) {
    if (Multiplier)
      All = B.CreateAnd(All, isFit(Multiplier, Of.Demands.minExponent()));
    for (Value *Note : NotesOfSums)
      note(Note, B.CreateNot(All));
  }
  for (PHINode *Sum : Of.Demands.Sums)
    All = B.CreateAnd(All, isSum(Sum->getIncomingValueForBlock(L.getLoopPreheader())));
  for (Value *Note : Notes)
    All = B.CreateAnd(All, B.CreateNot(B.CreateLoad(B.getInt1Ty(), Note)));
  return All;
}

void IdleBuilder::build() {
  Value *Token = check(nullptr);
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  B.SetInsertPoint(Before->getTerminator());
  Value *Number = Idle.Number;
  if (!Number)
    Number =
        B.CreateAlignedLoad(Idle.ElementType,
                            Expander.expandCodeFor(SE.getSCEV(Idle.Element->getPointerOperand()),
                                                   nullptr, Before->getTerminator()),
                            Idle.Element->getAlign());
  Value *MayLeaveOut = areMet(Token, Number);
  Constant *Zero = Constant::getNullValue(Number->getType());
  Value *IsZero = Number->getType()->isFloatingPointTy() ? B.CreateFCmpOEQ(Number, Zero)
                                                         : B.CreateICmpEQ(Number, Zero);
  Value *LeavesOut = B.CreateAnd(MayLeaveOut, IsZero);

  BasicBlock *Written = SplitBlock(Before, Before->getTerminator());
  auto *Around = BasicBlock::Create(M.getContext(), "zeros.idle", L.getHeader()->getParent(), Exit);
  Before->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Before);
  B.CreateCondBr(LeavesOut, Around, Written);
  B.SetInsertPoint(Around);
  B.CreateBr(Exit);
  // Carried values keep their initial values.
  DenseMap<Value *, Value *> Given;
  for (PHINode &Phi : L.getHeader()->phis())
    Given[Phi.getIncomingValueForBlock(Latch)] = Phi.getIncomingValueForBlock(Written);
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Latch);
    const auto Found = Given.find(V);
    Phi.addIncoming(Found == Given.end() ? V : Found->second, Around);
  }
}

/// Emits the request for the list in the preheader of its nest, and its end behind the nest.
Value *SkipBuilder::askForList() {
  Loop &Nest = *Skip.List.Nest;
  B.SetInsertPoint(Nest.getLoopPreheader()->getTerminator());
  Value *Walk = Walks.write(B, Skip.List);
  Value *List = call(SPECRT_ZEROS_BEGIN, Pointer, {Walk});
  B.SetInsertPoint(Nest.getExitBlock(), Nest.getExitBlock()->getFirstInsertionPt());
  call(SPECRT_ZEROS_END, B.getVoidTy(), {List});
  return List;
}

/// Returns the number of the list's row for the current iteration of outer loops, in the preheader.
Value *SkipBuilder::rowNumber() {
  const SCEV *Row = SE.getZero(Word);
  for (const ZeroWalk::Dimension &D : ArrayRef(Skip.List.Dimensions).drop_back()) {
    const SCEV *Counter =
        SE.getAddRecExpr(SE.getZero(Word), SE.getOne(Word), D.Of, SCEV::FlagAnyWrap);
    Row = SE.getAddExpr(SE.getMulExpr(Row, SE.getTruncateOrSignExtend(D.Trips, Word)), Counter);
  }
  return Expander.expandCodeFor(Row, Word, L.getLoopPreheader()->getTerminator());
}

/// Sets the counters of the copy to their values in the original iteration \p Position.
void SkipBuilder::setCounters(BasicBlock *Header, Value *Position) {
  for (auto [Phi, Step] : Steps) {
    auto *Copy = cast<PHINode>(Map[Phi]);
    Value *Start = Phi->getIncomingValue(Phi->getBasicBlockIndex(L.getLoopLatch()) == 0 ? 1 : 0);
    Value *By = B.CreateMul(B.CreateZExtOrTrunc(Position, Step->getType()), Step);
    Value *Here =
        Phi->getType()->isPointerTy() ? B.CreatePtrAdd(Start, By) : B.CreateAdd(Start, By);
    Copy->replaceAllUsesWith(Here);
    Copy->eraseFromParent();
  }
}

BasicBlock *SkipBuilder::build() {
  Value *List = check(askForList());
  Value *Row = rowNumber();
  for (PHINode &Phi : L.getHeader()->phis())
    if (const SCEVAddRecExpr *Counter = counterOf(Phi, L, SE))
      Steps[&Phi] = Expander.expandCodeFor(Counter->getStepRecurrence(SE), nullptr,
                                           L.getLoopPreheader()->getTerminator());
  Value *Leaves = areMet(List);

  Function &F = *L.getHeader()->getParent();
  BasicBlock *Before = L.getLoopPreheader(), *Exit = L.getExitBlock(), *Latch = L.getLoopLatch();
  BasicBlock *Written = SplitBlock(Before, Before->getTerminator());
  auto *Entry = BasicBlock::Create(F.getContext(), "zeros.entry", &F, Written);
  auto *Join = BasicBlock::Create(F.getContext(), "zeros.join", &F, Exit);
  Before->getTerminator()->eraseFromParent();
  B.SetInsertPoint(Before);
  B.CreateCondBr(Leaves, Entry, Written);

  B.SetInsertPoint(Entry);
  Value *Starts = field(List, 0), *Positions = field(List, 1), *Values = field(List, 2);
  Value *At = B.CreateInBoundsGEP(Word, Starts, Row);
  Value *First = B.CreateLoad(Word, At);
  Value *End = B.CreateLoad(Word, B.CreateConstInBoundsGEP1_64(Word, At, 1));
  Map[Written] = Entry;
  Map[Exit] = Join;
  copyLoop(L, F, Map);
  auto *Header = cast<BasicBlock>(Map[L.getHeader()]);
  auto *NewLatch = cast<BasicBlock>(Map[Latch]);
  B.CreateCondBr(B.CreateICmpULT(First, End), Header, Join);

  B.SetInsertPoint(Header, Header->begin());
  PHINode *Number = B.CreatePHI(Word, 2, "zeros.number");
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *Position = B.CreateZExt(
      B.CreateLoad(B.getInt32Ty(), B.CreateInBoundsGEP(B.getInt32Ty(), Positions, Number)), Word);
  Value *Element =
      B.CreateLoad(Skip.ElementType, B.CreateInBoundsGEP(Skip.ElementType, Values, Number));
  setCounters(Header, Position);
  for (LoadInst *Load : Skip.Elements) {
    auto *Copy = cast<Instruction>(Map[Load]);
    Copy->replaceAllUsesWith(Element);
    Copy->eraseFromParent();
  }
  Instruction *Branch = NewLatch->getTerminator();
  B.SetInsertPoint(Branch);
  Value *Next = B.CreateAdd(Number, B.getInt64(1), "", /*HasNUW=*/true, /*HasNSW=*/true);
  B.CreateCondBr(B.CreateICmpEQ(Next, End), Join, Header);
  Branch->eraseFromParent();
  Number->addIncoming(First, Entry);
  Number->addIncoming(Next, NewLatch);

  B.SetInsertPoint(Join);
  DenseMap<Value *, Value *> Left; // by the value that the original loop leaves
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (Steps.contains(&Phi))
      continue;
    Value *Last = Phi.getIncomingValueForBlock(Latch);
    PHINode *Sum = B.CreatePHI(Phi.getType(), 2);
    Sum->addIncoming(Phi.getIncomingValueForBlock(Written), Entry);
    Value *Copied = Map.lookup(Last);
    Sum->addIncoming(Copied ? Copied : Last, NewLatch);
    Left[Last] = Sum;
  }
  B.CreateBr(Exit);
  for (PHINode &Phi : Exit->phis()) {
    Value *V = Phi.getIncomingValueForBlock(Latch);
    const auto Found = Left.find(V);
    Phi.addIncoming(Found == Left.end() ? V : Found->second, Join);
  }
  return Header;
}

/// The headers of the loops that were handled.
struct Done {
  SmallPtrSet<BasicBlock *, 8> Loops; ///< loops that were tried
  SmallPtrSet<BasicBlock *, 8> Lists; ///< loops over lists
  SmallPtrSet<BasicBlock *, 8> Idle;  ///< loops that may be left out
};

/// Transforms one more loop; returns false if there is none.
bool skipOnce(Function &F, FunctionAnalysisManager &FAM, MayBeSparse IsSparse, Done &So) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SCEVExpander Expander(SE, "zeros");
  const ZeroWalks Walks(FAM.getResult<DominatorTreeAnalysis>(F), SE, Expander);
  const SkipLoopFinder Finder(LI, SE, FAM.getResult<AAManager>(F), Walks, IsSparse);
  for (Loop *L : LI.getLoopsInPreorder()) {
    bool IsDone = false;
    for (const Loop *Around = L; Around && !IsDone; Around = Around->getParentLoop())
      IsDone = So.Loops.contains(Around->getHeader()) || So.Lists.contains(Around->getHeader());
    if (IsDone)
      continue;
    if (const std::optional<SkipLoop> Skip = Finder.look(*L)) {
      So.Loops.insert(L->getHeader());
      So.Lists.insert(SkipBuilder(*Skip, SE, Expander, Walks).build());
      return true;
    }
    if (const std::optional<IdleLoop> Idle = Finder.lookForIdle(*L)) {
      So.Loops.insert(L->getHeader());
      So.Idle.insert(L->getHeader());
      IdleBuilder(*Idle, Expander, SE, Walks).build();
      return true;
    }
  }
  return false;
}

} // namespace

SkippedZeros skipZeros(Function &F, FunctionAnalysisManager &FAM, MayBeSparse IsSparse,
                       bool Parallel) {
  forgetIterationScopes(F, FAM);
  if (computeMergedValues(F, FAM.getResult<DominatorTreeAnalysis>(F)))
    FAM.invalidate(F, PreservedAnalyses::none());
  hoistInvariants(F, FAM);
  // LLVM may keep a sum in a register beside its place in memory; loading it again makes it
  // recognisable.
  if (reloadScalars(F, FAM) > 0)
    simplifyLoops(F, FAM);
  std::optional<ShareableLoops> Shareable;
  if (Parallel) {
    Shareable.emplace(F, FAM, /*MayTransform=*/false, /*Expired=*/nullptr);
    simplifyLoops(F, FAM);
  }
  Done So;
  SkippedZeros Result;
  while (skipOnce(F, FAM, IsSparse, So)) {
    ++Result.Loops;
    simplifyLoops(F, FAM);
  }
  if (Shareable)
    Result.Shared = Shareable
                        ->share([&](const Loop &L, const PipelinedLoop *) {
                          return any_of(L.blocks(), [&](BasicBlock *BB) {
                            return So.Lists.contains(BB) || So.Idle.contains(BB);
                          });
                        })
                        .All;
  // libspecrt.so now sees the addresses.
  for (Argument &A : F.args())
    A.removeAttr(Attribute::Captures);
  return Result;
}

} // namespace specrt
