//===- instrument/emit/descriptor.h - emits the description of a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits what include/specrt/abi.h defines: the record with the slot, the description that it leads
// to, the entries in the section that libspecrt registers, and the stub around the nest.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_DESCRIPTOR_H
#define SPECRT_INSTRUMENT_EMIT_DESCRIPTOR_H

#include "instrument/emit/bitcode.h"
#include "instrument/emit/outline.h"
#include "instrument/source/source_places.h"
#include "specrt/abi.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class GlobalVariable;
} // namespace llvm

namespace specrt {

/// Facts about a region beside its code.
struct RegionOrigin {
  llvm::Function *Parent = nullptr;
  unsigned Number = 0; ///< number of the region in its parent
  unsigned Line = 0;   ///< 0: unknown
  std::string File;    ///< "" when unknown
  /// Another region of the parent has the same line, for example because the code was inlined
  /// twice.
  bool SharesLine = false;
  unsigned CallLine = 0;           ///< see inlinedCallLine
  std::string Pipeline;            ///< "O2", ...
  std::vector<SourcePlace> Places; ///< see findPlaces
  bool HasOpenResults = false;     ///< see Rounding::findOpen
  /// The callees that other files may define.
  llvm::SmallSetVector<llvm::Function *, 4> Distant;
};

/// Returns the name of the region for people.
std::string titleOf(const RegionOrigin &Origin);

struct EmittedRegion {
  llvm::GlobalVariable *Record = nullptr;
  llvm::SmallVector<llvm::CallInst *, 2> Calls; ///< calls that do the nest's work
};

/// Emits record, description and stub of \p Region and deletes its Body.
EmittedRegion emitRegion(const OutlinedRegion &Region, const RegionOrigin &Origin,
                         const RegionBitcode &Bitcode, llvm::FunctionAnalysisManager &FAM);

/// Emits entries for \p Records in the section that libspecrt registers. Returns the globals that
/// the caller must keep alive. \p HasOneSection: see InstrumentPass.
llvm::SmallVector<llvm::GlobalValue *> emitEntries(llvm::ArrayRef<llvm::GlobalVariable *> Records,
                                                   bool HasOneSection);

/// Emits the constructor and destructor that register the image's regions, once per image.
void emitRegistration(llvm::Module &M);

} // namespace specrt

#endif
