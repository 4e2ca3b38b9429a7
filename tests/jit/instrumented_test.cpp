//===- tests/jit/instrumented_test.cpp - instrumented versions, bits and streams ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/numbers.h"
#include "tests/jit/recording.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <span>

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
  EXPECT_TRUE(std::ranges::equal(std::as_bytes(std::span(Y)), std::as_bytes(std::span(Expected))));
  const std::vector<Event> Events = Made.events();
  unsigned NumValues = 0;
  for (const Event &E : Events) {
    ASSERT_EQ(E.At.size(), 1u);
    if (E.Address - uint64_t(Index.data()) >= N * sizeof(int64_t))
      continue;
    ++NumValues;
    EXPECT_EQ(E.Address, uint64_t(Index.data() + E.At[0]));
    EXPECT_EQ(E.Value, N - 1 - E.At[0]);
  }
  EXPECT_EQ(NumValues, N);
  EXPECT_EQ(std::get<2>(Made.Into.Asked.at(0)), uint64_t(N));
}

/// The same bits as the original with any windows and any room; returns the number of events.
template <typename Fn> size_t expectSameBits(const char *Kernel, Fn *Original, auto... Arguments) {
  size_t Most = 0;
  auto R = TestRegion::fromKernel(Kernel);
  Instrumented Made(*R);
  if (Made.Version->error)
    return 0;
  using Windows = std::map<uint64_t, uint32_t>;
  for (const Windows &W : {Windows{{0, SPECRT_RECORD_ALL}}, Windows{{0, SPECRT_RECORD_NOT}},
                           Windows{{0, SPECRT_RECORD_ALL},
                                   {1, SPECRT_RECORD_NOT},
                                   {3, SPECRT_RECORD_ALL},
                                   {4, SPECRT_RECORD_OVER}},
                           Windows{{0, SPECRT_RECORD_OVER}}})
    for (size_t Room : {size_t{1} << 18, size_t{64}, size_t{0}}) {
      Made.Into.begin(*Made.Version, Room);
      Made.Into.Windows = W;
      Original(Arguments(nullptr)...);
      Made.as<Fn>()(Arguments(Made.Version)...);
      Most = std::max(Most, Made.events().size());
    }
  return Most;
}

/// An argument that is an array: one for the original, one for the other.
auto array(std::vector<double> &Plain, std::vector<double> &Other) {
  return
      [&](const specrt_jit_instrumented *Version) { return Version ? Other.data() : Plain.data(); };
}
auto value(auto V) {
  return [V](const specrt_jit_instrumented *) { return V; };
}

TEST(Instrumented, NestsGiveTheSameBitsWhateverIsRecorded) {
  constexpr int64_t N = 23, M = 17, K = 9;
  auto A = noise<double>(N * K, 1), B = noise<double>(K * M, 2), C = noise<double>(N * M, 3);
  auto D = C;
  EXPECT_GT(expectSameBits("gemm", gemm, value(N), value(M), value(K), array(C, D),
                           value(static_cast<const double *>(A.data())),
                           value(static_cast<const double *>(B.data()))),
            size_t(N * M * K));
  EXPECT_TRUE(sameBits(C, D));
  auto E = noise<double>(N * N, 4), F = E, G = noise<double>(N * N, 5), H = G;
  EXPECT_GT(expectSameBits("jacobi", jacobi, value(N), value(int64_t{5}), array(E, F), array(G, H)),
            0u);
  EXPECT_TRUE(sameBits(E, F) && sameBits(G, H));
}

TEST(Instrumented, LoopsThatDoNotRunRecordNothing) {
  auto A = noise<double>(4, 1), B = A, C = A, D = A;
  EXPECT_EQ(expectSameBits("gemm", gemm, value(int64_t{0}), value(int64_t{2}), value(int64_t{2}),
                           array(C, D), value(static_cast<const double *>(A.data())),
                           value(static_cast<const double *>(B.data()))),
            0u);
  EXPECT_TRUE(sameBits(C, D));
}

TEST(Instrumented, ReturnValuesAndCallsAreThoseOfTheOriginal) {
  auto X = noise<double>(500, 7);
  for (double Limit : {0.5, 1.5, 9.0}) {
    auto R = TestRegion::fromKernel("count_below");
    Instrumented Made(*R);
    ASSERT_EQ(Made.Version->error, nullptr);
    EXPECT_EQ(Made.as<decltype(count_below)>()(500, Limit, X.data()),
              count_below(500, Limit, X.data()));
  }
  std::vector<double> Y(500), Z(500);
  auto R = TestRegion::fromKernel(
      "powers", {{"pow", reinterpret_cast<void *>(static_cast<double (*)(double, double)>(pow))},
                 {"sin", reinterpret_cast<void *>(static_cast<double (*)(double)>(sin))}});
  Instrumented Made(*R);
  ASSERT_EQ(Made.Version->error, nullptr) << Made.Version->error;
  powers(500, 0.3, X.data(), Y.data());
  errno = 1234;
  Made.as<decltype(powers)>()(500, 0.3, X.data(), Z.data());
  EXPECT_EQ(errno, 1234);
  EXPECT_TRUE(sameBits(Y, Z));
}

} // namespace
