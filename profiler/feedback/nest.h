//===- profiler/feedback/nest.h - a model of the loops of a region --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model contains loops, the strides of accesses along them, and the dependences between
// iterations. It suffices to determine which loops are parallel, vectorisable and tilable, and why
// others are not. Its source is a recorded call, or the compiler's model of the code.
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

/// A loop. Loops are in preorder, and their numbers are indices.
struct NestLoop {
  uint32_t Line = 0;  ///< 0: unknown
  uint32_t Depth = 1; ///< 1: outermost
  uint64_t Trips = 0; ///< upper bound; 0: unknown
};

/// The change of an address along a loop, in bytes; nothing if it is not constant.
using Stride = std::optional<int64_t>;

struct NestAccess {
  uint32_t Line = 0, Column = 0; ///< 0: unknown
  uint32_t Width = 0;            ///< bytes
  bool IsWrite = false;
  std::string Array;           ///< "": without a name
  std::vector<uint32_t> Loops; ///< surrounding loops, outermost first
  std::vector<Stride> Strides; ///< along each of them
  /// The share of the addresses in exact pieces of an affine function, 0 to 1.
  double AffineShare = 1;
  uint32_t Pieces = 1; ///< pieces of the addresses
  uint64_t Points = 0; ///< number of recorded points; 0: the access was not recorded
};

/// The distance of iterations along one loop; a missing bound is unknown.
struct Distance {
  std::optional<int64_t> Min, Max;

  bool isExact() const { return Min && Max && *Min == *Max; }
  friend bool operator==(const Distance &, const Distance &) = default;
};

/// A dependence of an iteration on an earlier one.
struct NestDependence {
  enum Kind : uint8_t {
    Flow,   ///< reads a value that the earlier one wrote
    Anti,   ///< writes where the earlier one read
    Output, ///< writes where the earlier one wrote
    Value   ///< uses a value in a register
  };
  Kind What = Flow;
  /// enum specrt_carried_role: whether it is a counter, or a sum that could be added up in another
  /// order.
  uint32_t Role = SPECRT_CARRIED_OTHER;
  bool IsFloat = false; ///< another order may give another result
  std::string Name;     ///< name of the array or variable; "": without a name
  uint32_t FromLine = 0, ToLine = 0;
  std::vector<uint32_t> Loops;     ///< the loops around both, outermost first
  uint32_t Level = 0;              ///< index of the loop that carries it
  std::vector<Distance> Distances; ///< along each of them

  uint32_t carrier() const { return Loops[Level]; }
};

/// The first and last iteration of the inner loop in one iteration of the outer loop.
struct NestRow {
  int64_t Outer, First, Last;
};

/// The first rows of the domain of a nest of exactly two loops.
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
  /// Loops whose dependences in memory are unknown, because they are not modelled.
  std::vector<uint32_t> Unknown;
  /// Numbers of pieces of all dependences in memory, with and without widening; 0: not counted.
  uint64_t DependencePieces = 0, ExactPieces = 0;
  bool Omitted = false; ///< there are more accesses or dependences than were kept

  bool isEmpty() const { return From == Nothing; }
  /// Returns the loop around loop \p L; nothing for an outermost one.
  std::optional<uint32_t> parent(uint32_t L) const;
  /// Returns the loops around \p L and \p L itself, outermost first.
  std::vector<uint32_t> chain(uint32_t L) const;
  bool isInnermost(uint32_t L) const;
};

} // namespace specrt

#endif
