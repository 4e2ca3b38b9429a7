//===- tests/jit/instrumented_test.cpp - instrumented versions, bits and streams ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/compiler.h"
#include "tests/jit/shared_compiler.h"
#include "tests/specializer/test_region.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <cstring>
#include <map>
#include <random>
#include <tuple>

extern "C" {
void gemm(int64_t N, int64_t M, int64_t K, double *C, const double *A, const double *B);
void axpy(int N, float A, const float *X, float *Y);
void increase(void *S, int64_t By);
void row_sums(int64_t N, int64_t M, void *P);
void powers(int N, double Exponent, const double *X, double *Y);
void jacobi(int64_t N, int64_t Steps, double *A, double *B);
int64_t count_below(int64_t N, double Limit, const double *X);
void gather(int64_t N, const int64_t *Index, const double *X, double *Y);
int64_t count_domain_errors(int64_t N, const double *X, double *Y, int *Error);
double pow(double, double);
double sin(double);
double sqrt(double);
}

using namespace specrt;

namespace {

/// A recording with a plan of windows, made by hand.
struct TestRecording : specrt_recording {
  explicit TestRecording(size_t NumWords = size_t{1} << 20) : specrt_recording{}, Words(NumWords) {
    window = [](specrt_recording *R, uint32_t Loop, uint64_t Iteration, uint64_t Trips) {
      auto &Mine = *static_cast<TestRecording *>(R);
      Mine.Asked.emplace_back(Loop, Iteration, Trips);
      return Mine.plan(Iteration);
    };
    more = [](specrt_recording *R) {
      auto &Mine = *static_cast<TestRecording *>(R);
      ++Mine.NumFull;
      return uint32_t{0};
    };
  }

  /// Gives it room for so many words, once the version is known.
  void begin(const specrt_jit_instrumented &Version, size_t Room) {
    ASSERT_LE(Room + Version.words, Words.size());
    next = Words.data();
    end = next + Room;
  }

  uint64_t plan(uint64_t Iteration) {
    auto After = Windows.upper_bound(Iteration);
    auto Now = Windows.find(Iteration);
    if (Now != Windows.end())
      mode = Now->second;
    return After == Windows.end() ? UINT64_MAX : After->first;
  }

  std::vector<uint64_t> Words;
  /// From which iteration on, in which mode.
  std::map<uint64_t, uint32_t> Windows = {{0, SPECRT_RECORD_ALL}};
  std::vector<std::tuple<uint32_t, uint64_t, uint64_t>> Asked;
  unsigned NumFull = 0;
};

struct Event {
  unsigned Access; ///< number of the load or store
  std::vector<uint64_t> At;
  uint64_t Address, Value;
};

std::vector<Event> eventsOf(const TestRecording &R, const specrt_jit_instrumented &Version) {
  std::vector<Event> Events;
  std::map<unsigned, uint64_t> Iteration;
  constexpr uint64_t Mask = (uint64_t{1} << SPECRT_RECORDED_ADDRESS_BITS) - 1;
  for (const uint64_t *W = R.Words.data(); W < R.next; ++W) {
    const unsigned Kind = unsigned(*W >> SPECRT_RECORDED_ADDRESS_BITS);
    if (Kind >= SPECRT_LOOP_MARK) {
      Iteration[Kind - SPECRT_LOOP_MARK] = *W & Mask;
      continue;
    }
    EXPECT_LT(Kind, Version.num_accesses);
    const specrt_recorded_access &A = Version.accesses[Kind];
    Event E{.Access = A.number, .At = {}, .Address = *W & Mask, .Value = 0};
    for (unsigned D = 0; D < A.depth; ++D)
      E.At.push_back(Iteration[A.loops[D]]);
    if (A.flags & SPECRT_RECORDED_VALUE)
      E.Value = *++W;
    Events.push_back(std::move(E));
  }
  return Events;
}

/// The instrumented version of a region.
struct Instrumented {
  explicit Instrumented(TestRegion &R, size_t Room = 1 << 19) {
    Version = sharedCompiler().instrument(R.request(), Into);
    EXPECT_EQ(Version->error, nullptr) << (Version->error ? Version->error : "");
    if (!Version->error)
      Into.begin(*Version, Room);
  }
  ~Instrumented() {
    sharedCompiler().release(Version->handle);
    delete static_cast<const InstrumentedResult *>(Version);
  }
  template <typename Type> Type *as() const { return reinterpret_cast<Type *>(Version->body); }
  std::vector<Event> events() const { return eventsOf(Into, *Version); }

  TestRecording Into;
  const specrt_jit_instrumented *Version;
};

template <typename T> std::vector<T> noise(size_t Size, unsigned Seed) {
  std::mt19937 Engine(Seed);
  std::uniform_real_distribution<double> Values(0.1, 3.0);
  std::vector<T> Result(Size);
  for (T &V : Result)
    V = T(Values(Engine));
  return Result;
}

TEST(Instrumented, GatherGivesTheSameBitsAndTellsIndices) {
  constexpr int64_t N = 100;
  auto X = noise<double>(N, 1), Y = noise<double>(N, 2);
  std::vector<int64_t> Index(N);
  for (int64_t I = 0; I < N; ++I)
    Index[size_t(I)] = N - 1 - I;
  auto Expected = Y;
  gather(N, Index.data(), X.data(), Expected.data());
  auto R = TestRegion::fromKernel("gather");
  Instrumented Made(*R);
  ASSERT_EQ(Made.Version->error, nullptr);
  Made.as<decltype(gather)>()(N, Index.data(), X.data(), Y.data());
  EXPECT_EQ(std::memcmp(Y.data(), Expected.data(), N * sizeof(double)), 0);
  const std::vector<Event> Events = Made.events();
  unsigned NumValues = 0;
  for (const Event &E : Events) {
    ASSERT_EQ(E.At.size(), 1u);
    if (E.Address - uint64_t(Index.data()) >= N * sizeof(int64_t))
      continue;
    ++NumValues;
    EXPECT_EQ(E.Address, uint64_t(Index.data() + E.At[0]));
    EXPECT_EQ(E.Value, uint64_t(N - 1 - int64_t(E.At[0])));
  }
  EXPECT_EQ(NumValues, N);
  EXPECT_EQ(std::get<2>(Made.Into.Asked.at(0)), uint64_t(N));
}

} // namespace
