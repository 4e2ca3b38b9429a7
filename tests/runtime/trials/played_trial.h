//===- tests/runtime/trials/played_trial.h - trials whose times the test says ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_TRIALS_PLAYED_TRIAL_H
#define SPECRT_TESTS_RUNTIME_TRIALS_PLAYED_TRIAL_H

#include "guards/equal.h"
#include "runtime/decide/verdict.h"

#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace specrt {

inline constexpr uint8_t Kinds[] = {SPECRT_KIND_I64};

inline specrt_region region() {
  specrt_region R{};
  R.num_args = 1;
  R.arg_kinds = Kinds;
  return R;
}

inline std::unique_ptr<Trial> makeTrial(uint32_t Candidates, double Seconds, bool Varying = false) {
  auto T = std::make_unique<Trial>();
  for (uint32_t I = 0; I <= Candidates; ++I) {
    T->Candidates.push_back(std::make_unique<Candidate>());
    T->Candidates.back()->Name = "candidate" + std::to_string(I);
    if (I > 0)
      T->Candidates.back()->Guards.append(EqualGuard(0, 5));
  }
  planSamples(*T, Seconds, Varying);
  return T;
}

inline int choose(Trial &T, const specrt_region &R, const uint64_t *Packed) {
  return chooseCandidate(T, R, Packed).Candidate;
}

/// A sample of a warm call, all of one class.
inline bool addSample(Trial &T, int Candidate, uint64_t Ticks) {
  return addTrialSample(T, static_cast<uint32_t>(Candidate), 0, {.Ticks = Ticks});
}

/// Plays the trial with these times per candidate; returns the number of calls it took.
inline int play(Trial &T, std::vector<uint64_t> Ticks) {
  specrt_region R = region();
  uint64_t Packed = 5;
  for (int Call = 1; Call < 10000; ++Call) {
    int I = choose(T, R, &Packed);
    if (I < 0)
      return -1;
    if (addSample(T, I, Ticks[static_cast<size_t>(I)]))
      return Call;
  }
  return -1;
}

/// Plays without candidate \p Waiting, of three, until nobody else has a turn.
inline Turn playWithout(Trial &T, int Waiting, bool OnlySerial, std::array<uint64_t, 3> Ticks) {
  const specrt_region R = region();
  const uint64_t Packed = 5;
  Turn Now = chooseCandidate(T, R, &Packed, OnlySerial);
  for (int Call = 0; Call < 1000 && Now.Candidate >= 0; ++Call) {
    EXPECT_NE(Now.Candidate, Waiting);
    EXPECT_FALSE(addSample(T, Now.Candidate, Ticks[static_cast<size_t>(Now.Candidate)]));
    Now = chooseCandidate(T, R, &Packed, OnlySerial);
  }
  return Now;
}

} // namespace specrt

#endif
