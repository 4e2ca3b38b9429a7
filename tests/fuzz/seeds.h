//===- tests/fuzz/seeds.h - which random programs to try ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_FUZZ_SEEDS_H
#define SPECRT_TESTS_FUZZ_SEEDS_H

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace specrt::fuzz {

/// The numbers from \p First to \p Last, or those that FUZZ_SEEDS=<first>-<last> or
/// FUZZ_SEEDS=<one> names.
inline std::vector<unsigned> seeds(unsigned First, unsigned Last) {
  if (const char *Range = std::getenv("FUZZ_SEEDS"))
    if (std::sscanf(Range, "%u-%u", &First, &Last) == 1)
      Last = First;
  std::vector<unsigned> Seeds;
  for (unsigned S = First; S <= Last; ++S)
    Seeds.push_back(S);
  return Seeds;
}

} // namespace specrt::fuzz

#endif
