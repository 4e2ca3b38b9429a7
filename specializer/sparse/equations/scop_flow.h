//===- specializer/sparse/equations/scop_flow.h - where values that a Scop reads come from ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_FLOW_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_FLOW_H

#include "polly/ScopInfo.h"
#include "specializer/sparse/equations/expression_tree.h"
#include "specializer/sparse/equations/language/sparsity_system.h"

#include <map>

namespace specrt {

/// One write of a statement, which is a statement of its own here.
struct ScopWrite {
  polly::MemoryAccess *Access;
  std::string Name; ///< "S1"
  WrittenValue Value;
};

/// The writes of \p S, statements in the order of the program.
std::vector<ScopWrite> writesInOrder(polly::Scop &S);

/// What people call an array: as in the source, where the compiler kept names.
std::string arrayName(const polly::ScopArrayInfo &Array);

/// When a read or write takes place within its statement.
unsigned positionOf(const polly::MemoryAccess &Access);

/// The equations of \p Writes, which execute as \p Schedule says; live-ins are added behind them,
/// by their arrays' names. Where isl gives up on the way, what comes back is no good.
SparsitySystem flowSystem(polly::Scop &S, const isl::union_map &Schedule,
                          const std::vector<ScopWrite> &Writes);

/// { Name[i] -> A[..] } where it is executed, A being the array's name.
isl::map namedAccess(const polly::MemoryAccess &Access, const std::string &Name);

} // namespace specrt

#endif
