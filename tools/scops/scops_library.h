//===- tools/scops/scops_library.h - counts Scops of files with the compiler library ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TOOLS_SCOPS_SCOPS_LIBRARY_H
#define SPECRT_TOOLS_SCOPS_SCOPS_LIBRARY_H

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace specrt::tools {

/// Returns one object per file, in their order: `file`, and `error` or the members of
/// specrt_scop_counts. Each file is counted in a process of its own, so that a crash of LLVM
/// affects no other file; as many processes run at a time as there are processors. Throws
/// CommandError if the library cannot be opened.
std::vector<nlohmann::json> countScopsOf(const std::vector<std::string> &Files);

} // namespace specrt::tools

#endif
