//===- tests/polyhedral/nest_compiler.cpp - one nest from IR to machine code ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/nest_compiler.h"
#include "specializer/module/host_target.h"
#include "specializer/module/memory_loops.h"
#include "specializer/rounding/floating_point.h"
#include "specializer/rounding/fusion.h"
#include "specializer/speculation/errno_math.h"
#include "specrt/jit_api.h"

#include "support/memory/scratch.h"
#include "support/ranking/nest_cuts.h"
#include "support/ranking/nest_range.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

using namespace llvm;

namespace specrt {
namespace {

struct ReversedLoop {
  long Begin, Left, Step;
  bool IsSerial; ///< runs in source order, as for one thread
  int Started;
  bool IsPipeline = false;
} Loop;

void startLoop(void (*)(void *), void *, unsigned Threads, long Begin, long End, long Step) {
  const bool IsSerial = Threads == 1;
  Loop = {Begin, std::max(0L, (End - Begin + Step - 1) / Step), Step, IsSerial,
          Loop.Started + (IsSerial ? 0 : 1)};
}
void endLoop() {}

std::vector<char> PrivateBytes;
void startPrivateLoop(void (*Body)(void *), void *Data, unsigned Threads, long Begin, long End,
                      long Step, uint64_t Bytes) {
  PrivateBytes.assign(Bytes, char(0xff)); // NaN
  startLoop(Body, Data, Threads, Begin, End, Step);
}
void *privateMemory() { return PrivateBytes.data(); }

bool nextChunk(long *Begin, long *End) {
  if (Loop.Left == 0)
    return false;
  if (Loop.IsPipeline && !Loop.IsSerial) {
    --Loop.Left;
    *Begin = std::exchange(Loop.Begin, Loop.Begin + Loop.Step);
    *End = Loop.Begin;
    return true;
  }
  if (Loop.IsSerial) { // returns all iterations as one chunk
    *Begin = Loop.Begin;
    *End = Loop.Begin + std::exchange(Loop.Left, 0) * Loop.Step;
    return true;
  }
  *Begin = Loop.Begin + --Loop.Left * Loop.Step;
  *End = *Begin + 1;
  return true;
}
void endChunk() {}

/// Hands iterations out one by one, the first one first: each executes all steps before the next
/// one begins. With several threads that is the order furthest from the source's.
void startPipeline(void (*)(void *), void *, unsigned Threads, long Begin, long End, long Step) {
  startLoop(nullptr, nullptr, Threads, Begin, End, Step);
  Loop.IsPipeline = true;
}
void beginStep(long) {}

/// A nest whose ranks are handed out one by one, the last one first.
struct ReversedNest {
  std::optional<RankedNest> Ranks; ///< nothing: its rows are handed out
  unsigned Level = 0;
  uint64_t Left = 0;
  NestRange Chunk = {};
  int NumParts = 0;
} RankedLoop;

void startNest(void (*Body)(void *), void *Data, unsigned Threads, const specrt_ranked_nest *Of,
               uint64_t Bytes) {
  startPrivateLoop(Body, Data, Threads, 0, Of->extents[0].constant, 1, Bytes);
  std::array<LoopExtent, MaxRankedLoops> Extents;
  for (uint64_t I = 0; I < Of->loops; ++I)
    Extents[I] = {Of->extents[I].constant, {Of->extents[I].factors[0], Of->extents[I].factors[1]}};
  RankedLoop = {.Ranks = Threads == 1 ? std::nullopt
                                      : RankedNest::of(std::span(Extents).first(Of->loops)),
                .Level = unsigned(Of->cuts),
                .NumParts = RankedLoop.NumParts};
  if (RankedLoop.Ranks)
    RankedLoop.Left = RankedLoop.Ranks->total();
}

unsigned nextRun(int64_t *Run) {
  LoopRun Next = RankedLoop.Chunk.take();
  while (RankedLoop.Ranks && Next.Level == 0 && RankedLoop.Left > 0) {
    const uint64_t End = RankedLoop.Left--;
    RankedLoop.Chunk = {cutAt(*RankedLoop.Ranks, End - 1, RankedLoop.Level),
                        cutAt(*RankedLoop.Ranks, End, RankedLoop.Level)};
    Next = RankedLoop.Chunk.take();
  }
  if (!RankedLoop.Ranks && nextChunk(&Next.Begin, &Next.End))
    Next.Level = 1;
  RankedLoop.NumParts += Next.Level > 1;
  Run[0] = Next.Begin;
  Run[1] = Next.End;
  std::copy(Next.Around.begin(), Next.Around.end(), Run + 2);
  return Next.Level;
}

bool HasScratch = true, WasAsked = false;
void *takeScratch(uint64_t Bytes) {
  WasAsked = true;
  return HasScratch ? specrt_scratch_take(Bytes) : nullptr;
}

void defineHelpers(orc::LLJIT &Jit, const LoopEntries &Loops) {
  orc::SymbolMap Symbols;
  auto Define = [&](StringRef Symbol, auto *Address) {
    Symbols[Jit.mangleAndIntern(Symbol)] = {orc::ExecutorAddr::fromPtr(Address),
                                            JITSymbolFlags::Exported};
  };
  Define("GOMP_parallel_loop_runtime_start", Loops.Start);
  Define("GOMP_parallel_private_loop_start", Loops.StartPrivate);
  Define("GOMP_parallel_pipeline_start", Loops.StartPipeline);
  Define("GOMP_parallel_nest_start", Loops.StartNest);
  Define("GOMP_loop_nest_next", Loops.NextRun);
  Define("GOMP_loop_step", Loops.BeginStep);
  Define("GOMP_parallel_end", Loops.End);
  Define("GOMP_loop_private", Loops.Private);
  Define("GOMP_loop_runtime_next", Loops.Next);
  Define("GOMP_loop_end_nowait", Loops.EndChunk);
  Define("specrt_scratch_take", &takeScratch);
  Define("specrt_scratch_give", &specrt_scratch_give);
  Define("memcpy", static_cast<void *(*)(void *, const void *, size_t)>(&memcpy));
  Define("memmove", static_cast<void *(*)(void *, const void *, size_t)>(&memmove));
  Define("memset", static_cast<void *(*)(void *, int, size_t)>(&memset));
  cantFail(Jit.getMainJITDylib().define(orc::absoluteSymbols(Symbols)));
}

/// Function \p Name of the file only.
std::unique_ptr<Module> parse(const std::string &Path, StringRef Name, LLVMContext &Context) {
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseIRFile(Path, Error, Context);
  if (!M)
    report_fatal_error(Twine(Path) + ": " + Error.getMessage());
  for (Function &F : *M)
    if (F.getName() != Name)
      F.deleteBody();
  return M;
}

std::unique_ptr<orc::LLJIT> createJit(const orc::JITTargetMachineBuilder &Builder,
                                      const LoopEntries &Loops) {
  auto Jit = cantFail(orc::LLJITBuilder().setJITTargetMachineBuilder(Builder).create());
  defineHelpers(*Jit, Loops);
  return Jit;
}

} // namespace

orc::JITTargetMachineBuilder Machine::builder() const {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Builder = cantFail(orc::JITTargetMachineBuilder::detectHost());
  if (!Cpu.empty()) {
    Builder = orc::JITTargetMachineBuilder(Builder.getTargetTriple());
    Builder.setCPU(Cpu);
  }
  Builder.setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  return Builder;
}

LoopEntries LoopEntries::reversed() {
  return {.Start = &startLoop,
          .StartPrivate = &startPrivateLoop,
          .StartPipeline = &startPipeline,
          .StartNest = &startNest,
          .Private = &privateMemory,
          .Next = &nextChunk,
          .NextRun = &nextRun,
          .BeginStep = &beginStep,
          .EndChunk = &endChunk,
          .End = &endLoop};
}
int LoopEntries::numPartsOfRows() { return RankedLoop.NumParts; }
int LoopEntries::numReversed() { return Loop.Started; }

NoScratch::NoScratch() { HasScratch = WasAsked = false; }
NoScratch::~NoScratch() { HasScratch = true; }
bool NoScratch::wasAsked() { return WasAsked; }

NestCompiler::NestCompiler(const std::string &Path, StringRef Name, const Machine &For)
    : Name(Name), Builder(For.builder()), Context(std::make_unique<LLVMContext>()),
      M(parse(Path, Name, *Context)), TM(cantFail(Builder.createTargetMachine())) {
  decideFusion(*M->getFunction(Name), For.HasFma);
  cantFail(retarget(*M, *TM));
  applyFloatingPointMode(*M, SPECRT_FP_STRICT);
  Budget = std::make_unique<CompileBudget>(std::chrono::minutes(5));
  Passes = std::make_unique<Optimizer>(*TM, *Budget);
}

Function &NestCompiler::canonical() {
  Passes->inlineAndCanonicalize(*M);
  Passes->forget();
  return *M->getFunction(Name);
}

TargetTransformInfo &NestCompiler::costs() {
  return Passes->functions().getResult<TargetIRAnalysis>(*M->getFunction(Name));
}

Function &NestCompiler::withSizes(const Sizes &S, unsigned NumKnown) {
  Function &F = canonical();
  BasesBesideErrno Others;
  replaceErrnoMath(F, accessesThroughArguments(F, Passes->functions()), Others);
  Passes->forget();
  unsigned NumSizes = 0;
  for (Argument &A : F.args())
    if (A.getType()->isPointerTy())
      A.addAttr(Attribute::NoAlias);
    else if (unsigned I = NumSizes++; I < NumKnown)
      A.replaceAllUsesWith(ConstantInt::getSigned(A.getType(), S[I]));
  Passes->simplify(*M);
  Passes->forget();
  expandMemoryCalls(F, *Passes);
  return F;
}

PolyhedralResult NestCompiler::specialize(const Sizes &S, const PolyhedralOptions &Options,
                                          unsigned NumKnown) {
  Function &F = withSizes(S, NumKnown);
  PolyhedralResult Result = optimizeScops(F, Passes->functions(), Options);
  Passes->forget();
  if (Result.IsInvalid || verifyModule(*M, &errs()))
    report_fatal_error(Twine(Name) + " became invalid");
  return Result;
}

SharingOutcome NestCompiler::share(const Sizes &S, unsigned NumKnown, double NsPerCall,
                                   unsigned Threads) {
  SharingOutcome Result =
      shareLoops(withSizes(S, NumKnown), Passes->functions(), NsPerCall, Threads, nullptr);
  Passes->forget();
  if (verifyModule(*M, &errs()))
    report_fatal_error(Twine(Name) + " became invalid");
  return Result;
}

Nest *NestCompiler::compile(const LoopEntries &Loops) {
  Passes->run(*M, buildPipelineAfterPolly(Passes->builder()));
  Passes->forget();
  Jit = createJit(Builder, Loops);
  cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(M), std::move(Context))));
  return cantFail(Jit->lookup(Name)).toPtr<Nest *>();
}

Nest *originalNest(const std::string &Path, StringRef Name, bool HasFma) {
  static auto &Jits =
      *new std::map<std::tuple<std::string, std::string, bool>, std::unique_ptr<orc::LLJIT>>;
  std::unique_ptr<orc::LLJIT> &Jit = Jits[{Path, Name.str(), HasFma}];
  if (!Jit) {
    Jit = createJit(Machine().builder(), LoopEntries::reversed());
    auto Context = std::make_unique<LLVMContext>();
    std::unique_ptr<Module> M = parse(Path, Name, *Context);
    decideFusion(*M->getFunction(Name), HasFma);
    applyFloatingPointMode(*M, SPECRT_FP_STRICT);
    cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(M), std::move(Context))));
  }
  return cantFail(Jit->lookup(Name)).toPtr<Nest *>();
}

} // namespace specrt
