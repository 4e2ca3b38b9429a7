//===- guards/kind.h - the interface of a kind of guard -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kind is a record that derives from GuardRecord and defines, in a file of its own, its
// condition, its description and its cost. The table in kinds.cpp lists all kinds. Code outside of
// this folder does not distinguish kinds, except the jit, which has faster code than a call for
// some.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_KIND_H
#define SPECRT_GUARDS_KIND_H

#include "specrt/abi.h"
#include <cstdint>
#include <optional>
#include <string>

namespace specrt {

/// The numbers of kinds in records. Records are stored, so the number of a kind never changes.
enum class GuardKindId : uint32_t {
  Equal = 1,
  InRange = 2,
  Aligned = 3,
  Disjoint = 4,
  LoadEqual = 5,
  FpEnvironment = 6,
  Sequence = 7,
  Rows = 8,
  Stack = 9,
  Same = 10
};

/// The conditions under which checking a guard cannot fault. Guards that presume more are checked
/// later.
enum class Presumes : uint8_t {
  Nothing,      ///< reads arguments and registers only
  Arguments,    ///< reads memory that exists for these arguments
  MemoryContent ///< reads memory that exists for these sizes in memory
};

/// An argument that a guard pins to one packed value.
struct PinnedArgument {
  uint32_t Argument = 0;
  uint64_t Value = 0;
};

/// The members that every kind has, with defaults that most kinds keep. A kind adds, all const:
///
///   static constexpr GuardKindId Kind;
///   const char *problem(const specrt_region &Region);   null, or what is wrong: "refers to ..."
///   bool holds(const specrt_region &Region, const uint64_t *Packed);
///   std::string describe(const specrt_region &Region);
///   double costNs();       nanoseconds in a version's entry, with all data in the first cache
///
/// holds must be safe for records of the right length with any content, and false where problem is
/// not null; it does not allocate and is async-signal-safe and thread-safe. The others may presume
/// that there is no problem.
struct GuardRecord : specrt_guard {
  GuardRecord() : specrt_guard{} {}
  /// Returns whether the entry of a version calls holds. Otherwise the jit has code for the kind,
  /// which is faster.
  bool isCalled() const { return false; }
  Presumes presumes() const { return Presumes::Nothing; }
  std::optional<PinnedArgument> pins() const { return std::nullopt; }
  /// Returns the number of bytes behind the fixed part, which is readable.
  uint32_t trailingBytes() const { return 0; }
};

/// The members of a kind as functions that take any record.
struct GuardKind {
  GuardKindId Id;
  uint32_t FixedBytes;
  bool (*isCalled)(const specrt_guard &Guard);
  uint32_t (*trailingBytes)(const specrt_guard &Guard);
  const char *(*problem)(const specrt_guard &Guard, const specrt_region &Region);
  bool (*holds)(const specrt_guard &Guard, const specrt_region &Region, const uint64_t *Packed);
  std::string (*describe)(const specrt_guard &Guard, const specrt_region &Region);
  double (*costNs)(const specrt_guard &Guard);
  Presumes (*presumes)(const specrt_guard &Guard);
  std::optional<PinnedArgument> (*pins)(const specrt_guard &Guard);
};

/// Returns null for a number that no kind has.
const GuardKind *findGuardKind(uint32_t Id);

/// Returns Guard as the record of its kind, or null when it has another kind.
template <typename Record> const Record *as(const specrt_guard &Guard) {
  return Guard.kind == static_cast<uint32_t>(Record::Kind) ? static_cast<const Record *>(&Guard)
                                                           : nullptr;
}

} // namespace specrt

#endif
