//===- tests/stress/programs/threads.c - four threads, each of which forks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes and forks children, which compute and fork one child of their own. The exit
// status of a child is a part of its result. Usage: threads [ROUNDS]
//
//===----------------------------------------------------------------------===//
#include "kernels.h"
#include <pthread.h>
#include <sys/wait.h>

enum { Threads = 4, Children = 3 };

struct work {
  struct field Field;
  int Rounds;
  uint64_t Hash;
};

static struct work Work[Threads];

/// The last byte of the hash over what a new process computes, in a process at \p Depth.
static int in_child(struct field *F, int Rounds, int Depth) {
  const pid_t Child = fork();
  if (Child < 0)
    return -1;
  if (Child == 0) {
    run_rounds(F, Rounds);
    const int Inner = Depth > 0 ? in_child(F, Rounds, Depth - 1) : 0;
    _exit(Inner < 0 ? 255 : (int)((hash_of(F) + (uint64_t)Inner) % 251));
  }
  int Status = 0;
  if (waitpid(Child, &Status, 0) != Child || !WIFEXITED(Status))
    return -1;
  return WEXITSTATUS(Status);
}

static void *run_thread(void *Argument) {
  struct work *W = Argument;
  fill(&W->Field);
  for (int Child = 0; Child < Children; Child++) {
    run_rounds(&W->Field, W->Rounds);
    const int Status = in_child(&W->Field, W->Rounds / 4, 1);
    W->Hash = W->Hash * 257 + (uint64_t)(Status + 1);
  }
  W->Hash ^= hash_of(&W->Field);
  return NULL;
}

int main(int Count, char **Arguments) {
  pthread_t Handles[Threads];
  for (int i = 0; i < Threads; i++) {
    Work[i].Rounds = number(Count, Arguments, 1, 24) + i;
    if (pthread_create(&Handles[i], NULL, run_thread, &Work[i]) != 0)
      return 2;
  }
  for (int i = 0; i < Threads; i++) {
    pthread_join(Handles[i], NULL);
    print_hash("thread", Work[i].Hash);
  }
  return 0;
}
