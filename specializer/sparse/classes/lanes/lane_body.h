//===- specializer/sparse/classes/lanes/lane_body.h - rows of a class, side by side -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane of a vector does what a row does, in its order, so results have the same bits. Where
// the elements of a vector come from, LanePlan says.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_BODY_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_BODY_H

#include "specializer/sparse/classes/lanes/lane_plan.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// Where lanes are. All values are i64.
struct LaneRows {
  llvm::Value *T; ///< the number in the segment, of the first lane
  /// The segment's first row, and its trace: of the first lane, or of each.
  llvm::SmallVector<llvm::Value *> Row;
  llvm::SmallVector<llvm::ArrayRef<llvm::Value *>> Origins;
  llvm::ArrayRef<llvm::Value *> Offsets = {}; ///< of groups
};

class LaneBody {
public:
  /// What lies so far ahead of what is read once is asked for: loads from many places in the code
  /// hide from processors that memory is read from its beginning to its end.
  static constexpr int64_t BytesAhead = 2560;
  static constexpr int64_t LineBytes = 64;

  /// \p Outer maps the loop's inputs to values of the function that is built.
  LaneBody(const RowLoop &Rows, const ClassScript &Script, const LanePlan &Plan,
           const llvm::ValueToValueMapTy &Outer)
      : Rows(Rows), Script(Script), Plan(Plan), Outer(Outer) {}

  /// \p B stands where a loop over T, of one block, begins; \p Before leads to it.
  void begin(llvm::IRBuilderBase &B, const LaneRows &Where, llvm::BasicBlock &Before);
  void setT(llvm::Value *T) { Of.T = T; }
  /// The steps of a row, one after the other.
  void execute(llvm::IRBuilderBase &B, size_t Number);
  /// The loop's block has its last instruction.
  void end(llvm::BasicBlock &Loop);
  /// From now on asks for what is BytesAhead.
  void readAhead() { ReadsAhead = true; }

private:
  /// What a value is in the lanes.
  struct LaneValue {
    const SymbolSum *Form = nullptr; ///< of an integer
    llvm::Value *Data = nullptr;     ///< else a vector, or a number that all lanes have
  };
  using Words = llvm::SmallVector<llvm::Value *, 8>;
  using Group = llvm::SmallVector<llvm::Value *, 4>;

  unsigned lanes() const { return Plan.lanes().Lanes; }
  LaneValue valueOf(llvm::Value &V) const;
  bool isSame(const LaneValue &V) const;
  llvm::Value *symbol(llvm::IRBuilderBase &B, unsigned Number, unsigned Lane);
  Words computeSymbol(llvm::IRBuilderBase &B, const LaneSymbol &S);
  llvm::Value *integer(llvm::IRBuilderBase &B, const SymbolSum &Form, unsigned Lane,
                       llvm::Type *Wanted);
  llvm::Value *scalar(llvm::IRBuilderBase &B, llvm::Value &V, unsigned Lane);
  llvm::Value *vector(llvm::IRBuilderBase &B, llvm::Value &V);
  llvm::Value *gather(llvm::IRBuilderBase &B, llvm::ArrayRef<llvm::Value *> Each) const;
  llvm::Value *keptAtFirst(const llvm::LoadInst &I, const LaneStep &Is, llvm::BasicBlock &Before);
  void mapPhis(const RowStep &Step);
  llvm::Instruction *copy(llvm::IRBuilderBase &B, const llvm::Instruction &I, unsigned Lane);
  llvm::Value *compute(llvm::IRBuilderBase &B, const llvm::Instruction &I);
  llvm::Value *load(llvm::IRBuilderBase &B, const llvm::LoadInst &I, const LaneStep &Is);
  void askFor(llvm::IRBuilderBase &B, SymbolSum Ahead, int64_t Further);
  void askAhead(llvm::IRBuilderBase &B, const llvm::LoadInst &I, const LaneStep &Is);
  void askAheadOfLanes(llvm::IRBuilderBase &B, const llvm::LoadInst &I, const LaneStep &Is);
  llvm::Value *loadOfGroup(llvm::IRBuilderBase &B, const llvm::LoadInst &I, const LaneStep &Is);
  Group transposed(llvm::IRBuilderBase &B, llvm::ArrayRef<llvm::Value *> Each) const;
  void store(llvm::IRBuilderBase &B, const llvm::StoreInst &I, const LaneStep &Is, llvm::Value *V);
  void executePlain(llvm::IRBuilderBase &B, size_t Number);
  const RowLoop &Rows;
  const ClassScript &Script;
  const LanePlan &Plan;
  const llvm::ValueToValueMapTy &Outer;

  LaneRows Of;
  bool ReadsAhead = false;
  /// By base: the line that was asked for last, counted from the same address as the form's.
  llvm::DenseMap<unsigned, std::pair<SymbolSum, int64_t>> Asked;
  llvm::DenseMap<const llvm::Value *, LaneValue> Map;
  /// As i64, or as a pointer: of the first lane, or of each. Empty: not known yet.
  llvm::SmallVector<Words> Symbols;
  llvm::SmallVector<LaneValue> Notes;
  llvm::SmallVector<Group> Groups; ///< those that are loaded
  /// By number of the step: what is kept from the row before, and what is stored.
  llvm::DenseMap<size_t, llvm::PHINode *> Kept;
  llvm::DenseMap<size_t, llvm::Value *> Stored;
};

/// All steps of \p Bodies, which have the same plan's number of steps, taking turns, so that the
/// processor finds what does not wait.
void executeTogether(llvm::IRBuilderBase &B, llvm::MutableArrayRef<LaneBody> Bodies, size_t Steps);

} // namespace specrt

#endif
