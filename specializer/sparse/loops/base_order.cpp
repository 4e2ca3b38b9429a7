//===- specializer/sparse/loops/base_order.cpp - orders arrays that determine accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/loops/base_order.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/Analysis/PostDominators.h"

using namespace llvm;

namespace specrt {
namespace {

/// Bases whose contents determine whether, and where, memory is accessed: read in the same row, and
/// in earlier rows.
struct BasesBehind {
  SmallBitVector InRow, Before;
};

/// Orders the bases of one loop.
class Order {
public:
  Order(RowLoop &Rows, const PostDominatorTree &PDT) : Rows(Rows), L(*Rows.L), PDT(PDT) {}

  bool find();

private:
  friend class Origins;
  bool controls(const BasicBlock &Branch, const BasicBlock &BB) const;
  const Value *onlySource(const Value *V) const;
  bool areSameLoads(const Value &A, const Value &B) const;
  BasesBehind basesBehind(const Instruction &Access) const;

  RowLoop &Rows;
  const Loop &L;
  const PostDominatorTree &PDT;
};

/// Returns whether \p Branch decides, within a row, whether \p BB is executed after it.
bool Order::controls(const BasicBlock &Branch, const BasicBlock &BB) const {
  return (&Branch == &BB || !PDT.dominates(&BB, &Branch)) &&
         any_of(successors(&Branch), [&](const BasicBlock *Next) {
           return L.contains(Next) && Next != L.getHeader() && PDT.dominates(&BB, Next);
         });
}

/// Returns the only value that \p V can have in a row through phis and loads via bases that are not
/// written; otherwise \p V.
const Value *Order::onlySource(const Value *V) const {
  SmallSetVector<const Value *, 8> Work;
  Work.insert(V);
  const Value *Only = nullptr;
  for (unsigned I = 0; I < Work.size(); ++I) {
    const auto *Phi = dyn_cast<PHINode>(Work[I]);
    if (Phi && L.contains(Phi) && Phi->getParent() != L.getHeader()) {
      Work.insert(Phi->op_begin(), Phi->op_end());
      continue;
    }
    if (Only && !areSameLoads(*Only, *Work[I]))
      return V;
    Only = Work[I];
  }
  return Only ? Only : V;
}

/// Returns whether \p A and \p B are the same value, or loads of the same address through a base
/// that is not written.
bool Order::areSameLoads(const Value &A, const Value &B) const {
  if (&A == &B)
    return true;
  const auto *One = dyn_cast<LoadInst>(&A), *Other = dyn_cast<LoadInst>(&B);
  const auto At = One ? Rows.BaseOf.find(One) : Rows.BaseOf.end();
  return At != Rows.BaseOf.end() && Other && One->getType() == Other->getType() &&
         One->getPointerOperand() == Other->getPointerOperand() &&
         !(Rows.Bases[At->second].Flags & (SPECRT_ROWS_WRITTEN | SPECRT_ROWS_NOTES));
}

/// Collects the values and branches on which a value, and the execution of a block, depends.
class Origins {
public:
  explicit Origins(const Order &Of)
      : Of(Of), InRow(unsigned(Of.Rows.Bases.size())), Before(InRow.size()) {}

  void add(const Value *V) { Work.insert(V); }
  void reach(const BasicBlock *BB);
  /// Adds what determines the notes of \p Base, if it has some.
  void addNotes(unsigned Base);
  BasesBehind find();

private:
  void addPhi(const PHINode &Phi);
  void follow(SmallBitVector &Into);

  const Order &Of;
  SmallSetVector<const Value *, 16> Work;
  unsigned Next = 0;
  SmallPtrSet<const BasicBlock *, 16> Reached;
  SmallVector<const Value *> OfRowBefore;
  SmallBitVector InRow, Before;
};

void Origins::reach(const BasicBlock *First) {
  SmallVector<const BasicBlock *> Blocks = {First};
  while (!Blocks.empty()) {
    const BasicBlock *BB = Blocks.pop_back_val();
    if (!Of.L.contains(BB) || !Reached.insert(BB).second)
      continue;
    for (const BasicBlock *Above : Of.L.blocks()) {
      const auto *Branch = cast<BranchInst>(Above->getTerminator());
      if (!Branch->isConditional() || Above == Of.L.getLoopLatch() || !Of.controls(*Above, *BB))
        continue;
      add(Branch->getCondition());
      Blocks.push_back(Above);
    }
  }
}

void Origins::addPhi(const PHINode &Phi) {
  const BasicBlock *Latch = Of.L.getLoopLatch();
  if (Phi.getParent() == Of.L.getHeader()) {
    OfRowBefore.push_back(Phi.getIncomingValueForBlock(Latch));
    return;
  }
  for (const BasicBlock *From : Phi.blocks()) {
    add(Phi.getIncomingValueForBlock(From));
    reach(From);
    if (const auto *Branch = cast<BranchInst>(From->getTerminator());
        Branch->isConditional() && From != Latch)
      add(Branch->getCondition());
  }
}

void Origins::addNotes(unsigned Base) {
  if (!(Of.Rows.Bases[Base].Flags & SPECRT_ROWS_NOTES))
    return;
  for (const auto &[Access, Through] : Of.Rows.BaseOf)
    if (Through == Base && isa<StoreInst>(Access)) {
      Work.insert(Access->op_begin(), Access->op_end());
      reach(Access->getParent());
    }
}

void Origins::follow(SmallBitVector &Into) {
  for (; Next < Work.size(); ++Next) {
    const auto *Step = dyn_cast<Instruction>(Of.onlySource(Work[Next]));
    if (!Step || !Of.L.contains(Step))
      continue;
    if (isa<LoadInst>(Step)) {
      const unsigned Base = Of.Rows.BaseOf.lookup(Step);
      Into.set(Base);
      addNotes(Base);
    } else if (const auto *Phi = dyn_cast<PHINode>(Step)) {
      addPhi(*Phi);
    } else {
      Work.insert(Step->op_begin(), Step->op_end());
    }
  }
}

BasesBehind Origins::find() {
  follow(InRow);
  // Values carried from earlier rows are followed again, as any row before may have computed them.
  Work.clear();
  Reached.clear();
  Next = 0;
  for (unsigned I = 0; I < OfRowBefore.size(); ++I) {
    add(OfRowBefore[I]);
    if (const auto *V = dyn_cast<Instruction>(OfRowBefore[I]))
      reach(V->getParent());
    follow(Before);
  }
  return {InRow, Before};
}

BasesBehind Order::basesBehind(const Instruction &Access) const {
  Origins From(*this);
  From.add(getLoadStorePointerOperand(&Access));
  From.reach(Access.getParent());
  From.addNotes(Rows.BaseOf.lookup(&Access));
  return From.find();
}

static bool isWithin(SmallBitVector Some, const SmallBitVector &All) {
  return Some.reset(All).none();
}

bool Order::find() {
  const auto Num = unsigned(Rows.Bases.size());
  DenseMap<const Instruction *, BasesBehind> Behind;
  for (const auto &[Access, Base] : Rows.BaseOf)
    if (Rows.Bases[Base].Flags & SPECRT_ROWS_DECIDES)
      Behind[Access] = basesBehind(*Access);
  SmallVector<unsigned> Order;
  SmallBitVector Done(Num);
  auto Decides = [&](unsigned I) { return Rows.Bases[I].Flags & SPECRT_ROWS_DECIDES; };
  auto IsReady = [&](const auto &Access) {
    const BasesBehind &Of = Behind.at(Access.first);
    return isWithin(Of.InRow, Done) && isWithin(Of.Before, Done);
  };
  auto AccessesOf = [&](unsigned I) {
    return make_filter_range(Rows.BaseOf, [&, I](const auto &Access) {
      return Access.second == I && Behind.contains(Access.first);
    });
  };
  auto TakeIf = [&](auto &&MayBeNext) {
    for (unsigned I = 0; I < Num; ++I)
      if (Decides(I) && !Done[I] && MayBeNext(I)) {
        Order.push_back(I);
        Done.set(I);
        return true;
      }
    return false;
  };
  auto AllAreReady = [&](unsigned I) { return all_of(AccessesOf(I), IsReady); };
  // Bases in one array, without notes.
  auto MayBeCircular = [&](unsigned I) {
    return Rows.Bases[I].Pointer && !(Rows.Bases[I].Flags & SPECRT_ROWS_NOTES);
  };
  auto SomeAreReady = [&](unsigned I) {
    if (!MayBeCircular(I) || none_of(AccessesOf(I), IsReady))
      return false;
    for (const auto &Access : Rows.BaseOf)
      if (Access.second == I && !(Behind.contains(Access.first) && IsReady(Access)))
        Rows.Circular.insert(Access.first);
    return true;
  };
  // The first access of a row depends on nothing read in this row through the same base.
  auto FirstIsReady = [&](unsigned I) {
    SmallBitVector WithI = Done;
    WithI.set(I);
    if (!MayBeCircular(I) || !all_of(AccessesOf(I), [&](const auto &Access) {
          const BasesBehind &Of = Behind.at(Access.first);
          return isWithin(Of.InRow, WithI) && isWithin(Of.Before, Done);
        }))
      return false;
    Rows.Bases[I].FirstIsDirect = true;
    for (const auto &Access : Rows.BaseOf)
      if (Access.second == I)
        Rows.Circular.insert(Access.first);
    return true;
  };
  while (TakeIf(AllAreReady) || TakeIf(SomeAreReady) || TakeIf(FirstIsReady)) {
  }
  for (unsigned I = 0; I < Num; ++I) {
    if (Done[I])
      continue;
    if (Decides(I))
      return false;
    Order.push_back(I);
  }
  std::vector<RowBase> Sorted;
  SmallVector<unsigned> Place(Num);
  for (unsigned I : Order) {
    Place[I] = unsigned(Sorted.size());
    Sorted.push_back(Rows.Bases[I]);
  }
  Rows.Bases = std::move(Sorted);
  for (auto &Entry : Rows.BaseOf)
    Entry.second = Place[Entry.second];
  return true;
}

} // namespace

bool orderBases(RowLoop &Rows, const PostDominatorTree &PDT) { return Order(Rows, PDT).find(); }

} // namespace specrt
