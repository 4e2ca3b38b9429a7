//===- tools/tune/comparison.h - compares whole runs with and without versions ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_COMPARISON_H
#define SPECRT_TOOLS_TUNE_COMPARISON_H

#include "tools/report_model.h"
#include <cstddef>
#include <string>
#include <vector>

namespace specrt::tools {

/// Seconds of whole runs. Runs with and without versions alternate, so that disturbances of the
/// machine affect both.
class Comparison {
public:
  enum class Result { Unknown, Faster, Slower, Same, Unsure };

  /// Adds a run with SPECRT_DISABLE=1 and the run with versions that followed it.
  void add(double Original, double Tuned);
  size_t numPairs() const { return Originals.size(); }
  /// Returns the time of all runs together.
  double seconds() const;

  /// Return medians; there must be at least one pair.
  double original() const;
  double tuned() const;

  /// Returns Faster, Slower or Unsure if the medians differ by at least 3 %; it is Unsure if not
  /// all pairs agree.
  Result result() const;

private:
  std::vector<double> Originals, Tuned;
};

/// Returns the result for a program with the report \p Last. A program that runs no version is not
/// faster, whatever its times are.
Comparison::Result resultOf(const Comparison &Whole, const Report &Last);

/// Returns one line, "1.00 s -> 420.00 ms (2.38x), medians of 3 runs each", without a newline. If
/// nothing was gained it gives the reason, as far as \p Last, the report of the last tuning run,
/// contains it.
std::string verdictText(const Comparison &Whole, const Report &Last);

} // namespace specrt::tools

#endif
