//===- specializer/nest/model_nest.h - the loops of a function in the model -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Serves `specrt explain --why`: strides come from ScalarEvolution, dependences in memory from isl
// and Polly's models before any reordering. No decision depends on it.
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

/// A specrt_nest with the data that it points to.
struct ModelNest {
  std::vector<specrt_nest_loop> Loops;
  std::vector<specrt_recorded_access> Accesses;
  std::vector<specrt_nest_number> Strides;
  std::vector<specrt_nest_dependence> Dependences;
  std::vector<specrt_carried_value> Carried;
  std::vector<specrt_nest_row> Rows;
  unsigned InnerLoop = 0;

  bool isEmpty() const { return Loops.empty(); }
  /// Returns a view of this object.
  specrt_nest plain() const;
};

/// Describes the loops of \p F, which is in canonical form. Changes \p F into the form that Polly
/// wants, so that it must not be used afterwards. isl may be interrupted; what it had no time for
/// is unknown. Returns an empty result if there are too many loops, or if \p Expired.
ModelNest describeNest(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       llvm::function_ref<bool()> Expired);

} // namespace specrt

#endif
