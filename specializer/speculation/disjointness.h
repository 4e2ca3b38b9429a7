//===- specializer/speculation/disjointness.h - separates arrays by guards -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two arrays of a region may overlap as far as the compiler knows. The access ranges of the
// specialised function (analysis/memory/access_ranges.h) say which bytes each base touches. For
// every pair of bases of which one is written, a DISJOINT guard compares these ranges at the call,
// and the accesses get alias scopes for LLVM and Polly. (Speculative Polly, step 3: "compute the
// access range per base; pairwise disjoint -> optimised, else original".)
//
// A guard may read a base that is loaded from memory (a struct's data pointer, a row of a matrix)
// only if every call reads it. Such a base names one array only while its cell is not written.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_DISJOINTNESS_H
#define SPECRT_SPECIALIZER_SPECULATION_DISJOINTNESS_H

#include "specializer/speculation/speculation.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// The pairs of bases that were observed to overlap: [num_accesses * num_accesses] over the
/// descriptor's accesses, or null.
using SeenOverlaps = const uint8_t *;

class PointerTables;

/// Adds guards and alias scopes for all pairs that are not known to overlap. Pairs that alias
/// analysis separates need no guard. Changes metadata, and loads invariant bases once at the entry.
/// A call of the original takes \p NsPerCall nanoseconds, which limits the number of guards; 0:
/// unknown.
///
/// Also adds guards for \p Result's unwritten ranges, which nothing that \p F writes may touch, and
/// for its separate arrays, which must not overlap. Returns false, with a note, if guards cannot
/// express that; then \p F and \p Result must be discarded.
///
/// The rows of each of \p Tables count as one array; written rows are also separated from each
/// other. Loads of row pointers are marked (row_marks.h) where that is guaranteed.
bool separateArrays(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                    const specrt_region &Region, SeenOverlaps Overlaps, double NsPerCall,
                    const PointerTables &Tables, Premises &Result);

/// The speculation, which must follow all that read memory ahead or change accesses: later accesses
/// would not be compared.
const Speculation &disjointness();

} // namespace specrt

#endif
