//===- specializer/polyhedral/scop_pipeline.h - brings one Scop to its syntax tree -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification, scalar removal, dependences, schedule and syntax tree of one Scop. A policy
// chooses the schedule (schedule_policy.h); several policies can be tried on one model until one
// finds something. The compile budget and isl's error state are checked between phases.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCOP_PIPELINE_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCOP_PIPELINE_H

#include "polly/CodeGen/IslAst.h"
#include "specializer/polyhedral/model/passed_scalars.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specializer/polyhedral/schedule_policy.h"
#include "specializer/polyhedral/storage/compact_storage.h"
#include "specializer/polyhedral/storage/expand_storage.h"
#include "specializer/polyhedral/storage/private_arrays.h"
#include "specializer/polyhedral/storage/transient_arrays.h"
#include <memory>
#include <string>
#include <vector>

namespace specrt {

class ScopPipeline {
public:
  ScopPipeline(polly::Scop &S, const PolyhedralOptions &Options, llvm::TargetTransformInfo &TTI);

  /// Brings the Scop to a syntax tree. Returns null if the policy finds nothing or a limit was
  /// exceeded; note() says which.
  std::unique_ptr<polly::IslAstInfo> run(const SchedulePolicy &Policy);

  /// Returns whether, after a policy that found nothing, the Scop is in the form that \p Policy
  /// needs.
  bool isReadyFor(const SchedulePolicy &Policy) const {
    if (IsSpent || !IsModelled)
      return !IsSpent;
    return Policy.expandsStorage(Options.Parallel) ? IsExpanded || !passesScalars(S)
                                                   : Expanded.all().empty();
  }

  /// Returns false, with a note, if the policy cannot apply. Checks loops, and dependences if
  /// known; cheap.
  bool mayFit(const SchedulePolicy &Policy);

  const std::string &note() const { return Note; }
  /// Returns the policy's description of the order that it chose; "" if there is none.
  const std::string &order() const { return Chosen.Note; }
  bool isTooLarge() const { return IsTooLarge; }
  /// Result of the policy that ran last.
  bool dependsOnWorkers() const { return Chosen.DependsOnWorkers; }
  /// Returns the conflicts of parallel loops beyond Polly's dependences; may be null.
  const isl::union_map &conflicts() const { return Chosen.Conflicts; }
  /// Returns the arrays of which threads need their own copies in the tree's parallel loops.
  const PrivateArrays &privateArrays() const { return Private; }
  /// Returns the arrays in which places share memory.
  llvm::ArrayRef<CompactArray> compactArrays() const { return Compact; }
  llvm::ArrayRef<std::string> storage() const { return Storage; } ///< describes compactArrays()
  /// Returns the bytes of expanded and transient arrays before and after places are joined.
  int64_t expandedBytes() const;
  int64_t compactBytes() const { return expandedBytes() - SavedBytes; }

private:
  /// Converts to the failure value of any result type.
  struct Failure {
    operator bool() const { return false; }
    operator std::unique_ptr<polly::IslAstInfo>() const { return nullptr; }
  };

  isl_ctx *ctx() const;
  bool model(bool Expand);
  bool computeModel(bool Expand);
  bool storesScalars() const;
  bool makePrivate();
  bool rescheduleCompactly(const SchedulePolicy &Policy);
  bool compactTransientArrays();
  bool compactExpanded();
  bool isOfKernel(const polly::ScopArrayInfo &Array) const;
  void noteCompact(const polly::ScopArrayInfo &Of, int64_t Before, CompactArray &&Made);
  bool refreshDependences();
  bool rescheduleWithPrivateArrays(const SchedulePolicy &Policy);
  bool reschedule(const SchedulePolicy &Policy);
  std::unique_ptr<polly::IslAstInfo> generateAst();
  Failure fail(llvm::StringRef Why);
  bool stopped(llvm::StringRef Phase);
  void printModel(llvm::raw_ostream &OS, llvm::StringRef Title);
  void printSchedule(llvm::raw_ostream &OS, llvm::StringRef Title);

  polly::Scop &S;
  const PolyhedralOptions &Options;
  ScopModel Model;
  bool IsModelled = false;
  bool CanMoveValues = false; ///< accesses have the alignment of their types
  bool IsExpanded = false;    ///< storage was expanded where possible
  bool IsSpent = false;       ///< it has another schedule already
  bool IsTooLarge = false;    ///< too large for complete dependences
  ExpandedStorage Expanded;
  PrivateArrays Private;
  TransientArrays Transient;
  llvm::SmallVector<CompactArray, 4> Compact;
  std::vector<std::string> Storage;
  int64_t SavedBytes = 0; ///< bytes saved by joining places
  NewSchedule Chosen;     ///< the syntax tree refers to it
  std::string Note;
  std::string ModelFailure; ///< why it has no model
};

} // namespace specrt

#endif
