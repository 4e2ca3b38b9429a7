//===- specializer/polyhedral/detection.cpp - why a nest is not a Scop as written -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Today's Polly hides two classical causes: it accepts aliasing arrays behind run-time checks and
// guesses the shape of linearised arrays. Both are switched off here, because the question is what
// the code itself says; a guard then answers it. One cause Polly never reports is added: a bound
// such as N*N is an opaque parameter to it, hence not affine in the program's own parameters.
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
#include "llvm/Transforms/Utils/Cloning.h"
#include <tuple>

using namespace llvm;

namespace specrt {
namespace {

/// Causes of one function, each kind once per line.
class CauseCollector {
public:
  void add(const RejectionText &Text, std::string Message, const DebugLoc &Location) {
    RejectionCause Cause;
    Cause.Kind = Text.Kind;
    Cause.Message = std::move(Message);
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

std::string quoteName(const std::string &EndUserMessage) {
  // Polly names an array whose IR value has no name "UNKNOWN"; say nothing instead.
  return EndUserMessage.find("UNKNOWN") == std::string::npos ? EndUserMessage : std::string();
}

std::string messageFor(const polly::RejectReason &Reason, const RejectionText &Text) {
  using K = polly::RejectReasonKind;
  if (Reason.getKind() == K::NonAffineAccess) {
    std::string Named = quoteName(Reason.getEndUserMessage());
    if (!Named.empty())
      return Named;
  }
  if (Text.Message)
    return Text.Message;
  return Reason.getEndUserMessage();
}

DebugLoc locationOf(const polly::RejectReason &Reason, const Region &R, const LoopInfo &LI) {
  if (const DebugLoc &Location = Reason.getDebugLoc())
    return Location;
  if (const Loop *L = LI.getLoopFor(R.getEntry()))
    return L->getStartLoc();
  return DebugLoc();
}

/// Does \p I read a place in memory that is the same throughout the call?
bool readsOnePlace(const Instruction &I) {
  auto *Load = dyn_cast<LoadInst>(&I);
  if (!Load)
    return false;
  APInt Offset(64, 0);
  return isa<Argument, GlobalVariable>(Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
      I.getDataLayout(), Offset, /*AllowNonInbounds=*/true));
}

/// Is a value in \p Subscript computed in the loops from data, as an index that is read from
/// another array? No guard makes that linear.
bool dependsOnData(const SCEV *Subscript, const LoopInfo &LI) {
  return SCEVExprContains(Subscript, [&](const SCEV *Part) {
    auto *Unknown = dyn_cast<SCEVUnknown>(Part);
    auto *Made = Unknown ? dyn_cast<Instruction>(Unknown->getValue()) : nullptr;
    return Made && LI.getLoopFor(Made->getParent()) && !readsOnePlace(*Made);
  });
}

void collect(const polly::ScopDetection &Detection, const Region &R, const LoopInfo &LI,
             CauseCollector &Causes) {
  if (const polly::RejectLog *Log = Detection.lookupRejectionLog(&R))
    for (const polly::RejectReasonPtr &Reason : *Log) {
      using K = polly::RejectReasonKind;
      // The region around the whole function is never a Scop; that says nothing about the nest.
      if (Reason->getKind() == K::Entry || Reason->getKind() == K::Unprofitable)
        continue;
      RejectionText Text = rejectionText(Reason->getKind());
      if (auto *Access = dyn_cast<polly::ReportNonAffineAccess>(Reason.get()))
        Text.Speculative = !dependsOnData(Access->get(), LI);
      Causes.add(Text, messageFor(*Reason, Text), locationOf(*Reason, R, LI));
    }
  for (const std::unique_ptr<Region> &Child : R)
    collect(Detection, *Child, LI, Causes);
}

/// True when \p S multiplies two values that are not constants, as N*N does.
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

static std::vector<RejectionCause> explain(Function &F, FunctionAnalysisManager &FAM) {
  PollyOptionScope Options;
  Options.set("polly-detect-track-failures", true);
  Options.set("polly-detect-keep-going", true);
  Options.set("polly-use-runtime-alias-checks", false);
  Options.set("polly-delinearize", false);
  Options.set("polly-process-unprofitable", true);

  DetectedScops Scops(F, FAM);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  CauseCollector Causes;
  collect(Scops.Detection, *Scops.Regions.getTopLevelRegion(), LI, Causes);
  collectNonAffineBounds(LI, FAM.getResult<ScalarEvolutionAnalysis>(F), Causes);
  return Causes.take();
}

std::vector<RejectionCause> explainRejections(Function &F, FunctionAnalysisManager &FAM) {
  if (!declaresScopes(F))
    return explain(F, FAM);
  // Declarations do not stand in the way: optimizeScops removes them.
  ValueToValueMapTy Map;
  Function *Copy = CloneFunction(&F, Map);
  forgetIterationScopes(*Copy, FAM);
  std::vector<RejectionCause> Causes = explain(*Copy, FAM);
  FAM.clear(*Copy, Copy->getName());
  Copy->eraseFromParent();
  return Causes;
}

void removeAnswered(std::vector<RejectionCause> &Causes, ArrayRef<ModelledSubscript> Modelled) {
  const StringRef Kind = rejectionText(polly::RejectReasonKind::NonAffineAccess).Kind;
  llvm::erase_if(Causes, [&](const RejectionCause &Cause) {
    return Cause.Kind == Kind && llvm::any_of(Modelled, [&](const ModelledSubscript &Known) {
             // Several arrays may be accessed in one line.
             const bool IsNamed = StringRef(Cause.Message).contains('"');
             return Cause.File == Known.File && Cause.Line == Known.Line &&
                    (!IsNamed || StringRef(Cause.Message).contains("\"" + Known.Array + "\""));
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
