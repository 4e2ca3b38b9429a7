//===- tests/guards/test_guards.h - guards made and taken apart in tests --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_GUARDS_TEST_GUARDS_H
#define SPECRT_TESTS_GUARDS_TEST_GUARDS_H

#include "guards/aligned.h"
#include "guards/disjoint.h"
#include "guards/equal.h"
#include "guards/fp_environment.h"
#include "guards/guards.h"
#include "guards/in_range.h"
#include "guards/memory/load_equal.h"
#include "guards/memory/sequence.h"

namespace specrt {

/// Guards as they travel: a record alone has no head yet.
template <typename... Records> GuardList listOf(const Records &...Guards) {
  GuardList List;
  (List.append(Guards), ...);
  return List;
}

inline GuardList disjoint(const RangeView &A, const RangeView &B) {
  GuardList List;
  appendDisjoint(List, A, B);
  return List;
}

inline GuardList loadEqual(const specrt_base &Base, int64_t Offset, uint32_t Width,
                           uint64_t Value) {
  GuardList List;
  appendLoadEqual(List, Base, constantPolynomial(Offset), Width, Value);
  return List;
}

/// A region with such arguments. The arrays must outlive it.
template <size_t N>
specrt_region regionWith(const uint8_t (&Kinds)[N], const char *const (&Names)[N]) {
  specrt_region R{};
  R.num_args = N;
  R.arg_kinds = Kinds;
  R.arg_names = Names;
  return R;
}

/// The guards of one kind.
template <typename Record> std::vector<const Record *> allOf(GuardView Guards) {
  std::vector<const Record *> Found;
  for (const specrt_guard &Guard : Guards)
    if (const Record *Known = as<Record>(Guard))
      Found.push_back(Known);
  return Found;
}

} // namespace specrt

#endif
