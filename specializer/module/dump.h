//===- specializer/module/dump.h - files for SPECRT_DUMP -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files that show people what a compilation did. Each region has a folder, with one folder per set
// of constants:
//
//     <directory>/gemm_27/index.txt                             what is there
//     <directory>/gemm_27/original.ll                           the nest as the program has it
//     <directory>/gemm_27/n=64,m=64/before.ll                   specialised
//     <directory>/gemm_27/n=64,m=64/guards.txt                  what a call must fulfil
//     <directory>/gemm_27/n=64,m=64/causes.txt                  why the nest as written is no Scop
//     <directory>/gemm_27/n=64,m=64/candidates.txt              what became of the candidates
//     <directory>/gemm_27/n=64,m=64/tiled.schedule.txt          Scop, schedules, syntax tree
//     <directory>/gemm_27/n=64,m=64/tiled.after.ll, tiled.s     optimised, and as assembly
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_MODULE_DUMP_H
#define SPECRT_SPECIALIZER_MODULE_DUMP_H

#include "specrt/jit_api.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class raw_ostream;
}

namespace specrt {

/// Writes the files of one request. Does nothing without a dump directory. Files that cannot be
/// written are omitted, because dumping must not change the compilation.
class Dump {
public:
  using Printer = llvm::function_ref<void(llvm::raw_ostream &)>;

  explicit Dump(const specrt_jit_request &Request);

  bool isOn() const { return !RegionFolder.empty(); }

  /// Writes what \p Print prints to \p File in the folder of the request's constants.
  void write(llvm::StringRef File, Printer Print) { writeTo(ConstantsFolder, File, Print); }
  /// Writes to the folder of the region.
  void writeForRegion(llvm::StringRef File, Printer Print) { writeTo(RegionFolder, File, Print); }

  /// Writes the index of the region's folder, which includes files of earlier requests.
  void writeIndex();

  /// Returns one sentence on why the first missing file could not be written; "" if none is
  /// missing.
  const std::string &problem() const { return Problem; }

private:
  void writeTo(const std::string &Folder, llvm::StringRef File, Printer Print);

  const specrt_region &Region;
  std::string RegionFolder, ConstantsFolder;
  std::string Problem;
};

} // namespace specrt

#endif
