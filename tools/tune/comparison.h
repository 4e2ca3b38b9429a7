//===- tools/tune/comparison.h - what the versions gain in a whole program ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_TUNE_COMPARISON_H
#define SPECRT_TOOLS_TUNE_COMPARISON_H

#include "tools/report_model.h"
#include <cstddef>
#include <string>
#include <vector>

namespace specrt::tools {

/// Seconds of whole runs. The runs alternate, so that what disturbs the machine disturbs both.
class Comparison {
public:
  enum class Result { Unknown, Faster, Slower, Same, Unsure };

  /// Adds a run with SPECRT_DISABLE=1 and the run with versions that followed it.
  void add(double Original, double Tuned);
  size_t numPairs() const { return Originals.size(); }
  /// Returns the time of all runs together.
  double seconds() const;

  /// Medians; of at least one pair.
  double original() const;
  double tuned() const;

  /// Faster, slower or unsure: the medians differ by 3 % at least. It is unsure where not all pairs
  /// agree.
  Result result() const;

private:
  std::vector<double> Originals, Tuned;
};

/// The result for a program with the report \p Last: a program that runs no version is not faster,
/// whatever the times say.
Comparison::Result resultOf(const Comparison &Whole, const Report &Last);

/// One line, "1.00 s -> 420.00 ms (2.38x), medians of 3 runs each", without a newline. Where
/// nothing was gained it says why, as far as \p Last, the report of the last tuning run, tells.
std::string verdictText(const Comparison &Whole, const Report &Last);

} // namespace specrt::tools

#endif
