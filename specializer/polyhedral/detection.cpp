//===- specializer/polyhedral/detection.cpp - why a nest is not a Scop as written -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Polly hides two classical causes: it accepts aliasing arrays behind run-time checks and guesses
// the shape of linearised arrays. Both are disabled here, because the question is what the code
// itself shows; a guard then resolves it. One cause that Polly never reports is added: a bound such
// as N*N is an opaque parameter for Polly, and so not affine in the program's own parameters.
//
//===--------------------------------------------------------------------------------------------===//

#include "polly/ScopDetectionDiagnostic.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/iteration_scopes.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specializer/polyhedral/rejection_text.h"
#include "specrt/jit_api.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueSymbolTable.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <tuple>

using namespace llvm;

namespace specrt {
namespace {

/// Collects the causes of one function, each kind once per line.
class CauseCollector {
public:
  void add(const RejectionText &Text, std::string Message, const DebugLoc &Location,
           StringRef Array = "") {
    RejectionCause Cause;
    Cause.Kind = Text.Kind;
    Cause.Message = std::move(Message);
    Cause.Array = Array.str();
    Cause.Speculative = Text.Speculative;
    if (const DILocation *DL = Location.get()) {
      Cause.File = DL->getFilename().str();
      Cause.Line = DL->getLine();
    }
    bool Known = llvm::any_of(Causes, [&](const RejectionCause &Other) {
      return Other.Kind == Cause.Kind && Other.Line == Cause.Line && Other.File == Cause.File &&
             Other.Message == Cause.Message;
    });
    if (!Known)
      Causes.push_back(std::move(Cause));
  }

  std::vector<RejectionCause> take() {
    llvm::sort(Causes, [](const auto &A, const auto &B) {
      return std::tie(A.File, A.Line, A.Kind, A.Message) <
             std::tie(B.File, B.Line, B.Kind, B.Message);
    });
    return std::move(Causes);
  }

private:
  std::vector<RejectionCause> Causes;
};

/// Returns Polly's reason in plain words. Loops that copy or fill memory have become calls of
/// functions that the user did not write, so the text is about where they write.
RejectionText textOf(const polly::RejectReason &Reason) {
  const bool IsCopy = Reason.getKind() == polly::RejectReasonKind::FuncCall &&
                      StringRef(Reason.getMessage()).contains("@llvm.mem");
  if (!IsCopy)
    return rejectionText(Reason.getKind());
  RejectionText Text = rejectionText(polly::RejectReasonKind::NonAffineAccess);
  Text.Message =
      "where a block of memory is copied or filled, or its size, is not a linear function "
      "of loop counters";
  return Text;
}

/// Returns the array of a non-affine access, as the code names it. Polly only reports it in quotes
/// within a sentence, "UNKNOWN" if it has no name.
StringRef arrayOf(const polly::RejectReason &Reason, const std::string &Sentence) {
  if (Reason.getKind() != polly::RejectReasonKind::NonAffineAccess)
    return "";
  StringRef Name = StringRef(Sentence).split('"').second.rsplit('"').first;
  return Name == "UNKNOWN" ? "" : Name;
}

std::string messageFor(const RejectionText &Text, const std::string &Sentence, StringRef Array,
                       const Function &F, NameOfArray Names) {
  const Value *Base = F.getValueSymbolTable()->lookup(Array);
  if (!Base)
    Base = F.getParent()->getNamedValue(Array);
  if (const std::string Name = Base && !Array.empty() ? Names(*Base) : ""; !Name.empty())
    return "an index of " + Name + " is not a linear function of loop counters";
  return Text.Message ? Text.Message : Sentence;
}

DebugLoc locationOf(const polly::RejectReason &Reason, const Region &R, const LoopInfo &LI) {
  if (const DebugLoc &Location = Reason.getDebugLoc())
    return Location;
  if (const Loop *L = LI.getLoopFor(R.getEntry()))
    return L->getStartLoc();
  return DebugLoc();
}

/// Returns whether \p I reads a place in memory that is constant throughout the call.
bool readsOnePlace(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load)
    return false;
  APInt Offset(64, 0);
  return isa<Argument, GlobalVariable>(Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      I.getDataLayout(), Offset, /*AllowNonInbounds=*/true));
}

/// Returns whether \p Subscript contains a value that loops compute from data, such as an index
/// read from another array. No guard makes that linear.
bool dependsOnData(const SCEV *Subscript, const LoopInfo &LI) {
  return SCEVExprContains(Subscript, [&](const SCEV *Part) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    auto *Made = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return Made && LI.getLoopFor(Made->getParent()) && !readsOnePlace(*Made);
  });
}

void collect(const polly::ScopDetection &Detection, const Region &R, const LoopInfo &LI,
             NameOfArray Names, CauseCollector &Causes) {
  if (const polly::RejectLog *Log = Detection.lookupRejectionLog(&R))
    for (const polly::RejectReasonPtr &Reason : *Log) {
      using K = polly::RejectReasonKind;
      // The region around the whole function is never a Scop, which is irrelevant for the nest.
      if (Reason->getKind() == K::Entry || Reason->getKind() == K::Unprofitable)
        continue;
      RejectionText Text = textOf(*Reason);
      if (auto *Access = dyn_cast<polly::ReportNonAffineAccess>(Reason.get()))
        Text.Speculative = !dependsOnData(Access->get(), LI);
      const std::string Sentence = Reason->getEndUserMessage();
      const StringRef Array = arrayOf(*Reason, Sentence);
      Causes.add(Text, messageFor(Text, Sentence, Array, *R.getEntry()->getParent(), Names),
                 locationOf(*Reason, R, LI), Array);
    }
  for (const std::unique_ptr<Region> &Child : R)
    collect(Detection, *Child, LI, Names, Causes);
}

/// Returns whether \p S multiplies two values that are not constants, as in N*N.
bool multipliesParameters(const SCEV *S) {
  return SCEVExprContains(S, [](const SCEV *E) {
    auto *Product = dyn_cast<SCEVMulExpr>(E);
    return Product && llvm::count_if(Product->operands(),
                                     [](const SCEV *Op) { return !isa<SCEVConstant>(Op); }) > 1;
  });
}

void collectNonAffineBounds(const LoopInfo &LI, ScalarEvolution &SE, CauseCollector &Causes) {
  for (const Loop *L : LI.getLoopsInPreorder()) {
    const SCEV *Count = SE.getBackedgeTakenCount(L);
    if (!isa<SCEVCouldNotCompute>(Count) && multipliesParameters(Count))
      Causes.add({"non-affine bound", nullptr, true},
                 "the number of iterations is a product of parameters", L->getStartLoc());
  }
}

} // namespace

static std::vector<RejectionCause> explain(Function &F, FunctionAnalysisManager &FAM,
                                           NameOfArray Names) {
  PollyOptionScope Options;
  Options.set("polly-detect-track-failures", true);
  Options.set("polly-detect-keep-going", true);
  Options.set("polly-use-runtime-alias-checks", false);
  Options.set("polly-delinearize", false);
  Options.set("polly-process-unprofitable", true);

  DetectedScops Scops(F, FAM);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  CauseCollector Causes;
  collect(Scops.Detection, *Scops.Regions.getTopLevelRegion(), LI, Names, Causes);
  collectNonAffineBounds(LI, FAM.getResult<ScalarEvolutionAnalysis>(F), Causes);
  return Causes.take();
}

std::vector<RejectionCause> explainRejections(Function &F, FunctionAnalysisManager &FAM,
                                              NameOfArray Names) {
  if (!declaresScopes(F))
    return explain(F, FAM, Names);
  // Scope declarations are no causes, because optimizeScops removes them.
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  forgetIterationScopes(*Copy, FAM);
  std::vector<RejectionCause> Causes = explain(*Copy, FAM, Names);
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  return Causes;
}

void removeAnswered(std::vector<RejectionCause> &Causes, ArrayRef<ModelledSubscript> Modelled) {
  const StringRef Kind = rejectionText(polly::RejectReasonKind::NonAffineAccess).Kind;
  llvm::erase_if(Causes, [&](const RejectionCause &Cause) {
    return Cause.Kind == Kind && llvm::any_of(Modelled, [&](const ModelledSubscript &Known) {
             // A line may access several arrays.
             return Cause.File == Known.File && Cause.Line == Known.Line &&
                    (Cause.Array.empty() || Cause.Array == Known.Array);
           });
  });
}

std::vector<const char *> rejectionKinds() {
  using K = polly::RejectReasonKind;
  std::vector<const char *> Kinds = {SPECRT_CAUSE_INDIRECTION};
  for (int I = static_cast<int>(K::CFG); I <= static_cast<int>(K::LastOther); ++I) {
    StringRef Kind = rejectionText(static_cast<K>(I)).Kind;
    if (llvm::none_of(Kinds, [&](const char *Known) { return Kind == Known; }))
      Kinds.push_back(Kind.data());
  }
  return Kinds;
}

} // namespace specrt
