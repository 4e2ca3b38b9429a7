//===- tools/propagate/outputs.h - writes the nonzero pattern of arrays to files ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_OUTPUTS_H
#define SPECRT_TOOLS_PROPAGATE_OUTPUTS_H

#include "specrt/structure.h"
#include <string>
#include <vector>

namespace specrt::tools {

/// An --output option.
struct Output {
  std::string Array, File;
};

/// Parses options of the form "ARRAY=FILE". Throws CommandError if one does not have this form, or
/// a file is named twice or cannot be written.
std::vector<Output> outputsOf(const std::vector<std::string> &Texts);

/// Writes Matrix Market files. Throws CommandError before it writes the first one if an array does
/// not exist or is no matrix.
void writeOutputs(const std::vector<Output> &Outputs, const specrt_structures &Found);

} // namespace specrt::tools

#endif
