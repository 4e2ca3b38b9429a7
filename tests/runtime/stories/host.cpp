//===- tests/runtime/stories/host.cpp - the program in which the scenarios play ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: runtime_test_host SCENARIO [arguments]. One process per scenario, because libspecrt is
// configured once per process. Exit code 0: all checks hold.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/stories/host.h"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <link.h>
#include <new>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace host {
namespace {

/// In the folder for temporary files, which is the test's own one; what shares it may outlive this
/// process.
struct ControlFile {
  std::string Path = (std::filesystem::temp_directory_path() / "specrt-control-XXXXXX").string();
  FakeControl *Mapped;

  ControlFile() {
    const int File = mkstemp(Path.data());
    const bool HasRoom = File >= 0 && ftruncate(File, sizeof(FakeControl)) == 0;
    void *At = HasRoom
                   ? mmap(nullptr, sizeof(FakeControl), PROT_READ | PROT_WRITE, MAP_SHARED, File, 0)
                   : MAP_FAILED;
    if (At == MAP_FAILED) {
      std::perror(Path.c_str());
      std::_Exit(2);
    }
    close(File);
    Mapped = new (At) FakeControl();
  }
};

/// Never destroyed: the fake compiler may work until the end.
const ControlFile &controlFile() {
  static const ControlFile &File = *new ControlFile();
  return File;
}

} // namespace

FakeControl &control() { return *controlFile().Mapped; }

std::atomic<uint64_t> OriginalRuns, FastRuns, SlowRuns, FadingRuns;
std::atomic<bool> FadeNow;

static int64_t work(int64_t N, int64_t Nanoseconds, int64_t *Data) {
  timespec Begin, Now;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  do
    clock_gettime(CLOCK_MONOTONIC, &Now);
  while ((Now.tv_sec - Begin.tv_sec) * 1000000000 + (Now.tv_nsec - Begin.tv_nsec) < Nanoseconds);
  if (Data)
    *Data = N;
  return N * 3 + 1;
}

int64_t original(int64_t N, int64_t Work, int64_t *Data) {
  OriginalRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, Work * 1000, Data);
}
int64_t fast(int64_t N, int64_t Work, int64_t *Data) {
  FastRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, Work * 250, Data);
}
int64_t half(int64_t N, int64_t Work, int64_t *Data) { return work(N, Work * 500, Data); }
int64_t slow(int64_t N, int64_t Work, int64_t *Data) {
  SlowRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, Work * 2000, Data);
}
int64_t fading(int64_t N, int64_t Work, int64_t *Data) {
  FadingRuns.fetch_add(1, std::memory_order_relaxed);
  return work(N, FadeNow ? Work * 2000 : Work * 250, Data);
}

void offer(std::initializer_list<Offer> Candidates) {
  const specrt_symbol *Bodies = story_bodies();
  uint32_t Count = 0;
  for (const Offer &O : Candidates) {
    const specrt_symbol *Body = std::find_if(Bodies, Bodies + NumFakeBodies, [&](const auto &B) {
      return B.address == reinterpret_cast<void *>(O.Body);
    });
    CHECK(Body != Bodies + NumFakeBodies);
    FakeCandidate &New = control().Candidates[Count++];
    CHECK(std::strlen(O.Name) < sizeof(New.Name));
    std::strcpy(New.Name, O.Name);
    New.Which = static_cast<uint32_t>(Body - Bodies);
    New.MoreGuards = O.MoreGuards;
  }
  control().NumCandidates = Count;
}

unsigned mappedVersions() {
  // Versions are mapped from the store or as files without a name.
  auto CountOne = [](dl_phdr_info *Info, size_t, void *Count) {
    const std::string_view Path = Info->dlpi_name ? Info->dlpi_name : "";
    if (Path.starts_with("/proc/") || Path.find("/versions/") != Path.npos)
      ++*static_cast<unsigned *>(Count);
    return 0;
  };
  unsigned Count = 0;
  dl_iterate_phdr(CountOne, &Count);
  return Count;
}

void compileAnotherRegion() {
  using Another = TestRegion<5>;
  static specrt_region *Regions[] = {Another::make("another:7", original)};
  specrt_register(Regions, Regions + 1);
  offer({{"constants", fast}});
  const uint64_t Before = FastRuns;
  CHECK(eventually([] {
    for (int I = 0; I < 20; ++I) {
      int64_t Data = 0;
      CHECK(Another::call(5, 40, &Data) == 16 && Data == 5);
    }
    return info("another:7").state == SPECRT_STATE_SPECIALISED;
  }));
  CHECK(FastRuns > Before);
}

specrt_region_info info(const char *Name) {
  specrt_region_info Info{};
  specrt_find_region(Name, &Info);
  return Info;
}

void call(int64_t N, int64_t Work) {
  alignas(64) int64_t Data = 0; // all runs and scenarios see the same alignment
  CHECK(Main::call(N, Work, &Data) == N * 3 + 1);
  CHECK(Data == N);
}

bool callUntil(uint32_t State, int64_t N, int64_t Work, double Seconds) {
  timespec Begin, Now;
  clock_gettime(CLOCK_MONOTONIC, &Begin);
  do {
    for (int I = 0; I < 20; ++I)
      call(N, Work);
    if (info().state == State)
      return true;
    clock_gettime(CLOCK_MONOTONIC, &Now);
  } while (static_cast<double>(Now.tv_sec - Begin.tv_sec) < Seconds);
  return false;
}

void dump() {
  specrt_write_report("/dev/stderr");
  specrt_region_info I = info();
  std::fprintf(stderr,
               "state %u versions %u hits %llu misses %llu compiles %u runs: original %llu fast "
               "%llu slow %llu; reason: %s\n",
               I.state, I.versions, (unsigned long long)I.hits, (unsigned long long)I.misses,
               I.compiles, (unsigned long long)OriginalRuns.load(),
               (unsigned long long)FastRuns.load(), (unsigned long long)SlowRuns.load(), I.reason);
}

static specrt_region *Regions[1];

// As the instrumentation emits them for an image. So the file that is shared with the fake compiler
// exists before libspecrt knows a region.
[[gnu::constructor]] static void registerImage() {
  Regions[0] = Main::make("main:7", original);
  specrt_register(Regions, Regions + 1);
}
[[gnu::destructor]] static void unregisterImage() { specrt_unregister(Regions, Regions + 1); }

} // namespace host

extern "C" __attribute__((visibility("default"))) const char *story_control_path() {
  return host::controlFile().Path.c_str();
}

extern "C" __attribute__((visibility("default"))) const specrt_symbol *story_bodies() {
  using namespace host;
#define BODY(Function)                                                                             \
  {                                                                                                \
    #Function, reinterpret_cast<void *>(&(Function))                                               \
  }
  static const specrt_symbol Bodies[] = {BODY(fast),      BODY(half),     BODY(slow),
                                         BODY(fading),    BODY(original), BODY(costly),
                                         BODY(farSlower), BODY(jumping),  BODY(recursiveFast),
                                         BODY(rest),      BODY(slowRest), BODY(fastAsRest)};
#undef BODY
  static_assert(std::size(Bodies) == NumFakeBodies);
  return Bodies;
}

int main(int Argc, char **Argv) {
  using namespace host;
  if (Argc < 2)
    return 2;
  for (const Scenario *List :
       {SteadyScenarios, CompileScenarios, ProcessScenarios, StoreScenarios, OsrScenarios})
    for (const Scenario *S = List; S->Name; ++S)
      if (std::strcmp(S->Name, Argv[1]) == 0)
        return S->Run(Argc - 2, Argv + 2);
  std::fprintf(stderr, "unknown scenario %s\n", Argv[1]);
  return 2;
}
