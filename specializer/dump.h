//===- specializer/dump.h - files for SPECRT_DUMP -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_DUMP_H
#define SPECRT_SPECIALIZER_DUMP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace llvm {
class raw_ostream;
}

namespace specrt {

/// Writes <Directory>/<region>.<Stage> with what \p Print prints; characters of the region's name
/// that do not belong in a file name are replaced. Does nothing without a directory; a file that
/// cannot be written is left out, because dumping must not change what is compiled.
void dumpTo(const char *Directory, llvm::StringRef RegionName, llvm::StringRef Stage,
            llvm::function_ref<void(llvm::raw_ostream &)> Print);

} // namespace specrt

#endif
