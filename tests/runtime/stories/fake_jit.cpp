//===- tests/runtime/stories/fake_jit.cpp - a compiler that compiles nothing ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the part of jit_api.h that specrt-server calls, for the test regions. Candidates stand
// for functions of the host; a linked version is a patched copy of FAKE_OBJECT, whose bodies call
// them. With START_ERROR, the compiler does not start, for that reason.
//
//===----------------------------------------------------------------------===//
#include "guards/equal.h"
#include "guards/guard_list.h"
#include "guards/in_range.h"
#include "specrt/jit_api.h"
#include "tests/runtime/stories/fake_object.h"

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sched.h>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace {

/// Set by start. Workers are forked later and know it.
pid_t Server = 0;

/// Null when the host and its file are gone.
FakeControl *controlOf(const specrt_region &Region) {
  const int File = open(Region.entry_symbol, O_RDWR | O_CLOEXEC);
  if (File < 0)
    return nullptr;
  void *At = mmap(nullptr, sizeof(FakeControl), PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  close(File);
  return At == MAP_FAILED ? nullptr : static_cast<FakeControl *>(At);
}

/// What a candidate's handle points to.
struct Code {
  uint32_t Which;
  uint32_t MoreGuards;
  uint64_t OwnGuardBytes; ///< of the guards before those
};

struct Result {
  specrt_jit_result Public{};
  std::vector<specrt_jit_candidate> Candidates;
  std::deque<specrt::GuardList> Guards; ///< of each candidate
  std::deque<Code> Codes;               ///< of each candidate
  std::deque<std::string> Texts;
  specrt_jit_note Note{SPECRT_NOTE_BUDGET, 0, "a fake was not built"};
  specrt_jit_cause Cause{"alias", "two arrays may overlap", "loop.c", 7, 1};
};

void makeGuards(const FakeControl &Control, const specrt_jit_request &Request,
                specrt::GuardList &Guards) {
  for (uint32_t I = 0; I < Request.region->num_args; ++I) {
    const specrt_fact &Fact = Request.facts[I];
    if (Fact.flags & SPECRT_FACT_CONSTANT)
      Guards.append(specrt::EqualGuard(I, Fact.value));
    else if (Fact.flags & SPECRT_FACT_RANGE)
      Guards.append(specrt::InRangeGuard(I, Fact.low, Fact.high));
  }
  if (Control.ImpossibleGuards)
    Guards.append(specrt::InRangeGuard(0, 1, 0));
}

void sleepMs(uint32_t Ms) {
  for (uint32_t Slept = 0; Slept < Ms; ++Slept)
    usleep(1000);
}

/// Takes time of the processor.
void spin(uint32_t Ms) {
  auto Used = [] {
    timespec Now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
    return Now.tv_sec * 1000 + Now.tv_nsec / 1000000;
  };
  for (long Begin = Used(); Used() - Begin < long{Ms};) {
  }
}

[[noreturn]] void crash() {
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  std::abort();
}

std::vector<std::string> namesIn(const char *List) {
  std::vector<std::string> Names;
  std::istringstream In(List ? List : "");
  for (std::string Name; std::getline(In, Name, ',');)
    Names.push_back(Name);
  return Names;
}

bool isNamed(const char *List, const std::string &Name) {
  const std::vector<std::string> Names = namesIn(List);
  return std::find(Names.begin(), Names.end(), Name) != Names.end();
}

void observe(FakeControl &Control, const specrt_jit_request &Request) {
  Control.LastFpMode = Request.fp_mode;
  Control.Policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  Control.Threads = Request.threads;
  Control.Compiler = getpid();
  Control.Server = Server;
  ++Control.Compiling;
  ++Control.Compiles;
}

void work(FakeControl &Control, const specrt_jit_request &Request) {
  spin(Control.ProcessorMs);
  Control.FirstIteration = Request.first_iteration;
  if (Request.end_iteration)
    Control.ProbeEnd = Request.end_iteration;
  // Stored plans are compiled from registration on, before main could say what to offer.
  for (int Ms = 0; Ms < 500 && Control.NumCandidates == 0 && !Control.HasError; ++Ms)
    usleep(1000);
  while (Control.NeverReturns)
    usleep(1000);
  if (Control.Crashes)
    crash();
  sleepMs(Control.CompileMs);
}

void addCandidate(FakeControl &Control, const FakeCandidate &Offered,
                  const specrt_jit_request &Request, Result &R) {
  specrt::GuardList &Guards = R.Guards.emplace_back();
  makeGuards(Control, Request, Guards);
  Code &New = R.Codes.emplace_back(Code{Offered.Which, Offered.MoreGuards, Guards.plain().bytes});
  for (uint32_t I = 0; I < Offered.MoreGuards; ++I)
    Guards.append(specrt::InRangeGuard(0, lowestAllowed(I), INT64_MAX));
  specrt_jit_candidate Candidate{};
  Candidate.name = R.Texts.emplace_back(Offered.Name).c_str();
  Candidate.handle = &New;
  Candidate.guards = Guards.plain();
  Candidate.compile_ms = 1;
  R.Candidates.push_back(Candidate);
  ++Control.Built;
  if (Request.settled)
    Request.settled(Request.context, Candidate.name, &Candidate);
}

/// All that exist and need to be built.
void addAll(FakeControl &Control, const specrt_jit_request &Request, Result &R) {
  for (uint32_t I = 0; I < Control.NumCandidates; ++I) {
    const FakeCandidate &Offered = Control.Candidates[I];
    if (!isNamed(Request.existing, Offered.Name) && !isNamed(Request.absent, Offered.Name))
      addCandidate(Control, Offered, Request, R);
  }
}

/// The first that exists of those that Request names. It settles those before it, too.
void addFirst(FakeControl &Control, const specrt_jit_request &Request, Result &R) {
  const FakeCandidate *Begin = Control.Candidates, *End = Begin + Control.NumCandidates;
  for (const std::string &Name : namesIn(Request.only)) {
    const FakeCandidate *Found =
        std::find_if(Begin, End, [&](const FakeCandidate &C) { return C.Name == Name; });
    if (Found != End)
      return addCandidate(Control, *Found, Request, R);
    if (Request.settled)
      Request.settled(Request.context, Name.c_str(), nullptr);
  }
}

const specrt_jit_result *compile(const specrt_jit_request *Request) {
  auto *R = new Result();
  R->Public.notes = &R->Note;
  R->Public.num_notes = 1;
  R->Public.causes = &R->Cause;
  R->Public.num_causes = 1;
  FakeControl *Control = controlOf(*Request->region);
  if (!Control) {
    R->Public.error = "the test program has ended";
    return &R->Public;
  }
  observe(*Control, *Request);
  work(*Control, *Request);
  if (Control->HasError)
    R->Public.error = R->Texts.emplace_back(Control->Error).c_str();
  else if (Request->only)
    addFirst(*Control, *Request, *R);
  else
    addAll(*Control, *Request, *R);
  R->Public.candidates = R->Candidates.data();
  R->Public.num_candidates = static_cast<uint32_t>(R->Candidates.size());
  --Control->Compiling;
  return &R->Public;
}

void freeResult(const specrt_jit_result *R) {
  delete reinterpret_cast<Result *>(const_cast<specrt_jit_result *>(R));
}

/// Copies Text, which ends with a null byte; false when there is no room for it.
template <size_t Size> bool copyText(char (&To)[Size], std::string_view Text) {
  if (Text.size() >= Size)
    return false;
  To[Text.copy(To, Size - 1)] = '\0';
  return true;
}

/// False when the block has no room for the candidate's guards or the texts.
bool patch(FakeObjectBlock &Block, const specrt_jit_candidate &Candidate, std::string_view Key) {
  const Code &Its = *static_cast<const Code *>(Candidate.handle);
  if (Its.OwnGuardBytes > sizeof(Block.Guards))
    return false;
  Block.Which = Its.Which;
  Block.MoreGuards = Its.MoreGuards;
  Block.GuardBytes = Its.OwnGuardBytes;
  std::memcpy(Block.Guards, Candidate.guards.first, Its.OwnGuardBytes);
  return copyText(Block.Name, Candidate.name) && copyText(Block.Key, Key);
}

bool writeTo(int File, std::string_view Bytes) {
  while (!Bytes.empty()) {
    const ssize_t Written = write(File, Bytes.data(), Bytes.size());
    if (Written <= 0)
      return false;
    Bytes.remove_prefix(static_cast<size_t>(Written));
  }
  return true;
}

const char *link(const specrt_jit_link *Request) {
  if (Request->num_candidates != 1)
    return "the fake compiler links single candidates only";
  std::ifstream In(FAKE_OBJECT, std::ios::binary);
  std::string Bytes{std::istreambuf_iterator<char>(In), {}};
  const size_t At = Bytes.find(FAKE_OBJECT_MARK);
  if (At == Bytes.npos || Bytes.size() - At < sizeof(FakeObjectBlock))
    return "the fake object is missing or has no block to patch";
  FakeObjectBlock Block;
  std::memcpy(&Block, Bytes.data() + At, sizeof(Block));
  if (!patch(Block, Request->candidates[0], Request->key))
    return "the fake object has no room for the guards, the name or the key";
  std::memcpy(Bytes.data() + At, &Block, sizeof(Block));
  return writeTo(Request->file, Bytes) ? nullptr : "the fake object could not be written";
}

int start(const specrt_jit_config *, const char **Error) {
  Server = getpid();
#ifdef START_ERROR
  *Error = START_ERROR;
#else
  *Error = nullptr;
#endif
  return *Error == nullptr;
}

/// No test here wraps functions, has causes that an instrumented call could show more about, counts
/// Scops or propagates zeros.
specrt_jit_api api() {
  specrt_jit_api Api{};
  Api.version = SPECRT_JIT_API_VERSION;
  Api.size = sizeof(specrt_jit_api);
  Api.start = start;
  Api.compile = compile;
  Api.free_result = freeResult;
  Api.link = link;
  Api.is_overdue = [] { return 0; };
  return Api;
}

} // namespace

extern "C" __attribute__((visibility("default"))) const specrt_jit_api *
specrt_jit_query(uint32_t Version) {
  static const specrt_jit_api Api = api();
  return Version == SPECRT_JIT_API_VERSION ? &Api : nullptr;
}
