//===- specializer/sparse/loops/find_row_loops.cpp - finds row loops ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/loops/loop_shape.h"
#include "specializer/sparse/canonical/canonical_rows.h"
#include "specializer/sparse/canonical/carried_sums.h"
#include "specializer/sparse/canonical/entry_runs.h"
#include "specializer/sparse/loops/base_order.h"
#include "specializer/sparse/loops/jammed_loops.h"
#include "specializer/sparse/loops/row_bases.h"
#include "specializer/sparse/loops/row_loop.h"
#include "specializer/sparse/loops/row_notes.h"
#include "specializer/speculation/errno_math.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace specrt {

namespace {

constexpr size_t MaxInputs = 48, MaxCarried = 4;

bool isWordOrLess(Type *T, const DataLayout &DL) {
  return (T->isIntegerTy() || T->isPointerTy()) && DL.getTypeStoreSize(T) <= 8 &&
         (!T->isPointerTy() || T->getPointerAddressSpace() == 0);
}

/// Checks one loop.
class Finder {
public:
  Finder(Loop &L, const LoopInfo &LI, ScalarEvolution &SE, const PostDominatorTree &PDT,
         const HoistedPointers &Pointers, const RowCarriedSums &Sums)
      : L(L), LI(LI), SE(SE), PDT(PDT), Pointers(Pointers), Sums(Sums) {
    Found.L = &L;
  }

  /// Returns null if it is a row loop, otherwise an obstacle, which is "" if it is not worth a
  /// report.
  const char *find();
  RowLoop take() { return std::move(Found); }

private:
  const char *checkShape();
  const char *checkInstructions();
  bool reportsErrors(const CallBase &Call);
  const char *sliceBackwards();
  const char *sortPhis();
  const char *sortInner(const Loop &Inner);
  bool readsPointersOnly() const;
  bool writesPointers() const;
  const char *findNotes();
  void findWaits();
  void findInputs();
  specrt_rows_deciding howDecides(const Value &Input, bool HasNotes) const;
  bool decides(const Value &Input) const;
  /// Returns whether stored values decide when they are loaded again.
  bool isNotedInteger(const Instruction &Access) const {
    return Found.isOfNote(Access) &&
           (Found.Bases[Found.BaseOf.lookup(&Access)].Flags & SPECRT_ROWS_DECIDES);
  }
  bool isOnlyAccessed(const Value &Pointer, bool Decides) const;

  Loop &L;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  const PostDominatorTree &PDT;
  const HoistedPointers &Pointers;
  const RowCarriedSums &Sums;
  RowLoop Found;
  SmallSetVector<Instruction *, 32> Slice;
};

const char *Finder::find() {
  for (const auto Check : {&Finder::checkShape, &Finder::checkInstructions})
    if (const char *Why = (this->*Check)())
      return Why;
  const char *NoBases = findBases(Found, LI, SE, /*More=*/!Sums.empty());
  for (const auto Check : {&Finder::sliceBackwards, &Finder::sortPhis})
    if (const char *Why = (this->*Check)())
      return Why;
  if (NoBases)
    return NoBases;
  if (readsPointersOnly())
    return "it reads pointers to what it accesses";
  if (writesPointers())
    return "it writes pointers to what it accesses";
  if (const char *Why = findNotes())
    return Why;
  for (const Loop *Inner : L)
    if (const char *Why = sortInner(*Inner))
      return Why;
  if (!orderBases(Found, PDT))
    return "what it reads leads on to where it reads";
  findWaits();
  findJams(Found, LI, SE);
  findInputs();
  const DataLayout &DL = L.getHeader()->getDataLayout();
  for (const Value *Input : Found.Inputs)
    if (Type *T = Input->getType();
        !isWordOrLess(T, DL) && !(T->isFloatingPointTy() && DL.getTypeSizeInBits(T) <= 64))
      return "it uses values from outside that are wider than a word";
  // The terms of sums are passed as arrays in common memory, as further inputs.
  const size_t More = Sums.empty() ? 0 : 1 + Sums.Terms.size();
  return Found.Inputs.size() + More > MaxInputs ? "it uses too many values from outside" : nullptr;
}

const char *Finder::checkShape() {
  if (!isLeftBehindLatch(L))
    return "it can be left early";
  Found.BackedgeTaken = backedgesOf(L, SE);
  if (!Found.BackedgeTaken)
    return "its trip count is not known when it begins";
  for (const BasicBlock *BB : L.blocks())
    for (const Instruction &I : *BB)
      for (const User *U : I.users())
        if (!L.contains(cast<Instruction>(U)) && !Sums.contains(I))
          return "it computes a value that is used after it";
  return nullptr;
}

static bool isPure(const CallBase &Call) {
  return isa<IntrinsicInst>(Call) && Call.doesNotAccessMemory() && !Call.isConvergent();
}

/// Returns whether \p Call reports errors like the calls before it, see RowLoop::ReportingErrors.
bool Finder::reportsErrors(const CallBase &Call) {
  const auto *One = dyn_cast<CallInst>(&Call);
  if (!One || (!isRoot(*One) && !reportsRangeOnly(*One)))
    return false;
  auto &Known = Found.ReportingErrors;
  if (!Known.empty() && isRoot(**Known.begin()) != isRoot(*One))
    return false;
  Known.insert(One);
  return true;
}

const char *Finder::checkInstructions() {
  for (BasicBlock *BB : L.blocks()) {
    if (!isa<BranchInst>(BB->getTerminator()) || BB->isEHPad())
      return "its control flow is not made of branches";
    for (const Instruction &I : *BB) {
      if (I.getType()->isTokenTy() || I.getType()->isScalableTy() || isa<AllocaInst>(I))
        return "it keeps values that cannot be copied";
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        if (isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(Call))
          continue;
        if (isAboutRuns(*Call))
          return ""; // a call of ours, for the loops inside
        if (!isPure(*Call) && !reportsErrors(*Call))
          return "it calls functions";
      } else if (const auto *Load = dyn_cast<LoadInst>(&I)) {
        if (!Load->isSimple() || Load->getPointerAddressSpace() != 0)
          return "it has accesses of a special kind";
      } else if (const auto *Store = dyn_cast<StoreInst>(&I)) {
        if (!Store->isSimple() || Store->getPointerAddressSpace() != 0)
          return "it has accesses of a special kind";
      } else if (I.mayReadOrWriteMemory()) {
        return "it has accesses of a special kind";
      }
    }
  }
  return nullptr;
}

/// Collects what determines addresses and control, back to loads and to values from outside.
const char *Finder::sliceBackwards() {
  auto Add = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V); I && L.contains(I))
      Slice.insert(I);
  };
  for (BasicBlock *BB : L.blocks()) {
    for (Instruction &I : *BB)
      if (Value *Pointer = getLoadStorePointerOperand(&I))
        Add(Pointer);
    if (auto *Branch = cast<BranchInst>(BB->getTerminator());
        Branch->isConditional() && BB != L.getLoopLatch())
      Add(Branch->getCondition());
  }
  const DataLayout &DL = L.getHeader()->getDataLayout();
  for (unsigned I = 0; I < Slice.size(); ++I) {
    Instruction *Step = Slice[I];
    if (isa<LoadInst>(Step)) {
      if (!isWordOrLess(Step->getType(), DL))
        return "numbers decide about its accesses or branches";
      Found.Deciding.insert(Step);
      // The slice contains its address already.
      if (const auto Base = Found.BaseOf.find(Step); Base != Found.BaseOf.end())
        for (const auto &[Access, Of] : Found.BaseOf)
          if (const auto *Store = dyn_cast<StoreInst>(Access); Store && Of == Base->second)
            Add(const_cast<Value *>(Store->getValueOperand()));
      continue;
    }
    if (!Step->getType()->isIntOrPtrTy())
      return "numbers decide about its accesses or branches";
    if (!isa<BinaryOperator, CastInst, GetElementPtrInst, PHINode, SelectInst, ICmpInst,
             FreezeInst>(Step) &&
        !isa<IntrinsicInst>(Step))
      return "numbers decide about its accesses or branches";
    for (Value *Operand : Step->operands()) {
      if (Operand->getType()->isFPOrFPVectorTy() || Operand->getType()->isVectorTy())
        return "numbers decide about its accesses or branches";
      Add(Operand);
    }
    // The incoming edge of a phi follows from branches, which are all in the slice.
  }
  return Found.Deciding.empty() ? "" : nullptr;
}

const char *Finder::sortPhis() {
  for (PHINode &Phi : L.getHeader()->phis()) {
    if (SE.isSCEVable(Phi.getType()))
      if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
          Rec && Rec->getLoop() == &L && Rec->isAffine())
        if (const auto *By = dyn_cast<SCEVConstant>(Rec->getStepRecurrence(SE))) {
          const bool IsWide = SE.getTypeSizeInBits(Phi.getType()) == 64;
          Found.Counters.push_back({&Phi, By->getAPInt(), !IsWide && !Rec->hasNoSignedWrap()});
          continue;
        }
    if (is_contained(Sums.Phis, &Phi))
      continue;
    if (!Slice.contains(&Phi))
      return "it carries a value from row to row";
    if (!isWordOrLess(Phi.getType(), Phi.getDataLayout()))
      return "it carries a value from row to row";
    Found.Carried.push_back(&Phi);
  }
  return Found.Carried.size() > MaxCarried ? "it carries many values from row to row" : nullptr;
}

/// Decides which inner loops are opaque and which have trip counts in traces.
const char *Finder::sortInner(const Loop &Inner) {
  if (!Inner.isLoopSimplifyForm())
    return "an inner loop begins in several places";
  const BasicBlock *Exiting = Inner.getExitingBlock();
  const bool HasOneExit = Exiting && Inner.getExitBlock() && LI.getLoopFor(Exiting) == &Inner;
  const bool IsInTrace = any_of(Found.BaseOf, [&](const auto &Access) {
    return Inner.contains(Access.first) &&
           (Found.Deciding.contains(Access.first) || Found.isOfNote(*Access.first));
  });
  if (HasOneExit && !IsInTrace) {
    Found.Opaque.insert(&Inner);
    return nullptr;
  }
  if (!HasOneExit)
    Found.Stepped.insert(&Inner);
  for (const Loop *Sub : Inner)
    if (const char *Why = sortInner(*Sub))
      return Why;
  return nullptr;
}

/// Returns whether only pointers decide, so that rows are dense arrays at arbitrary places.
bool Finder::readsPointersOnly() const {
  return any_of(Found.Bases, [](const RowBase &B) { return !B.Pointer; }) &&
         all_of(Found.Deciding, [](const Instruction *I) { return I->getType()->isPointerTy(); });
}

/// Returns whether the loop writes pointers that it reads itself. Without a table, it may also
/// write them through other bases.
bool Finder::writesPointers() const {
  return any_of(Found.BaseOf, [&](const auto &Access) {
    const bool IsPointer =
        Pointers.contains(*Access.first) ||
        (Found.Deciding.contains(Access.first) && Access.first->getType()->isPointerTy());
    return IsPointer && (Found.Bases[Access.second].Flags & SPECRT_ROWS_WRITTEN);
  });
}

const char *Finder::findNotes() {
  std::vector<bool> Decides(Found.Bases.size());
  for (const auto &[Access, Base] : Found.BaseOf)
    if (Found.Deciding.contains(Access))
      Decides[Base] = true;
  for (auto [Number, Base] : enumerate(Found.Bases)) {
    const bool IsWritten = Base.Flags & SPECRT_ROWS_WRITTEN;
    NotedBase Noted(L, Found, unsigned(Number));
    if (Decides[Number])
      Base.Flags = SPECRT_ROWS_DECIDES | (IsWritten ? SPECRT_ROWS_NOTES : 0);
    if (Decides[Number] && IsWritten && !Noted.mayBe())
      return "it writes what decides";
    if (!Decides[Number] && Noted.mayBe() && Noted.isCleared())
      Base.Flags = SPECRT_ROWS_NOTES;
    if (Base.Flags & SPECRT_ROWS_NOTES)
      Found.NotesMayMove &= Noted.mayMove();
  }
  return nullptr;
}

void Finder::findWaits() {
  Found.MayDepend = any_of(Found.BaseOf, [&](const auto &Access) {
    return (Found.Bases[Access.second].Flags & SPECRT_ROWS_WRITTEN) &&
           isReadWithin(L, *getLoadStorePointerOperand(Access.first));
  });
}

void Finder::findInputs() {
  for (const RowBase &Base : Found.Bases)
    if (Base.Pointer)
      Found.Inputs.insert(Base.Pointer);
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB)
      for (Value *Operand : I.operands())
        if (isa<Argument>(Operand) ||
            (isa<Instruction>(Operand) && !L.contains(cast<Instruction>(Operand))))
          Found.Inputs.insert(Operand);
  for (const Value *Input : Found.Inputs) {
    const bool HasNotes = any_of(Found.Bases, [&](const RowBase &B) {
      return B.Pointer == Input && (B.Flags & SPECRT_ROWS_NOTES);
    });
    Found.IsDeciding.push_back(howDecides(*Input, HasNotes));
  }
}

/// Returns how traces, or places relative to bases, depend on \p Input, which may point to notes.
specrt_rows_deciding Finder::howDecides(const Value &Input, bool HasNotes) const {
  if (!Input.getType()->isPointerTy())
    return decides(Input) ? SPECRT_ROWS_DECIDING : SPECRT_ROWS_NOT_DECIDING;
  if (!isOnlyAccessed(Input, /*Decides=*/true))
    return SPECRT_ROWS_DECIDING;
  return HasNotes || !isOnlyAccessed(Input, /*Decides=*/false) ? SPECRT_ROWS_DECIDING_BY_CONTENT
                                                               : SPECRT_ROWS_NOT_DECIDING;
}

/// Returns whether traces, or places relative to bases, depend on the number \p Input.
bool Finder::decides(const Value &Input) const {
  // The slice ends at inputs, or a branch tests the input directly.
  return any_of(Input.users(), [&](const User *U) {
    const auto *I = dyn_cast<Instruction>(U);
    return I && L.contains(I) &&
           (isa<BranchInst>(I) || Slice.contains(const_cast<Instruction *>(I)) ||
            (isa<StoreInst>(I) && isNotedInteger(*I)));
  });
}

/// Returns whether \p Pointer is only used as base of addresses of data and, if \p Decides, of
/// deciding integers.
bool Finder::isOnlyAccessed(const Value &Pointer, bool Decides) const {
  return all_of(Pointer.uses(), [&](const Use &U) {
    const auto *User = dyn_cast<Instruction>(U.getUser());
    if (!User || !L.contains(User))
      return isa<Instruction>(U.getUser());
    if (isa<GetElementPtrInst>(User))
      return U.getOperandNo() == GetElementPtrInst::getPointerOperandIndex() &&
             isOnlyAccessed(*User, Decides);
    return getLoadStorePointerOperand(User) == &Pointer &&
           (Decides || !Found.Deciding.contains(User)) &&
           !(isa<StoreInst>(User) && cast<StoreInst>(User)->getValueOperand() == &Pointer);
  });
}

/// Checks a loop, then those in it.
class Search {
public:
  Search(Function &F, FunctionAnalysisManager &FAM, RowSums Sums, std::vector<RowObstacle> *Why)
      : LI(FAM.getResult<LoopAnalysis>(F)), DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        PDT(FAM.getResult<PostDominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)), Sums(Sums), Why(Why) {}

  std::vector<RowLoop> find() {
    for (Loop *L : reverse(LI))
      findIn(*L);
    return std::move(All);
  }
  bool splitOne();

private:
  void findIn(Loop &L);
  bool take(Loop &L);
  bool isOverMatrices(const RowLoop &Rows);
  bool hasRowsOfItsOwn(Loop &L);
  std::optional<RowLoop> look(Loop &L);

  LoopInfo &LI;
  DominatorTree &DT;
  const PostDominatorTree &PDT;
  ScalarEvolution &SE;
  const RowSums Sums;
  std::vector<RowObstacle> *Why;
  std::vector<RowLoop> All;
};

void Search::findIn(Loop &L) {
  if (isWhole(L) || take(L))
    return;
  for (Loop *Inner : L)
    findIn(*Inner);
}

bool Search::take(Loop &L) {
  std::optional<RowLoop> Rows = look(L);
  if (!Rows)
    return false;
  if (isOverMatrices(*Rows)) {
    Rows.reset(); // the loop is in its original state again
    SE.forgetAllLoops();
    auto *Told = std::exchange(Why, nullptr);
    const bool HasOthers = any_of(L, [&](Loop *Inner) { return hasRowsOfItsOwn(*Inner); });
    Why = Told;
    SE.forgetAllLoops();
    if (HasOthers)
      return false;
    Rows = look(L);
    if (!Rows)
      return false;
  }
  Rows->Linearity = linearityOf(*Rows, LI, DT, SE);
  All.push_back(std::move(*Rows));
  return true;
}

/// Returns whether pointers that the loop reads lead to deciding data, as where each level of a
/// hierarchy has its own matrix.
bool Search::isOverMatrices(const RowLoop &Rows) {
  return any_of(Rows.Bases,
                [](const RowBase &B) { return !B.Pointer && (B.Flags & SPECRT_ROWS_DECIDES); });
}

/// Returns whether \p L, or a loop in it, is a loop over rows with entries. Then a row of the loop
/// around it is a matrix.
bool Search::hasRowsOfItsOwn(Loop &L) {
  if (L.isInnermost())
    return false;
  if (const std::optional<RowLoop> Rows = look(L);
      Rows && any_of(L, [&](const Loop *Inner) { return !Rows->Opaque.contains(Inner); }))
    return true;
  SE.forgetAllLoops();
  return any_of(L, [&](Loop *Inner) { return hasRowsOfItsOwn(*Inner); });
}

/// Returns \p L as a row loop, which requires that its hoisted pointers stay in place.
std::optional<RowLoop> Search::look(Loop &L) {
  const RowCarriedSums Carried =
      Sums == RowSums::MayBeCarried ? findSums(L, LI, DT, SE) : RowCarriedSums();
  HoistedPointers Pointers(L, DT);
  const bool UsesOthers = !Pointers.empty();
  if (UsesOthers)
    SE.forgetAllLoops();
  {
    Finder Look(L, LI, SE, PDT, Pointers, Carried);
    const char *Obstacle = Look.find();
    if (!Obstacle) {
      RowLoop Rows = Look.take();
      if (Rows.decidesByIteration(SE)) {
        Rows.Pointers = std::move(Pointers);
        return Rows;
      }
    } else if (*Obstacle && Why) {
      Why->push_back(RowObstacle::of(L, Obstacle));
    }
  }
  // The loop must be in its original state before others are checked.
  Pointers = HoistedPointers();
  if (UsesOthers)
    SE.forgetAllLoops();
  return std::nullopt;
}

/// Splits the first loop that carries sums.
bool Search::splitOne() {
  SmallVector<Loop *> Loops;
  for (const RowLoop &Rows : find())
    Loops.push_back(Rows.L);
  SE.forgetAllLoops(); // these are in their original state again
  for (Loop *L : Loops)
    if (const RowCarriedSums Carried = findSums(*L, LI, DT, SE); !Carried.empty()) {
      splitSums(*L, Carried, LI, DT, SE);
      return true;
    }
  return false;
}

} // namespace

void splitCarriedSums(Function &F, FunctionAnalysisManager &FAM) {
  canonicaliseRows(F, FAM);
  while (Search(F, FAM, RowSums::MayBeCarried, nullptr).splitOne()) {
    FAM.invalidate(F, PreservedAnalyses::none());
    canonicaliseRows(F, FAM);
  }
}

std::vector<RowLoop> findRowLoops(Function &F, FunctionAnalysisManager &FAM, RowSums Sums,
                                  std::vector<RowObstacle> *Why) {
  canonicaliseRows(F, FAM);
  return Search(F, FAM, Sums, Why).find();
}

} // namespace specrt
