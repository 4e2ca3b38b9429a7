//===- bench/contract.cpp - memory and time with and without sharing of expanded memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bench-contract NEST STRATEGY N M P THREADS REPETITIONS
//
// Compiles a nest of contract_nests.c for these sizes through the phases of the specializer, once
// as usual and once without joining places (storage/compact_storage.h), and runs both and clang's
// code in turn. STRATEGY is "vector" or "contraction". Prints one JSON object with the least times.
// The exit status is 1 if a result differs in a bit, and 2 for wrong arguments.
//
//===----------------------------------------------------------------------===//
#include "runtime/parallel/parallel.h"
#include "specializer/strategies/strategy.h"
#include "tests/polyhedral/nest_compiler.h"
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace specrt;

namespace {

using Code = void(long, long, long, void *, void *, void *, void *);

struct Problem {
  std::string Nest;
  StrategyId Strategy;
  Sizes S;
  unsigned Threads;

  size_t numElements() const {
    return size_t(std::max({S[0] * S[0], S[0] * S[1], S[0] * S[2], S[1] * S[1], S[1] * S[2]}));
  }
};

/// The arguments of a nest: sizes and arrays, which are filled with the same values each time.
class Operands {
public:
  explicit Operands(const Problem &P) : P(P) {
    for (std::vector<double> &Array : Arrays)
      Array.resize(P.numElements());
  }

  void fill() {
    for (size_t A = 0; A < Arrays.size(); ++A)
      for (size_t I = 0; I < Arrays[A].size(); ++I)
        Arrays[A][I] = double(I * (7919 + A) % 1009) / 1009;
    if (P.Nest == "nussinov") // of integers
      for (std::vector<double> &Array : Arrays)
        std::memset(Array.data(), 1, Array.size() * sizeof(double));
    for (size_t I = 0; P.Nest == "ludcmp" && I < size_t(P.S[0]); ++I)
      Arrays[0][I * size_t(P.S[0]) + I] = double(P.S[0]); // diagonally dominant
  }
  /// Runs \p F on the initial values. Returns the seconds that it takes.
  double run(Nest *F) {
    fill();
    const auto Begin = std::chrono::steady_clock::now();
    nestAs<Code>(F)(P.S[0], P.S[1], P.S[2], Arrays[0].data(), Arrays[1].data(), Arrays[2].data(),
                    Arrays[3].data());
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
  }
  /// Returns whether both have the same values bit for bit.
  bool identical(const Operands &Other) const {
    for (size_t A = 0; A < Arrays.size(); ++A)
      if (std::memcmp(Arrays[A].data(), Other.Arrays[A].data(),
                      Arrays[A].size() * sizeof(double)) != 0)
        return false;
    return true;
  }

private:
  const Problem &P;
  std::array<std::vector<double>, 4> Arrays;
};

struct Version {
  std::unique_ptr<NestCompiler> Compiler; ///< owns the code
  PolyhedralResult Result;
  double CompileSeconds = 0;
  Nest *F = nullptr;
  std::vector<double> Seconds;

  /// Returns the shortest time, because other programs only make runs longer.
  double least() const { return *std::min_element(Seconds.begin(), Seconds.end()); }
};

enum class Form { Plain, Expanded, Compact };

Version compile(const Problem &P, Form Wanted) {
  Version New;
  New.Compiler = std::make_unique<NestCompiler>(SPECRT_CONTRACT_IR, P.Nest);
  if (Wanted != Form::Plain) {
    PolyhedralOptions Options;
    Options.Schedule = findStrategy(P.Strategy);
    Options.Parallel = P.Threads > 1;
    Options.Target = describeHost(New.Compiler->costs(), P.Threads);
    Options.CompactsStorage = Wanted == Form::Compact;
    const auto Begin = std::chrono::steady_clock::now();
    New.Result = New.Compiler->specialize(P.S, Options);
    New.CompileSeconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Begin).count();
  }
  New.F = New.Compiler->compile(
      {&specrt_parallel_loop_runtime_start, &specrt_parallel_private_loop_start,
       &specrt_parallel_pipeline_start, &specrt_parallel_nest_start, &specrt_loop_private,
       &specrt_loop_runtime_next, &specrt_loop_nest_next, &specrt_loop_step,
       &specrt_loop_end_nowait, &specrt_parallel_end});
  return New;
}

int measure(const Problem &P, long Repetitions) {
  specrt_parallel_configure(P.Threads);
  Version Plain = compile(P, Form::Plain), Expanded = compile(P, Form::Expanded),
          Compact = compile(P, Form::Compact);
  Operands Wanted(P), Data(P);
  Wanted.run(Plain.F);
  bool AreIdentical = true;
  // The first round warms up.
  for (long R = 0; R <= Repetitions; ++R)
    for (Version *Each : {&Plain, &Expanded, &Compact}) {
      const double Seconds = Data.run(Each->F);
      AreIdentical &= Data.identical(Wanted);
      if (R > 0)
        Each->Seconds.push_back(Seconds);
    }
  std::string Notes = Compact.Result.Notes;
  std::replace(Notes.begin(), Notes.end(), '\n', ' ');
  std::printf("{\"nest\": \"%s\", \"threads\": %u, \"before\": %ld, \"after\": %ld, "
              "\"plain_s\": %.9f, \"expanded_s\": %.9f, \"compact_s\": %.9f, "
              "\"compile_s\": %.4f, \"compile_compact_s\": %.4f, \"identical\": %s, "
              "\"notes\": \"%s\"}\n",
              P.Nest.c_str(), P.Threads, long(Compact.Result.ExpandedBytes),
              long(Compact.Result.CompactBytes), Plain.least(), Expanded.least(), Compact.least(),
              Expanded.CompileSeconds, Compact.CompileSeconds, AreIdentical ? "true" : "false",
              Notes.c_str());
  return AreIdentical ? 0 : 1;
}

} // namespace

int main(int Argc, char **Argv) {
  constexpr int NumNumbers = 5, First = 3;
  std::array<long, NumNumbers> Numbers = {};
  bool AreGood = Argc == First + NumNumbers;
  for (int I = 0; AreGood && I < NumNumbers; ++I) {
    char *End = nullptr;
    Numbers[size_t(I)] = std::strtol(Argv[First + I], &End, 10);
    AreGood = *End == 0 && Numbers[size_t(I)] > 0;
  }
  const std::string Strategy = AreGood ? Argv[2] : "";
  if (Strategy != "vector" && Strategy != "contraction") {
    std::fprintf(stderr, "usage: %s NEST vector|contraction N M P THREADS REPETITIONS\n", Argv[0]);
    return 2;
  }
  const Problem P = {Argv[1],
                     Strategy == "vector" ? StrategyId::OuterVectors : StrategyId::Contraction,
                     {Numbers[0], Numbers[1], Numbers[2]},
                     unsigned(Numbers[3])};
  return measure(P, Numbers[4]);
}
