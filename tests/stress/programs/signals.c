//===- tests/stress/programs/signals.c - signal handlers that call regions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interval timer and SIGTERM, which the test sends, interrupt the kernels; both handlers run the
// same kernels on data of their own and compare the result with the first one. System calls that
// a signal interrupts are part of the program, so it makes none but write(). Usage: signals [ROUNDS]
//
//===----------------------------------------------------------------------===//
#include "kernels.h"
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static struct field Field, OfHandler;
static volatile sig_atomic_t Wrong;
static uint64_t Expected;

static uint64_t handler_hash(void) {
  fill(&OfHandler);
  run_rounds(&OfHandler, 1);
  return hash_of(&OfHandler);
}

static void handle(int Signal) {
  const int Errno = errno;
  if (handler_hash() != Expected)
    Wrong = Signal;
  errno = Errno;
}

int main(int Count, char **Arguments) {
  fill(&Field);
  Expected = handler_hash();
  struct sigaction Action;
  memset(&Action, 0, sizeof(Action));
  Action.sa_handler = handle;
  Action.sa_flags = SA_RESTART;
  sigaddset(&Action.sa_mask, SIGALRM);
  sigaddset(&Action.sa_mask, SIGTERM);
  sigaction(SIGALRM, &Action, NULL);
  sigaction(SIGTERM, &Action, NULL);
  const struct itimerval Often = {{0, 3000}, {0, 1000}}, Never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &Often, NULL);
  run_rounds(&Field, number(Count, Arguments, 1, 200));
  setitimer(ITIMER_REAL, &Never, NULL);
  print_hash("signals", hash_of(&Field));
  print_hash("wrong", (uint64_t)Wrong);
  return 0;
}
