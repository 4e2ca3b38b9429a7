//===- tests/polyhedral/polyhedral_test.cpp - causes, schedules and identical results
//-----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/polyhedral.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <array>
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;

namespace {

// Stand-ins for the parallel-loop entry points: the whole loop runs on the calling thread.
struct SerialLoop {
  long Next, End;
  int Started;
} Loop;
void startLoop(void (*)(void *), void *, unsigned, long Begin, long End, long) {
  Loop = {Begin, End, Loop.Started + 1};
}
void endLoop() {}
bool nextChunk(long *Begin, long *End) {
  if (Loop.Next >= Loop.End)
    return false;
  *Begin = Loop.Next;
  *End = Loop.Next = Loop.End;
  return true;
}
void endChunk() {}

using Sizes = std::array<long, 3>;
using Nest = void(long, long, long, double *, double *, double *);

/// One function of nests.c, from IR to machine code.
class Compiler {
public:
  explicit Compiler(StringRef Name) : Name(Name), Context(std::make_unique<LLVMContext>()) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    SMDiagnostic Error;
    M = parseIRFile(SPECRT_NESTS_IR, Error, *Context);
    EXPECT_TRUE(M) << Error.getMessage().str();
    for (Function &F : *M)
      if (F.getName() != Name)
        F.deleteBody();
    auto Builder = orc::JITTargetMachineBuilder::detectHost();
    TMB = cantFail(std::move(Builder));
    TM = cantFail(TMB->createTargetMachine());
    PB = std::make_unique<PassBuilder>(TM.get());
    PB->registerModuleAnalyses(MAM);
    PB->registerCGSCCAnalyses(CGAM);
    PB->registerFunctionAnalyses(FAM);
    PB->registerLoopAnalyses(LAM);
    PB->crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  Function &canonical() {
    Function &F = *M->getFunction(Name);
    FunctionPassManager FPM;
    addPollyCanonicalization(FPM);
    FPM.run(F, FAM);
    return F;
  }

  std::vector<RejectionCause> causes() { return explainRejections(canonical(), FAM); }

  /// Makes the three sizes constants and the arrays disjoint, as the guards of a version would.
  PolyhedralResult specialize(const Sizes &S, PolyhedralOptions Options) {
    Function &F = *M->getFunction(Name);
    for (unsigned I = 0; I < 3; ++I)
      F.getArg(I)->replaceAllUsesWith(ConstantInt::get(Type::getInt64Ty(*Context), S[I]));
    for (unsigned I = 3; I < 6; ++I)
      F.getArg(I)->addAttr(Attribute::NoAlias);
    canonical();
    PolyhedralResult Result = optimizeScops(F, FAM, Options);
    EXPECT_FALSE(verifyModule(*M, &errs()));
    return Result;
  }

  Nest *compile() {
    buildPipelineAfterPolly(*PB).run(*M, MAM);
    TMB->setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
    Jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(*TMB).create());
    orc::SymbolMap Symbols;
    auto define = [&](StringRef Symbol, auto *Address) {
      Symbols[Jit->mangleAndIntern(Symbol)] = {orc::ExecutorAddr::fromPtr(Address),
                                               JITSymbolFlags::Exported};
    };
    define("GOMP_parallel_loop_runtime_start", &startLoop);
    define("GOMP_parallel_end", &endLoop);
    define("GOMP_loop_runtime_next", &nextChunk);
    define("GOMP_loop_end_nowait", &endChunk);
    cantFail(Jit->getMainJITDylib().define(orc::absoluteSymbols(Symbols)));
    cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(M), std::move(Context))));
    return cantFail(Jit->lookup(Name)).toPtr<Nest *>();
  }

private:
  std::string Name;
  std::unique_ptr<LLVMContext> Context;
  std::unique_ptr<Module> M;
  std::optional<orc::JITTargetMachineBuilder> TMB;
  std::unique_ptr<TargetMachine> TM;
  std::unique_ptr<PassBuilder> PB;
  LoopAnalysisManager LAM;
  FunctionAnalysisManager FAM;
  CGSCCAnalysisManager CGAM;
  ModuleAnalysisManager MAM;
  std::unique_ptr<orc::LLJIT> Jit;
};

struct Arrays {
  std::vector<double> A, B, C;
  explicit Arrays(const Sizes &S) {
    long Size = std::max({S[0] * S[1], S[0] * S[2], S[1] * S[2], 1L});
    for (auto *Array : {&A, &B, &C})
      for (long I = 0; I < Size; ++I)
        Array->push_back(double((I * 7919 + Array->size() * 13) % 1009) / 1009 - 0.4);
  }
  void run(Nest *F, const Sizes &S) { F(S[0], S[1], S[2], A.data(), B.data(), C.data()); }
  bool identical(const Arrays &Other) const {
    return !memcmp(C.data(), Other.C.data(), C.size() * sizeof(double));
  }
};

TilingTarget smallTarget() {
  // Small caches, so that small arrays have several tiles of each kind and ragged edges.
  TilingTarget Target;
  Target.VectorBytes = 32;
  Target.L1Bytes = 2048;
  Target.L2Bytes = 8192;
  return Target;
}

std::vector<std::string> kinds(const std::vector<RejectionCause> &Causes) {
  std::vector<std::string> Kinds;
  for (const RejectionCause &Cause : Causes)
    Kinds.push_back(Cause.Kind + ":" + std::to_string(Cause.Line) +
                    (Cause.Speculative ? "?" : "!"));
  return Kinds;
}

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(Causes, SpeculativePollyFigure2aIsAliasing) {
  EXPECT_THAT(kinds(Compiler("figure2a").causes()), ElementsAre("alias:4?"));
}
TEST(Causes, SpeculativePollyFigure2bIsANonAffineAccess) {
  EXPECT_THAT(kinds(Compiler("figure2b").causes()), Contains(StartsWith("non-affine access:9")));
}
TEST(Causes, QuadraticBound) {
  EXPECT_THAT(kinds(Compiler("quadratic_bound").causes()), Contains("non-affine bound:12?"));
}
TEST(Causes, BoundInAStructField) {
  std::vector<std::string> Kinds = kinds(Compiler("field_bound").causes());
  EXPECT_THAT(Kinds,
              Contains(testing::AnyOf(StartsWith("non-affine bound:19"), StartsWith("alias:"))));
}
TEST(Causes, AnAffineNestHasNone) { EXPECT_THAT(Compiler("affine").causes(), IsEmpty()); }

struct Case {
  const char *Nest;
  SchedulePolicy Schedule;
  bool Parallel;
};
class Identical : public testing::TestWithParam<Case> {};

TEST_P(Identical, ToTheOriginalOnOddSizes) {
  const Case &C = GetParam();
  for (const Sizes &S : {Sizes{37, 53, 29}, {64, 96, 32}, {3, 100, 7}, {1, 1, 1}}) {
    Compiler Reference(C.Nest), Candidate(C.Nest);
    PolyhedralOptions Options;
    Options.Schedule = C.Schedule;
    Options.Parallel = C.Parallel;
    Options.Target = smallTarget();
    Options.Target.Threads = C.Parallel ? 2 : 1;
    Candidate.specialize(S, Options);
    Arrays Expected(S), Actual(S);
    Expected.run(Reference.compile(), S);
    Actual.run(Candidate.compile(), S);
    EXPECT_TRUE(Actual.identical(Expected)) << S[0] << "x" << S[1] << "x" << S[2];
  }
}

std::vector<Case> allCases() {
  std::vector<Case> Cases;
  for (const char *Nest : {"product", "scaled_product", "transposed_product", "triangular_product",
                           "in_place_seidel", "stencil"})
    for (SchedulePolicy P :
         {SchedulePolicy::Original, SchedulePolicy::Polly, SchedulePolicy::Tiled})
      for (bool Parallel : {false, true})
        Cases.push_back({Nest, P, Parallel});
  return Cases;
}
std::string caseName(const testing::TestParamInfo<Case> &Info) {
  const char *Policies[] = {"original", "polly", "tiled"};
  return std::string(Info.param.Nest) + "_" + Policies[int(Info.param.Schedule)] +
         (Info.param.Parallel ? "_parallel" : "");
}
INSTANTIATE_TEST_SUITE_P(Nests, Identical, testing::ValuesIn(allCases()), caseName);

PolyhedralResult tiled(const char *Nest, bool Parallel = false) {
  PolyhedralOptions Options;
  Options.Schedule = SchedulePolicy::Tiled;
  Options.Parallel = Parallel;
  Options.Target = smallTarget();
  return Compiler(Nest).specialize({96, 120, 72}, Options);
}

TEST(Tiled, ContractionsInEveryLoopOrderGetRegisterTiles) {
  for (const char *Nest : {"product", "scaled_product", "transposed_product"}) {
    PolyhedralResult Result = tiled(Nest);
    EXPECT_EQ(Result.NumGenerated, 1u) << Nest << ": " << Result.Notes;
    EXPECT_TRUE(Result.Rescheduled) << Nest;
  }
}
TEST(Tiled, NestsWithoutAContractionKeepTheirCode) {
  for (const char *Nest : {"in_place_seidel", "stencil"}) {
    PolyhedralResult Result = tiled(Nest);
    EXPECT_EQ(Result.NumGenerated, 0u) << Nest;
    EXPECT_THAT(Result.Notes, testing::HasSubstr("no contraction-shaped band"));
  }
}
TEST(Parallel, OutermostLoopWithoutDependencesBecomesAParallelLoop) {
  EXPECT_EQ(tiled("product", /*Parallel=*/true).NumParallel, 1u);
  PolyhedralOptions Options;
  Options.Parallel = true;
  EXPECT_EQ(Compiler("in_place_seidel").specialize({20, 20, 4}, Options).NumParallel, 0u);
}
TEST(Parallel, GeneratedCodeCallsTheEntryPoints) {
  const Sizes S = {64, 64, 64};
  Compiler Candidate("product");
  PolyhedralOptions Options;
  Options.Parallel = true;
  Candidate.specialize(S, Options);
  Arrays Data(S);
  int Before = Loop.Started;
  Data.run(Candidate.compile(), S);
  EXPECT_EQ(Loop.Started, Before + 1);
}
TEST(Budget, AnExpiredBudgetLeavesTheFunctionAsItWas) {
  auto Expired = [] { return true; };
  PolyhedralOptions Options;
  Options.Schedule = SchedulePolicy::Polly;
  Options.Expired = Expired;
  PolyhedralResult Result = Compiler("product").specialize({64, 64, 64}, Options);
  EXPECT_EQ(Result.NumGenerated, 0u);
}

} // namespace
