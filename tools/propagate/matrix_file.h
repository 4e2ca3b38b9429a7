//===- tools/propagate/matrix_file.h - patterns of Matrix Market files ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_PROPAGATE_MATRIX_FILE_H
#define SPECRT_TOOLS_PROPAGATE_MATRIX_FILE_H

#include "structure/views/csr_pattern.h"
#include <string>

namespace specrt::tools {

struct LoadedPattern {
  CsrPattern Pattern;
  bool Symmetric = false;
  size_t Repeated = 0; ///< duplicate entries
};

/// Loads the pattern of \p File. Throws CommandError when it is missing, malformed or too large.
LoadedPattern loadPattern(const std::string &File);

} // namespace specrt::tools

#endif
