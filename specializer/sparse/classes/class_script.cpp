//===- specializer/sparse/classes/class_script.cpp - the steps of a row of a class -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/sparse/classes/class_script.h"
#include "specializer/loops/loop_copy.h"

using namespace llvm;

namespace specrt {
namespace {

/// Limit on the blocks of a trace; more code would not be faster.
constexpr uint64_t MaxBlocks = 4096;

class ScriptWriter {
public:
  ScriptWriter(const RowLoop &Rows, const LoopInfo &LI, const specrt_row_class &Class)
      : Rows(Rows), LI(LI), Class(Class), Entry(unsigned(Rows.Carried.size())) {}

  bool write();
  ClassScript take() { return std::move(Steps); }

private:
  const specrt_row_entry *next(uint32_t Kind);
  bool addInstruction(const Instruction &I);
  bool addLoad(const Instruction &I);
  bool addBlock(const BasicBlock &BB);
  bool findNext(const BasicBlock &BB, const BasicBlock *&Next);
  bool enter(const BasicBlock &BB, const BasicBlock *&Next);

  const RowLoop &Rows;
  const LoopInfo &LI;
  const specrt_row_class &Class;
  ClassScript Steps;
  unsigned Entry; ///< next entry of the trace
  const BasicBlock *From = nullptr;
  SmallVector<const Instruction *> Notes; ///< notes stored so far
  /// The active loops with trip counts, with the number of remaining trips.
  SmallVector<std::pair<const Loop *, int64_t>> Inside;
};

/// Consumes the next entry of the trace; returns null if it is of another kind.
const specrt_row_entry *ScriptWriter::next(uint32_t Kind) {
  if (Entry >= Class.num_entries || Class.entries[Entry].kind != Kind)
    return nullptr;
  return &Class.entries[Entry++];
}

/// Adds a deciding load or the load of a note. Returns false if the trace does not match.
bool ScriptWriter::addLoad(const Instruction &I) {
  const specrt_row_entry *Source = nullptr;
  if (Rows.isOfNote(I)) {
    Source = next(SPECRT_ROW_SOURCE);
    if (!Source || Source->number < 0 || uint64_t(Source->number) > Notes.size())
      return false;
    if (Source->number > 0 &&
        Rows.BaseOf.lookup(Notes[size_t(Source->number) - 1]) != Rows.BaseOf.lookup(&I))
      return false;
  }
  const unsigned Number = Entry;
  const bool Decides = Rows.Deciding.contains(&I);
  if (Decides && !next(SPECRT_ROW_VALUE))
    return false;
  if (Source && Source->number > 0)
    Steps.push_back({.Is = RowStep::Kind::Noted, .Number = unsigned(Source->number - 1), .I = &I});
  else if (Decides)
    Steps.push_back({.Is = RowStep::Kind::Value, .Number = Number, .I = &I});
  else
    Steps.push_back({.Is = RowStep::Kind::Plain, .I = &I});
  return true;
}

bool ScriptWriter::addInstruction(const Instruction &I) {
  if (isa<PHINode>(I) || I.isTerminator() || isOnlySaid(I))
    return true;
  if (isa<StoreInst>(I) && Rows.isOfNote(I)) {
    Notes.push_back(&I);
    Steps.push_back({.Is = RowStep::Kind::Note, .I = &I});
    return true;
  }
  if (Rows.isOfNote(I) || Rows.Deciding.contains(&I))
    return addLoad(I);
  Steps.push_back({.Is = RowStep::Kind::Plain, .I = &I});
  return true;
}

bool ScriptWriter::addBlock(const BasicBlock &BB) {
  if (&BB != Rows.L->getHeader() && isa<PHINode>(BB.front()))
    Steps.push_back({.Is = RowStep::Kind::Phis, .Block = &BB, .From = From});
  const Loop *Around = LI.getLoopFor(&BB);
  const bool IsCounted = Around != Rows.L && !Rows.Stepped.contains(Around);
  if (IsCounted && &BB == Around->getHeader() &&
      (Inside.empty() || Inside.back().first != Around || Inside.back().second-- <= 0))
    return false;
  return all_of(BB, [&](const Instruction &I) { return addInstruction(I); });
}

/// Sets \p Next to the block after \p BB, null at the end of the row. Returns false if the trace
/// does not match.
bool ScriptWriter::findNext(const BasicBlock &BB, const BasicBlock *&Next) {
  From = &BB;
  Next = nullptr;
  if (&BB == Rows.L->getLoopLatch())
    return true;
  const Loop &Around = *LI.getLoopFor(&BB);
  const auto &Branch = cast<BranchInst>(*BB.getTerminator());
  if (!Branch.isConditional()) {
    Next = Branch.getSuccessor(0);
  } else if (Rows.leavesCounted(Around, BB)) {
    const bool Stays = Inside.back().second > 0;
    Next = Branch.getSuccessor(Around.contains(Branch.getSuccessor(0)) == Stays ? 0 : 1);
    if (!Stays)
      Inside.pop_back();
  } else {
    const specrt_row_entry *Way = next(SPECRT_ROW_BRANCH);
    if (!Way)
      return false;
    Next = Branch.getSuccessor(Way->number ? 0 : 1);
  }
  return enter(BB, Next);
}

/// Handles \p Next, after \p BB, if it begins a loop. Returns false if the trace does not match.
bool ScriptWriter::enter(const BasicBlock &BB, const BasicBlock *&Next) {
  const Loop *Entered = LI.getLoopFor(Next);
  if (Entered == LI.getLoopFor(&BB) || Entered->getHeader() != Next || Entered->contains(&BB))
    return true;
  if (Rows.Opaque.contains(Entered)) {
    Steps.push_back({.Is = RowStep::Kind::Opaque, .Inner = Entered});
    Next = Entered->getExitBlock();
    From = Entered->getExitingBlock();
    return true;
  }
  if (Rows.Stepped.contains(Entered))
    return true;
  const specrt_row_entry *Trips = next(SPECRT_ROW_TRIPS);
  if (!Trips)
    return false;
  Inside.emplace_back(Entered, Trips->number);
  return true;
}

bool ScriptWriter::write() {
  uint64_t Blocks = 0;
  for (const BasicBlock *BB = Rows.L->getHeader(); BB;) {
    const BasicBlock *Next = nullptr;
    if (++Blocks > MaxBlocks || !addBlock(*BB) || !findNext(*BB, Next))
      return false;
    BB = Next;
  }
  return Entry == Class.num_entries && Inside.empty();
}

} // namespace

std::optional<ClassScript> scriptOf(const RowLoop &Rows, const LoopInfo &LI,
                                    const specrt_row_class &Class) {
  const auto Carried = unsigned(Rows.Carried.size());
  if (Class.step == 0 || Class.num_entries < Carried)
    return std::nullopt;
  // Code cannot load values that the previous row passes on.
  for (const specrt_row_entry &Entry : ArrayRef(Class.entries, Carried))
    if (Entry.kind != SPECRT_ROW_VALUE || Entry.mode != SPECRT_ROW_AFFINE)
      return std::nullopt;
  ScriptWriter Writer(Rows, LI, Class);
  if (!Writer.write())
    return std::nullopt;
  return Writer.take();
}

} // namespace specrt
