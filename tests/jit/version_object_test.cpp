//===- tests/jit/version_object_test.cpp - bodies that outlive their process ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/guards/test_guards.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "llvm/Object/ELFObjectFile.h"
#include "gmock/gmock.h"
#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace specrt;
using testing::HasSubstr;

namespace {

struct Freer {
  void operator()(const specrt_jit_result *R) const { delete CompileResult::from(R); }
};
using ResultPtr = std::unique_ptr<const specrt_jit_result, Freer>;

ResultPtr compile(TestRegion &R) { return ResultPtr(sharedCompiler().compile(R.request())); }

/// A shared object in memory, loaded as libspecrt.so would load it from a file.
struct Object {
  int File = memfd_create("test", MFD_CLOEXEC);
  const char *Problem = nullptr;
  void *Library = nullptr;
  const specrt_version_object *Description = nullptr;

  Object(TestRegion &R, const specrt_jit_result &Result, const char *Key) {
    specrt_jit_link Link{&R.region(), Result.candidates, Result.num_candidates, 0, Key, File};
    Problem = sharedCompiler().link(Link);
    if (Problem)
      return;
    Library = dlopen(("/proc/self/fd/" + std::to_string(File)).c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!Library) {
      Problem = dlerror();
      return;
    }
    auto *Query = reinterpret_cast<specrt_version_object_query_fn *>(
        dlsym(Library, SPECRT_VERSION_OBJECT_QUERY));
    Description = Query ? Query() : nullptr;
    for (uint32_t I = 0; Description && I < Description->num_helpers; ++I)
      Description->helpers[I] = dlsym(RTLD_DEFAULT, Description->helper_names[I]);
  }
  ~Object() {
    if (Library)
      dlclose(Library);
    close(File);
  }
};

std::unique_ptr<TestRegion> gemm(int64_t Size) {
  auto R = TestRegion::fromKernel("gemm");
  for (unsigned I = 0; I < 3; ++I)
    R->constant(I, Size);
  return R;
}

TEST(VersionObject, DescribesItself) {
  auto R = gemm(32);
  R->region().file = "kernels.c";
  R->region().line = 7;
  ResultPtr Result = compile(*R);
  ASSERT_GE(Result->num_candidates, 2u);
  Object O(*R, *Result, "the key\nof two lines");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  const specrt_version_object &D = *O.Description;
  EXPECT_EQ(D.format, SPECRT_VERSION_OBJECT_FORMAT);
  EXPECT_EQ(D.size, sizeof(specrt_version_object));
  EXPECT_EQ(D.abi_version, SPECRT_ABI_VERSION);
  EXPECT_STREQ(D.key, "the key\nof two lines");
  EXPECT_STREQ(D.region, "gemm");
  EXPECT_STREQ(D.file, "kernels.c");
  EXPECT_EQ(D.line, 7u);
  ASSERT_EQ(D.num_bodies, Result->num_candidates);
  for (uint32_t I = 0; I < D.num_bodies; ++I) {
    EXPECT_FALSE(GuardView(D.bodies[I].entry->guards).empty());
    EXPECT_EQ(GuardView(D.bodies[I].entry->guards), GuardView(Result->candidates[I].guards));
    EXPECT_EQ(D.bodies[I].entry, D.bodies[0].entry) << "equal guards are checked by one entry";
    EXPECT_STREQ(D.bodies[I].name, Result->candidates[I].name);
    EXPECT_GT(D.bodies[I].compile_ms, 0);
  }
}

TEST(VersionObject, BodiesComputeWhatTheyDoInTheCompilingProcess) {
  constexpr int64_t N = 33;
  auto R = gemm(N);
  ResultPtr Result = compile(*R);
  Object O(*R, *Result, "");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  using Gemm = void(int64_t, int64_t, int64_t, double *, const double *, const double *);
  std::vector<double> A(N * N), B(N * N), Here(N * N), There(N * N);
  for (size_t I = 0; I < A.size(); ++I) {
    A[I] = std::sin(double(I));
    B[I] = 1.0 / double(I + 1);
  }
  for (uint32_t I = 0; I < O.Description->num_bodies; ++I) {
    std::fill(Here.begin(), Here.end(), 0.5);
    There = Here;
    reinterpret_cast<Gemm *>(Result->candidates[I].body)(N, N, N, Here.data(), A.data(), B.data());
    reinterpret_cast<Gemm *>(O.Description->bodies[I].body)(N, N, N, There.data(), A.data(),
                                                            B.data());
    EXPECT_EQ(std::memcmp(Here.data(), There.data(), Here.size() * sizeof(double)), 0)
        << O.Description->bodies[I].name;
  }
}

TEST(VersionObject, EntriesCheckTheGuards) {
  static int Went;
  auto R =
      TestRegion::fromIR("define i32 @f(i32 %n) {\n  %r = mul i32 %n, 3\n  ret i32 %r\n}", "f");
  R->constant(0, 14);
  ResultPtr Result = compile(*R);
  Object O(*R, *Result, "");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  using F = int32_t(int32_t);
  const specrt_object_entry &Guarded = *O.Description->bodies[0].entry;
  specrt_version_state &State = *Guarded.state;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(&State) % 64, 0u);
  State.body = O.Description->bodies[0].body;
  State.next = reinterpret_cast<void *>(static_cast<F *>([](int32_t N) {
    ++Went;
    return -N;
  }));
  State.sample_mask = State.miss_mask = ~uint64_t{0};
  for (void *Entry : {Guarded.entry, Guarded.exact_entry}) {
    Went = 0;
    EXPECT_EQ(reinterpret_cast<F *>(Entry)(14), 42);
    EXPECT_EQ(Went, 0);
    EXPECT_EQ(reinterpret_cast<F *>(Entry)(15), -15);
    EXPECT_EQ(Went, 1);
  }
}

TEST(VersionObject, BodiesMayHaveGuardsOfTheirOwn) {
  auto R =
      TestRegion::fromIR("define i32 @f(i32 %n) {\n  %r = mul i32 %n, 3\n  ret i32 %r\n}", "f");
  auto CompileFor = [&](int32_t N) {
    R->constant(0, N);
    return compile(*R);
  };
  ResultPtr First = CompileFor(14), Second = CompileFor(15), Third = CompileFor(16);
  const GuardList Is14 = listOf(EqualGuard(0, 14)), Is15 = listOf(EqualGuard(0, 15));
  std::vector<specrt_jit_candidate> Candidates = {First->candidates[0], Second->candidates[0],
                                                  Third->candidates[0]};
  Candidates[0].guards = Candidates[2].guards = Is14.plain();
  Candidates[1].guards = Is15.plain();
  specrt_jit_result Result = *First;
  Result.candidates = Candidates.data();
  Result.num_candidates = 3;
  Object O(*R, Result, "");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  const specrt_object_body *Bodies = O.Description->bodies;
  EXPECT_EQ(GuardView(Bodies[0].entry->guards), GuardView(Is14));
  EXPECT_EQ(GuardView(Bodies[1].entry->guards), GuardView(Is15));
  EXPECT_EQ(Bodies[0].entry, Bodies[2].entry);
  EXPECT_NE(Bodies[0].entry->state, Bodies[1].entry->state);
  using F = int32_t(int32_t);
  for (uint32_t I : {0u, 1u}) {
    specrt_version_state &State = *Bodies[I].entry->state;
    State.body = Bodies[I].body;
    State.next = reinterpret_cast<void *>(static_cast<F *>([](int32_t N) { return -N; }));
    State.sample_mask = State.miss_mask = ~uint64_t{0};
    for (void *Entry : {Bodies[I].entry->entry, Bodies[I].entry->exact_entry})
      for (int32_t N : {14, 15})
        EXPECT_EQ(reinterpret_cast<F *>(Entry)(N), N == int32_t(14 + I) ? 3 * N : -N);
  }
}

TEST(VersionObject, ReadsTheProgramsSymbolsFromTheTable) {
  static int32_t Cell = 5;
  static int32_t (*Function)(int32_t) = [](int32_t N) { return N + 1; };
  auto R =
      TestRegion::fromIR("@cell = external global i32\n"
                         "declare i32 @function(i32)\n"
                         "define i32 @f(i32 %n) {\n"
                         "entry:\n"
                         "  %c = icmp sgt i32 %n, 0\n"
                         "  br i1 %c, label %yes, label %no\n"
                         "yes:\n"
                         "  %a = load i32, ptr @cell\n"
                         "  %b = call i32 @function(i32 %a)\n"
                         "  br label %no\n"
                         "no:\n"
                         "  %r = phi i32 [%b, %yes], [ptrtoint (ptr @cell to i32), %entry]\n"
                         "  ret i32 %r\n}",
                         "f", {{"cell", &Cell}, {"function", reinterpret_cast<void *>(Function)}});
  ResultPtr Result = compile(*R);
  ASSERT_EQ(Result->error, nullptr) << Result->error;
  Object O(*R, *Result, "");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  static int32_t Other = 70;
  const specrt_object_body &Body = O.Description->bodies[0];
  ASSERT_NE(Body.symbols, nullptr);
  Body.symbols[0] = &Other;
  Body.symbols[1] = reinterpret_cast<void *>(Function);
  auto *There = reinterpret_cast<int32_t (*)(int32_t)>(Body.body);
  EXPECT_EQ(There(1), 71);
  EXPECT_EQ(There(0), static_cast<int32_t>(reinterpret_cast<uintptr_t>(&Other)));
  auto *Here = reinterpret_cast<int32_t (*)(int32_t)>(Result->candidates[0].body);
  EXPECT_EQ(Here(1), 6);
  EXPECT_EQ(Here(0), static_cast<int32_t>(reinterpret_cast<uintptr_t>(&Cell)));
}

TEST(VersionObject, PassesCallsOfHelpersThrough) {
  auto R = TestRegion::fromIR("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                              "define i32 @f(ptr %p, double %x, double %y, i64 %n) {\n"
                              "  %r = frem double %x, %y\n"
                              "  store double %r, ptr %p\n"
                              "  %q = getelementptr double, ptr %p, i64 1\n"
                              "  call void @llvm.memset.p0.i64(ptr %q, i8 1, i64 %n, i1 false)\n"
                              "  ret i32 0\n}",
                              "f");
  ResultPtr Result = compile(*R);
  ASSERT_EQ(Result->error, nullptr) << Result->error;
  Object O(*R, *Result, "");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  ASSERT_EQ(O.Description->num_helpers, 2u);
  EXPECT_STREQ(O.Description->helper_names[0], "fmod");
  EXPECT_STREQ(O.Description->helper_names[1], "memset");
  double Memory[3] = {};
  volatile double X = 1.7, Y = 3.1;
  reinterpret_cast<int32_t (*)(double *, double, double, int64_t)>(O.Description->bodies[0].body)(
      Memory, X, Y, 9);
  EXPECT_EQ(Memory[0], std::fmod(X, Y));
  char Filled[10];
  std::memcpy(Filled, Memory + 1, sizeof(Filled));
  EXPECT_EQ(std::memcmp(Filled, "\1\1\1\1\1\1\1\1\1\0", 10), 0);
}

TEST(VersionObject, ImportsNothing) {
  auto R = gemm(32);
  ResultPtr Result = compile(*R);
  Object O(*R, *Result, "");
  ASSERT_EQ(O.Problem, nullptr) << O.Problem;
  auto Buffer = llvm::cantFail(llvm::errorOrToExpected(
      llvm::MemoryBuffer::getFile("/proc/self/fd/" + std::to_string(O.File))));
  auto File = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(*Buffer));
  auto *Elf = llvm::cast<llvm::object::ELFObjectFileBase>(File.get());
  std::vector<std::string> Dynamic;
  for (const llvm::object::ELFSymbolRef &Symbol : Elf->getDynamicSymbolIterators())
    Dynamic.push_back(llvm::cantFail(Symbol.getName()).str());
  EXPECT_THAT(Dynamic, testing::ElementsAre(SPECRT_VERSION_OBJECT_QUERY));
}

TEST(VersionObject, ADescriptorThatCannotBeWrittenIsAnError) {
  auto R = gemm(32);
  ResultPtr Result = compile(*R);
  int ReadOnly = open("/dev/null", O_RDONLY | O_CLOEXEC);
  specrt_jit_link Link{&R->region(), Result->candidates, Result->num_candidates, 0, "", ReadOnly};
  const char *Problem = sharedCompiler().link(Link);
  close(ReadOnly);
  ASSERT_NE(Problem, nullptr);
  EXPECT_THAT(Problem, HasSubstr("cannot be written"));
}

} // namespace
