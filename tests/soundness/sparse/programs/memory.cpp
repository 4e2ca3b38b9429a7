//===- tests/soundness/sparse/programs/memory.cpp - index arrays that others write ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// System calls, other threads, other processes, and mappings that come and go.
#include "sparse.h"
#include <condition_variable>
#include <mutex>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

constexpr size_t Bytes = 1 << 16; // of an index array, whole pages

void *map(int flags, void *at = nullptr, int file = -1) {
  void *result = mmap(at, Bytes, PROT_READ | PROT_WRITE, flags | (at ? MAP_FIXED : 0), file, 0);
  if (result == MAP_FAILED)
    std::abort();
  return result;
}

/// The columns of a grid in memory of the program's choice; all else stays where it is.
struct Shared {
  Matrix a = grid(50, 40);
  int *column;
  Caller caller{a.n};

  explicit Shared(void *memory) : column(static_cast<int *>(memory)) { fill(); }
  void fill() { std::memcpy(column, a.column.data(), a.column.size() * sizeof(int)); }
  void product(const char *name, int calls = 25) {
    caller.product(name, a.n, a.start.data(), column, a.value.data(), calls);
  }
};

int temporaryFile() {
  FILE *file = std::tmpfile();
  if (!file)
    std::abort();
  return fileno(file);
}

void readFromFile() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  const int file = temporaryFile();
  const int other[] = {5, 6, 7, 8};
  if (write(file, other, sizeof other) != sizeof other)
    std::abort();
  s.product("before");
  for (long at : {1023L, 4000L, 0L}) { // across a page's end, within one, at the beginning
    if (pread(file, s.column + at, sizeof other, 0) != sizeof other)
      std::abort();
    s.product("read");
  }
}

void readFromPipe() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  int ends[2];
  if (pipe(ends) != 0)
    std::abort();
  s.product("before");
  for (int round = 0; round < 4; ++round) {
    const int one = 17 * round;
    if (write(ends[1], &one, sizeof one) != sizeof one ||
        read(ends[0], s.column + 2047 + round, sizeof one) != sizeof one)
      std::abort();
    s.product("from a pipe", round < 2 ? 1 : 25);
  }
}

void mappedAgain() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  s.product("before");
  munmap(s.column, Bytes);
  map(MAP_PRIVATE | MAP_ANONYMOUS, s.column);
  s.fill();
  s.product("the same there");
  munmap(s.column, Bytes);
  map(MAP_PRIVATE | MAP_ANONYMOUS, s.column);
  s.fill();
  s.column[777] = 1;
  s.product("another there");
  map(MAP_PRIVATE | MAP_ANONYMOUS, s.column); // without munmap
  s.product("zeros");
  s.fill();
  s.product("as at first");
  madvise(s.column, Bytes, MADV_DONTNEED);
  s.product("dropped");
}

void moved() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  s.product("before");
  // The pages go elsewhere, and others with other numbers come to where they were.
  int *old = s.column;
  s.column = static_cast<int *>(map(MAP_PRIVATE | MAP_ANONYMOUS));
  if (mremap(old, Bytes, Bytes, MREMAP_MAYMOVE | MREMAP_FIXED, s.column) != s.column)
    std::abort();
  // At once: code that is made meanwhile may be mapped wherever there is nothing.
  int *others = static_cast<int *>(map(MAP_PRIVATE | MAP_ANONYMOUS, old));
  s.product("moved");
  s.column[999] = 2;
  s.product("moved and written");
  s.column = others;
  s.fill();
  s.column[1200] = 3;
  s.product("others in the old place");
}

void protectedForAWhile() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  s.product("before");
  mprotect(s.column, Bytes, PROT_READ);
  s.product("read only");
  mprotect(s.column, Bytes, PROT_READ | PROT_WRITE);
  s.column[1024] = 9;
  s.product("written");
}

void sharedFile() {
  const int file = temporaryFile();
  if (ftruncate(file, Bytes) != 0)
    std::abort();
  Shared s(map(MAP_SHARED, nullptr, file));
  s.product("before");
  // Through the file, and through a second mapping of it.
  const int one = 12;
  if (pwrite(file, &one, sizeof one, 1000 * sizeof one) != sizeof one)
    std::abort();
  s.product("through the file");
  int *second = static_cast<int *>(map(MAP_SHARED, nullptr, file));
  second[1001] = 13;
  s.product("through another mapping");
  // A private mapping of the file sees it until it is written itself.
  s.column = static_cast<int *>(map(MAP_PRIVATE, nullptr, file));
  s.product("private");
  second[3000] = 14;
  s.column[3001] = 15;
  s.product("private, and written");
}

void sharedWithAChild() {
  Shared s(map(MAP_SHARED | MAP_ANONYMOUS));
  s.product("before");
  for (int round = 0; round < 3; ++round) {
    inChild([&] { s.column[1000 * round + 5] = 3 + round; });
    s.product("written by a child", round ? 25 : 1);
  }
}

void forked() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  s.product("before");
  inChild([&] {
    s.product("child");
    s.column[1500] = 4;
    s.product("child, changed");
    inChild([&] {
      s.column[1501] = 5;
      s.product("its child");
    });
    s.product("child, after its child");
  });
  s.product("parent");
  s.column[1500] = 8;
  s.product("parent, changed");
  inChild([&] { s.product("second child"); });
}

void childWritesPrivate() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  for (int round = 0; round < 3; ++round) {
    s.product("parent");
    // What is written right after a fork is a copy in both of them.
    std::fflush(stdout);
    const pid_t pid = fork();
    s.column[100 + round] = pid == 0 ? 1 : 2;
    s.product(pid == 0 ? "child" : "parent, written", 5);
    if (pid == 0) {
      std::fflush(stdout);
      _exit(0);
    }
    waitpid(pid, nullptr, 0); // before this process prints what it has gathered
  }
}

void anotherThread() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  s.product("before");
  std::mutex lock;
  std::condition_variable changed;
  int turn = 0; // even: this thread's
  std::thread writer([&] {
    for (int round = 0; round < 10; ++round) {
      std::unique_lock<std::mutex> hold(lock);
      changed.wait(hold, [&] { return turn % 2 == 1; });
      s.column[round * 777] = 11 * round;
      ++turn;
      changed.notify_all();
    }
  });
  for (int round = 0; round < 10; ++round) {
    std::unique_lock<std::mutex> hold(lock);
    ++turn;
    changed.notify_all();
    changed.wait(hold, [&] { return turn % 2 == 0; });
    s.product("written by a thread", round % 3 ? 1 : 12);
  }
  writer.join();
}

void severalThreads() {
  Shared s(map(MAP_PRIVATE | MAP_ANONYMOUS));
  constexpr int Threads = 4, Phases = 6;
  std::vector<std::vector<double>> results(Threads);
  for (int phase = 0; phase < Phases; ++phase) {
    std::vector<std::thread> all;
    for (int t = 0; t < Threads; ++t)
      all.emplace_back([&, t] {
        const std::vector<double> x = reals(s.a.n, t);
        results[t].resize(s.a.n);
        for (int call = 0; call < 20; ++call)
          multiply(s.a.n, s.a.start.data(), s.column, s.a.value.data(), x.data(),
                   results[t].data());
      });
    for (std::thread &one : all)
      one.join();
    for (const std::vector<double> &one : results)
      print("thread", one);
    s.column[phase * 1024 + 3] = phase;
  }
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {{"read", readFromFile},
                                     {"pipe", readFromPipe},
                                     {"mapped-again", mappedAgain},
                                     {"moved", moved},
                                     {"protected", protectedForAWhile},
                                     {"shared-file", sharedFile},
                                     {"shared-with-a-child", sharedWithAChild},
                                     {"forked", forked},
                                     {"child-writes", childWritesPrivate},
                                     {"another-thread", anotherThread},
                                     {"several-threads", severalThreads}};
  return runScenario(All, argc, argv);
}
