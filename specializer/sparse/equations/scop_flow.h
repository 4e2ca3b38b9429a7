//===- specializer/sparse/equations/scop_flow.h - value-based dataflow of a Scop -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_FLOW_H
#define SPECRT_SPECIALIZER_SPARSE_EQUATIONS_SCOP_FLOW_H

#include "polly/ScopInfo.h"
#include "specializer/sparse/equations/expression_tree.h"
#include "specializer/sparse/equations/language/sparsity_system.h"

#include <map>

namespace specrt {

/// One write of a statement, which becomes a statement of its own.
struct ScopWrite {
  polly::MemoryAccess *Access;
  std::string Name; ///< "S1"
  WrittenValue Value;
};

/// Returns the writes of \p S, with statements in the order of the program.
std::vector<ScopWrite> writesInOrder(polly::Scop &S);

/// Returns the source's name of an array, if the compiler kept names.
std::string arrayName(const polly::ScopArrayInfo &Array);

/// Returns the position of a read or write within its statement.
unsigned positionOf(const polly::MemoryAccess &Access);

/// Returns the equations of \p Writes, executed by \p Schedule, followed by live-ins named like
/// their arrays. The result is unusable if isl gave up; the caller must check that.
SparsitySystem flowSystem(polly::Scop &S, const isl::union_map &Schedule,
                          const std::vector<ScopWrite> &Writes);

/// Returns { Name[i] -> A[..] } on the domain of the access, where A is the array's name.
isl::map namedAccess(const polly::MemoryAccess &Access, const std::string &Name);

} // namespace specrt

#endif
