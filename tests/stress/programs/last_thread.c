//===- tests/stress/programs/last_thread.c - main ends with pthread_exit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process ends with status 0 when the last of its own threads returns, whatever threads a
// library has started. Usage: last_thread [ROUNDS]
//
//===----------------------------------------------------------------------===//
#include "kernels.h"
#include <pthread.h>

static struct field Early, Late;
static int Rounds;

static void *run_thread(void *Argument) {
  (void)Argument;
  fill(&Late);
  run_rounds(&Late, Rounds);
  print_hash("last thread", hash_of(&Late));
  return NULL;
}

int main(int Count, char **Arguments) {
  pthread_t Thread;
  Rounds = number(Count, Arguments, 1, 120);
  fill(&Early);
  run_rounds(&Early, Rounds / 2);
  print_hash("first thread", hash_of(&Early));
  if (pthread_create(&Thread, NULL, run_thread, NULL) != 0)
    return 2;
  pthread_detach(Thread);
  pthread_exit(NULL);
}
