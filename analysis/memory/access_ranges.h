//===- analysis/memory/access_ranges.h - byte ranges that a loop nest accesses -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This analysis finds the base addresses of a function (arguments, globals, pointers loaded from an
// invariant place behind an argument) and computes for each the byte range
//   { [base + Begin, base + End) }
// that all accesses through that base stay within, as polynomials in the function's integer
// arguments. The plugin stores it in region descriptors, where the profiler evaluates it on real
// calls; the specializer turns it into DISJOINT guards.
//
// If that is not possible, the size of a variable is the bound (object_size.h).
//
// Subscripts are read as polynomials in the iteration numbers of the enclosing loops. Address
// arithmetic is a ring modulo 2^64, so such a polynomial is right even where a 64-bit sum wraps;
// only extensions of narrower values, trip counts and signs need facts. Then the iteration numbers
// are eliminated, innermost first, by the known sign of their coefficients.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ANALYSIS_MEMORY_ACCESS_RANGES_H
#define SPECRT_ANALYSIS_MEMORY_ACCESS_RANGES_H

#include "specrt/guard.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <optional>
#include <string>

namespace llvm {
class Function;
class GlobalValue;
class Instruction;
class LoadInst;
class LoopInfo;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace specrt {

/// The accesses of a function through one base.
struct BaseAccesses {
  specrt_base Base{};
  /// The argument, the global, or one of the loads of the pointer.
  llvm::Value *Pointer = nullptr;
  bool Reads = false;
  bool Writes = false;
  /// Bytes relative to the base; num_terms == SPECRT_UNKNOWN where no bound is known. A range with
  /// one known end is possible.
  specrt_polynomial Begin{};
  specrt_polynomial End{};
  /// The range is that of the whole variable, because the accessed bytes are unknown. It need not
  /// contain addresses that are computed but not accessed.
  bool IsWholeObject = false;
  /// Bytes of the largest single access; 1 for block operations.
  unsigned ElementSize = 0;
  /// Largest alignment in bytes that every access through this base proves (of the access, not of
  /// the base); 1 when nothing is known.
  uint64_t AccessAlign = 1;
  /// The accessing instructions in function order: loads, stores, memory intrinsics, calls that
  /// access only their arguments. An instruction with two pointers appears under both bases.
  llvm::SmallVector<llvm::Instruction *> Instructions;

  bool isBounded() const {
    return Begin.num_terms != SPECRT_UNKNOWN && End.num_terms != SPECRT_UNKNOWN;
  }
};

struct AccessSummary {
  /// One entry per base, in order of first access.
  llvm::SmallVector<BaseAccesses, 0> Bases;
  /// False if some instruction accesses memory that no entry of Bases accounts for.
  bool Complete = true;
  /// False if some instruction may write memory that no entry of Bases accounts for.
  bool CompleteWrites = true;
  /// Describes the first access that makes Complete false, in plain words; "" otherwise.
  std::string Reason;
  /// The accesses that Bases does not account for.
  llvm::SmallVector<llvm::Instruction *> Unattributed;
};

/// Number of a global in the descriptor's symbol table; none: the global cannot be named there.
using SymbolIndex = std::function<std::optional<unsigned>(const llvm::GlobalValue &)>;

/// The table whose row pointers a load reads; none: it reads no row pointer.
using RowTableOf = std::function<std::optional<unsigned>(const llvm::LoadInst &)>;

/// Kind of the base that stands for all rows of a table; its index is the number of the table.
/// Guards and descriptors do not have it.
inline constexpr uint16_t RowsOfTable = 0x100;

/// Computes the ranges of all memory accesses of \p F. Argument numbers in the result are F's.
///
/// With \p AssumeNoWrap false the ranges are over-approximations that hold for every call whose
/// arguments satisfy F's attributes (`range`, …); what cannot be proved is unknown. They assume
/// that evaluating Begin and End does not leave int64_t and that base + Begin <= base + End do not
/// wrap around the address space; code that evaluates them checks that.
/// With \p AssumeNoWrap true, narrow index arithmetic is taken not to wrap, integer arguments of
/// unknown sign to be nonnegative (sizes), and max(constant, x) to be x: good for profiles only.
/// Bases that descriptors do not have (specrt/guard.h) are not found then.
///
/// The range of a loaded base presumes that the pointer cell keeps its value during the call. The
/// cell itself is listed as a read through its own base: when every written range is disjoint from
/// it, the presumption holds.
///
/// The range of RowsOfTable is behind each of the pointers.
AccessSummary computeAccesses(llvm::Function &F, llvm::ScalarEvolution &SE, llvm::LoopInfo &LI,
                              bool AssumeNoWrap, const SymbolIndex &Symbols,
                              const RowTableOf &Tables = {});

} // namespace specrt

#endif
