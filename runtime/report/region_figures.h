//===- runtime/report/region_figures.h - costs and gains of regions in numbers ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_REGION_FIGURES_H
#define SPECRT_RUNTIME_REPORT_REGION_FIGURES_H

#include "runtime/decide/registry.h"
#include <cstdint>
#include <string>

namespace specrt {

/// Counts and times of one region, collected from its state, detail and versions.
struct RegionFigures {
  // Exact if a single thread calls. The remaining calls ran before there was a version.
  uint64_t Calls = 0;      ///< those of the original after the decision are not counted
  uint64_t Hits = 0;       ///< of all versions
  uint64_t Misses = 0;     ///< calls for which no version's guards held; they ran the original
  uint64_t TrialCalls = 0; ///< calls that ran a candidate of a trial
  double OriginalNs = 0;   ///< per call
  double BestNs = 0;     ///< per call with the versions in use, misses included; 0: none is in use
  uint32_t Versions = 0; ///< in use
  /// Whether an earlier run measured OriginalNs or BestNs, because this run has too few samples.
  bool IsOriginalEarlier = false, IsBestEarlier = false;
  double SpentNs = 0; ///< estimate for the counted calls of this run, added over all threads
  double SavedNs = 0; ///< by versions in this run, minus the cost of trials and waits
  std::string Reason;
};
RegionFigures figuresOf(const RegistryLock &Guard, const Registry::View &V);

/// Returns whether the original has run for SPECRT_HOT, also if the worker has not served the
/// region before the end.
bool isHot(const Registry::View &V);

/// Returns whether the calls are not observed because of the region's code. It is unknown then
/// whether it is hot.
bool isUnseen(const Registry::View &V);

/// The figures of all regions of a run.
class ProgramFigures {
public:
  /// Adds a region that was called.
  void add(const Registry::View &V, const RegionFigures &F);

  /// Returns one line with the time in regions, the time saved, and the state of open decisions. ""
  /// without hot regions.
  std::string text(double ElapsedNs) const;

  /// Returns how many hot regions are decided and what the others wait for, the last part of
  /// text(); "" without hot regions.
  std::string progressText() const;
  unsigned numHot() const { return NumHot; }
  /// Returns the number of hot regions about which this run or a later one has something to decide.
  unsigned numUndecided() const { return NumObserved + NumCompiling + NumOnTrial + NumToTry; }

  double spentNs() const { return SpentNs; }
  double savedNs() const { return SavedNs; }
  /// Returns whether the savings are computed with times of the original that earlier runs
  /// measured.
  bool isSavedByEarlier() const { return IsEarlier; }

private:
  double SpentNs = 0, SavedNs = 0;
  bool IsEarlier = false;
  bool IsAtLeast = false; ///< calls of some hot region were not counted to the end
  unsigned NumHot = 0, NumObserved = 0, NumCompiling = 0, NumOnTrial = 0, NumToTry = 0;
};

} // namespace specrt

#endif
