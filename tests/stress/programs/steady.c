//===- tests/stress/programs/steady.c - one thread that allocates nothing ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Usage: steady [ROUNDS]
//
//===----------------------------------------------------------------------===//
#include "kernels.h"

static struct field Field;

int main(int Count, char **Arguments) {
  fill(&Field);
  const int Rounds = number(Count, Arguments, 1, 200);
  for (int Part = 0; Part < 4; Part++) {
    run_rounds(&Field, Rounds / 4);
    print_hash("steady", hash_of(&Field));
  }
  return 7;
}
