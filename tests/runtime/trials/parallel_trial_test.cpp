//===- tests/runtime/trials/parallel_trial_test.cpp - trials of candidates that use threads ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/trials/played_trial.h"

#include <tuple>
#include <utility>

namespace specrt {
namespace {

/// The first run of a parallel candidate starts threads. That takes a decisive part of a call of 10
/// ms, and not of one of 100 ms, where a large gain ends the trial.
TEST(ParallelTrial, TheFirstRunOfAParallelCandidateDoesNotCount) {
  for (const double Seconds : {0.01, 0.1})
    for (const bool IsParallel : {false, true})
      for (const uint64_t Ticks : {50U, 120U}) {
        auto T = makeTrial(1, Seconds);
        T->Candidates[1]->Parallel = IsParallel;
        planSamples(*T, Seconds, /*Varying=*/false);
        EXPECT_EQ(play(*T, {100, Ticks}), IsParallel && Seconds < FeltSeconds ? 3 : 2);
        EXPECT_EQ(T->Candidates[1]->NumSamples, 1u);
        EXPECT_EQ(judge(*T).Winner, Ticks == 50 ? 1 : -1);
      }
}

/// The baseline is parallel where versions that serve calls are.
TEST(ParallelTrial, TheFirstRunOfAParallelBaselineDoesNotCount) {
  auto T = makeTrial(1, 0.01);
  T->Candidates[0]->Parallel = true;
  planSamples(*T, 0.01, /*Varying=*/false);
  EXPECT_EQ(T->Candidates[0]->Discarded, 1U);
  EXPECT_EQ(T->Candidates[1]->Discarded, 0U);
}

TEST(ParallelTrial, ThreadsThatStartDoNotDecide) {
  auto T = makeTrial(1, 0.01);
  T->Candidates[1]->Parallel = true;
  planSamples(*T, 0.01, /*Varying=*/false);
  const specrt_region R = region();
  const uint64_t Packed = 5;
  uint64_t OfCandidate = 120;
  for (int Call = 0; !T->Done && Call < 10; ++Call) {
    const int Ran = choose(*T, R, &Packed);
    addSample(*T, Ran, Ran == 0 ? 100 : std::exchange(OfCandidate, 60));
  }
  EXPECT_EQ(judge(*T).Winner, 1);
}

TEST(ParallelTrial, SerialCandidatesAreMeasuredWhileParallelOnesWaitForAProcessor) {
  for (const uint64_t Serial : {100u, 280u}) {
    auto T = makeTrial(2, 1e-3);
    T->Candidates[1]->Parallel = true;
    specrt_region R = region();
    uint64_t Packed = 5;
    int Code = 0;
    T->Candidates[2]->Body = &Code;
    EXPECT_TRUE(playWithout(*T, 1, /*OnlySerial=*/true, {300, 0, Serial}).Waits)
        << "one is left, which is not a call that no guard admits";
    EXPECT_TRUE(T->complete(0) && T->complete(2));
    EXPECT_EQ(leadingBody(*T, R, &Packed), Serial == 100 ? &Code : nullptr)
        << "what is clearly better serves meanwhile";
    EXPECT_GT(play(*T, {300, 50, Serial}), 0) << "the processor is free";
    EXPECT_EQ(judge(*T).Winner, 1);
  }
}

TEST(ParallelTrial, OfCandidatesAboutAsFastTheSerialOneWins) {
  for (auto [Parallel, Serial, Winner] :
       {std::tuple{100u, 108u, 2}, {100u, 130u, 1}, {288u, 295u, 1}, {310u, 280u, 2}}) {
    auto T = makeTrial(2, 1e-3);
    T->Candidates[1]->Parallel = true;
    EXPECT_GT(play(*T, {300, Parallel, Serial}), 0);
    const Verdict V = judge(*T);
    EXPECT_EQ(V.Winner, Winner) << Parallel << " against " << Serial;
    EXPECT_EQ(V.Best, Winner);
    EXPECT_EQ(static_cast<int>(T->Leader.load()), Winner);
  }
}

TEST(ParallelTrial, ThreadsThatSleptAreNotLateWhereSizesMayVary) {
  // The second call of a turn finds them awake, with their data; calls of two sizes alternate.
  auto T = std::make_unique<Trial>();
  for (int I = 0; I < 3; ++I)
    T->Candidates.push_back(std::make_unique<Candidate>());
  T->Candidates[2]->Parallel = true;
  planSamples(*T, 5e-4, /*Varying=*/true);
  specrt_region R = region();
  int Previous[2] = {-1, -1};
  bool Done = false;
  for (int Call = 0; !Done && Call < 1000; ++Call) {
    const auto Size = static_cast<uint64_t>(Call % 2);
    const Turn Now = chooseCandidate(*T, R, &Size);
    ASSERT_GE(Now.Candidate, 0);
    const bool IsLate = std::exchange(Previous[Size], Now.Candidate) != Now.Candidate;
    const uint64_t Ticks = Now.Candidate == 0 ? 500 : Now.Candidate == 1 ? 220 : IsLate ? 240 : 150;
    Done = addTrialSample(*T, static_cast<uint32_t>(Now.Candidate), Now.Class, {.Ticks = Ticks});
  }
  ASSERT_TRUE(Done);
  EXPECT_EQ(judge(*T).Winner, 2);
}

} // namespace
} // namespace specrt
