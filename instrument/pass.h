//===- instrument/pass.h - the instrumentation pass -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the loop nests of a module, outlines those that can be regions and describes them. If a
// nest cannot be a region, the pass tries the loops inside it. Every decision is an optimization
// remark of pass "specrt".
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_PASS_H
#define SPECRT_INSTRUMENT_PASS_H

#include "llvm/IR/PassManager.h"
#include <string>

namespace specrt {

class InstrumentPass : public llvm::PassInfoMixin<InstrumentPass> {
public:
  /// \p Pipeline is the optimization level, such as "O2", with which versions are compiled later.
  /// \p ForLTO says that the module will be merged with others at link time. \p HasOneSection says
  /// that all functions that are in no comdat, and all their data, will lie in one section each,
  /// which the linker keeps or drops as a whole. \p DropsLines says that only this pass needs the
  /// lines of the source, unless debug info is written.
  InstrumentPass(std::string Pipeline, bool ForLTO, bool HasOneSection = false,
                 bool DropsLines = false)
      : Pipeline(std::move(Pipeline)), ForLTO(ForLTO), HasOneSection(HasOneSection && !ForLTO),
        DropsLines(DropsLines) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

private:
  void instrument(llvm::Module &M, llvm::FunctionAnalysisManager &FAM) const;

  std::string Pipeline;
  bool ForLTO, HasOneSection, DropsLines;
};

} // namespace specrt

#endif
