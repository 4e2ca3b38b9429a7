//===- specializer/module/dump.h - files for SPECRT_DUMP -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compile did, for people to read. A folder per region, in it a folder per set of constants:
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

/// The files about one request. Without a dump directory it does nothing. What cannot be written is
/// left out, because dumping must not change what is compiled.
class Dump {
public:
  using Printer = llvm::function_ref<void(llvm::raw_ostream &)>;

  explicit Dump(const specrt_jit_request &Request);

  bool isOn() const { return !RegionFolder.empty(); }

  /// Writes what \p Print prints to \p File in the folder of the request's constants.
  void write(llvm::StringRef File, Printer Print) { writeTo(ConstantsFolder, File, Print); }
  /// The same in the folder of the region.
  void writeForRegion(llvm::StringRef File, Printer Print) { writeTo(RegionFolder, File, Print); }

  /// Writes the index of everything in the region's folder, also of what earlier requests left.
  void writeIndex();

  /// Why the first file that is missing could not be written, in one sentence; "" when none is.
  const std::string &problem() const { return Problem; }

private:
  void writeTo(const std::string &Folder, llvm::StringRef File, Printer Print);

  const specrt_region &Region;
  std::string RegionFolder, ConstantsFolder;
  std::string Problem;
};

} // namespace specrt

#endif
