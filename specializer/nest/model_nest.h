//===- specializer/nest/model_nest.h - the loops of a function as they are modelled ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For `specrt explain --why`: strides by LLVM's scalar evolution, dependences in memory by isl from
// Polly's models, before anything reorders these. Nothing is decided by it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_NEST_MODEL_NEST_H
#define SPECRT_SPECIALIZER_NEST_MODEL_NEST_H

#include "specrt/nest.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include <vector>

namespace llvm {
class Function;
}

namespace specrt {

/// specrt_nest with what it points to.
struct ModelNest {
  std::vector<specrt_nest_loop> Loops;
  std::vector<specrt_recorded_access> Accesses;
  std::vector<specrt_nest_number> Strides;
  std::vector<specrt_nest_dependence> Dependences;
  std::vector<specrt_carried_value> Carried;
  std::vector<specrt_nest_row> Rows;
  unsigned InnerLoop = 0;

  bool isEmpty() const { return Loops.empty(); }
  /// Refers to this one.
  specrt_nest plain() const;
};

/// The loops of \p F, which is in canonical form and is changed as Polly wants it: nobody should
/// need it any more. isl may be interrupted; what there was no time for is not known. Empty when
/// there are more loops than can be told, or \p Expired.
ModelNest describeNest(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       llvm::function_ref<bool()> Expired);

} // namespace specrt

#endif
