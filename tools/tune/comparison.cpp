//===- tools/tune/comparison.cpp - compares whole runs with and without versions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/tune/comparison.h"
#include "tools/terminal.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace specrt::tools {
namespace {

double median(std::vector<double> Values) {
  std::sort(Values.begin(), Values.end());
  const size_t Middle = Values.size() / 2;
  return Values.size() % 2 ? Values[Middle] : (Values[Middle - 1] + Values[Middle]) / 2;
}

/// Returns whether the hot region \p R runs anything but its original.
bool hasVersion(const ReportedRegion &R) {
  return !R.Versions.empty() || std::any_of(R.Replacements.begin(), R.Replacements.end(),
                                            [](const auto &Other) { return Other.Taken; });
}

std::vector<const ReportedRegion *> hotRegions(const Report &R) {
  std::vector<const ReportedRegion *> Hot;
  for (const ReportedRegion &Region : R.Regions)
    if (Region.Hot)
      Hot.push_back(&Region);
  return Hot;
}

/// Why no hot region of a report has a version, as far as the most important one says.
std::string whyNoVersion(const std::vector<const ReportedRegion *> &Hot) {
  const auto Most = std::max_element(Hot.begin(), Hot.end(), [](const auto *A, const auto *B) {
    return A->impactNs() < B->impactNs();
  });
  if (Most == Hot.end() || (*Most)->Reason.empty())
    return "no version is in use";
  return fmt::format("no version is in use; {}: {}", printable((*Most)->Title),
                     printable((*Most)->Reason));
}

/// Returns why a program with the report \p R is not faster.
std::string whyNoGain(const Report &R) {
  constexpr double SmallShare = 0.1; // even a large gain in a smaller share is hardly visible
  if (R.HotRegions == 0)
    return "no region became hot, that is, took the time that SPECRT_HOT says";
  const std::vector<const ReportedRegion *> Hot = hotRegions(R);
  const auto NumWithVersion =
      std::count_if(Hot.begin(), Hot.end(), [](const auto *Region) { return hasVersion(*Region); });
  if (R.UndecidedRegions == 0 && NumWithVersion == 0)
    return whyNoVersion(Hot);
  // Regions without versions are not timed to the end of the run, so their share is unknown.
  const double Share = (R.SpentMs + std::max(R.SavedMs, 0.0)) / std::max(R.ElapsedMs, 1e-3);
  if (R.UndecidedRegions == 0 && NumWithVersion == std::ssize(Hot) && Share < SmallShare)
    return fmt::format("the hot regions take only {:.1f} % of the program's time", 100 * Share);
  if (R.UndecidedRegions > 0)
    return "not all is decided yet: " + printable(R.Progress);
  return "what the versions gain per call does not show in the whole program";
}

} // namespace

void Comparison::add(double Original, double TunedSeconds) {
  Originals.push_back(Original);
  Tuned.push_back(TunedSeconds);
}

double Comparison::seconds() const {
  return std::accumulate(Originals.begin(), Originals.end(), 0.0) +
         std::accumulate(Tuned.begin(), Tuned.end(), 0.0);
}

double Comparison::original() const { return median(Originals); }
double Comparison::tuned() const { return median(Tuned); }

Comparison::Result Comparison::result() const {
  constexpr double Noticeable = 1.03; // smaller differences occur from day to day
  if (Originals.empty())
    return Result::Unknown;
  size_t NumFaster = 0, NumSlower = 0;
  for (size_t I = 0; I < Originals.size(); ++I) {
    NumFaster += Tuned[I] < Originals[I];
    NumSlower += Tuned[I] > Originals[I];
  }
  if (tuned() * Noticeable <= original())
    return NumFaster == numPairs() ? Result::Faster : Result::Unsure;
  if (original() * Noticeable <= tuned())
    return NumSlower == numPairs() ? Result::Slower : Result::Unsure;
  return Result::Same;
}

Comparison::Result resultOf(const Comparison &Whole, const Report &Last) {
  const std::vector<const ReportedRegion *> Hot = hotRegions(Last);
  const bool HasVersion =
      std::any_of(Hot.begin(), Hot.end(), [](const auto *Region) { return hasVersion(*Region); });
  return Whole.result() == Comparison::Result::Faster && !HasVersion ? Comparison::Result::Same
                                                                     : Whole.result();
}

std::string verdictText(const Comparison &Whole, const Report &Last) {
  const Comparison::Result Result = resultOf(Whole, Last);
  if (Result == Comparison::Result::Unknown)
    return Last.HotRegions == 0 ? "no gain: " + whyNoGain(Last) : "not measured";
  constexpr double NsPerSecond = 1e9;
  const double OriginalNs = Whole.original() * NsPerSecond, Ns = Whole.tuned() * NsPerSecond;
  std::string Text =
      fmt::format("{} -> {} ({}), {}", timeText(OriginalNs), timeText(Ns), gainText(OriginalNs, Ns),
                  Whole.numPairs() == 1 ? "one run each"
                                        : fmt::format("medians of {} runs each", Whole.numPairs()));
  if (Result == Comparison::Result::Unsure)
    Text += "; unsure: single runs differ by more than that";
  else if (Result == Comparison::Result::Slower)
    Text += "; slower: " + whyNoGain(Last);
  else if (Result == Comparison::Result::Same)
    Text += "; no gain: " + whyNoGain(Last);
  return Text;
}

} // namespace specrt::tools
