//===- profiler/store/trusted_path.h - paths that other users cannot redirect ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_TRUSTED_PATH_H
#define SPECRT_PROFILER_STORE_TRUSTED_PATH_H

#include "profiler/store/store_file.h"

namespace specrt {

/// A path of the open File, without links, that goes on to name this file until the user or root
/// changes that: every directory on it belongs to one of them, and nobody else may write to it,
/// unless it is sticky. "" when there is none. What was checked through the descriptor may be
/// opened again by this path, by the loader for example.
std::string trustedPathOf(const Descriptor &File);

/// Opens directory \p Path, which others may have made, for reading: it must belong to the user or
/// root, have a trusted path (trustedPathOf) and be writable by nobody else. An empty Descriptor
/// with \p Error set to one sentence on failure; with \p Error left empty when it does not exist.
Descriptor openTrustedDirectory(const std::string &Path, std::string &Error);

} // namespace specrt

#endif
