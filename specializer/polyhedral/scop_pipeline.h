//===- specializer/polyhedral/scop_pipeline.h - one Scop up to its syntax tree -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplification, scalar removal, dependences, schedule and syntax tree of one Scop. The schedule
// is a policy's choice (schedule_policy.h); several policies can be tried on one model as long as
// none has found something. Between phases the compile budget and isl's error state are looked at.
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

  /// Brings the Scop to a syntax tree. Null when the policy finds nothing or a limit was exceeded;
  /// note() says which.
  std::unique_ptr<polly::IslAstInfo> run(const SchedulePolicy &Policy);

  /// After a policy that found nothing: is the Scop as \p Policy wants it?
  bool isReadyFor(const SchedulePolicy &Policy) const {
    if (IsSpent || !IsModelled)
      return !IsSpent;
    return Policy.expandsStorage(Options.Parallel) ? IsExpanded || !passesScalars(S)
                                                   : Expanded.all().empty();
  }

  /// False with a note. Looks at loops, and at dependences where they are known: costs little.
  bool mayFit(const SchedulePolicy &Policy);

  const std::string &note() const { return Note; }
  /// What the policy says about the order that it chose; "": nothing.
  const std::string &order() const { return Chosen.Note; }
  bool isTooLarge() const { return IsTooLarge; }
  /// Of the policy that ran last.
  bool dependsOnWorkers() const { return Chosen.DependsOnWorkers; }
  /// What Polly's dependences do not say about loops that run in parallel; may be null.
  const isl::union_map &conflicts() const { return Chosen.Conflicts; }
  /// Arrays of which threads need copies of their own in the tree's parallel loops.
  const PrivateArrays &privateArrays() const { return Private; }
  /// Arrays in which places share memory.
  llvm::ArrayRef<CompactArray> compactArrays() const { return Compact; }
  llvm::ArrayRef<std::string> storage() const { return Storage; } ///< of compactArrays(), in words
  /// Bytes of expanded and transient arrays before and after places are joined.
  int64_t expandedBytes() const;
  int64_t compactBytes() const { return expandedBytes() - SavedBytes; }

private:
  /// Converts to "no", whatever is asked for.
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
  bool CanMoveValues = false; ///< accesses are aligned as their types are
  bool IsExpanded = false;    ///< storage was expanded where that is possible
  bool IsSpent = false;       ///< it has another schedule
  bool IsTooLarge = false;    ///< for complete dependences
  ExpandedStorage Expanded;
  PrivateArrays Private;
  TransientArrays Transient;
  llvm::SmallVector<CompactArray, 4> Compact;
  std::vector<std::string> Storage;
  int64_t SavedBytes = 0; ///< by joining places
  NewSchedule Chosen;     ///< the syntax tree refers to it
  std::string Note;
  std::string ModelFailure; ///< why it has no model
};

} // namespace specrt

#endif
