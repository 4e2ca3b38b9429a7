//===- profiler/store/trusted_path.h - finds paths that other users cannot redirect ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_PROFILER_STORE_TRUSTED_PATH_H
#define SPECRT_PROFILER_STORE_TRUSTED_PATH_H

#include "profiler/store/store_file.h"

namespace specrt {

/// Returns a path of the open File, without links, that names this file until the user or root
/// changes that: every directory on it belongs to one of them, and is not writable by others,
/// unless it is sticky. Returns "" if there is none. A file that was checked through the descriptor
/// may be opened again by this path, for example by the loader.
std::string trustedPathOf(const Descriptor &File);

/// Opens directory \p Path, which others may have made, for reading: it must belong to the user or
/// root, have a trusted path (trustedPathOf) and not be writable by others. Returns an empty
/// Descriptor on failure, with \p Error set to one sentence; \p Error is empty when it does not
/// exist.
Descriptor openTrustedDirectory(const std::string &Path, std::string &Error);

} // namespace specrt

#endif
