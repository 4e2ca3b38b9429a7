//===- specializer/instrumentation/recorded_accesses.cpp - loops and accesses of a recording -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/instrumentation/recorded_accesses.h"
#include "specializer/feedback/loop_values.h"
#include "specializer/module/access_numbers.h"
#include "specializer/polyhedral/model/row_marks.h"
#include "specializer/rounding/sum_marks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace specrt {
namespace {

bool isWordOrLess(Type *T, const DataLayout &DL) {
  return (T->isIntegerTy() || T->isPointerTy()) && DL.getTypeStoreSize(T) <= 8;
}

/// Returns whether the integer or pointer \p Start determines addresses or control.
bool decides(const Instruction &Start) {
  SmallSetVector<const Instruction *, 16> Work;
  Work.insert(&Start);
  for (unsigned I = 0; I < Work.size(); ++I)
    for (const Use &U : Work[I]->uses()) {
      const auto *User = cast<Instruction>(U.getUser());
      if (isa<BranchInst, SwitchInst>(User))
        return true;
      if (isa<LoadInst>(User) ||
          (isa<StoreInst>(User) && U.getOperandNo() == StoreInst::getPointerOperandIndex()))
        return true;
      if (isa<BinaryOperator, CastInst, GetElementPtrInst, PHINode, SelectInst, ICmpInst>(User) &&
          User->getType()->isIntOrPtrTy())
        Work.insert(User);
    }
  return false;
}

/// Sets the enclosing loops, outermost first; returns false if there are too many.
bool describeLoops(const Instruction &I, const LoopInfo &LI, const RecordedTables &Tables,
                   specrt_recorded_access &Access) {
  const Loop *Innermost = LI.getLoopFor(I.getParent());
  Access.depth = Innermost->getLoopDepth();
  if (Access.depth > SPECRT_MAX_RECORDED_DEPTH)
    return false;
  for (const Loop *L = Innermost; L; L = L->getParentLoop())
    Access.loops[L->getLoopDepth() - 1] = uint8_t(Tables.LoopIndex.lookup(L->getHeader()));
  return true;
}

/// Marks the stores that update what they overwrite.
void nameUpdates(const LoopInfo &LI, ScalarEvolution &SE, RecordedTables &Tables) {
  for (const auto &[Made, Index] : Tables.AccessIndex) {
    const auto *Store = dyn_cast<StoreInst>(Made);
    const MemoryUpdate Update = Store ? findUpdate(*Store, LI, SE) : MemoryUpdate{};
    const auto Read = Update.Load ? Tables.AccessIndex.find(Update.Load) : Tables.AccessIndex.end();
    if (Read == Tables.AccessIndex.end())
      continue;
    specrt_recorded_access &Written = Tables.Accesses[Index];
    Written.updates = Read->second + 1;
    Written.role = Update.Role;
    Written.is_float = Update.Load->getType()->isFPOrFPVectorTy();
    // A load that was moved out of a loop has lost its line.
    if (Tables.Accesses[Read->second].line == 0)
      Tables.Accesses[Read->second].line = Written.line;
  }
}

} // namespace

Expected<RecordedTables> recordedTables(Function &F, const LoopInfo &LI, ScalarEvolution &SE,
                                        WhichAccesses Which) {
  RecordedTables Tables;
  const SmallVector<Loop *> Loops = LI.getLoopsInPreorder();
  if (Loops.size() > SPECRT_MAX_RECORDED_LOOPS)
    return createStringError("it has too many loops to be observed");
  for (const Loop *L : Loops) {
    const DebugLoc Start = L->getStartLoc();
    Tables.LoopIndex[L->getHeader()] = unsigned(Tables.Loops.size());
    Tables.Loops.push_back({.line = Start ? Start.getLine() : 0, .depth = L->getLoopDepth()});
  }
  const DataLayout &DL = F.getDataLayout();
  for (Instruction &I : instructions(F)) {
    const std::optional<unsigned> Number = accessNumber(I);
    if (!isa<LoadInst, StoreInst>(I) || (!Number && Which == WhichAccesses::Numbered) ||
        !LI.getLoopFor(I.getParent()) || I.isVolatile() ||
        isLanesOfSum(*getUnderlyingObject(getLoadStorePointerOperand(&I))) ||
        Tables.Accesses.size() == SPECRT_MAX_RECORDED_ACCESSES)
      continue;
    specrt_recorded_access Access{};
    Type *T = getLoadStoreType(&I);
    if (getLoadStoreAddressSpace(&I) != 0 || T->isScalableTy() ||
        !describeLoops(I, LI, Tables, Access))
      continue;
    Access.number = Number.value_or(UINT32_MAX);
    Access.width = uint32_t(DL.getTypeStoreSize(T));
    if (isa<StoreInst>(I))
      Access.flags = SPECRT_RECORDED_WRITE;
    else if (isWordOrLess(T, DL) && decides(I))
      Access.flags =
          SPECRT_RECORDED_VALUE | (T->isPointerTy() ? uint32_t{SPECRT_RECORDED_POINTER} : 0u);
    if (const DILocation *Where = I.getDebugLoc()) {
      Access.line = Where->getLine();
      Access.column = Where->getColumn();
    }
    setName(Access.array, nameOfMemory(*getLoadStorePointerOperand(&I)));
    Tables.AccessIndex[&I] = unsigned(Tables.Accesses.size());
    Tables.Accesses.push_back(Access);
  }
  nameUpdates(LI, SE, Tables);
  return Tables;
}

const LoadInst *findIndirection(const Function &F, const LoopInfo &LI, ScalarEvolution &SE) {
  for (const Instruction &I : instructions(F)) {
    const auto *Load = dyn_cast<LoadInst>(&I);
    const Loop *L = Load ? LI.getLoopFor(Load->getParent()) : nullptr;
    if (!L || !accessNumber(I) || rowMarkOf(*Load) ||
        !isWordOrLess(Load->getType(), F.getDataLayout()))
      continue;
    const SCEV *Address = SE.getSCEV(const_cast<Value *>(Load->getPointerOperand()));
    if (!SE.isLoopInvariant(Address, L->getOutermostLoop()) && decides(I))
      return Load;
  }
  return nullptr;
}

} // namespace specrt
