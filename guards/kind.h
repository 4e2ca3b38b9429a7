//===- guards/kind.h - what a kind of guard brings with it ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kind is a record that derives from GuardRecord and says in a file of its own what it demands,
// how people read it and what checking it costs. The table in kinds.cpp names them all. Nobody
// outside of this folder asks for a guard's kind to do something with it, except the jit, which has
// faster code than a call for some.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_KIND_H
#define SPECRT_GUARDS_KIND_H

#include "specrt/abi.h"
#include <cstdint>
#include <optional>
#include <string>

namespace specrt {

/// The numbers in records. They are stored: a meaning keeps its number for ever.
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

/// What must hold already when a guard is checked, because it might fault otherwise. Guards that
/// presume more come later.
enum class Presumes : uint8_t {
  Nothing,      ///< looks at arguments and registers
  Arguments,    ///< reads memory that is there for these arguments
  MemoryContent ///< reads memory that is there for these sizes in memory
};

/// An argument that a guard pins to one packed value.
struct PinnedArgument {
  uint32_t Argument = 0;
  uint64_t Value = 0;
};

/// What every record has, and what most kinds leave as it is. A kind adds, all const:
///
///   static constexpr GuardKindId Kind;
///   const char *problem(const specrt_region &Region);   null, or what is wrong: "refers to ..."
///   bool holds(const specrt_region &Region, const uint64_t *Packed);
///   std::string describe(const specrt_region &Region);
///   double costNs();       in the entry of a version, when all it reads is in the first cache
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
  /// Bytes behind the fixed part. The fixed part is there.
  uint32_t trailingBytes() const { return 0; }
};

/// The same as functions of any record.
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

/// Null for a number that no kind has.
const GuardKind *findGuardKind(uint32_t Id);

/// Guard as the record of its kind, or null when it is of another.
template <typename Record> const Record *as(const specrt_guard &Guard) {
  return Guard.kind == static_cast<uint32_t>(Record::Kind) ? static_cast<const Record *>(&Guard)
                                                           : nullptr;
}

} // namespace specrt

#endif
