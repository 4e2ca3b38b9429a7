//===- specializer/loops/distribution/distributed_loop.h - a loop in two parts ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     for (p = 0; p < n; ++p) {            for (p = 0; p < n; ++p)      // shared by threads
//       c = nearest(p);                      kept[p] = nearest(p);
//       ++members[c];             ──>      if (members, sum and the points are apart)
//       sum[c] += x[p];                      for (p = 0; p < n; ++p) {  // in order
//     }                                        c = kept[p];
//                                              ++members[c];
//                                              sum[c] += x[p];
//                                            }
//
// A loop over strips bounds the memory, and what is kept stays in a cache. Values of inner loops
// are kept, too: forces between the pairs of a list, which the second loop adds to both particles.
//
// Iterations that write where data decide, such as scattered sums, depend on each other, even if
// what they write is expensive and independent. Then a first loop computes the independent values
// and keeps them in memory. It writes nothing else. A second loop, in the order of the source, does
// the rest. The first loop also records the lowest and the highest address of the accesses that
// alias analysis cannot separate. If the memory that it has read meets the memory that the second
// loop would write, the loop of the source runs instead; nothing has changed by then. (Allen and
// Kennedy, "Optimizing Compilers for Modern Architectures": loop distribution, scalar expansion.)
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_DISTRIBUTED_LOOP_H
#define SPECRT_SPECIALIZER_LOOPS_DISTRIBUTION_DISTRIBUTED_LOOP_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class BasicBlock;
class Loop;
} // namespace llvm

namespace specrt {

/// A loop that was split.
struct DistributedLoop {
  llvm::BasicBlock *First = nullptr; ///< the header of the first loop; null: it cannot be split
  double Share = 0;                  ///< the estimated part of the work that the first loop does
};

/// The means by which the first loop is faster than the same code in the loop of the source.
struct FirstLoop {
  unsigned Threads = 1; ///< that share it
  double Lanes = 1;     ///< of the vectors that LLVM is assumed to use where it can
};

/// Splits \p L into strips and each strip into two loops if the second loop and the first one, as
/// \p By executes it, take less than the part \p AtMost of its time. Keeps values of those loops
/// inside for which \p MayKeepIn returns true. Keeps the loops of the function in canonical form.
/// Invalidates the analyses.
DistributedLoop distributeLoop(llvm::Loop &L, llvm::FunctionAnalysisManager &FAM,
                               const FirstLoop &By, double AtMost,
                               llvm::function_ref<bool(const llvm::Loop &)> MayKeepIn);

} // namespace specrt

#endif
