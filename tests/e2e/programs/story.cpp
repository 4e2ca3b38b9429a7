//===- tests/e2e/programs/story.cpp - the program of the end-to-end stories ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built twice from the same source: by clang alone and by specrt-clang++. A story is chosen by the
// first argument; everything it computes is folded into checksums on standard output, so that the
// two builds can be compared byte by byte. Lines that start with '#' are about libspecrt and
// differ between the builds.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cinttypes>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

// Absent in the plain build: the linker leaves a weak undefined function at null.
extern "C" __attribute__((weak)) int specrt_wait_idle(unsigned TimeoutMilliseconds);

#define KERNEL extern "C" __attribute__((noinline))

KERNEL void product(long n, long m, long p, const double *A, const double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < p; k++)
      for (long j = 0; j < m; j++)
        C[i * m + j] += A[i * p + k] * B[k * m + j];
}

KERNEL void smooth(long n, const double *In, double *Out) {
  for (long i = 1; i < n - 1; i++)
    Out[i] = 0.25 * In[i - 1] + 0.5 * In[i] + 0.25 * In[i + 1];
}

namespace {

int ConstructedSum = 0;

/// A region that runs before main, possibly before the library knows the program.
struct EarlyBird {
  EarlyBird() {
    std::vector<double> In(256, 1.5), Out(256, 0.0);
    smooth(256, In.data(), Out.data());
    for (double X : Out)
      ConstructedSum += int(X * 2);
  }
} Early;

uint64_t hashOf(const std::vector<double> &Values) {
  uint64_t Hash = 1469598103934665603u;
  for (double V : Values) {
    uint64_t Bits;
    std::memcpy(&Bits, &V, sizeof Bits);
    Hash = (Hash ^ Bits) * 1099511628211u;
  }
  return Hash;
}

std::vector<double> numbers(long Count, unsigned Seed) {
  std::vector<double> Values(Count);
  for (double &V : Values) {
    Seed = Seed * 1664525u + 1013904223u;
    V = double(Seed >> 8) / double(1 << 24) - 0.5;
  }
  return Values;
}

void settle() {
  if (specrt_wait_idle)
    specrt_wait_idle(60000);
}

/// Calls product so often that every stage of a region's life can pass.
uint64_t products(long N, long M, long P, int Calls, bool Settle = true) {
  std::vector<double> A = numbers(N * P, 1), B = numbers(P * M, 2), C(N * M, 0.0);
  for (int I = 0; I < Calls; ++I) {
    product(N, M, P, A.data(), B.data(), C.data());
    if (Settle && I % 8 == 7)
      settle();
  }
  return hashOf(C);
}

void print(const char *What, uint64_t Hash) { std::printf("%s %016" PRIx64 "\n", What, Hash); }

void steady() { print("steady", products(61, 67, 71, 400)); }
void once() { print("once", products(2400, 1400, 1400, 1, false)); }

/// Calls of different sizes that run at the same time, each of them once, while one of them may
/// change over to a version that does not fit the others.
void atTheSameTime() {
  std::vector<uint64_t> Hashes(4);
  std::vector<std::thread> Workers;
  for (int T = 0; T < 4; ++T)
    Workers.emplace_back(
        [&Hashes, T] { Hashes[T] = products(1100 + T % 2 * 31, 900, 900, 1, false); });
  for (std::thread &W : Workers)
    W.join();
  for (uint64_t Hash : Hashes)
    print("call", Hash);
}

/// What one row writes, a later one reads through the other array.
void onceOverlapping() {
  std::vector<double> Buffer = numbers(700 * 700 * 2, 3), B = numbers(700 * 700, 4);
  product(700, 700, 700, Buffer.data(), B.data(), Buffer.data() + 700 * 350);
  print("overlapping", hashOf(Buffer));
}

/// The process ends on another thread while a call runs.
void exitInCall() {
  const char *Delay = std::getenv("STORY_DELAY_MS");
  std::thread([Delay] {
    std::this_thread::sleep_for(std::chrono::milliseconds(Delay ? std::atoi(Delay) : 0));
    std::exit(7);
  }).detach();
  while (true)
    products(900, 900, 900, 1, false);
}

bool ProductAtTheEnd = false;
std::chrono::steady_clock::time_point ExitBegan{};

void lastOfAll() {
  constexpr auto Noticeable = std::chrono::milliseconds(900);
  if (ExitBegan.time_since_epoch().count() &&
      std::chrono::steady_clock::now() - ExitBegan > Noticeable) {
    std::puts("exit was waited for");
    std::fflush(stdout);
  }
  if (!ProductAtTheEnd)
    return;
  print("last", products(300, 300, 300, 3));
  std::fflush(stdout);
}

// Before every constructor, so that exit comes to the handler after every destructor.
void registerLastOfAll() { std::atexit(lastOfAll); }
__attribute__((section(".preinit_array"), used)) void (*const BeforeAll)() = registerLastOfAll;

void newValues() {
  for (int Round = 0; Round < 3; ++Round)
    for (long N : {40, 50, 60})
      print("size", products(N, N + 3, N + 5, 200));
  for (long N = 30; N < 60; ++N) // values that never recur
    print("other", products(N, N, N, 1, false));
}

void guardMiss() {
  print("hit", products(61, 67, 71, 400));
  print("miss", products(60, 67, 71, 1));
  print("hit", products(61, 67, 71, 4));
}

void overlap() {
  print("disjoint", products(48, 48, 48, 600));
  // C overlaps A by half: every guard on disjointness has to fail.
  std::vector<double> Buffer = numbers(48 * 48 * 2, 3), B = numbers(48 * 48, 4);
  product(48, 48, 48, Buffer.data(), B.data(), Buffer.data() + 48 * 24);
  print("overlapping", hashOf(Buffer));
  // Two halves of one buffer do not overlap.
  std::vector<double> Halves = numbers(48 * 48 * 2, 5);
  product(48, 48, 48, Halves.data(), B.data(), Halves.data() + 48 * 48);
  print("halves", hashOf(Halves));
}

void threads() {
  std::vector<uint64_t> Hashes(16);
  std::vector<std::thread> Workers;
  for (int T = 0; T < 16; ++T)
    Workers.emplace_back([&Hashes, T] { Hashes[T] = products(40 + T % 3, 44, 48, 60, false); });
  for (std::thread &W : Workers)
    W.join();
  settle();
  for (uint64_t Hash : Hashes)
    print("thread", Hash);
}

void forkDuring(bool Settled) {
  uint64_t Before = products(61, 67, 71, 64, Settled);
  std::fflush(stdout);
  pid_t Child = fork();
  uint64_t After = products(61, 67, 71, 64, false);
  if (Child == 0) {
    print("child", After);
    std::fflush(stdout);
    _exit(0);
  }
  int Status = 0;
  waitpid(Child, &Status, 0);
  print("parent", Before ^ After);
  print("status", Status);
}

extern "C" __attribute__((weak)) uint64_t specrt_num_compiles(void);

/// Ends some time after a region became hot, or with STORY_AFTER_REQUEST after a compile was
/// requested: while the server starts, compiles, or later.
void exitDuringCompile() {
  print("work", products(150, 150, 150, 3, false));
  std::fflush(stdout);
  if (std::getenv("STORY_AFTER_REQUEST") && specrt_num_compiles)
    while (specrt_num_compiles() == 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (const char *Delay = std::getenv("STORY_DELAY_MS"))
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(Delay)));
  ExitBegan = std::chrono::steady_clock::now();
  std::exit(7);
}

volatile std::sig_atomic_t Delivered = 0;
std::vector<double> SignalIn = numbers(512, 6), SignalOut(512);
void onAlarm(int) {
  smooth(512, SignalIn.data(), SignalOut.data());
  Delivered = Delivered + 1;
}
void signals() {
  struct sigaction Action = {};
  Action.sa_handler = onAlarm;
  sigaction(SIGALRM, &Action, nullptr);
  ualarm(500, 500);
  uint64_t Hash = products(61, 67, 71, 200, false);
  while (Delivered < 20)
    Hash ^= products(8, 8, 8, 1, false) & 0;
  ualarm(0, 0);
  print("main", Hash);
  print("handler", hashOf(SignalOut));
}

/// Reports whether LLVM and the jit are in this process.
void printMappings() {
  std::FILE *Maps = std::fopen("/proc/self/maps", "r");
  bool Llvm = false, Jit = false;
  char Line[4096];
  while (Maps && std::fgets(Line, sizeof Line, Maps)) {
    Llvm |= std::strstr(Line, "libLLVM") != nullptr;
    Jit |= std::strstr(Line, "libspecrt-jit") != nullptr;
  }
  if (Maps)
    std::fclose(Maps);
  std::printf("# llvm=%d jit=%d\n", Llvm, Jit);
}

} // namespace

int main(int Argc, char **Argv) {
  const std::map<std::string, std::function<void()>> Stories = {
      {"steady", steady},
      {"once", once},
      {"at-the-same-time", atTheSameTime},
      {"once-overlapping", onceOverlapping},
      {"exit-in-call", exitInCall},
      {"large", [] { print("large", products(300, 300, 300, 60)); }},
      {"large-at-the-end", [] { ProductAtTheEnd = true; }},
      {"new-values", newValues},
      {"guard-miss", guardMiss},
      {"overlap", overlap},
      {"threads", threads},
      {"fork", [] { forkDuring(true); }},
      {"fork-during-compile", [] { forkDuring(false); }},
      {"exit-during-compile", exitDuringCompile},
      {"exit-on-thread", [] { std::thread(exitDuringCompile).join(); }},
      {"signals", signals},
  };
  auto Story = Stories.find(Argc > 1 ? Argv[1] : "");
  if (Story == Stories.end()) {
    std::fprintf(stderr, "unknown story\n");
    return 2;
  }
  print("constructed", ConstructedSum);
  Story->second();
  printMappings();
  return 0;
}
