//===- tests/specializer/specialize_test.cpp - candidates as IR -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/host_target.h"
#include "specializer/specialize.h"
#include "tests/guards/test_guards.h"
#include "tests/specializer/test_region.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"

using namespace specrt;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

namespace {

llvm::TargetMachine &target() {
  static llvm::TargetMachine &TM = *llvm::cantFail(createHostTarget()).release();
  return TM;
}

/// What one candidate became: its text, and whether it runs in parallel.
struct Seen {
  std::string Name, Text;
  bool Parallel;
};

struct Specialized : SpecializedRegion {
  std::vector<Seen> Candidates;
  GuardList Guards; ///< of all candidates
};

llvm::Expected<Specialized> specializeTest(TestRegion &R, int Milliseconds = 10000) {
  CompileBudget Budget{std::chrono::milliseconds(Milliseconds)};
  Dump Files(R.request());
  Specialized Result;
  auto Region = specialize(R.request(), target(), Budget, Files, [&](CandidateModule C) {
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    C.M->print(Stream, nullptr);
    EXPECT_TRUE(Result.Candidates.empty() || C.Guards == Result.Guards)
        << "no strategy asks for more than the others";
    Result.Guards = C.Guards;
    Result.Candidates.push_back({C.Name, Text, C.Parallel});
  });
  if (!Region)
    return Region.takeError();
  static_cast<SpecializedRegion &>(Result) = std::move(*Region);
  return Result;
}

const Seen *find(const Specialized &Region, llvm::StringRef Name) {
  for (const Seen &C : Region.Candidates)
    if (C.Name == Name)
      return &C;
  return nullptr;
}

/// Fails the test where there is no such candidate: no text lacks anything.
std::string text(const Specialized &Region, llvm::StringRef Name) {
  const Seen *C = find(Region, Name);
  EXPECT_TRUE(C) << "no candidate " << Name.str() << "\n" << Region.Told.text();
  return C ? C->Text : "";
}

template <typename Record> size_t count(const Specialized &Region) {
  return allOf<Record>(Region.Guards).size();
}

std::unique_ptr<TestRegion> gemm(int64_t N, int64_t M, int64_t K) {
  auto R = TestRegion::fromKernel("gemm");
  R->constant(0, N);
  R->constant(1, M);
  R->constant(2, K);
  return R;
}

TEST(Specialize, ConstantsAndDisjointArraysAreGuarded) {
  auto R = gemm(30, 40, 50);
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_EQ(count<EqualGuard>(S), 3u);
  ASSERT_EQ(count<DisjointGuard>(S), 2u) << "C with A and C with B; A and B are only read";
  for (const DisjointGuard *G : allOf<DisjointGuard>(S.Guards)) {
    EXPECT_EQ(G->Base[0].index, 3) << "C";
    ASSERT_EQ(G->range(0).End.NumTerms, 1u);
    EXPECT_EQ(G->range(0).End.Terms[0].coefficient, 30 * 40 * 8);
  }
}

TEST(Specialize, DisjointnessReachesTheVectoriser) {
  auto R = TestRegion::fromKernel("axpy");
  R->constant(0, 4096);
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_EQ(count<DisjointGuard>(S), 1u);
  std::string Out = text(S, "constants");
  EXPECT_THAT(Out, HasSubstr("x float>")) << "vectorised";
  EXPECT_THAT(Out, Not(HasSubstr("vector.memcheck"))) << "without a run-time alias check";
}

/// Makes two bases of a region, its arguments 2 and 3 by default, arrays that were seen to overlap.
/// Must outlive the requests.
class SeenOverlap {
public:
  explicit SeenOverlap(TestRegion &R, specrt_base X = {SPECRT_BASE_ARGUMENT, 2, 0},
                       specrt_base Y = {SPECRT_BASE_ARGUMENT, 3, 0}) {
    Accesses[0].range.base = X;
    Accesses[1].range.base = Y;
    R.region().accesses = Accesses;
    R.region().num_accesses = 2;
    R.request().overlaps = Pairs;
  }

private:
  specrt_access Accesses[2] = {};
  const uint8_t Pairs[4] = {1, 1, 1, 1};
};

TEST(Specialize, OverlapThatWasSeenIsNotGuardedAway) {
  auto R = TestRegion::fromKernel("axpy");
  R->constant(0, 4096);
  const SeenOverlap Arrays(*R);
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_EQ(count<DisjointGuard>(S), 0u);
  EXPECT_THAT(S.Told.text(), HasSubstr("overlap"));
  EXPECT_EQ(S.Told.begin()->About, SPECRT_NOTE_OVERLAP);
}

TEST(Specialize, MovesBetweenArraysAreLoopsUnderAGuard) {
  auto R = TestRegion::fromKernel("moved_back");
  R->constant(0, 40000);
  R->constant(1, 100);
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_EQ(count<DisjointGuard>(S), 1u) << S.Told.text();
  EXPECT_THAT(text(S, "time-tiled"), Not(HasSubstr("@llvm.memmove")));
}

TEST(Specialize, MovesBetweenArraysThatOverlapStayCalls) {
  auto R = TestRegion::fromKernel("moved_back");
  R->constant(0, 40000);
  R->constant(1, 100);
  const SeenOverlap Arrays(*R);
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_EQ(count<DisjointGuard>(S), 0u);
  ASSERT_FALSE(S.Candidates.empty()) << S.Told.text();
  for (const Seen &C : S.Candidates)
    EXPECT_THAT(C.Text, HasSubstr("@llvm.memmove")) << C.Name;
}

TEST(Specialize, SwitchOnASpecialisedArgumentDisappears) {
  auto R = TestRegion::fromKernel("weights");
  R->constant(0, 1000);
  R->constant(1, 1);
  auto S = llvm::cantFail(specializeTest(*R));
  std::string Out = text(S, "constants");
  EXPECT_THAT(Out, Not(HasSubstr("switch")));
  EXPECT_THAT(Out, Not(HasSubstr("call double"))) << "the embedded callee is inlined";
}

TEST(Specialize, NothingIsFusedWhenTheOriginalWasNot) {
  auto R = gemm(32, 32, 32);
  auto S = llvm::cantFail(specializeTest(*R));
  ASSERT_FALSE(S.Candidates.empty()) << S.Told.text();
  for (const Seen &C : S.Candidates)
    EXPECT_THAT(C.Text, AllOf(HasSubstr("fmul"), Not(HasSubstr("llvm.fma")))) << C.Name;
}

TEST(Specialize, LibraryCallsSurviveConstantArguments) {
  auto R = TestRegion::fromKernel("powers");
  R->constant(0, 100);
  R->constant(1, packed(2.0));
  std::string Strict = text(llvm::cantFail(specializeTest(*R)), "constants");
  EXPECT_THAT(Strict, HasSubstr("call double @pow(")) << "x*x may differ from pow(x, 2)";
  EXPECT_THAT(Strict, HasSubstr("call double @sin(")) << "must not be folded";
  R->request().fp_mode = SPECRT_FP_FAST;
  std::string Fast = text(llvm::cantFail(specializeTest(*R)), "constants");
  EXPECT_THAT(Fast, HasSubstr("fmul double"));
  EXPECT_THAT(Fast, HasSubstr("0x7FEFFFFFFFFFFFFF")) << "pow is only called if it reports an error";
}

TEST(Specialize, SumsOfTheFastModeAreVectorsWithoutFlags) {
  for (const bool IsKnown : {false, true}) {
    auto R = TestRegion::fromKernel("scalar_product");
    if (IsKnown)
      R->constant(0, 100000);
    EXPECT_THAT(text(llvm::cantFail(specializeTest(*R)), "constants"), Not(HasSubstr("x double>")));
    R->request().fp_mode = SPECRT_FP_FAST;
    const std::string Fast = text(llvm::cantFail(specializeTest(*R)), "constants");
    EXPECT_THAT(Fast, HasSubstr("phi <")) << "lanes are registers";
    EXPECT_THAT(Fast, Not(HasSubstr("alloca")));
    EXPECT_THAT(Fast, Not(HasSubstr("reassoc")));
  }
}

/// A guard that separates arrays makes the comparison of a sum with other accesses superfluous.
TEST(Specialize, PlacesOfSumsAreComparedWhereNoGuardDoes) {
  for (const bool IsGuarded : {true, false}) {
    auto R = TestRegion::fromIR(R"(
define void @f(i64 %n, i64 %m, ptr %x, ptr %sums) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.latch ]
  %sum = getelementptr inbounds double, ptr %sums, i64 %i
  %row = mul nsw i64 %i, %m
  br label %loop
loop:
  %j = phi i64 [ 0, %outer ], [ %j.next, %loop ]
  %index = add nsw i64 %row, %j
  %at = getelementptr inbounds double, ptr %x, i64 %index
  %v = load double, ptr %at
  %old = load double, ptr %sum
  %new = fadd double %old, %v
  store double %new, ptr %sum
  %j.next = add nuw nsw i64 %j, 1
  %j.last = icmp eq i64 %j.next, %m
  br i1 %j.last, label %outer.latch, label %loop
outer.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.last = icmp eq i64 %i.next, %n
  br i1 %i.last, label %end, label %outer
end:
  ret void
}
)",
                                "f");
    R->constant(0, 40);
    R->constant(1, 1000);
    R->request().fp_mode = SPECRT_FP_FAST;
    std::optional<SeenOverlap> Arrays;
    if (!IsGuarded)
      Arrays.emplace(*R);
    const Specialized S = llvm::cantFail(specializeTest(*R));
    EXPECT_EQ(count<DisjointGuard>(S), IsGuarded ? 1u : 0u);
    const std::string Text = text(S, "constants");
    EXPECT_THAT(Text, HasSubstr("fadd <")) << "sums are in lanes";
    const auto Compares = testing::ContainsRegex("icmp u[gl][te] ptr");
    if (IsGuarded)
      EXPECT_THAT(Text, Not(Compares));
    else
      EXPECT_THAT(Text, Compares);
  }
}

TEST(Specialize, PlacesBehindLoadedPointersAreSeparatedByGuards) {
  for (const bool IsGuarded : {true, false}) {
    auto R = TestRegion::fromKernel("row_sums");
    R->constant(0, 40);
    R->constant(1, 1000);
    R->request().fp_mode = SPECRT_FP_FAST;
    std::optional<SeenOverlap> InAndOut;
    if (!IsGuarded)
      InAndOut.emplace(*R, specrt_base{SPECRT_BASE_LOADED, 2, 0},
                       specrt_base{SPECRT_BASE_LOADED, 2, 8});
    const Specialized S = llvm::cantFail(specializeTest(*R));
    EXPECT_EQ(count<DisjointGuard>(S), IsGuarded ? 2u : 1u)
        << "one separates out from the pointers, the other one from in";
    const std::string Text = text(S, "constants");
    EXPECT_THAT(Text, HasSubstr("fadd <"));
    const auto Compares = testing::ContainsRegex("icmp u[gl][te] ptr");
    if (IsGuarded)
      EXPECT_THAT(Text, Not(Compares));
    else
      EXPECT_THAT(Text, Compares);
  }
}

/// The guard depends on the flags of the original, not on those of rewritten code.
TEST(Specialize, DenormalsOfTheFastModeAreGuardedAsInTheOriginal) {
  const auto Bits = [](const std::string &Flags) {
    auto R = TestRegion::fromIR("define void @f(i64 %n, double %y, ptr noalias %x) {\n"
                                "entry:\n  br label %loop\n"
                                "loop:\n"
                                "  %i = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
                                "  %at = getelementptr double, ptr %x, i64 %i\n"
                                "  %v = load double, ptr %at\n"
                                "  %q = fdiv fast double %v, %y\n"
                                "  %m = fmul " +
                                    Flags +
                                    " double %v, %v\n"
                                    "  %s = fadd fast double %m, %q\n"
                                    "  store double %s, ptr %at\n"
                                    "  %next = add nuw nsw i64 %i, 1\n"
                                    "  %last = icmp eq i64 %next, %n\n"
                                    "  br i1 %last, label %end, label %loop\n"
                                    "end:\n  ret void\n}\n",
                                "f");
    R->request().fp_mode = SPECRT_FP_FAST;
    const Specialized S = llvm::cantFail(specializeTest(*R));
    const auto Guards = allOf<FpEnvironmentGuard>(S.Guards);
    return Guards.size() == 1 ? Guards[0]->Mxcsr : 0;
  };
  EXPECT_EQ(Bits(""), MxcsrControl);
  EXPECT_EQ(Bits("fast"), MxcsrControl & ~MxcsrDenormals);
}

TEST(Specialize, BoundInMemoryIsAssumedAndGuarded) {
  struct {
    int64_t N;
    double Scale;
    int64_t *Data;
  } Vector = {1000, 1.0, nullptr};
  auto R = TestRegion::fromKernel("increase");
  R->sample({packed(&Vector), 3});
  auto S = llvm::cantFail(specializeTest(*R));
  ASSERT_EQ(count<LoadEqualGuard>(S), 1u) << S.Told.text();
  EXPECT_GE(count<DisjointGuard>(S), 1u) << "the stores must not change the bound";
  EXPECT_EQ(allOf<LoadEqualGuard>(S.Guards)[0]->Value, 1000u);
  std::string Out = text(S, "constants");
  EXPECT_THAT(Out, HasSubstr("x i64>")) << "with a known bound the loop is vectorised";
}

TEST(Specialize, WithoutASampleTheBoundStaysInMemory) {
  auto R = TestRegion::fromKernel("increase");
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_TRUE(find(S, "constants")) << S.Told.text();
  EXPECT_EQ(count<LoadEqualGuard>(S), 0u);
}

TEST(Specialize, BoundThatChangesIsNotAssumed) {
  struct {
    int64_t N;
    double Scale;
    int64_t *Data;
  } Vector = {1000, 1.0, nullptr};
  auto R = TestRegion::fromKernel("shrink");
  R->sample({packed(&Vector)});
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_TRUE(find(S, "constants")) << S.Told.text();
  EXPECT_EQ(count<LoadEqualGuard>(S), 0u);
}

TEST(Specialize, BasesInMemoryAreGuardedAndLoadedOnce) {
  auto R = TestRegion::fromKernel("row_sums");
  R->constant(0, 100);
  R->constant(1, 200);
  auto S = llvm::cantFail(specializeTest(*R));
  bool Loaded = llvm::any_of(allOf<DisjointGuard>(S.Guards), [](const DisjointGuard *G) {
    return G->Base[0].kind == SPECRT_BASE_LOADED && G->Base[1].kind == SPECRT_BASE_LOADED;
  });
  EXPECT_TRUE(Loaded) << S.Told.text();
  std::string Out = text(S, "constants");
  size_t First = Out.find("load ptr"), Second = Out.find("load ptr", First + 1);
  ASSERT_NE(Second, std::string::npos);
  EXPECT_EQ(Out.find("load ptr", Second + 1), std::string::npos) << Out;
  EXPECT_TRUE(find(S, "vector")) << S.Told.text();
  EXPECT_FALSE(find(S, "source-order")) << "the same order without vectors";
}

TEST(Specialize, PolyhedralCandidatesOfAContraction) {
  auto R = gemm(256, 256, 256);
  auto S = llvm::cantFail(specializeTest(*R));
  EXPECT_TRUE(find(S, "constants"));
  EXPECT_TRUE(find(S, "contraction")) << S.Told.text();
  EXPECT_FALSE(find(S, "contraction-parallel")) << "one thread was allowed";
  EXPECT_FALSE(find(S, "isl-schedule")) << "nothing comes near a kernel";
}

TEST(Specialize, ParallelCandidatesNeedLongCallsAndThreads) {
  auto R = gemm(256, 256, 256);
  R->request().threads = 4;
  R->request().seconds_per_call = 20e-6;
  auto Short = llvm::cantFail(specializeTest(*R));
  EXPECT_TRUE(find(Short, "contraction")) << Short.Told.text();
  EXPECT_FALSE(find(Short, "contraction-parallel"));
  R->request().seconds_per_call = 0.02;
  auto S = llvm::cantFail(specializeTest(*R));
  const Seen *C = find(S, "contraction-parallel");
  ASSERT_TRUE(C) << S.Told.text();
  EXPECT_TRUE(C->Parallel);
  EXPECT_THAT(C->Text, HasSubstr("@GOMP_parallel_loop_runtime_start"));
}

TEST(Specialize, SerialCandidatesAreForShortCallsAndForOneThread) {
  auto R = gemm(256, 256, 256);
  R->request().threads = 4;
  R->request().seconds_per_call = 1e-3;
  auto Short = llvm::cantFail(specializeTest(*R));
  EXPECT_TRUE(find(Short, "contraction")) << Short.Told.text();
  EXPECT_TRUE(find(Short, "contraction-parallel")) << Short.Told.text();
  R->request().seconds_per_call = 5e-3;
  auto Long = llvm::cantFail(specializeTest(*R));
  EXPECT_TRUE(find(Long, "contraction-parallel")) << Long.Told.text();
  EXPECT_FALSE(find(Long, "contraction"));
  R->request().threads = 1;
  EXPECT_TRUE(find(llvm::cantFail(specializeTest(*R)), "contraction"));
}

std::unique_ptr<TestRegion> manyArrays(double SecondsPerCall) {
  auto R = TestRegion::fromKernel("many_arrays");
  R->constant(0, 300);
  R->constant(1, 200);
  R->request().threads = 4;
  R->request().seconds_per_call = SecondsPerCall;
  return R;
}

TEST(Specialize, GuardsMayTakeAThousandthOfACall) {
  const auto Short = llvm::cantFail(specializeTest(*manyArrays(10e-6)));
  EXPECT_EQ(count<DisjointGuard>(Short), 0u);
  EXPECT_THAT(Short.Told.text(), HasSubstr("60 pairs of arrays are too many"));
  const auto Long = llvm::cantFail(specializeTest(*manyArrays(1e-3)));
  EXPECT_EQ(count<DisjointGuard>(Long), 60u);
}

TEST(Specialize, NothingIsModelledBesideSharedLoopsOfLargeNests) {
  const auto S = llvm::cantFail(specializeTest(*manyArrays(1e-3)));
  std::vector<std::string> Names;
  for (const Seen &C : S.Candidates)
    Names.push_back(C.Name);
  EXPECT_THAT(Names, testing::ElementsAre("constants", "source-order-parallel"));
  EXPECT_THAT(S.Told.text(), Not(HasSubstr("isl-schedule")));
}

TEST(Specialize, ThreadsShareLoopsInsideWhereTheyCannotShareTheOutermost) {
  auto R = TestRegion::fromKernel("update_materials");
  R->constant(0, 4);
  R->request().threads = 4;
  R->request().seconds_per_call = 1e-3;
  const auto S = llvm::cantFail(specializeTest(*R));
  const Seen *C = find(S, "source-order-parallel");
  ASSERT_TRUE(C) << S.Told.text();
  EXPECT_TRUE(C->Parallel);
  EXPECT_THAT(S.Told.text(), HasSubstr("threads share 1 loops, also inside others"));
  R->request().seconds_per_call = 0.1e-3; // 25 us for each of the loops inside
  EXPECT_TRUE(find(llvm::cantFail(specializeTest(*R)), "source-order-parallel"));
  R->constant(0, 400);
  EXPECT_FALSE(find(llvm::cantFail(specializeTest(*R)), "source-order-parallel"));
}

TEST(Specialize, OneCandidateOnRequest) {
  auto R = gemm(64, 64, 64);
  R->request().only = "source-order";
  auto S = llvm::cantFail(specializeTest(*R));
  ASSERT_EQ(S.Candidates.size(), 1u);
  EXPECT_EQ(S.Candidates[0].Name, "source-order");
  R->request().only = "no such candidate";
  auto Unknown = specializeTest(*R);
  ASSERT_FALSE(bool(Unknown));
  llvm::consumeError(Unknown.takeError());
}

TEST(Specialize, CausesComeFromTheUnspecialisedNest) {
  auto R = gemm(64, 64, 64);
  auto S = llvm::cantFail(specializeTest(*R));
  bool Alias = llvm::any_of(S.Causes, [](const RejectionCause &C) { return C.Kind == "alias"; });
  EXPECT_TRUE(Alias);
  ASSERT_FALSE(S.Causes.empty());
  EXPECT_THAT(S.Causes[0].File, HasSubstr("kernels.c"));
  EXPECT_NE(S.Causes[0].Line, 0u);
}

TEST(Specialize, BudgetOfNothingIsAnError) {
  auto R = gemm(64, 64, 64);
  auto S = specializeTest(*R, 0);
  ASSERT_FALSE(bool(S));
  EXPECT_THAT(toString(S.takeError()), HasSubstr("budget"));
}

} // namespace
