//===- specializer/speculation/speculation.cpp - guards and their consumers ==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/speculation.h"
#include <utility>

namespace specrt {

static constexpr int MaxCostClass = 6;

static int costClass(const specrt_guard &G) {
  switch (G.kind) {
  case SPECRT_GUARD_EQUAL:
    return 0;
  case SPECRT_GUARD_IN_RANGE:
    return 1;
  case SPECRT_GUARD_FP_ENVIRONMENT:
    return 2;
  case SPECRT_GUARD_ALIGNED:
    return G.a.base.kind == SPECRT_BASE_LOADED ? 5 : 2;
  case SPECRT_GUARD_DISJOINT:
    return G.a.base.kind == SPECRT_BASE_LOADED || G.b.base.kind == SPECRT_BASE_LOADED ? 6 : 3;
  default:
    return 4;
  }
}

void sortGuards(std::vector<specrt_guard> &Guards) {
  std::vector<specrt_guard> Sorted;
  Sorted.reserve(Guards.size());
  for (int Class = 0; Class <= MaxCostClass; ++Class)
    for (const specrt_guard &Guard : Guards)
      if (costClass(Guard) == Class)
        Sorted.push_back(Guard);
  Guards = std::move(Sorted);
}

specrt_polynomial constantPolynomial(int64_t Value) {
  specrt_polynomial P{};
  if (Value != 0) {
    P.num_terms = 1;
    P.terms[0].coefficient = Value;
  }
  return P;
}

bool isSameBase(const specrt_base &A, const specrt_base &B) {
  return A.kind == B.kind && A.index == B.index &&
         (A.kind != SPECRT_BASE_LOADED || A.offset == B.offset);
}

std::string baseName(const specrt_base &Base, const specrt_region &Region) {
  if (Base.kind == SPECRT_BASE_SYMBOL)
    return std::string("the global ") +
           (Base.index < Region.num_symbols ? Region.symbols[Base.index].name : "?");
  std::string Name = "argument " + std::to_string(Base.index);
  if (Base.index < Region.num_args && Region.arg_names && Region.arg_names[Base.index] &&
      *Region.arg_names[Base.index])
    Name = Region.arg_names[Base.index];
  if (Base.kind == SPECRT_BASE_LOADED)
    return "the pointer at " + Name + "+" + std::to_string(Base.offset);
  return Name;
}

} // namespace specrt
