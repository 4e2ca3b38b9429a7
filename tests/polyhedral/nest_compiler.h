//===- tests/polyhedral/nest_compiler.h - one nest from IR to machine code ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Takes a nest of a C file through what specialize() does to a region: floating-point mode,
// canonical form, constants, disjoint arrays, the polyhedral phases, the pipeline after them.
// Guards are missing: the tests know what holds.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_TESTS_POLYHEDRAL_NEST_COMPILER_H
#define SPECRT_TESTS_POLYHEDRAL_NEST_COMPILER_H

#include "runtime/parallel/parallel.h"
#include "specializer/loops/shareable_loops.h"
#include "specializer/module/optimize.h"
#include "specializer/strategies/strategy.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

namespace specrt {

using Sizes = std::array<long, 3>;
/// All nests take three sizes and three arrays, (n, m, p, A, B, C).
using Nest = void(long, long, long, void *, void *, void *);

/// \p Code as it was compiled, for those that take other arguments.
template <typename F> F *nestAs(Nest *Code) {
  using AnyFunction = void();
  return reinterpret_cast<F *>(reinterpret_cast<AnyFunction *>(Code));
}

/// A processor to compile for.
struct Machine {
  std::string Name = "host";
  std::string Cpu;    ///< "": the one we run on
  bool HasFma = true; ///< whether the original fused multiplications with additions

  llvm::orc::JITTargetMachineBuilder builder() const;
};

/// Makes generated code get no scratch memory while it lives.
class NoScratch {
public:
  NoScratch();
  ~NoScratch();
  /// Was memory asked for since the last one was made?
  static bool wasAsked();
};

/// What parallel loops call, see runtime/parallel/parallel.h.
struct LoopEntries {
  void (*Start)(void (*)(void *), void *, unsigned, long Begin, long End, long Step);
  void (*StartPrivate)(void (*)(void *), void *, unsigned, long Begin, long End, long Step,
                       uint64_t Bytes);
  void (*StartPipeline)(void (*)(void *), void *, unsigned, long Begin, long End, long Step);
  void (*StartNest)(void (*)(void *), void *, unsigned, const specrt_ranked_nest *, uint64_t Bytes);
  void *(*Private)();
  bool (*Next)(long *Begin, long *End);
  unsigned (*NextRun)(int64_t *Run);
  void (*BeginStep)(long Number);
  void (*EndChunk)();
  void (*End)();

  /// Parallel loops run on the calling thread, the last iteration first, so that a loop which is
  /// not parallel gives other results. In pipelines each iteration executes all steps before the
  /// next one. Nests are cut wherever they may be. Private memory contains what earlier iterations
  /// left there.
  static LoopEntries reversed();
  /// Parts of rows that ran, of all nests so far.
  static int numPartsOfRows();
  /// Of these, by all nests so far.
  static int numReversed();
};

class NestCompiler {
public:
  /// Function \p Name of the IR or bitcode file \p Path.
  NestCompiler(const std::string &Path, llvm::StringRef Name, const Machine &For = {});

  /// In the form that detection expects.
  llvm::Function &canonical();
  std::vector<RejectionCause> causes() {
    return explainRejections(canonical(), Passes->functions(),
                             [](const llvm::Value &V) { return V.getName().str(); });
  }
  /// Makes the sizes constants, all three or the first \p NumKnown, and the arrays disjoint, as the
  /// guards of a version would, and transforms.
  PolyhedralResult specialize(const Sizes &S, const PolyhedralOptions &Options,
                              unsigned NumKnown = 3);
  /// Prepares the nest like specialize(), then makes threads share its loops in the source's
  /// order. A call takes \p NsPerCall.
  SharingOutcome share(const Sizes &S, unsigned NumKnown = 3, double NsPerCall = 1e9,
                       unsigned Threads = 2);
  /// The first part of that: constants in canonical form. Its analyses are in functions().
  llvm::Function &withSizes(const Sizes &S, unsigned NumKnown = 3);
  llvm::FunctionAnalysisManager &functions() { return Passes->functions(); }
  /// To be called once, at the end. The code lives as long as the compiler.
  Nest *compile(const LoopEntries &Loops = LoopEntries::reversed());

  llvm::TargetTransformInfo &costs();

private:
  std::string Name;
  llvm::orc::JITTargetMachineBuilder Builder;
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> M;
  std::unique_ptr<llvm::TargetMachine> TM;
  std::unique_ptr<CompileBudget> Budget;
  std::unique_ptr<Optimizer> Passes;
  std::unique_ptr<llvm::orc::LLJIT> Jit;
};

/// Function \p Name of \p Path as clang left it. Lives until the process ends.
Nest *originalNest(const std::string &Path, llvm::StringRef Name, bool HasFma = true);

} // namespace specrt

#endif
