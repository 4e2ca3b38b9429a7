//===- specializer/sparse/loops/row_bases.cpp - the base pointers of a row loop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/row_bases.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DataLayout.h"
#include <map>

using namespace llvm;

namespace specrt {
namespace {

constexpr size_t MaxBases = 16;

/// Finds the bases of one loop.
class BaseFinder {
public:
  BaseFinder(RowLoop &Rows, const LoopInfo &LI, ScalarEvolution &SE)
      : Rows(Rows), L(*Rows.L), LI(LI), SE(SE) {}

  const char *find();

private:
  Value *rootOf(Value *Pointer) const;
  std::optional<unsigned> baseBehind(Value *Pointer);
  unsigned baseOfOutside(Value &Pointer);
  unsigned newBase(Value *Pointer) {
    Rows.Bases.push_back({Pointer, 0});
    return unsigned(Rows.Bases.size() - 1);
  }

  RowLoop &Rows;
  const Loop &L;
  const LoopInfo &LI;
  ScalarEvolution &SE;
  /// Bases whose pointers rows read: keyed by the base of the pointers, and their constant offset
  /// in bytes.
  std::map<std::pair<unsigned, int64_t>, unsigned> ReadBases;
};

/// Returns the pointer that \p Pointer is computed from, from outside or loaded; null if there is
/// none.
Value *BaseFinder::rootOf(Value *Pointer) const {
  for (unsigned Steps = 0; Steps < 32; ++Steps) {
    auto *I = dyn_cast<Instruction>(Pointer);
    if (!I || !L.contains(I) || isa<LoadInst>(I))
      return Pointer;
    if (auto *Gep = dyn_cast<GetElementPtrInst>(I)) {
      Pointer = Gep->getPointerOperand();
    } else if (auto *Phi = dyn_cast<PHINode>(I)) {
      // An incremented pointer starts at its initial value.
      const Loop *Of = LI.getLoopFor(Phi->getParent());
      if (!Of || Phi->getParent() != Of->getHeader() || !Of->getLoopPreheader() ||
          !SE.isSCEVable(Phi->getType()) || !isa<SCEVAddRecExpr>(SE.getSCEV(Phi)))
        return nullptr;
      Pointer = Phi->getIncomingValueForBlock(Of->getLoopPreheader());
    } else {
      return nullptr;
    }
  }
  return nullptr;
}

unsigned BaseFinder::baseOfOutside(Value &Pointer) {
  const auto At = find_if(Rows.Bases, [&](const RowBase &B) { return B.Pointer == &Pointer; });
  return At != Rows.Bases.end() ? unsigned(At - Rows.Bases.begin()) : newBase(&Pointer);
}

/// Returns the number of the base of \p Pointer; nothing if there is none.
std::optional<unsigned> BaseFinder::baseBehind(Value *Pointer) {
  Value *Root = rootOf(Pointer);
  if (!Root || isa<ConstantPointerNull, UndefValue>(Root))
    return std::nullopt;
  auto *Load = dyn_cast<LoadInst>(Root);
  if (!Load || !L.contains(Load))
    return baseOfOutside(*Root);
  Value *From = Load->getPointerOperand();
  const std::optional<unsigned> Through = baseBehind(From);
  if (!Through)
    return std::nullopt;
  APInt Offset(Load->getDataLayout().getIndexTypeSizeInBits(From->getType()), 0);
  From->stripAndAccumulateConstantOffsets(Load->getDataLayout(), Offset,
                                          /*AllowNonInbounds=*/true);
  const auto [At, IsNew] = ReadBases.try_emplace({*Through, Offset.getSExtValue()}, 0);
  if (IsNew)
    At->second = newBase(nullptr);
  return At->second;
}

const char *BaseFinder::find() {
  for (BasicBlock *BB : L.blocks())
    for (Instruction &I : *BB) {
      Value *Pointer = getLoadStorePointerOperand(&I);
      if (!Pointer)
        continue;
      const std::optional<unsigned> Base = baseBehind(Pointer);
      if (!Base)
        return "it computes pointers to what it accesses";
      Rows.Bases[*Base].Flags |= isa<StoreInst>(I) ? SPECRT_ROWS_WRITTEN : SPECRT_ROWS_READ;
      Rows.BaseOf[&I] = *Base;
    }
  return nullptr;
}

} // namespace

const char *findBases(RowLoop &Rows, const LoopInfo &LI, ScalarEvolution &SE, unsigned More) {
  const char *Why = BaseFinder(Rows, LI, SE).find();
  return !Why && Rows.Bases.size() + More > MaxBases ? "it accesses too many arrays" : Why;
}

} // namespace specrt
