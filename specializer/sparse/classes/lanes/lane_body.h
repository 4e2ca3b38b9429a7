//===- specializer/sparse/classes/lanes/lane_body.h - code for rows in vector lanes ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane of a vector executes the operations of a row in their order, so results have the same
// bits. LanePlan says where the elements of vectors come from.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_BODY_H
#define SPECRT_SPECIALIZER_SPARSE_CLASSES_LANES_LANE_BODY_H

#include "specializer/sparse/classes/lanes/lane_plan.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace specrt {

/// The rows of the lanes. All values are i64.
struct LaneRows {
  llvm::Value *T; ///< the first lane's number in the segment
  /// The segment's first row and its trace: of the first lane, or of each lane.
  llvm::SmallVector<llvm::Value *> Row;
  llvm::SmallVector<llvm::ArrayRef<llvm::Value *>> Origins;
  llvm::ArrayRef<llvm::Value *> Offsets = {}; ///< of groups: the offset of each entry
};

class LaneBody {
public:
  /// Distance of prefetches for data that is read once: the loads are at many places in the code,
  /// so hardware prefetchers do not detect that memory is read in order.
  static constexpr int64_t BytesAhead = 2560;
  static constexpr int64_t LineBytes = 64;

  /// \p Outer maps the loop's inputs to values of the function that is built.
  LaneBody(const RowLoop &Rows, const ClassScript &Script, const LanePlan &Plan,
           const llvm::ValueToValueMapTy &Outer)
      : Rows(Rows), Script(Script), Plan(Plan), Outer(Outer) {}

  /// Starts code in \p B, which stands at the begin of a one-block loop over T that \p Before
  /// enters.
  void begin(llvm::IRBuilderBase &B, const LaneRows &Where, llvm::BasicBlock &Before);
  void setT(llvm::Value *T) { Of.T = T; }
  /// Emits step \p Number.
  void execute(llvm::IRBuilderBase &B, size_t Number);
  /// Must be called when the loop's block is complete, except for its terminator.
  void end(llvm::BasicBlock &Loop);
  /// Enables prefetches of data that is BytesAhead.
  void readAhead() { ReadsAhead = true; }

private:
  /// A value in the lanes.
  struct LaneValue {
    const SymbolSum *Form = nullptr; ///< of an integer
    llvm::Value *Data = nullptr;     ///< otherwise a vector, or a number that all lanes share
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
  /// By base: the line that was prefetched last, as an offset from the address of the form.
  llvm::DenseMap<unsigned, std::pair<SymbolSum, int64_t>> Asked;
  llvm::DenseMap<const llvm::Value *, LaneValue> Map;
  /// Each symbol as i64 or pointer, for the first lane or for each lane; empty if not yet computed.
  llvm::SmallVector<Words> Symbols;
  llvm::SmallVector<LaneValue> Notes;
  llvm::SmallVector<Group> Groups; ///< groups that are loaded
  /// By number of the step: the value kept from the previous row, and the stored value.
  llvm::DenseMap<size_t, llvm::PHINode *> Kept;
  llvm::DenseMap<size_t, llvm::Value *> Stored;
};

/// Emits the steps of \p Bodies, which have the same number of steps, interleaved, so that the
/// processor finds independent instructions.
void executeTogether(llvm::IRBuilderBase &B, llvm::MutableArrayRef<LaneBody> Bodies, size_t Steps);

} // namespace specrt

#endif
