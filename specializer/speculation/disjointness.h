//===- specializer/speculation/disjointness.h - arrays that do not overlap ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two arrays of a region may overlap as far as the compiler knows. The access ranges of the
// specialised function (analysis/memory/access_ranges.h) say which bytes each base touches; for
// every pair of which one is written a DISJOINT guard compares these ranges at the call, and the
// accesses get alias scopes, so that all of LLVM and Polly know. (Speculative Polly, step 3:
// "compute the access range per base; pairwise disjoint -> optimised, else original".)
//
// A base that is loaded from memory (a struct's data pointer, a row of a matrix) may be read by a
// guard only when every call reads it, and names one array only while its cell is not written.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_SPECIALIZER_SPECULATION_DISJOINTNESS_H
#define SPECRT_SPECIALIZER_SPECULATION_DISJOINTNESS_H

#include "specializer/speculation/speculation.h"
#include "llvm/IR/PassManager.h"

namespace specrt {

/// The pairs of bases that were seen to overlap: [num_accesses * num_accesses] over the
/// descriptor's accesses, or null.
using SeenOverlaps = const uint8_t *;

class PointerTables;

/// Adds guards and alias scopes for all pairs that are not known to overlap. Pairs that alias
/// analysis separates by itself need no guard. Changes metadata, and loads bases that stay the same
/// once at the entry. Calls of the original take \p NsPerCall nanoseconds, which limits the number
/// of guards; 0: not known.
///
/// Nothing that \p F writes may touch \p Result's unwritten ranges, and its separate arrays must
/// not overlap: guards see to both. Returns false, with a note, when a guard cannot express that;
/// then \p F and \p Result must be discarded.
///
/// The rows of each of \p Tables count as one array, of which those that are written are apart from
/// each other, too. Where that can be promised, the loads of row pointers are marked (row_marks.h).
bool separateArrays(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                    const specrt_region &Region, SeenOverlaps Overlaps, double NsPerCall,
                    const PointerTables &Tables, Premises &Result);

/// That, after all that read memory ahead or change what is accessed: it would not be compared.
const Speculation &disjointness();

} // namespace specrt

#endif
