//===- tests/fuzz/kernel_dice.h - random choices of generated kernels -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_FUZZ_KERNEL_DICE_H
#define SPECRT_TESTS_FUZZ_KERNEL_DICE_H

#include <random>
#include <string>
#include <vector>

namespace specrt::fuzz {

/// What writers of kernels have in common. Every expression asks for at most one random choice: the
/// order in which operands of one are evaluated is the compiler's, and a seed means the same
/// kernels everywhere.
class KernelDice {
protected:
  explicit KernelDice(std::mt19937 &Random) : Random(Random) {}

  unsigned below(unsigned Bound) { return unsigned(Random() % Bound); }
  bool chance(unsigned OneIn) { return below(OneIn) == 0; }
  std::string pick(const std::vector<std::string> &Choices) {
    return Choices[below(unsigned(Choices.size()))];
  }

  std::mt19937 &Random;
};

} // namespace specrt::fuzz

#endif
