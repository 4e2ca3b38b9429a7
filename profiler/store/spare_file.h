//===- profiler/store/spare_file.h - replaces files without waiting for the disk ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renaming a new file over an old one frees the old one's blocks and allocates those of the new
// one, for which many file systems wait: milliseconds by which the program ends later. So the old
// file is kept under another name, "<Name>.old", and overwritten the next time; then the two are
// exchanged.
//
// A file must not be read while it is overwritten. A reader holds a shared lock on it, a writer an
// exclusive one, which becomes a shared one before the exchange; a file that is being read is not
// used as a spare file.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_SPARE_FILE_H
#define SPECRT_PROFILER_STORE_SPARE_FILE_H

#include "profiler/store/store_file.h"

namespace specrt {

constexpr const char *SpareEnding = ".old";

/// Writes \p Text over the spare file of \p Name and exchanges the two. Returns false when there is
/// no spare file, or the exchange is impossible here: \p Name is unchanged then.
bool replaceBySpare(const Descriptor &Directory, const std::string &Name, const std::string &Text);

/// Replaces \p Name by the complete file \p Temporary; the old file becomes the spare one. Returns
/// false, with errno set, if \p Name is unchanged.
bool replaceKeepingSpare(const Descriptor &Directory, const std::string &Temporary,
                         const std::string &Name);

/// Returns whether \p File may be read until it is closed. False: it has just become a spare file,
/// and its name refers to another one.
bool holdForReading(const Descriptor &File);

} // namespace specrt

#endif
