//===- specializer/sparse/loops/row_loop.h - loops over rows of sparse data -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row loop has a trip count that is known when it begins, and its iterations, the rows, differ by
// integers in memory: bounds of inner loops, subscripts, branches. All that determines addresses
// and control can be computed without executing the rest of a row, which an inspector does
// (inspector.h).
//
// This does not depend on what the loop computes. Products of sparse matrices in any storage by
// rows, gathers of their transposes, stencils through lists of neighbours and histograms of
// segments are all row loops.
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

/// A pointer through which the loop accesses memory, or all pointers that rows read from one place
/// of an array of pointers.
struct RowBase {
  llvm::Value *Pointer; ///< from outside; null if rows read it
  uint32_t Flags;       ///< enum specrt_rows_base_flags
  /// All accesses are RowLoop::Circular, except for the first one of each row.
  bool FirstIsDirect = false;
};

struct RowLoop {
  llvm::Loop *L = nullptr;
  const llvm::SCEV *BackedgeTaken = nullptr;
  std::vector<RowCounter> Counters;
  /// Other phis of the header: values that depend on what the previous row has read.
  llvm::SmallVector<llvm::PHINode *> Carried;
  /// Loads whose values determine addresses or control.
  llvm::SmallPtrSet<const llvm::Instruction *, 8> Deciding;
  /// Outermost inner loops without such loads: they stay loops in every class.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Opaque;
  /// Opaque loops with the number of their jam: those with the same number can be one loop if
  /// nothing else is executed between them (jammed_loops.h).
  llvm::SmallDenseMap<const llvm::Loop *, unsigned, 4> Jams;
  /// Inner loops with several exits, such as the merge of two rows. Their trip counts follow from
  /// their branches, which the trace contains one after the other; the trace of other non-opaque
  /// loops begins with the trip count.
  llvm::SmallPtrSet<const llvm::Loop *, 4> Stepped;
  /// Deciding bases come first, each after all bases that determine what is read through it: if
  /// memory is unchanged up to one of them, the next may be read.
  std::vector<RowBase> Bases;
  /// Accesses through a base that precedes a base that determines them, as where rows name other
  /// rows. They must be on pages that other loads through the same base read.
  llvm::SmallPtrSet<const llvm::Instruction *, 4> Circular;
  llvm::DenseMap<const llvm::Instruction *, unsigned> BaseOf; ///< of each load and store
  /// All values from outside that the loop uses, except for constants.
  llvm::SmallSetVector<llvm::Value *, 16> Inputs;
  /// [Inputs] enum specrt_rows_deciding
  llvm::SmallVector<uint8_t> IsDeciding;

  /// Whether rows may access what others write, depending on deciding values.
  bool MayDepend = false;
  /// Calls of either sqrt or exp and similar functions. errno of the calling thread is the same
  /// after any order of them.
  llvm::SmallPtrSet<const llvm::CallInst *, 2> ReportingErrors;
  /// Whether notes may be made elsewhere without changing anything.
  bool NotesMayMove = true;
  /// Pointers that count as inputs while this object exists.
  HoistedPointers Pointers;
  /// How two rows of a class predict others; nothing if they are not known to.
  std::optional<RowLinearity> Linearity;

  /// Returns the index of \p Base in Inputs, or SPECRT_ROWS_NO_INPUT.
  uint32_t inputOf(const RowBase &Base) const;
  /// Returns whether deciding values depend on the iteration. If not, the loop only repeats a row
  /// loop.
  bool decidesByIteration(llvm::ScalarEvolution &SE) const;
  /// Returns whether all carried values have at most 32 bits.
  bool hasNarrowCarried() const;

  /// Returns whether \p I, a load or store, accesses a note.
  bool isOfNote(const llvm::Instruction &I) const {
    const auto At = BaseOf.find(&I);
    return At != BaseOf.end() && (Bases[At->second].Flags & SPECRT_ROWS_NOTES);
  }
  /// Returns whether traces contain addresses.
  bool hasAddresses() const;
  /// Returns for which places of arrays in other runs the tables of this run are valid.
  specrt_rows_places places() const;
  bool hasNotes() const {
    return llvm::any_of(Bases, [](const RowBase &B) { return B.Flags & SPECRT_ROWS_NOTES; });
  }

  /// Returns whether traces have trip counts of \p Inner, so that \p BB, its exiting block, needs
  /// no entry.
  bool leavesCounted(const llvm::Loop &Inner, const llvm::BasicBlock &BB) const;
  /// Returns the opaque loop around \p BB, or null.
  const llvm::Loop *opaqueAround(const llvm::LoopInfo &LI, const llvm::BasicBlock *BB) const;
};

/// Why a loop is not a row loop, for reports.
struct RowObstacle {
  specrt_note_code About;
  std::string Text;

  static RowObstacle of(const llvm::Loop &L, const char *Obstacle);
};

/// Splits those loops of \p F that are row loops except for sums that they carry (carried_sums.h).
void splitCarriedSums(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);

/// Whether row loops may carry sums: then code executes the rows as written.
enum class RowSums : uint8_t { MayBeCarried, AreSplit };

/// Returns the row loops of \p F, in the order of their headers, none inside another. First brings
/// \p F into LoopSimplify form. The result is deterministic. Adds an obstacle to \p Why for each
/// loop that is no row loop because of something that it contains. Once the result is destroyed,
/// ScalarEvolution must forget all loops before it is used again.
std::vector<RowLoop> findRowLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                                  RowSums Sums, std::vector<RowObstacle> *Why = nullptr);

/// Returns whether \p V is computed from values loaded in \p L.
bool isReadWithin(const llvm::Loop &L, const llvm::Value &V);

} // namespace specrt

#endif
