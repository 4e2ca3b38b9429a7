//===- tests/profiler/test_region.h - descriptors made by hand ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_PROFILER_TEST_REGION_H
#define SPECRT_TESTS_PROFILER_TEST_REGION_H

#include "profiler/observations/observation.h"
#include "specrt/abi.h"
#include <bit>
#include <initializer_list>
#include <string>
#include <vector>

namespace specrt_test {

inline specrt_term term(int64_t Coefficient, std::initializer_list<uint16_t> Factors = {}) {
  specrt_term T{};
  T.coefficient = Coefficient;
  for (uint16_t F : Factors)
    T.factors[T.num_factors++] = F;
  return T;
}

inline specrt_polynomial polynomial(std::initializer_list<specrt_term> Terms) {
  specrt_polynomial P{};
  for (const specrt_term &T : Terms)
    P.terms[P.num_terms++] = T;
  return P;
}

inline specrt_polynomial unknown() {
  specrt_polynomial P{};
  P.num_terms = SPECRT_UNKNOWN;
  return P;
}

/// The bytes [base + 0, base + End) of argument Base.
inline specrt_access access(uint16_t Base, specrt_polynomial End, uint32_t Flags) {
  specrt_access A{};
  A.range.base.kind = SPECRT_BASE_ARGUMENT;
  A.range.base.index = Base;
  A.range.end = End;
  A.flags = Flags;
  A.element_size = 8;
  return A;
}

inline uint64_t packed(double Value) { return std::bit_cast<uint64_t>(Value); }

/// Owns what a descriptor points to.
struct TestRegion {
  explicit TestRegion(std::vector<uint8_t> Kinds, std::vector<specrt_access> Accesses = {},
                      std::vector<specrt_loop> Loops = {}, std::string Name = "kernel:10")
      : Kinds(std::move(Kinds)), Accesses(std::move(Accesses)), Loops(std::move(Loops)),
        Name(std::move(Name)) {}
  TestRegion(const TestRegion &) = delete;

  const specrt_region &get() {
    R = {};
    R.abi_version = SPECRT_ABI_VERSION;
    R.size = sizeof(R);
    R.name = Name.c_str();
    R.num_args = static_cast<uint32_t>(Kinds.size());
    R.arg_kinds = Kinds.data();
    R.accesses = Accesses.data();
    R.num_accesses = static_cast<uint32_t>(Accesses.size());
    R.loops = Loops.data();
    R.num_loops = static_cast<uint32_t>(Loops.size());
    R.symbols = Symbols.data();
    R.num_symbols = static_cast<uint32_t>(Symbols.size());
    R.cells = Cells.data();
    R.num_cells = static_cast<uint32_t>(Cells.size());
    R.bitcode_hash[0] = 0x1234;
    R.bitcode_hash[1] = 0xabcd;
    return R;
  }

  std::vector<uint8_t> Kinds;
  std::vector<specrt_access> Accesses;
  std::vector<specrt_loop> Loops;
  std::vector<specrt_symbol> Symbols;
  std::vector<specrt_cell> Cells;
  std::string Name;

private:
  specrt_region R{};
};

/// A call with other inputs than the one before. Valid as long as Inputs.
inline specrt::SampledCall sampled(TestRegion &Region, const std::vector<uint64_t> &Inputs) {
  return {.Region = Region.get(),
          .Inputs = Inputs.data(),
          .Nanoseconds = 1000,
          .SameInputs = false,
          .IntegersChanged = true};
}

} // namespace specrt_test

#endif
