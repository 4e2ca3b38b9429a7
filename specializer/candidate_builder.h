//===- specializer/candidate_builder.h - modules made by strategies -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a specialised region to optimised modules, one per candidate: LLVM's pipeline alone, or
// before it Polly's model and a strategy's order (strategies/strategy.h). Strategies that can work
// on the same model do, because models take most of the time.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_CANDIDATE_BUILDER_H
#define SPECRT_SPECIALIZER_CANDIDATE_BUILDER_H

#include "specializer/module/optimize.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specializer/specialize.h"
#include "specializer/strategies/selection.h"

namespace specrt {

class CandidateBuilder {
public:
  /// All but the guards, which \p Base relies on, must outlive the builder.
  CandidateBuilder(llvm::Module &Base, GuardList Guards, const specrt_jit_request &Request,
                   Optimizer &Passes, CompileBudget &Budget, Dump &Files, CandidateSink Ready,
                   AbsenceSink Absent);

  /// Everything that may win and does not exist yet.
  void addAll();
  /// Of the candidates that are named, separated by commas, only the first that exists.
  void addFirstOf(llvm::StringRef Names);

  /// From a base that was made for \p Kind, one that needs no model.
  void addAlone(const CandidateKind &Kind) { addWithoutModel(Kind); }
  /// What is made next is the code of \p Kind, too: see CandidateModule.
  void setSerialTwin(const CandidateKind &Kind) { SerialTwin = Kind.Name; }
  /// Is it settled what becomes of \p Kind?
  bool isSettled(const CandidateKind &Kind) const;

  unsigned numCandidates() const { return unsigned(Demanded.size()); }
  /// The guards of each candidate that was made, by its name.
  llvm::ArrayRef<std::pair<std::string, GuardList>> demanded() const { return Demanded; }
  /// One per candidate that was not made.
  const Notes &notes() const { return Told; }
  /// By any candidate.
  llvm::ArrayRef<ModelledSubscript> modelled() const { return Modelled; }

private:
  using Kinds = llvm::ArrayRef<const CandidateKind *>;

  void addWithoutModel(const CandidateKind &Kind);
  bool hasSmallModel() const;
  void addSharedLoops(const CandidateKind &Kind);
  void addModelled(llvm::SmallVector<const CandidateKind *> Some, bool OnlyOne);
  unsigned addFirstModelled(Kinds Some);
  PolyhedralResult transform(llvm::Function &F, Kinds Some, llvm::raw_ostream *Trace);
  void removePointless(llvm::SmallVector<const CandidateKind *> &Some, bool OnlyOne);
  void discard(const CandidateKind &Kind, const llvm::Twine &Why,
               specrt_note_code About = SPECRT_NOTE_PLAIN);
  void passOver(const CandidateKind &Kind, const PolicyOutcome &Outcome);
  bool isUseful(const CandidateKind &Kind, const PolyhedralResult &Poly);
  unsigned numUnknownSizes() const;
  bool add(const CandidateKind &Kind, std::unique_ptr<llvm::Module> M, double StartMs);
  void note(const CandidateKind &Kind, const llvm::Twine &Text,
            specrt_note_code About = SPECRT_NOTE_PLAIN) {
    Told.add(About, llvm::Twine(Kind.Name) + ": " + Text);
  }

  llvm::Module &Base;
  const GuardList Guards; ///< what Base relies on, in the order in which they must be checked
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
  bool AreTooLarge = false;   ///< nests, for their dependences to be computed
  bool DependsOnData = false; ///< parallel loops in the source's order need a check of data
};

} // namespace specrt

#endif
