//===- specializer/strategies/table/candidates.cpp - the table of candidates ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/strategies/table/candidates.h"

#include <algorithm>

namespace specrt {
namespace {

using S = StrategyId;

/// Least duration of a call for which waking other threads can pay.
constexpr double MinParallelSeconds = 100e-6;

/// Duration per thread from which the cost of waking threads is below the variation of
/// measurements.
constexpr double MaxSerialSecondsPerThread = 1e-3;

/// Contractions are so much faster than the original that threads matter only if this much is left;
/// serial ones do not depend on other load of the machine.
constexpr double LongRestSeconds = 5;

/// isl's schedule takes over no running call, because it is sometimes three times slower than the
/// original; nor does the serial source order, which is hardly faster.
/// Pipelines come after vectors across rows, which gain more where both exist (adi of PolyBench:
/// 4.4 instead of 1.9 times on two threads).
constexpr CandidateKind Kinds[] = {
    {.Name = "zeros",
     .Strategy = S::Zeros,
     .InShortCalls = 5,
     .InLongCalls = 5,
     .InShortRests = 5,
     .InLongRests = 5},
    {.Name = "zeros-parallel", .Strategy = S::Zeros, .Parallel = true, .InLongCalls = 4},
    {.Name = "constants", .Strategy = S::Constants, .InShortCalls = 10, .InLongCalls = 110},
    {.Name = "contraction",
     .Strategy = S::Contraction,
     .InShortCalls = 20,
     .InLongCalls = 60,
     .InShortRests = 10,
     .InLongRests = 20},
    {.Name = "time-tiled", .Strategy = S::TimeTiles, .InLongCalls = 70, .InShortRests = 20},
    {.Name = "pipeline", .Strategy = S::Pipeline, .InLongCalls = 82},
    {.Name = "vector",
     .Strategy = S::OuterVectors,
     .InShortCalls = 30,
     .InLongCalls = 80,
     .InShortRests = 40,
     .InLongRests = 50},
    {.Name = "rows", .Strategy = S::Rows, .InShortCalls = 25, .InLongCalls = 75},
    {.Name = "rows-unrolled", .Strategy = S::UnrolledRows, .InShortCalls = 27, .InLongCalls = 77},
    {.Name = "isl-schedule", .Strategy = S::IslSchedule, .InShortCalls = 40, .InLongCalls = 90},
    {.Name = "source-order", .Strategy = S::SourceOrder, .InShortCalls = 50, .InLongCalls = 100},
    {.Name = "contraction-parallel",
     .Strategy = S::Contraction,
     .Parallel = true,
     .InLongCalls = 10,
     .InLongRests = 10},
    {.Name = "time-tiled-parallel",
     .Strategy = S::TimeTiles,
     .Parallel = true,
     .InLongCalls = 20,
     .InLongRests = 30},
    {.Name = "pipeline-parallel", .Strategy = S::Pipeline, .Parallel = true, .InLongCalls = 32},
    {.Name = "vector-parallel",
     .Strategy = S::OuterVectors,
     .Parallel = true,
     .InLongCalls = 30,
     .InShortRests = 30,
     .InLongRests = 40},
    {.Name = "rows-parallel", .Strategy = S::Rows, .Parallel = true, .InLongCalls = 35},
    {.Name = "isl-schedule-parallel",
     .Strategy = S::IslSchedule,
     .Parallel = true,
     .InLongCalls = 50},
    {.Name = "source-order-parallel",
     .Strategy = S::SourceOrder,
     .Parallel = true,
     .InLongCalls = 40,
     .InShortRests = 50,
     .InLongRests = 60},
};

std::vector<const CandidateKind *> inOrder(Place CandidateKind::*Order, unsigned Threads) {
  std::vector<const CandidateKind *> Found;
  for (const CandidateKind &Kind : Kinds)
    if (Kind.*Order != Nowhere && (Threads > 1 || !Kind.Parallel))
      Found.push_back(&Kind);
  std::sort(Found.begin(), Found.end(),
            [&](const auto *A, const auto *B) { return A->*Order < B->*Order; });
  return Found;
}

} // namespace

std::span<const CandidateKind> candidateKinds() { return Kinds; }

const CandidateKind *findCandidate(std::string_view Name) {
  const auto *Found = std::find_if(std::begin(Kinds), std::end(Kinds),
                                   [&](const CandidateKind &Kind) { return Name == Kind.Name; });
  return Found == std::end(Kinds) ? nullptr : Found;
}

bool mayThreadsPay(double SecondsPerCall) {
  return SecondsPerCall == 0 || SecondsPerCall >= MinParallelSeconds;
}

bool areThreadsSureToPay(double SecondsPerCall, unsigned Threads) {
  return SecondsPerCall >= MaxSerialSecondsPerThread * Threads;
}

bool usuallyGainsMuch(const CandidateKind &Kind) {
  return Kind.Strategy == S::Contraction || Kind.Strategy == S::Zeros;
}

std::vector<const CandidateKind *> orderOfTrials(double SecondsPerCall, unsigned Threads) {
  bool IsShort = SecondsPerCall < MinParallelSeconds;
  return inOrder(IsShort ? &CandidateKind::InShortCalls : &CandidateKind::InLongCalls, Threads);
}

std::vector<const CandidateKind *> orderOfTakeover(double RestSeconds, unsigned Threads) {
  bool IsLong = Threads > 1 && RestSeconds >= LongRestSeconds;
  return inOrder(IsLong ? &CandidateKind::InLongRests : &CandidateKind::InShortRests, Threads);
}

std::string joinNames(std::span<const CandidateKind *const> Some) {
  std::string Names;
  for (const CandidateKind *Kind : Some)
    Names += (Names.empty() ? "" : ",") + std::string(Kind->Name);
  return Names;
}

std::vector<std::string> namesIn(std::string_view List) {
  std::vector<std::string> Names;
  while (!List.empty()) {
    const size_t End = std::min(List.find(','), List.size());
    Names.emplace_back(List.substr(0, End));
    List.remove_prefix(std::min(End + 1, List.size()));
  }
  return Names;
}

} // namespace specrt
