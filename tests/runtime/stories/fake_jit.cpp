//===- tests/runtime/stories/fake_jit.cpp - a compiler that compiles nothing ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements jit_api.h for the test regions. Candidates are functions of the host, entries come
// from a pool of template instances that evaluate guards as data.
//
//===----------------------------------------------------------------------===//
#include "guards/equal.h"
#include "guards/guard_list.h"
#include "guards/in_range.h"
#include "specrt/jit_api.h"
#include "tests/runtime/stories/fake_control.h"

#include <array>
#include <deque>
#include <dlfcn.h>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {

FakeControl &control() {
  static auto *Control = static_cast<FakeControl *>(dlsym(RTLD_DEFAULT, "FakeJitControl"));
  return *Control;
}

std::atomic<bool> Cancelled{false}, Park{false};

struct EntryData {
  specrt::GuardList Guards;
  specrt_version_state *State;
  bool Exact;
};
constexpr size_t MaxEntries = 64;
std::array<EntryData, MaxEntries> Entries;
std::atomic<size_t> NumEntries{0};

bool sampled(specrt_version_state *State, uint64_t *Counter, uint64_t *Mask) {
  uint64_t Count = __atomic_fetch_add(Counter, 1, __ATOMIC_RELAXED);
  uint64_t Known = __atomic_load_n(Mask, __ATOMIC_RELAXED);
  if ((Count & Known) != Known)
    return false;
  __atomic_add_fetch(&State->sampled, 1, __ATOMIC_RELAXED);
  return true;
}

int64_t call(void *Target, int64_t N, int64_t Work, int64_t *Data) {
  return reinterpret_cast<RegionFn>(Target)(N, Work, Data);
}

template <size_t I> int64_t entry(int64_t N, int64_t Work, int64_t *Data) {
  EntryData &E = Entries[I];
  specrt_version_state *State = E.State;
  auto Place = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >> 16;
  specrt_version_shard &Shard = State->shards[Place % SPECRT_VERSION_SHARDS];
  uint64_t Packed[3] = {static_cast<uint64_t>(N), static_cast<uint64_t>(Work),
                        reinterpret_cast<uint64_t>(Data)};
  bool Holds = true;
  for (const specrt_guard &Guard : E.Guards)
    Holds = Holds && State->holds(&Guard, State->region, Packed);
  if (Holds) {
    if (sampled(State, &Shard.hits, &State->sample_mask))
      return call(__atomic_load_n(&State->sampler, __ATOMIC_ACQUIRE), N, Work, Data);
    __atomic_add_fetch(&Shard.inside, 1, __ATOMIC_SEQ_CST);
    void *Body = __atomic_load_n(&State->body, __ATOMIC_SEQ_CST);
    int64_t Result = Body ? call(Body, N, Work, Data) : 0;
    __atomic_sub_fetch(&Shard.inside, 1, __ATOMIC_SEQ_CST);
    if (Body)
      return Result;
    __atomic_sub_fetch(&Shard.hits, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&Shard.misses, 1, __ATOMIC_RELAXED);
  } else if (sampled(State, &Shard.misses, &State->miss_mask)) {
    return call(__atomic_load_n(&State->sampler, __ATOMIC_ACQUIRE), N, Work, Data);
  }
  return call(__atomic_load_n(&State->next, __ATOMIC_ACQUIRE), N, Work, Data);
}

template <size_t... I> constexpr auto entryTable(std::index_sequence<I...>) {
  return std::array<RegionFn, sizeof...(I)>{&entry<I>...};
}
constexpr auto EntryTable = entryTable(std::make_index_sequence<MaxEntries>());

struct Result {
  specrt_jit_result Public{};
  std::vector<specrt_jit_candidate> Candidates;
  std::deque<specrt::GuardList> Guards; ///< of each candidate
  specrt_jit_note Note{SPECRT_NOTE_BUDGET, 0, "a fake was not built"};
  specrt_jit_cause Cause{"alias", "two arrays may overlap", "loop.c", 7, 1};
};

void makeGuards(const specrt_jit_request &Request, specrt::GuardList &Guards) {
  for (uint32_t I = 0; I < Request.region->num_args; ++I) {
    const specrt_fact &Fact = Request.facts[I];
    if (Fact.flags & SPECRT_FACT_CONSTANT)
      Guards.append(specrt::EqualGuard(I, Fact.value));
    else if (Fact.flags & SPECRT_FACT_RANGE)
      Guards.append(specrt::InRangeGuard(I, Fact.low, Fact.high));
  }
  if (control().ImpossibleGuards)
    Guards.append(specrt::InRangeGuard(0, 1, 0));
}

/// Sleeps like a compile works, with checkpoints.
bool work(uint32_t Ms) {
  for (uint32_t Slept = 0; Slept < Ms; ++Slept) {
    usleep(1000);
    if (!Cancelled)
      continue;
    if (Park) {
      control().Parked = 1;
      while (true)
        pause();
    }
    return false;
  }
  return !Cancelled;
}

/// Takes time of the processor, without checkpoints.
void spin(uint32_t Ms) {
  auto Used = [] {
    timespec Now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
    return Now.tv_sec * 1000 + Now.tv_nsec / 1000000;
  };
  for (long Begin = Used(); Used() - Begin < long{Ms};) {
  }
}

bool isNamed(const char *List, const std::string &Name) {
  return List && ("," + std::string(List) + ",").find("," + Name + ",") != std::string::npos;
}

const specrt_jit_result *compile(const specrt_jit_request *Request) {
  FakeControl &C = control();
  C.LastFpMode = Request->fp_mode;
  ++C.Compiling;
  ++C.Compiles;
  C.Nice = getpriority(PRIO_PROCESS, 0);
  C.Threads = Request->threads;
  spin(C.ProcessorMs);
  C.FirstIteration = Request->first_iteration;
  // Stored plans are compiled from registration on, before main could say what to offer.
  for (int Ms = 0; Ms < 500 && C.NumCandidates == 0 && !C.Error; ++Ms)
    usleep(1000);
  while (C.NeverReturns)
    usleep(1000);
  auto *R = new Result();
  R->Public.notes = &R->Note;
  R->Public.num_notes = 1;
  R->Public.causes = &R->Cause;
  R->Public.num_causes = 1;
  R->Public.error = work(C.CompileMs) ? C.Error.load() : "cancelled";
  for (uint32_t I = 0; !R->Public.error && I < C.NumCandidates; ++I) {
    const char *Name = C.Candidates[I].Name;
    if ((Request->only && !isNamed(Request->only, Name)) || isNamed(Request->existing, Name) ||
        isNamed(Request->absent, Name))
      continue;
    specrt_jit_candidate Candidate{};
    Candidate.name = Name;
    Candidate.body = reinterpret_cast<void *>(C.Candidates[I].Body);
    Candidate.handle = new int(0);
    specrt::GuardList &Guards = R->Guards.emplace_back();
    makeGuards(*Request, Guards);
    for (uint32_t Guard = 0; Guard < C.Candidates[I].MoreGuards; ++Guard)
      Guards.append(specrt::InRangeGuard(0, -1 - int64_t{Guard}, INT64_MAX));
    Candidate.guards = Guards.plain();
    Candidate.compile_ms = 1;
    R->Candidates.push_back(Candidate);
    if (Request->settled)
      Request->settled(Request->context, Name, &Candidate);
  }
  R->Public.candidates = R->Candidates.data();
  R->Public.num_candidates = static_cast<uint32_t>(R->Candidates.size());
  --C.Compiling;
  return &R->Public;
}

void freeResult(const specrt_jit_result *R) {
  delete reinterpret_cast<Result *>(const_cast<specrt_jit_result *>(R));
}

void *makeEntry(const specrt_region *, const specrt_guards *Guards, uint32_t ExactInside,
                specrt_version_state *State) {
  if (control().NoEntry || NumEntries >= MaxEntries)
    return nullptr;
  control().InsideEntry = 1;
  usleep(control().EntryMs * 1000);
  control().InsideEntry = 0;
  size_t I = NumEntries++;
  Entries[I] = {specrt::GuardList(*Guards), State, ExactInside != 0};
  return reinterpret_cast<void *>(EntryTable[I]);
}

const char *link(const specrt_jit_link *) { return "this compiler links nothing"; }

void release(void *Handle) {
  ++control().Released;
  delete static_cast<int *>(Handle);
}

int cancel(int ParkIt, uint32_t TimeoutMs) {
  Park = ParkIt != 0;
  Cancelled = true;
  FakeControl &C = control();
  for (uint32_t Ms = 0; Ms < TimeoutMs; ++Ms) {
    if (C.Compiling == 0 || C.Parked)
      return 1;
    usleep(1000);
  }
  return 0;
}

/// Stands for LLVM's static objects: when they are destroyed, nobody may be inside any more.
struct StaticObject {
  ~StaticObject() {
    FakeControl &C = control();
    if (C.Opening || C.InsideEntry || (C.Compiling && !C.Parked && !C.NeverReturns)) {
      constexpr char Message[] = "the compiler was destroyed while it worked\n";
      [[maybe_unused]] ssize_t Written = write(STDERR_FILENO, Message, sizeof(Message) - 1);
    }
  }
} Static;

/// LLVM's static objects take some milliseconds to construct, after the first can be destroyed.
struct SlowStaticObject {
  SlowStaticObject() {
    control().Opening = 1;
    usleep(control().OpenMs * 1000);
    control().Opening = 0;
  }
} SlowStatic;

int start(const specrt_jit_config *, const char **Error) {
  *Error = control().StartError;
  return *Error ? 1 : 0;
}

const specrt_jit_api Api = {SPECRT_JIT_API_VERSION,
                            sizeof(specrt_jit_api),
                            start,
                            compile,
                            freeResult,
                            makeEntry,
                            link,
                            release,
                            cancel,
                            nullptr, // no test here wraps functions
                            nullptr,
                            [] { ++control().Watches; },
                            [](int) {},
                            nullptr, // nor has causes that a call could show more about
                            nullptr,
                            [] { return 0; },
                            nullptr, // nor counts Scops
                            nullptr, // nor propagates zeros
                            nullptr};

} // namespace

extern "C" __attribute__((visibility("default"))) const specrt_jit_api *
specrt_jit_query(uint32_t Version) {
  return Version == SPECRT_JIT_API_VERSION ? &Api : nullptr;
}
