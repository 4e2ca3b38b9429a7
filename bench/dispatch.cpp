//===- bench/dispatch.cpp - costs of a region's call beyond a direct call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the path of a call alone: the region's real stub, entries as the jit emits them, and the
// unchanged nest, compiled once more, as the body of every version. Each version has five guards:
// two scalars, alignment, floating-point modes, disjointness. The slot is set by hand, so this
// program needs SPECRT_DISABLE=1; bench/dispatch.py runs it with that, and without it for the cost
// of profiling.
#include "dispatch_kernels.h"
#include "guards/aligned.h"
#include "guards/disjoint.h"
#include "guards/equal.h"
#include "guards/fp_environment.h"
#include "runtime/call/versions.h"
#include "runtime/compile/region_copy.h"
#include "specrt/abi.h"
#include "specrt/jit_api.h"
#include <benchmark/benchmark.h>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <vector>

// The linker's names for the ends of the section that lists this program's regions.
extern "C" {
extern specrt_record *RecordsBegin[] __asm__("__start_" SPECRT_RECORD_SECTION);
extern specrt_record *RecordsEnd[] __asm__("__stop_" SPECRT_RECORD_SECTION);
}

using namespace specrt;

namespace {

constexpr double Factor = 0.5;
constexpr long MicroSize = 900;       // about 1 us
constexpr long ProfiledCalls = 30000; // after about 2000 samples the profile is complete
alignas(64) double In[1024], Out[1024];

specrt_region *findRegion(const char *Name) {
  for (specrt_record **Record = RecordsBegin; Record != RecordsEnd; ++Record)
    if (std::strstr((*Record)->region->function, Name))
      return (*Record)->region;
  return nullptr;
}

// Opens libspecrt-jit.so beside libspecrt.so. Returns null, with a message, if it cannot be used.
const specrt_jit_api *openJit() {
  Dl_info Info;
  if (!dladdr(reinterpret_cast<void *>(&specrt_enter), &Info))
    return nullptr;
  std::string Path = Info.dli_fname, Directory = Path.substr(0, Path.rfind('/'));
  Path = Directory + "/libspecrt-jit.so";
  void *Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void *Query = Library ? dlsym(Library, "specrt_jit_query") : nullptr;
  if (!Query) {
    std::fprintf(stderr, "error: cannot use libspecrt-jit.so: %s\n", dlerror());
    return nullptr;
  }
  const specrt_jit_api *Api =
      reinterpret_cast<decltype(&specrt_jit_query)>(Query)(SPECRT_JIT_API_VERSION);
  static std::string LibraryDirectory = Directory;
  static specrt_jit_config Config = {
      [](int Level, const char *Message) { std::fprintf(stderr, "jit: %s\n", Message); },
      LibraryDirectory.c_str(),
      nullptr,
      nullptr,
      nullptr,
      nullptr,
      nullptr};
  const char *Error = nullptr;
  if (!Api || !Api->start(&Config, &Error)) {
    std::fprintf(stderr, "error: the jit does not start: %s\n", Error ? Error : "wrong version");
    return nullptr;
  }
  return Api;
}

/// A chain of versions of the tiny region; version I is for n == 8 + I. Each is an object as the
/// compile server makes it, loaded by the loader. Its body is the unchanged loop without any
/// assumptions.
class Chain {
public:
  Chain(const specrt_jit_api &Jit, const specrt_region &Region, unsigned Length)
      : Copy(Region, /*WithBitcode=*/true) {
    void *Next = behindVersions(Region);
    for (unsigned I = Length; I-- > 0;) {
      const specrt_object_entry *Version = load(Jit, 8 + I);
      Complete = Complete && Version;
      if (!Version)
        return;
      specrt_version_state *State = Version->state;
      State->next = Next;
      State->sampler = Region.thunk;
      State->sample_mask = 1023;
      State->miss_mask = LastState ? ~uint64_t{0} : 1023; // as in a chain of libspecrt
      State->region = &Copy.region();
      Next = Version->entry;
      LastState = LastState ? LastState : State;
    }
    Entry = Next;
  }

  bool complete() const { return Complete; }
  void *entry() const { return Entry; }
  uint64_t lastHits() const {
    uint64_t Hits = 0;
    for (const specrt_version_shard &Shard : LastState->shards)
      Hits += Shard.hits;
    return Hits;
  }

private:
  /// Returns the entry of a version for n == N, whose state has a body; null on failure.
  const specrt_object_entry *load(const specrt_jit_api &Jit, uint64_t N) const {
    const specrt_region &Region = Copy.region();
    const std::vector<specrt_fact> NoFacts(Region.num_args);
    specrt_jit_request Request{};
    Request.region = &Region;
    Request.facts = NoFacts.data();
    Request.only = "constants";
    Request.threads = 1;
    Request.budget_ms = 2000;
    const specrt_jit_result *Made = Jit.compile(&Request);
    if (Made->num_candidates != 1)
      return nullptr;
    const GuardList Guards = guards(Region, N);
    if (Guards.size() != 5)
      return nullptr;
    specrt_jit_candidate Candidate = Made->candidates[0];
    Candidate.guards = Guards.plain();
    const int File = memfd_create("version", MFD_CLOEXEC);
    const specrt_jit_link Link{&Region, &Candidate, 1, 0, "bench", File};
    if (const char *Why = Jit.link(&Link)) {
      std::fprintf(stderr, "error: %s\n", Why);
      return nullptr;
    }
    // The file stays open, so that the loader sees another path each time.
    void *Library = dlopen(("/proc/self/fd/" + std::to_string(File)).c_str(), RTLD_NOW);
    void *Query = Library ? dlsym(Library, SPECRT_VERSION_OBJECT_QUERY) : nullptr;
    if (!Query)
      return nullptr;
    const specrt_object_body &Body =
        reinterpret_cast<specrt_version_object_query_fn *>(Query)()->bodies[0];
    Body.entry->state->body = Body.body;
    return Body.entry;
  }

  // [pointer argument, pointer argument + 8 * n)
  static specrt_range wholeArray(uint16_t Pointer, uint16_t Size) {
    specrt_range Range = {};
    Range.base.kind = SPECRT_BASE_ARGUMENT;
    Range.base.index = Pointer;
    Range.end.num_terms = 1;
    Range.end.terms[0].coefficient = sizeof(double);
    Range.end.terms[0].num_factors = 1;
    Range.end.terms[0].factors[0] = Size;
    return Range;
  }

  static GuardList guards(const specrt_region &Region, uint64_t N) {
    std::vector<uint16_t> Pointers, Integers, Floats;
    for (uint32_t Arg = 0; Arg < Region.num_args; ++Arg) {
      auto I = static_cast<uint16_t>(Arg);
      uint8_t Kind = Region.arg_kinds[I];
      if (Kind == SPECRT_KIND_POINTER)
        Pointers.push_back(I);
      else if (Kind == SPECRT_KIND_I64)
        Integers.push_back(I);
      else if (Kind == SPECRT_KIND_F64)
        Floats.push_back(I);
    }
    if (Pointers.size() != 2 || Integers.size() != 1 || Floats.size() != 1)
      return {};
    uint64_t FactorBits;
    std::memcpy(&FactorBits, &Factor, sizeof FactorBits);
    const specrt_range First = wholeArray(Pointers[0], Integers[0]);
    const specrt_range Second = wholeArray(Pointers[1], Integers[0]);
    GuardList Guards;
    Guards.append(EqualGuard(Integers[0], N));
    Guards.append(EqualGuard(Floats[0], FactorBits));
    Guards.append(AlignedGuard(First.base, 32));
    Guards.append(FpEnvironmentGuard(MxcsrControl, 0));
    appendDisjoint(Guards, viewOf(First), viewOf(Second));
    return Guards;
  }

  const RegionCopy Copy;
  bool Complete = true;
  void *Entry = nullptr;
  specrt_version_state *LastState = nullptr;
};

using Kernel = void(double *, const double *, long, double);

void call(benchmark::State &State, Kernel *Function, long N) {
  for (auto Iteration : State) {
    Function(Out, In, N, Factor);
    benchmark::ClobberMemory();
  }
}

void setSlot(specrt_region &Region, void *Target) {
  __atomic_store_n(Region.slot, Target, __ATOMIC_RELEASE);
}

// All calls have the same arguments: the last version of the four is for n == 11.
void registerDispatch(const specrt_jit_api &Jit, specrt_region &Region) {
  benchmark::RegisterBenchmark("direct",
                               [](benchmark::State &State) { call(State, direct::tiny, 11); });
  benchmark::RegisterBenchmark("disabled", [&Region](benchmark::State &State) {
    setSlot(Region, nullptr); // in place
    call(State, instrumented::tiny, 11);
  });
  benchmark::RegisterBenchmark("direct_first",
                               [](benchmark::State &State) { call(State, direct::tiny, 8); });
  auto Versions = [&](const char *Name, unsigned Length) {
    auto Versions = std::make_shared<Chain>(Jit, Region, Length);
    benchmark::RegisterBenchmark(Name, [=, &Region](benchmark::State &State) {
      if (!Versions->complete())
        return State.SkipWithError("the region or the jit does not fit");
      setSlot(Region, Versions->entry());
      uint64_t Before = Versions->lastHits();
      call(State, instrumented::tiny, 7 + Length);
      setSlot(Region, nullptr);
      // Calls that are sampled at an earlier version of the chain do not reach the last version.
      if (Versions->lastHits() - Before < static_cast<uint64_t>(State.iterations()) / 10 * 9)
        State.SkipWithError("the version was not used");
    });
  };
  Versions("one_version", 1);
  Versions("four_versions", 4);
}

void registerProfiling() {
  benchmark::RegisterBenchmark("micro", [](benchmark::State &State) {
    call(State, instrumented::micro, MicroSize);
  })->Iterations(ProfiledCalls);
}

} // namespace

int main(int Argc, char **Argv) {
  const bool Profiling = Argc > 1 && std::strcmp(Argv[1], "profiling") == 0;
  const bool Dispatch = Argc > 1 && std::strcmp(Argv[1], "dispatch") == 0;
  if (!Profiling && !Dispatch) {
    std::fprintf(stderr, "usage: bench-dispatch dispatch|profiling [Google Benchmark options]\n");
    return 2;
  }
  if (Profiling) {
    registerProfiling();
  } else {
    specrt_region *Tiny = findRegion("tiny");
    const specrt_jit_api *Jit = Tiny ? openJit() : nullptr;
    if (!Jit) {
      std::fprintf(stderr, "error: %s\n", Tiny ? "no jit" : "the program has no region 'tiny'");
      return 1;
    }
    registerDispatch(*Jit, *Tiny);
  }
  Argv[1] = Argv[0];
  int Count = Argc - 1;
  benchmark::Initialize(&Count, Argv + 1);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
