//===- structure/summary/spy_plot.h - draws a pattern as SVG --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_STRUCTURE_SUMMARY_SPY_PLOT_H
#define SPECRT_STRUCTURE_SUMMARY_SPY_PLOT_H

#include "structure/rows/row_structure.h"
#include "structure/views/csr_pattern.h"

#include <string>

namespace specrt {

/// Returns an SVG of at most 400 x 400 cells, each as dark as it is full. A strip beside it shows
/// in colours which rows have a class in \p Structure (of the same rows). Needs no other file, and
/// follows light and dark settings. \p Title: plain text.
std::string spyPlot(const CsrPattern &P, const RowStructure &Structure, const std::string &Title);

} // namespace specrt

#endif
