//===- tests/jit/compiler_test.cpp - what can go wrong, and how long it takes ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compiler.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "llvm/Support/FileSystem.h"
#include "gmock/gmock.h"
#include <algorithm>
#include <atomic>
#include <ctime>
#include <dlfcn.h>
#include <filesystem>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace specrt;
using testing::HasSubstr;

namespace {

struct Freer {
  void operator()(const specrt_jit_result *R) const { delete CompileResult::from(R); }
};
using ResultPtr = std::unique_ptr<const specrt_jit_result, Freer>;

ResultPtr compile(TestRegion &R) { return ResultPtr(sharedCompiler().compile(R.request())); }

std::unique_ptr<TestRegion> gemm(int64_t Size) {
  auto R = TestRegion::fromKernel("gemm");
  for (unsigned I = 0; I < 3; ++I)
    R->constant(I, Size);
  return R;
}

std::string errorOf(const ResultPtr &Result) { return Result->error ? Result->error : ""; }
std::string notesOf(const ResultPtr &Result) {
  std::string Text;
  for (uint32_t I = 0; I < Result->num_notes; ++I)
    Text += std::string(Result->notes[I].text) + "\n";
  return Text;
}

TEST(Compiler, ReportsDamagedBitcode) {
  auto R = gemm(64);
  R->region().bitcode_hash[0] ^= 1;
  ResultPtr Result = compile(*R);
  EXPECT_THAT(errorOf(Result), HasSubstr("damaged"));
  EXPECT_EQ(Result->num_candidates, 0u);
}

TEST(Compiler, RefusesTheRestOfANestThatCannotBeResumed) {
  // Its loop is not entered unconditionally: not what the plugin outlines.
  auto R = gemm(64);
  R->request().first_iteration = 5;
  EXPECT_THAT(errorOf(compile(*R)), HasSubstr("cannot begin in the middle"));
}

TEST(Compiler, BuildsTheFirstPossibleOfSeveralNames) {
  auto R = TestRegion::fromKernel("axpy");
  R->request().only = "contraction,constants,source-order";
  ResultPtr Result = compile(*R);
  ASSERT_EQ(errorOf(Result), "");
  ASSERT_EQ(Result->num_candidates, 1u);
  EXPECT_STREQ(Result->candidates[0].name, "constants");
  sharedCompiler().release(Result->candidates[0].handle);
}

/// What a compile tells while it goes on; links what exists.
struct Told {
  const specrt_region *Region = nullptr;
  std::vector<std::string> Present = {}, Absent = {}, Problems = {};

  static void settled(void *Context, const char *Name, const specrt_jit_candidate *Candidate) {
    auto &To = *static_cast<Told *>(Context);
    (Candidate ? To.Present : To.Absent).emplace_back(Name);
    if (!Candidate)
      return;
    int File = memfd_create("linked", MFD_CLOEXEC);
    const specrt_jit_link Link{To.Region, Candidate, 1, 0, "key", File};
    if (const char *Problem = sharedCompiler().link(Link))
      To.Problems.emplace_back(Problem);
    else if (lseek(File, 0, SEEK_END) <= 0)
      To.Problems.emplace_back("nothing was linked");
    close(File);
  }
};

/// Compiles R and links what it gives.
Told settle(TestRegion &R) {
  Told To{.Region = &R.region()};
  R.request().settled = Told::settled;
  R.request().context = &To;
  ResultPtr Result = compile(R);
  EXPECT_THAT(To.Problems, testing::IsEmpty());
  EXPECT_EQ(To.Present.size(), Result->num_candidates);
  for (uint32_t I = 0; I < Result->num_candidates; ++I)
    sharedCompiler().release(Result->candidates[I].handle);
  return To;
}

TEST(Compiler, TellsWhatIsSettledWhileItGoesOn) {
  using testing::Contains;
  using testing::ElementsAre;
  using testing::Not;
  auto R = gemm(64);
  Told All = settle(*R);
  EXPECT_THAT(All.Present, Contains("constants"));
  EXPECT_THAT(All.Present, Contains("contraction"));
  // The rest of a compile that was cut short.
  R->request().existing = "contraction";
  Told Rest = settle(*R);
  EXPECT_THAT(Rest.Present, Contains("constants"));
  EXPECT_THAT(Rest.Present, Not(Contains("contraction")));

  auto First = gemm(64);
  First->request().only = "time-tiled,contraction";
  Told Asked = settle(*First);
  EXPECT_THAT(Asked.Absent, ElementsAre("time-tiled"));
  EXPECT_THAT(Asked.Present, ElementsAre("contraction"));
  First->request().absent = "time-tiled";
  EXPECT_THAT(settle(*First).Absent, testing::IsEmpty());
}

TEST(Compiler, ReportsUnknownSymbols) {
  auto R = TestRegion::fromIR("declare void @nobody_defines_this()\n"
                              "define void @f(i32 %n) {\n"
                              "  call void @nobody_defines_this()\n  ret void\n}",
                              "f");
  EXPECT_THAT(errorOf(compile(*R)), HasSubstr("nobody_defines_this"));
}

TEST(Compiler, DoesNotBindToTheProgramByAccident) {
  // getpid exists in the process, but the region's descriptor does not name it.
  auto R = TestRegion::fromIR("declare i32 @getpid()\n"
                              "define i32 @f(i32 %n) {\n"
                              "  %p = call i32 @getpid()\n  ret i32 %p\n}",
                              "f");
  EXPECT_THAT(errorOf(compile(*R)), HasSubstr("getpid"));
}

TEST(Compiler, UsesTheAddressesOfTheDescriptor) {
  static int32_t (*Answer)() = [] { return 42; };
  auto R = TestRegion::fromIR("declare i32 @getpid()\n"
                              "define i32 @f(i32 %n) {\n"
                              "  %p = call i32 @getpid()\n  ret i32 %p\n}",
                              "f", {{"getpid", reinterpret_cast<void *>(Answer)}});
  ResultPtr Result = compile(*R);
  ASSERT_EQ(errorOf(Result), "");
  EXPECT_EQ(reinterpret_cast<int32_t (*)(int32_t)>(Result->candidates[0].body)(0), 42);
}

TEST(Compiler, BudgetOfOneMillisecondEndsSoonAndCleanly) {
  auto R = gemm(512);
  R->request().budget_ms = 1;
  ResultPtr Result = compile(*R);
  EXPECT_THAT(errorOf(Result), HasSubstr("budget"));
  EXPECT_LT(Result->total_ms, 100);
  R->request().budget_ms = 10000;
  EXPECT_EQ(errorOf(compile(*R)), "") << "the next compile is not affected";
}

TEST(Compiler, CodeIsNeverWritableAndExecutable) {
  auto R = gemm(64);
  ResultPtr Result = compile(*R);
  ASSERT_EQ(errorOf(Result), "");
  FILE *Maps = fopen("/proc/self/maps", "r");
  ASSERT_TRUE(Maps);
  char Line[512];
  auto Body = reinterpret_cast<unsigned long>(Result->candidates[0].body);
  std::string Permissions;
  while (fgets(Line, sizeof(Line), Maps)) {
    unsigned long Begin, End;
    char Mode[8];
    ASSERT_EQ(sscanf(Line, "%lx-%lx %7s", &Begin, &End, Mode), 3);
    EXPECT_FALSE(Mode[1] == 'w' && Mode[2] == 'x') << Line;
    if (Begin <= Body && Body < End)
      Permissions = Mode;
  }
  fclose(Maps);
  EXPECT_EQ(Permissions, "r-xp");
}

bool isMapped(void *Address) {
  int Pipe[2];
  if (pipe(Pipe) != 0)
    return false;
  bool Mapped = write(Pipe[1], Address, 1) == 1;
  close(Pipe[0]);
  close(Pipe[1]);
  return Mapped;
}

TEST(Compiler, ReleaseUnmapsTheBody) {
  auto R = gemm(64);
  R->request().only = "constants";
  ResultPtr Result = compile(*R);
  ASSERT_EQ(errorOf(Result), "");
  void *Body = Result->candidates[0].body;
  EXPECT_TRUE(isMapped(Body));
  sharedCompiler().release(Result->candidates[0].handle);
  EXPECT_FALSE(isMapped(Body));
}

TEST(Compiler, MissingParallelLibraryIsANote) {
  specrt_jit_config Config = {nullptr, "/proc/nosuch", nullptr, nullptr, nullptr, nullptr, nullptr};
  auto C = llvm::cantFail(Compiler::create(Config));
  auto R = gemm(256);
  R->request().threads = 2;
  ResultPtr Result(C->compile(R->request()));
  ASSERT_EQ(errorOf(Result), "");
  for (unsigned I = 0; I < Result->num_candidates; ++I)
    EXPECT_EQ(Result->candidates[I].parallel, 0u);
  EXPECT_THAT(notesOf(Result), HasSubstr("parallel loops are not available"));
  C.release(); // its code stays mapped, as in a program
}

TEST(Compiler, LinkingAnUnknownGuardIsRefused) {
  auto R = gemm(64);
  R->request().only = "constants";
  ResultPtr Result = compile(*R);
  ASSERT_EQ(errorOf(Result), "");
  const specrt_guard G{77, sizeof(specrt_guard)};
  specrt_jit_candidate Candidate = Result->candidates[0];
  Candidate.guards = {&G, sizeof(G)};
  const int File = memfd_create("linked", MFD_CLOEXEC);
  const char *Why = sharedCompiler().link({&R->region(), &Candidate, 1, 0, "key", File});
  close(File);
  ASSERT_TRUE(Why);
  EXPECT_THAT(Why, HasSubstr("unknown kind"));
}

TEST(Compiler, IsOverdueBeyondItsBudget) {
  auto R = gemm(64);
  bool WasOverdue = false;
  R->request().budget_ms = 1000;
  R->request().context = &WasOverdue;
  R->request().settled = [](void *Context, const char *, const specrt_jit_candidate *) {
    const std::clock_t Begin = std::clock();
    while (!sharedCompiler().isOverdue() && std::clock() - Begin < 10 * CLOCKS_PER_SEC) {
    }
    *static_cast<bool *>(Context) = sharedCompiler().isOverdue();
  };
  (void)compile(*R);
  EXPECT_TRUE(WasOverdue);
}

TEST(Compiler, IsNotOverdueWithinItsBudget) {
  EXPECT_FALSE(sharedCompiler().isOverdue()) << "nothing is compiled";
  bool WasOverdue = false;
  std::atomic<bool> Done{false};
  std::thread Watcher([&] {
    while (!Done)
      WasOverdue |= sharedCompiler().isOverdue();
  });
  EXPECT_EQ(errorOf(compile(*gemm(64))), "");
  Done = true;
  Watcher.join();
  EXPECT_FALSE(WasOverdue);
}

TEST(Compiler, CompileTimes) {
  auto Median = [](TestRegion &R, const char *Only) {
    std::vector<double> Times;
    R.request().only = Only;
    for (int I = 0; I < (Only ? 11 : 1); ++I)
      Times.push_back(compile(R)->total_ms);
    std::nth_element(Times.begin(), Times.begin() + Times.size() / 2, Times.end());
    return Times[Times.size() / 2];
  };
  auto Axpy = TestRegion::fromKernel("axpy");
  Axpy->constant(0, 1000);
  auto Gemm = gemm(512);
  auto Stencil = TestRegion::fromKernel("jacobi");
  Stencil->constant(0, 100);
  Stencil->constant(1, 10);
  for (auto &[Name, R] : std::vector<std::pair<const char *, TestRegion *>>{
           {"axpy", Axpy.get()}, {"gemm", Gemm.get()}, {"jacobi", Stencil.get()}}) {
    double Scalar = Median(*R, "constants"), All = Median(*R, nullptr);
    printf("%s: constants %.1f ms, all candidates %.1f ms\n", Name, Scalar, All);
    ResultPtr Detail = compile(*R);
    for (unsigned I = 0; I < Detail->num_candidates; ++I)
      printf("  %s %.1f ms, %lu bytes\n", Detail->candidates[I].name,
             Detail->candidates[I].compile_ms, (unsigned long)Detail->candidates[I].code_bytes);
    printf("%s", notesOf(Detail).c_str());
    // Generous: a busy machine must not fail the test. The goals are 10 and 200 ms.
    EXPECT_LT(Scalar, 200) << Name;
    EXPECT_LT(All, 2000) << Name;
  }
}

TEST(JitLibrary, OffersTheInterfaceToItsOwnVersionOnly) {
  void *Library = dlopen(SPECRT_TEST_LIBRARIES "/libspecrt-jit.so", RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(Library) << dlerror();
  auto *Query = reinterpret_cast<decltype(&specrt_jit_query)>(dlsym(Library, "specrt_jit_query"));
  ASSERT_TRUE(Query);
  EXPECT_EQ(Query(SPECRT_JIT_API_VERSION + 1), nullptr);
  const specrt_jit_api *Api = Query(SPECRT_JIT_API_VERSION);
  ASSERT_TRUE(Api);
  EXPECT_EQ(Api->size, sizeof(specrt_jit_api));
  specrt_jit_config Config = {nullptr, SPECRT_TEST_LIBRARIES, nullptr, nullptr, nullptr, nullptr,
                              nullptr};
  const char *Why = nullptr;
  EXPECT_TRUE(Api->start(&Config, &Why)) << Why;
  auto R = gemm(32);
  const specrt_jit_result *Result = Api->compile(&R->request());
  EXPECT_EQ(Result->error, nullptr);
  EXPECT_GE(Result->num_candidates, 1u);
  Api->free_result(Result);
}

} // namespace
