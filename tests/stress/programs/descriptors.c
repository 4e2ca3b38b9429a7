//===- tests/stress/programs/descriptors.c - closes what it has not opened ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Closes all descriptors from 3 on, as daemons do, opens files of its own and checks at the end that
// they are what they were. The numbers that it gets are part of its output. Closes again between
// the rounds. Usage: descriptors [ROUNDS [MICROSECONDS BEFORE]]
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include "kernels.h"
#include <fcntl.h>
#include <sys/stat.h>

enum { Files = 16, FirstUnused = 3, MostDescriptors = 256 };

static struct field Field;
static int Descriptors[Files];
static ino_t Inodes[Files];

static void close_all(int From) {
  for (int Number = From; Number < MostDescriptors; Number++)
    close(Number);
}

static unsigned open_files(void) {
  unsigned Sum = 0;
  for (int i = 0; i < Files; i++) {
    struct stat Seen;
    Descriptors[i] = open(".", O_TMPFILE | O_RDWR, 0600);
    if (Descriptors[i] < 0 || fstat(Descriptors[i], &Seen) != 0 ||
        write(Descriptors[i], "hello", 5) != 5)
      return 0;
    Inodes[i] = Seen.st_ino;
    Sum = Sum * 31 + (unsigned)Descriptors[i];
  }
  return Sum;
}

static unsigned changed_files(void) {
  unsigned Changed = 0;
  for (int i = 0; i < Files; i++) {
    struct stat Seen;
    if (fstat(Descriptors[i], &Seen) != 0 || Seen.st_ino != Inodes[i] || Seen.st_size != 5)
      Changed++;
  }
  return Changed;
}

int main(int Count, char **Arguments) {
  const int Rounds = number(Count, Arguments, 1, 100);
  usleep((useconds_t)number(Count, Arguments, 2, 0));
  close_all(FirstUnused);
  fill(&Field);
  const unsigned Numbers = open_files();
  for (int Part = 0; Part < 4; Part++) {
    run_rounds(&Field, Rounds / 4);
    close_all(FirstUnused + Files);
  }
  print_hash("descriptors", Numbers);
  print_hash("changed", changed_files());
  print_hash("field", hash_of(&Field));
  return 0;
}
