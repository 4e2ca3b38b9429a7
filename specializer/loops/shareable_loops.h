//===- specializer/loops/shareable_loops.h - chooses loops for threads to share ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_LOOPS_SHAREABLE_LOOPS_H
#define SPECRT_SPECIALIZER_LOOPS_SHAREABLE_LOOPS_H

#include "specializer/loops/independence/pipelined_loop.h"
#include "specializer/loops/independence/work_arrays.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/ValueHandle.h"
#include <optional>
#include <string>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace specrt {

/// Numbers of loops that threads share.
struct SharedLoops {
  unsigned All = 0;
  unsigned Outermost = 0;   ///< shared loops that are in no other loop
  unsigned Balanced = 0;    ///< shared loops of which threads take chunks of equal work
  unsigned Collapsed = 0;   ///< balanced loops of which threads also share loops inside
  unsigned Distributed = 0; ///< shared loops that compute what a serial loop needs
  std::string Guards;       ///< the conditions on data for some of them, in words; "" if none
};

/// The machine and the time for which loops are shared.
struct SharingThreads {
  unsigned Count = 0; ///< threads that execute a loop
  /// Returns the nanoseconds of one start of the loop that has the header; 0 if they are not known.
  llvm::function_ref<double(const llvm::BasicBlock &Header)> NsPerStart;
};

/// The loops of a function that threads can share. They are found before any of them changes. The
/// function must be in canonical form, and share() keeps it in that form.
class ShareableLoops {
public:
  /// With \p MayTransform the loops include those that need an inspector or have to be split, and
  /// outermost loops whose inner loops are shared as a pipeline. These must not change before
  /// share().
  ShareableLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, bool MayTransform,
                 llvm::function_ref<bool()> Expired);

  /// Returns whether \p L is among them.
  bool includes(const llvm::Loop &L) const;

  /// Returns the time that \p Threads threads take for \p L, as a part of what one thread takes: 1
  /// if it is not among them. An inspector runs on one thread.
  double timeOf(const llvm::Loop &L, unsigned Threads) const;

  /// Returns whether all outermost loops for which \p Demanded returns true are among them.
  bool includeAll(llvm::function_ref<bool(const llvm::Loop &)> Demanded) const;

  /// Returns why some loop is not among them; "" if no reason is known.
  const std::string &note() const { return Note; }

  /// Rewrites the loops for which \p Pays returns true so that threads share them. The second
  /// argument of \p Pays is the pipeline that the loop would be, or null. If \p Threads is not
  /// null, threads share loops in chunks of equal work, or collapsed with the loops inside, where
  /// that is faster. Returns how many loops were rewritten.
  using Decision = llvm::function_ref<bool(const llvm::Loop &, const PipelinedLoop *)>;
  SharedLoops share(Decision Pays, const SharingThreads *Threads = nullptr);

private:
  struct Shareable {
    llvm::BasicBlock *Header;
    llvm::WeakTrackingVH AreApart = {}; ///< an i1 in the preheader: iterations are independent
    bool IsInspected = false;           ///< an inspector has to confirm AreApart
    double InspectorShare = 0;          ///< the part of the loop's work that the inspector does
    bool HasSums = false;               ///< sums have to be split off
    llvm::SmallVector<WorkArray, 2> Arrays = {};
    std::string Note = {}; ///< the purpose of demands on its branches
    std::optional<PipelinedLoop> AsPipeline = std::nullopt; ///< iterations depend on each other
  };

  bool rewrite(const Shareable &Next, llvm::Loop *L, const SharingThreads *Threads,
               SharedLoops &Shared);

  llvm::Function &F;
  llvm::FunctionAnalysisManager &FAM;
  llvm::SmallVector<Shareable, 4> Loops;
  std::string Note;
};

/// The result of shareLoops().
struct SharingOutcome {
  SharedLoops Shared;
  unsigned NumWorthwhile = 0; ///< outermost loops with enough work for threads
  std::string Note;           ///< why some loop is not shared; "" if not known
};

/// Makes \p Threads threads share each loop of \p F that has enough work. \p NsPerCall is the time
/// of a call of the original in nanoseconds, 0 if it is not known. Loops that have not been
/// examined when \p Expired returns true are not shared.
SharingOutcome shareLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, double NsPerCall,
                          unsigned Threads, llvm::function_ref<bool()> Expired);

} // namespace specrt

#endif
