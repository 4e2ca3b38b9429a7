//===- profiler/feedback/nest.h - what is known of the loops of a region --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops, how accesses move through memory along them, and what an iteration needs of another one:
// enough to say which loops are parallel, vectorisable and tilable, and why others are not. It
// comes from a call that was recorded, or from the compiler's model of the code.
//
// Distances are those of canonical counters, which start with 0 and step by 1.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FEEDBACK_NEST_H
#define SPECRT_PROFILER_FEEDBACK_NEST_H

#include "specrt/recording.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// In preorder; numbers of loops are indices.
struct NestLoop {
  uint32_t Line = 0;  ///< 0: unknown
  uint32_t Depth = 1; ///< 1: outermost
  uint64_t Trips = 0; ///< at most; 0: unknown
};

/// How an address changes along a loop: nothing when that is not one number of bytes.
using Stride = std::optional<int64_t>;

struct NestAccess {
  uint32_t Line = 0, Column = 0; ///< 0: unknown
  uint32_t Width = 0;            ///< bytes
  bool IsWrite = false;
  std::string Array;           ///< "": without a name
  std::vector<uint32_t> Loops; ///< around it, outermost first
  std::vector<Stride> Strides; ///< along each of them
  /// Of the addresses, those in exact pieces of an affine function, 0 to 1.
  double AffineShare = 1;
  uint32_t Pieces = 1; ///< of the addresses
  uint64_t Points = 0; ///< that were seen; 0: it was not recorded
};

/// By how much iterations are apart along one loop; no bound where it is not known.
struct Distance {
  std::optional<int64_t> Min, Max;

  bool isExact() const { return Min && Max && *Min == *Max; }
  friend bool operator==(const Distance &, const Distance &) = default;
};

/// What an iteration takes over from an earlier one.
struct NestDependence {
  enum Kind : uint8_t {
    Flow,   ///< reads what it wrote
    Anti,   ///< writes what it read
    Output, ///< writes what it wrote
    Value   ///< goes on with a value in a register
  };
  Kind What = Flow;
  /// enum specrt_carried_role: it is a counter, or a sum that could be added up in another order.
  uint32_t Role = SPECRT_CARRIED_OTHER;
  bool IsFloat = false; ///< that other order may have another result
  std::string Name;     ///< of the array or variable; "": without a name
  uint32_t FromLine = 0, ToLine = 0;
  std::vector<uint32_t> Loops;     ///< around both, outermost first
  uint32_t Level = 0;              ///< which of them carries it
  std::vector<Distance> Distances; ///< along each of them

  uint32_t carrier() const { return Loops[Level]; }
};

/// An iteration of the outer of two loops, and the first and last one of the inner loop in it.
struct NestRow {
  int64_t Outer, First, Last;
};

/// The domain of a nest of exactly two loops: its first rows.
struct NestDomain {
  uint32_t Outer = 0, Inner = 0;
  std::vector<NestRow> Rows; ///< empty: there is no such nest
};

struct Nest {
  static constexpr size_t MaxLoops = SPECRT_MAX_RECORDED_LOOPS;
  static constexpr size_t MaxAccesses = 96, MaxDependences = 192, MaxRows = 8;

  enum Origin : uint8_t { Nothing, Model, Recording };
  Origin From = Nothing;
  std::vector<NestLoop> Loops;
  std::vector<NestAccess> Accesses;
  std::vector<NestDependence> Dependences; ///< those that loops carry
  NestDomain Domain;
  /// Loops about whose dependences in memory nothing is known: not modelled.
  std::vector<uint32_t> Unknown;
  /// Pieces of all dependences in memory, and without widening; 0: not counted.
  uint64_t DependencePieces = 0, ExactPieces = 0;
  bool Omitted = false; ///< there are more accesses or dependences than were kept

  bool isEmpty() const { return From == Nothing; }
  /// The loop around loop \p L; nothing for an outermost one.
  std::optional<uint32_t> parent(uint32_t L) const;
  /// Loops around \p L and itself, outermost first.
  std::vector<uint32_t> chain(uint32_t L) const;
  bool isInnermost(uint32_t L) const;
};

} // namespace specrt

#endif
