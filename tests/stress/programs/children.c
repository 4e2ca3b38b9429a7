//===- tests/stress/programs/children.c - children of every kind ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Children of fork compute and exit, those of _Fork only exit, and those of
// vfork execute this program again. A wait for any child must only return these children.
// Usage: children [ROUNDS]
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include "kernels.h"
#include <errno.h>
#include <sys/wait.h>

static struct field Field;

/// Waits for any child, which must be \p Child, and returns its exit status.
static int wait_for(pid_t Child) {
  int Status = 0;
  const pid_t Ended = wait(&Status);
  if (Ended != Child)
    return 1000;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : 2000 + WTERMSIG(Status);
}

int main(int Count, char **Arguments) {
  const int Rounds = number(Count, Arguments, 1, 40);
  fill(&Field);
  if (Count > 2) { // executed by a child of vfork
    run_rounds(&Field, Rounds);
    print_hash("executed", hash_of(&Field));
    return 5;
  }
  uint64_t Statuses = 0;
  for (int Turn = 0; Turn < 6; Turn++) {
    run_rounds(&Field, Rounds);
    pid_t Child;
    if (Turn % 3 == 0) {
      Child = fork();
      if (Child == 0) {
        run_rounds(&Field, Rounds);
        exit((int)(hash_of(&Field) % 251));
      }
    } else if (Turn % 3 == 1) {
      Child = _Fork();
      if (Child == 0)
        exit(9);
    } else {
      char *const Again[] = {Arguments[0], "10", "child", NULL};
      Child = vfork();
      if (Child == 0) {
        execv("/proc/self/exe", Again);
        _exit(127);
      }
    }
    Statuses = Statuses * 4099 + (uint64_t)wait_for(Child);
  }
  if (wait(NULL) != -1 || errno != ECHILD)
    Statuses = 0;
  print_hash("children", hash_of(&Field) ^ Statuses);
  return 0;
}
