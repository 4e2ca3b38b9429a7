//===- runtime/report.h - what happened, for people and for tools ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_REPORT_H
#define SPECRT_RUNTIME_REPORT_H

#include "runtime/registry.h"

namespace specrt {

/// Writes the JSON report to Path, by way of a temporary file and a rename. False after one
/// warning when that is not possible.
bool writeReport(Registry &R, const std::string &Path);

/// The report's JSON text.
std::string reportText(Registry &R);

/// A table of all regions that ran, one line each, for standard error.
std::string summaryText(Registry &R);

/// What a region costs and gains, collected from state, detail and versions.
struct RegionFigures {
  uint64_t Calls = 0;    ///< known calls; those of the original after the decision are not counted
  uint64_t Hits = 0;     ///< of all versions
  uint64_t Misses = 0;   ///< of the last version of the chain: calls that ended in the original
  double OriginalNs = 0; ///< per call
  double BestNs = 0;     ///< per call of the fastest version in use; 0: none
  uint32_t Versions = 0; ///< in use
  std::string Reason;
};
RegionFigures figuresOf(const Registry::View &V);

} // namespace specrt

#endif
