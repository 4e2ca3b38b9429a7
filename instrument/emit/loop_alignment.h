//===- instrument/emit/loop_alignment.h - aligns loops of instrumented modules ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of up to 64 bytes that crosses the end of a cache line takes up to 1.5 times as long on
// some processors. Clang starts loops at multiples of 16 bytes, so where stubs shift the code of a
// module, such loops become slower or faster by chance. Innermost loops of instrumented modules
// start at cache lines. The option -falign-loops would also align outer loops, and files without
// regions.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_LOOP_ALIGNMENT_H
#define SPECRT_INSTRUMENT_EMIT_LOOP_ALIGNMENT_H

#include "llvm/IR/PassManager.h"

namespace specrt {

/// Runs after all passes that change loops, because some of them drop what it adds. Leaves loops
/// with an alignment of the program's own, and functions that are optimised for size, as they are.
class AlignLoopsPass : public llvm::PassInfoMixin<AlignLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
};

} // namespace specrt

#endif
