//===- instrument/select/driver_loop.cpp - loops that only drive the nests inside ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/select/driver_loop.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace specrt {
namespace {

bool containsNest(const Loop &L) {
  return any_of(L, [](const Loop *Inner) { return !Inner->isInnermost(); });
}

bool isInInnerLoop(const Loop &L, const Instruction &I) {
  return any_of(L, [&](const Loop *Inner) { return Inner->contains(&I); });
}

/// Returns whether an exit condition of \p L depends on values that loops inside it compute.
bool endsByResults(const Loop &L) {
  SmallVector<BasicBlock *> Exiting;
  L.getExitingBlocks(Exiting);
  SmallVector<const Value *> Pending;
  for (const BasicBlock *Block : Exiting)
    if (const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
        Branch && Branch->isConditional() && !isInInnerLoop(L, *Branch))
      Pending.push_back(Branch->getCondition());
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isInInnerLoop(L, *I))
      return true;
    append_range(Pending, I->operand_values());
  }
  return false;
}

/// Returns whether a value that follows from \p Carried, a phi of the header of \p L, may be
/// stored in \p L.
bool isStored(const Loop &L, const PHINode &Carried) {
  SmallVector<const Instruction *> Pending = {&Carried};
  SmallPtrSet<const Instruction *, 16> Seen;
  while (!Pending.empty()) {
    const Instruction *I = Pending.pop_back_val();
    if (!L.contains(I) || !Seen.insert(I).second)
      continue;
    if (isa<StoreInst>(I))
      return true;
    for (const User *U : I->users())
      Pending.push_back(cast<Instruction>(U));
  }
  return false;
}

/// Returns whether the values that \p Carried takes over from the previous iteration are read from
/// memory. The next iteration could read them as well: compilers carry the end of a row of a sparse
/// matrix, because the next row begins there.
bool isReadAhead(const Loop &L, const PHINode &Carried) {
  SmallVector<const Value *> Pending;
  for (const auto [From, V] : zip(Carried.blocks(), Carried.incoming_values()))
    if (L.contains(From))
      Pending.push_back(V);
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    if (!I || !L.contains(I) || isa<LoadInst>(I) || !Seen.insert(I).second)
      continue;
    if (I == &Carried || !isa<PHINode, CastInst>(I))
      return false;
    append_range(Pending, I->operand_values());
  }
  return true;
}

/// Returns whether an iteration of \p L stores what it computes from a register that another
/// iteration has computed, other than by counting.
bool handsNumbersOn(const Loop &L, ScalarEvolution &SE) {
  return any_of(L.getHeader()->phis(), [&](PHINode &Phi) {
    const bool IsNumber = Phi.getType()->isFloatingPointTy() ||
                          (Phi.getType()->isIntegerTy() && isa<SCEVUnknown>(SE.getSCEV(&Phi)) &&
                           !isReadAhead(L, Phi));
    return IsNumber && isStored(L, Phi);
  });
}

/// Returns whether \p V follows from a value that an inner loop of \p L other than \p User has
/// computed. \p User may be null.
bool isResultOfLoop(const Value *V, const Loop &L, const Loop *User) {
  SmallVector<const Value *> Pending = {V};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Pending.empty()) {
    const auto *I = dyn_cast<Instruction>(Pending.pop_back_val());
    // Values read from memory are not results of a loop.
    if (!I || !L.contains(I) || isa<LoadInst>(I) || !Seen.insert(I).second)
      continue;
    if (User && User->contains(I))
      continue;
    if (isInInnerLoop(L, *I))
      return true;
    if (I->getParent() != L.getHeader() || !isa<PHINode>(I))
      append_range(Pending, I->operand_values());
  }
  return false;
}

/// Returns whether a loop in \p L accesses addresses that another loop in it has chosen, such as
/// the row of a pivot.
bool accessesByResults(const Loop &L, ScalarEvolution &SE) {
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      const Value *Address = getLoadStorePointerOperand(&I);
      const auto Inner = find_if(L, [&](const Loop *Inner) { return Inner->contains(&I); });
      if (!Address || Inner == L.end())
        continue;
      if (SCEVExprContains(SE.getSCEV(const_cast<Value *>(Address)), [&](const SCEV *Part) {
            const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
            return Unknown && isResultOfLoop(Unknown->getValue(), L, *Inner);
          }))
        return true;
    }
  return false;
}

/// Returns whether \p S contains an integer or a row pointer that each iteration of \p L reads from
/// another address.
bool followsFromMemory(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
  return SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *Load = Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr;
    return Load && L.contains(Load) && Load->getType()->isIntOrPtrTy() &&
           !SE.isLoopInvariant(SE.getSCEV(const_cast<Value *>(Load->getPointerOperand())), &L);
  });
}

/// Returns whether a loop in \p L is one over the entries of a matrix, each of which names its row
/// and its column: the loop updates an element whose index one array holds, and accesses another
/// element whose index another array holds.
bool containsEntries(const Loop &L, ScalarEvolution &SE) {
  return any_of(L, [&](const Loop *Inner) {
    SmallPtrSet<const SCEV *, 4> Named, Read;
    bool AnyChanged = false;
    for (const BasicBlock *Block : Inner->blocks())
      for (const Instruction &I : *Block) {
        const Value *Address = Inner->isInnermost() ? getLoadStorePointerOperand(&I) : nullptr;
        const SCEV *S = Address ? SE.getSCEV(const_cast<Value *>(Address)) : nullptr;
        if (!S || !followsFromMemory(S, *Inner, SE))
          continue;
        Named.insert(S);
        if (isa<LoadInst>(I))
          Read.insert(S);
        else
          AnyChanged |= Read.contains(S);
      }
    return AnyChanged && Named.size() > 1;
  });
}

/// Returns whether \p S depends on the iteration of \p L, directly or through values that the
/// iteration reads.
bool dependsOn(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
  SmallVector<const SCEV *> Pending = {S};
  SmallPtrSet<const SCEV *, 16> Seen;
  const auto DependsItself = [&](const SCEV *Part) {
    if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Part))
      return Rec->getLoop() == &L;
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    if (!I || !L.contains(I))
      return false;
    if (isa<PHINode>(I) && I->getParent() == L.getHeader())
      return true; // carried from the previous iteration
    for (Value *Operand : const_cast<Instruction *>(I)->operand_values())
      if (SE.isSCEVable(Operand->getType()))
        Pending.push_back(SE.getSCEV(Operand));
    return false;
  };
  while (!Pending.empty())
    if (const SCEV *Part = Pending.pop_back_val();
        Seen.insert(Part).second && SCEVExprContains(Part, DependsItself))
      return true;
  return false;
}

/// Adds the tables of row pointers that \p L reads to compute \p S to \p Tables.
void addTables(const SCEV *S, const Loop &L, ScalarEvolution &SE,
               SmallPtrSetImpl<const SCEV *> &Tables) {
  SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *Load = Unknown ? dyn_cast<LoadInst>(Unknown->getValue()) : nullptr;
    if (Load && L.contains(Load) && Load->getType()->isPointerTy())
      Tables.insert(SE.getPointerBase(SE.getSCEV(const_cast<Value *>(Load->getPointerOperand()))));
    return false;
  });
}

/// An access in a loop inside. Block copies are loops, too, and at the time of this pass also
/// copies of structures are calls of memcpy: a write and a read.
struct InnerAccess {
  const SCEV *Address;
  bool IsWrite;
};

SmallVector<InnerAccess, 16> accessesInside(const Loop &L, ScalarEvolution &SE) {
  SmallVector<InnerAccess, 16> Found;
  const auto Add = [&](const Value *Address, bool IsWrite) {
    Found.push_back({SE.getSCEV(const_cast<Value *>(Address)), IsWrite});
  };
  for (const BasicBlock *Block : L.blocks())
    for (const Instruction &I : *Block) {
      if (const Value *Address = getLoadStorePointerOperand(&I); Address && isInInnerLoop(L, I))
        Add(Address, isa<StoreInst>(I));
      if (const auto *Filled = dyn_cast<MemIntrinsic>(&I))
        Add(Filled->getRawDest(), true);
      if (const auto *Copy = dyn_cast<MemTransferInst>(&I))
        Add(Copy->getRawSource(), false);
    }
  return Found;
}

/// Returns whether \p L repeats loops that integers or row pointers in memory describe, with the
/// same addresses in each iteration; or whether it writes the same rows in each iteration, and each
/// iteration reads one row of its own from the table of the rows written.
bool repeatsIndirection(const Loop &L, ScalarEvolution &SE) {
  bool Found = false, AnyOwn = false;
  SmallPtrSet<const SCEV *, 4> Written, ReadByOne;
  for (const InnerAccess &A : accessesInside(L, SE)) {
    const bool IsOwn = dependsOn(A.Address, L, SE);
    if (IsOwn && A.IsWrite)
      return false;
    AnyOwn |= IsOwn;
    Found |= !IsOwn && followsFromMemory(A.Address, L, SE);
    if (IsOwn || A.IsWrite)
      addTables(A.Address, L, SE, IsOwn ? ReadByOne : Written);
  }
  return Found &&
         (!AnyOwn || any_of(ReadByOne, [&](const SCEV *Table) { return Written.contains(Table); }));
}

/// Returns whether \p S, an address in \p L, is no affine function of counters, whatever the sizes
/// are: it contains a remainder, a quotient, or what an iteration has chosen.
bool isNeverAffine(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
  constexpr unsigned CounterBits = 32; // a counter may be truncated to an int
  return SCEVExprContains(S, [&](const SCEV *Part) {
    if (isa<SCEVUDivExpr>(Part))
      return !SE.isLoopInvariant(Part, &L);
    const bool IsNarrow = SE.getTypeSizeInBits(Part->getType()) < CounterBits;
    if (isa<SCEVTruncateExpr>(Part))
      return IsNarrow && !SE.isLoopInvariant(Part, &L);
    if (const auto *Counter = dyn_cast<SCEVAddRecExpr>(Part)) // i % 512 counts in 9 bits
      return IsNarrow && L.contains(Counter->getLoop()) && !Counter->hasNoUnsignedWrap() &&
             !Counter->hasNoSignedWrap();
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return I && L.contains(I) && !isa<LoadInst>(I);
  });
}

/// Returns whether \p L repeats the same accesses in each iteration, and no model of its iterations
/// as time steps can exist, because addresses in loops inside are not affine.
bool repeatsWithoutModel(const Loop &L, ScalarEvolution &SE) {
  const auto Accesses = accessesInside(L, SE);
  return any_of(Accesses, [](const InnerAccess &A) { return A.IsWrite; }) &&
         any_of(Accesses, [&](const InnerAccess &A) { return isNeverAffine(A.Address, L, SE); }) &&
         none_of(Accesses, [&](const InnerAccess &A) { return dependsOn(A.Address, L, SE); });
}

/// Returns the integers in \p S that each iteration of \p L reads from an address of its own before
/// the loops inside use them, or that the iteration before has read ahead.
SmallPtrSet<const SCEV *, 4> numbersOfIteration(const SCEV *S, const Loop &L, ScalarEvolution &SE) {
  SmallPtrSet<const SCEV *, 4> Numbers;
  SCEVExprContains(S, [&](const SCEV *Part) {
    const auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    const auto *I = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    if (!I || !I->getType()->isIntegerTy() || !L.contains(I) || isInInnerLoop(L, *I))
      return false;
    const auto *Carried = dyn_cast<PHINode>(I);
    if (Carried ? I->getParent() == L.getHeader() && isReadAhead(L, *Carried)
                : followsFromMemory(Part, L, SE))
      Numbers.insert(Part);
    return false;
  });
  return Numbers;
}

/// Returns whether numbers in memory say how large a nest of depth 2 in \p L is.
bool containsNestOfSizesInMemory(const Loop &L, ScalarEvolution &SE) {
  const auto IsSized = [&](const Loop *Inner) {
    return !numbersOfIteration(SE.getBackedgeTakenCount(Inner), L, SE).empty();
  };
  return any_of(L, [&](const Loop *Inner) { return IsSized(Inner) && any_of(*Inner, IsSized); });
}

/// Returns whether iterations of \p L go from one level of an array to the next, as in a multigrid
/// cycle: numbers in memory say where levels begin and how large the nests over them are, and an
/// iteration reads another level of the array than it writes.
bool goesThroughLevels(const Loop &L, ScalarEvolution &SE) {
  if (!containsNestOfSizesInMemory(L, SE))
    return false;
  SmallPtrSet<const SCEV *, 16> Written; // the numbers in addresses that are written
  SmallPtrSet<const SCEV *, 4> Arrays;   // the bases of these addresses
  const auto Accesses = accessesInside(L, SE);
  for (const InnerAccess &A : Accesses)
    if (const auto Numbers = numbersOfIteration(A.Address, L, SE); A.IsWrite && !Numbers.empty()) {
      Arrays.insert(SE.getPointerBase(A.Address));
      Written.insert(Numbers.begin(), Numbers.end());
    }
  return any_of(Accesses, [&](const InnerAccess &A) {
    return !A.IsWrite && Arrays.contains(SE.getPointerBase(A.Address)) &&
           any_of(numbersOfIteration(A.Address, L, SE),
                  [&](const SCEV *Number) { return !Written.contains(Number); });
  });
}

} // namespace

const char *drivesOthers(const Loop &L, ScalarEvolution &SE) {
  if (!containsNest(L) && !containsEntries(L, SE))
    return nullptr;
  if (endsByResults(L))
    return "it ends when what it computes says so, and drives the loops inside";
  if (accessesByResults(L, SE))
    return "loops inside access what others in it have found, and it drives them";
  if (handsNumbersOn(L, SE))
    return "its iterations compute with numbers from one to the next, and drive the loops inside";
  if (repeatsIndirection(L, SE))
    return "it repeats loops whose accesses follow from memory";
  if (repeatsWithoutModel(L, SE))
    return "it repeats loops whose addresses are not affine, and drives them";
  if (goesThroughLevels(L, SE))
    return "its iterations go from one level of an array to the next, and drive the loops inside";
  for (const Loop *Inner : L)
    if (const char *Why = drivesOthers(*Inner, SE))
      return Why;
  return nullptr;
}

} // namespace specrt
