//===- specializer/sparse/loops/row_loop.h - loops whose rows integers in memory describe ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row loop has a trip count that is known when it begins, and its iterations, the rows, differ by
// what integers in memory say: where inner loops begin and end, what subscripts are, which branches
// are taken. Everything that decides about addresses and control can be computed without executing
// the rest of a row: that is what an inspector does (inspector.h).
//
// Nothing here depends on what the loop computes. Products of sparse matrices in any storage by
// rows, their transposes' gathers, stencils through lists of neighbours and histograms of segments
// are all row loops.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_LOOP_H
#define SPECRT_SPECIALIZER_SPARSE_LOOPS_ROW_LOOP_H

#include "specializer/sparse/loops/hoisted_pointers.h"
#include "specializer/sparse/loops/row_linearity.h"
#include "specrt/jit_api.h"
#include "specrt/rows.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace specrt {

/// A phi of the row loop's header that is an affine function of the row's number.
struct RowCounter {
  llvm::PHINode *Phi;
  llvm::APInt Step; ///< bytes for pointers
  bool MayWrap;     ///< as a signed number
};

/// A pointer through which the loop accesses memory, or all that rows read from one place of an
/// array of pointers.
struct RowBase {
  llvm::Value *Pointer; ///< from outside; null: rows read it
  uint32_t Flags;       ///< enum specrt_rows_base_flags
  /// All accesses are RowLoop::Circular but, in each row, the first that is made.
  bool FirstIsDirect = false;
};

struct RowLoop {
  llvm::Loop *L = nullptr;
  const llvm::SCEV *BackedgeTaken = nullptr;
  std::vector<RowCounter> Counters;
  /// Other phis of the header: values that follow from what the row before has read.
  llvm::SmallVector<llvm::PHINode *> Carried;
  /// Loads whose values decide.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Deciding;
  /// Inner loops without such loads, the outermost of them: they stay loops in every class.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Opaque;
  /// Opaque loops that can be one loop with others of the same number, where nothing else comes
  /// between them (jammed_loops.h).
  llvm::SmallDenseMap<const llvm::Loop *, unsigned, 4> Jams;
  /// Inner loops that are left in several places, like the merge of two rows. How often they are
  /// executed follows from their branches, which a trace has one after the other; the trace of any
  /// other loop that is not opaque begins with its trip count.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Stepped;
  /// Those through which decides what is read come first, each after all that decide what is read
  /// through it: memory that is as it was up to one of them may be read through the next.
  std::vector<RowBase> Bases;
  /// Accesses through a base that comes earlier than what decides about them, as where rows name
  /// other rows. They have to be on pages that other loads through it read.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Circular;
  llvm::DenseMap<const llvm::Instruction *, unsigned> BaseOf; ///< of each load and store
  /// Everything from outside that the loop uses, constants excepted.
  llvm::SmallSetVector<llvm::Value *, 16> Inputs;
  /// [Inputs] enum specrt_rows_deciding
  llvm::SmallVector<uint8_t> IsDeciding;

  /// Rows may access what others write, depending on what decides.
  bool MayWait = false;
  /// Calls of sqrt or of exp and its like, not both: in whatever order they are made, errno is the
  /// same in the end. Of the thread that makes them.
  llvm::SmallPtrSet<const llvm::CallInst *, 2> ReportingErrors;
  /// Nothing would be different if notes were made elsewhere.
  bool NotesMayMove = true;
  /// Values from outside only as long as this is there.
  HoistedPointers Pointers;
  /// Rows of a class follow from two of them; nothing: maybe not.
  std::optional<RowLinearity> Linearity;

  /// Which of the inputs \p Base is, or SPECRT_ROWS_NO_INPUT.
  uint32_t inputOf(const RowBase &Base) const;
  /// Does what decides depend on the iteration at all? A loop around a row loop only repeats.
  bool decidesByIteration(llvm::ScalarEvolution &SE) const;
  /// All carried values are of at most 32 bits.
  bool hasNarrowCarried() const;

  /// Is \p I, a load or store, one of a note?
  bool isOfNote(const llvm::Instruction &I) const {
    const auto At = BaseOf.find(&I);
    return At != BaseOf.end() && (Bases[At->second].Flags & SPECRT_ROWS_NOTES);
  }
  /// Are addresses among what traces have?
  bool hasAddresses() const;
  /// For which places of arrays in other runs does hold what is found out in this one?
  specrt_rows_places places() const;
  bool hasNotes() const {
    return llvm::any_of(Bases, [](const RowBase &B) { return B.Flags & SPECRT_ROWS_NOTES; });
  }

  /// Does a trace have trip counts of \p Inner, so that \p BB, which leaves it, needs no entry?
  bool leavesCounted(const llvm::Loop &Inner, const llvm::BasicBlock &BB) const;
  /// The opaque loop around \p BB; null outside of any.
  const llvm::Loop *opaqueAround(const llvm::LoopInfo &LI, const llvm::BasicBlock *BB) const;
};

/// Why a loop is none, for reports.
struct RowObstacle {
  specrt_note_code About;
  std::string Text;

  static RowObstacle of(const llvm::Loop &L, const char *Obstacle);
};

/// Splits the loops of \p F that are row loops but for sums which they carry (carried_sums.h).
void splitCarriedSums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// May a row loop carry sums, in code that executes the rows as they were written?
enum class RowSums : uint8_t { MayBeCarried, AreSplit };

/// The row loops of \p F, in the order of their headers, none within another. \p F is brought into
/// the form of LoopSimplify before. For the same function the answer is always the same. \p Why
/// gets one for each loop that would be one but for something that it contains. Before the analyses
/// are asked again, once the loops are gone, they have to be forgotten.
std::vector<RowLoop> findRowLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                  RowSums Sums, std::vector<RowObstacle> *Why = nullptr);

/// Is \p V computed from what is read in \p L?
bool isReadWithin(const llvm::Loop &L, const llvm::Value &V);

} // namespace specrt

#endif
