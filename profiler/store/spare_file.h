//===- profiler/store/spare_file.h - files that are replaced at every exit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To rename a new file over an old one frees the old one's blocks and has those of the new one
// allocated, for which many file systems wait: milliseconds in which the program could have ended.
// So the old file is kept under another name, "<Name>.old", and written over the next time; then
// the two change places.
//
// Nobody may read a file that is written over. Who reads holds a shared lock on it, who writes an
// exclusive one, which becomes a shared one before the two change places; a file that somebody
// reads is no spare.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_STORE_SPARE_FILE_H
#define SPECRT_PROFILER_STORE_SPARE_FILE_H

#include "profiler/store/store_file.h"

namespace specrt {

constexpr const char *SpareEnding = ".old";

/// Writes \p Text over the spare file of \p Name, and lets them change places. False when there is
/// no spare file, or it cannot be done here: \p Name is what it was.
bool replaceBySpare(const Descriptor &Directory, const std::string &Name, const std::string &Text);

/// Lets the complete file \p Temporary take the place of \p Name, which becomes the spare one.
/// False, with errno set, when \p Name is what it was.
bool replaceKeepingSpare(const Descriptor &Directory, const std::string &Temporary,
                         const std::string &Name);

/// May \p File be read until it is closed? False: it has just become a spare one. Its name stands
/// for another by now.
bool holdForReading(const Descriptor &File);

} // namespace specrt

#endif
