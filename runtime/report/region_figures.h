//===- runtime/report/region_figures.h - what regions cost and gain in numbers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_REGION_FIGURES_H
#define SPECRT_RUNTIME_REPORT_REGION_FIGURES_H

#include "runtime/decide/registry.h"
#include <cstdint>
#include <string>

namespace specrt {

/// Counts and times of one region, collected from its state, detail and versions.
struct RegionFigures {
  // Exact where one thread calls. What remains of the calls ran before there was a version.
  uint64_t Calls = 0;      ///< those of the original after the decision are not counted
  uint64_t Hits = 0;       ///< of all versions
  uint64_t Misses = 0;     ///< no version's guards held: calls that ended in the original
  uint64_t TrialCalls = 0; ///< ran a candidate that was on trial
  double OriginalNs = 0;   ///< per call
  double BestNs = 0;     ///< per call with the versions in use, misses included; 0: none is in use
  uint32_t Versions = 0; ///< in use
  /// Did an earlier run measure OriginalNs or BestNs, because this run has too few samples?
  bool IsOriginalEarlier = false, IsBestEarlier = false;
  double SpentNs = 0; ///< estimate for the counted calls of this run, added over all threads
  double SavedNs = 0; ///< by versions in this run, less what trials and waits cost
  std::string Reason;
};
RegionFigures figuresOf(const RegistryLock &Guard, const Registry::View &V);

/// Has the original run for SPECRT_HOT? Also where the worker has not come to it before the end.
bool isHot(const Registry::View &V);

/// Are its calls not seen, because of what its code is? Then nobody knows whether it is hot.
bool isUnseen(const Registry::View &V);

/// All regions of a run together.
class ProgramFigures {
public:
  /// Adds a region that was called.
  void add(const Registry::View &V, const RegionFigures &F);

  /// One line: time in regions, time saved, and what is still being learned. "" without hot
  /// regions.
  std::string text(double ElapsedNs) const;

  /// Returns how many hot regions are decided and what the others wait for, the last part of
  /// text(); "" without hot regions.
  std::string progressText() const;
  unsigned numHot() const { return NumHot; }
  /// Returns the number of hot regions about which this run or a later one has something to decide.
  unsigned numUndecided() const { return NumObserved + NumCompiling + NumOnTrial + NumToTry; }

  double spentNs() const { return SpentNs; }
  double savedNs() const { return SavedNs; }
  /// Is what was saved counted with times of the original that earlier runs measured?
  bool isSavedByEarlier() const { return IsEarlier; }

private:
  double SpentNs = 0, SavedNs = 0;
  bool IsEarlier = false;
  bool IsAtLeast = false; ///< calls of some hot region were not counted to the end
  unsigned NumHot = 0, NumObserved = 0, NumCompiling = 0, NumOnTrial = 0, NumToTry = 0;
};

} // namespace specrt

#endif
