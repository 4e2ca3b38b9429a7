//===- guards/kinds.cpp - the table of all kinds of guards ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "guards/aligned.h"
#include "guards/disjoint.h"
#include "guards/equal.h"
#include "guards/fp_environment.h"
#include "guards/in_range.h"
#include "guards/kind.h"
#include "guards/memory/load_equal.h"
#include "guards/memory/rows.h"
#include "guards/memory/sequence.h"
#include "guards/stack.h"

#include <array>

namespace specrt {
namespace {

template <typename Record> const Record &cast(const specrt_guard &Guard) {
  return static_cast<const Record &>(Guard);
}

template <typename Record> constexpr GuardKind kindOf() {
  return {
      .Id = Record::Kind,
      .FixedBytes = sizeof(Record),
      .isCalled = [](const specrt_guard &G) { return cast<Record>(G).isCalled(); },
      .trailingBytes = [](const specrt_guard &G) { return cast<Record>(G).trailingBytes(); },
      .problem = [](const specrt_guard &G,
                    const specrt_region &R) { return cast<Record>(G).problem(R); },
      .holds = [](const specrt_guard &G, const specrt_region &R,
                  const uint64_t *Packed) { return cast<Record>(G).holds(R, Packed); },
      .describe = [](const specrt_guard &G,
                     const specrt_region &R) { return cast<Record>(G).describe(R); },
      .costNs = [](const specrt_guard &G) { return cast<Record>(G).costNs(); },
      .presumes = [](const specrt_guard &G) { return cast<Record>(G).presumes(); },
      .pins = [](const specrt_guard &G) { return cast<Record>(G).pins(); },
  };
}

template <typename... Records> constexpr std::array<GuardKind, sizeof...(Records)> table() {
  return {kindOf<Records>()...};
}

/// The table of kinds; the kind with number N is at N - 1.
constexpr auto Kinds = table<EqualGuard, InRangeGuard, AlignedGuard, DisjointGuard, LoadEqualGuard,
                             FpEnvironmentGuard, SequenceGuard, RowsGuard, StackGuard, SameGuard>();

constexpr bool areAtTheirNumbers() {
  for (uint32_t I = 0; I < Kinds.size(); ++I)
    if (static_cast<uint32_t>(Kinds[I].Id) != I + 1)
      return false;
  return true;
}
static_assert(areAtTheirNumbers());

} // namespace

const GuardKind *findGuardKind(uint32_t Id) {
  return Id - 1 < Kinds.size() ? &Kinds[Id - 1] : nullptr;
}

} // namespace specrt
