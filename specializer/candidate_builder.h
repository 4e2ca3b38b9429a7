//===- specializer/candidate_builder.h - builds candidates by strategies --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a specialised region into optimised modules, one per candidate: by LLVM's pipeline alone,
// or after Polly's model and a strategy's schedule (strategies/strategy.h). Strategies share models
// where possible, because models take most of the time.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_CANDIDATE_BUILDER_H
#define SPECRT_SPECIALIZER_CANDIDATE_BUILDER_H

#include "specializer/loops/shareable_loops.h"
#include "specializer/module/optimize.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specializer/specialize.h"
#include "specializer/strategies/selection.h"
#include <optional>

namespace specrt {

class CandidateBuilder {
public:
  /// All arguments except \p Guards, the guards of \p Base, must outlive the builder.
  CandidateBuilder(llvm::Module &Base, GuardList Guards, const specrt_jit_request &Request,
                   Optimizer &Passes, CompileBudget &Budget, Dump &Files, CandidateSink Ready,
                   AbsenceSink Absent);

  /// Builds every candidate that may win and does not exist yet.
  void addAll();
  /// Builds the first possible one of the candidates named in \p Names, separated by commas.
  void addFirstOf(llvm::StringRef Names);

  /// Builds a candidate from a base that was made for \p Kind, a kind that needs no model.
  void addAlone(const CandidateKind &Kind) { addWithoutModel(Kind); }
  /// Declares that the next candidate is also the code of \p Kind: see CandidateModule.
  void setSerialTwin(const CandidateKind &Kind) { SerialTwin = Kind.Name; }
  /// Returns whether an earlier compilation has settled \p Kind: it exists, or cannot.
  bool isSettled(const CandidateKind &Kind) const;

  unsigned numCandidates() const { return unsigned(Demanded.size()); }
  /// Returns the guards of each candidate that was built, by its name.
  llvm::ArrayRef<std::pair<std::string, GuardList>> demanded() const { return Demanded; }
  /// Returns one note per candidate that was not built.
  const Notes &notes() const { return Told; }
  /// Returns the subscripts that models of any candidate contained.
  llvm::ArrayRef<ModelledSubscript> modelled() const { return Modelled; }

private:
  using Kinds = llvm::ArrayRef<const CandidateKind *>;

  /// A module in which threads share loops, but not all outermost ones that have enough work.
  struct InnerLoops {
    const CandidateKind *Kind;
    std::unique_ptr<llvm::Module> M;
    SharedLoops Shared;
    double Ms; ///< spent on it so far
  };

  void addWithoutModel(const CandidateKind &Kind);
  bool hasSmallModel() const;
  void addSharedLoops(const CandidateKind &Kind);
  void addSplitLoops(const CandidateKind &Kind);
  void addInnerLoops();
  bool addShared(const CandidateKind &Kind, std::unique_ptr<llvm::Module> M,
                 const SharedLoops &Shared, double StartMs);
  void addModelled(llvm::SmallVector<const CandidateKind *> Some, bool OnlyOne);
  unsigned addFirstModelled(Kinds Some);
  PolyhedralResult transform(llvm::Function &F, Kinds Some, llvm::raw_ostream *Trace);
  void removePointless(llvm::SmallVector<const CandidateKind *> &Some, bool OnlyOne);
  void discard(const CandidateKind &Kind, const llvm::Twine &Why,
               specrt_note_code About = SPECRT_NOTE_PLAIN);
  void setAbsent(const CandidateKind &Kind);
  void passOver(const CandidateKind &Kind, const PolicyOutcome &Outcome);
  bool isUseful(const CandidateKind &Kind, const PolyhedralResult &Poly);
  unsigned numUnknownSizes() const;
  bool add(const CandidateKind &Kind, std::unique_ptr<llvm::Module> M, double StartMs);
  void note(const CandidateKind &Kind, const llvm::Twine &Text,
            specrt_note_code About = SPECRT_NOTE_PLAIN) {
    Told.add(About, llvm::Twine(Kind.Name) + ": " + Text);
  }

  llvm::Module &Base;
  const GuardList Guards; ///< guards of Base, in the order in which they must be checked
  const specrt_jit_request &Request;
  Optimizer &Passes;
  CompileBudget &Budget;
  Dump &Files;
  CandidateSink Ready;
  AbsenceSink Absent;
  StrategySelection Chosen;
  std::string SerialTwin;
  std::vector<std::pair<std::string, GuardList>> Demanded;
  std::vector<ModelledSubscript> Modelled;
  Notes Told;
  std::optional<InnerLoops> Inner;
  bool AreTooLarge = false;   ///< nests are too large to compute their dependences
  bool DependsOnData = false; ///< parallel loops in the source's order need a check of data
};

} // namespace specrt

#endif
