//===- tests/soundness/sparse/programs/waiting.cpp - dependent rows, disturbed ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that share such rows wait for each other: whatever becomes of the others meanwhile, and
// of the thread that called, all come to an end and to the same bits.
#include "sparse.h"
#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <pthread.h>
#include <sched.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace {

/// Large enough for threads to be worth it.
struct System {
  Matrix a = grid(220, 180);
  std::vector<double> b = reals(a.n, 1), x = reals(a.n, 2);

  void sweepOnce() {
    sweep(a.n, a.start.data(), a.column.data(), a.value.data(), b.data(), x.data());
  }
  void sweeps(int calls) {
    for (int call = 0; call < calls; ++call) {
      sweepOnce();
      for (long i = call % 7; i < a.n; i += 997)
        x[i] *= 0.25; // bounded
    }
  }
  /// Until versions have been tried.
  void settle() { sweeps(400); }
};

/// Sweeps over a grid whose rows take long enough to inspect that the plan is stored, on any
/// processor. A second run reuses the plan.
void reused() {
  System one{.a = grid(600, 400)};
  one.settle();
  print("settled", one.x);
  std::swap(one.a.column[7000], one.a.column[7001]); // in another order
  one.sweeps(20);
  print("changed", one.x);
}

void callers() {
  System one;
  one.settle();
  print("settled", one.x);
  std::vector<System> others(4, one);
  std::vector<std::thread> threads;
  for (System &each : others)
    threads.emplace_back([&each] { each.sweeps(150); });
  for (std::thread &each : threads)
    each.join();
  // The matrix that all share, too.
  std::vector<std::vector<double>> results(4, one.x);
  threads.clear();
  for (std::vector<double> &x : results)
    threads.emplace_back([&] {
      for (int call = 0; call < 100; ++call)
        sweep(one.a.n, one.a.start.data(), one.a.column.data(), one.a.value.data(), one.b.data(),
              x.data());
    });
  for (std::thread &each : threads)
    each.join();
  for (const System &each : others)
    print("by threads", each.x);
  for (const std::vector<double> &x : results)
    print("of one matrix", x);
}

/// Children begin while threads of their parent are in the middle of rows.
void forks() {
  System one;
  one.settle();
  System expected = one;
  expected.sweeps(10);
  std::atomic<bool> ends{false};
  std::thread busy([&ends, mine = one]() mutable {
    while (!ends)
      mine.sweeps(5);
  });
  int good = 0;
  for (int child = 0; child < 15; ++child) {
    const pid_t id = fork();
    if (id == 0) {
      System mine = one;
      mine.sweeps(10);
      _exit(std::memcmp(mine.x.data(), expected.x.data(), mine.x.size() * sizeof(double)) == 0 ? 0
                                                                                               : 1);
    }
    int status = 0;
    good += waitpid(id, &status, 0) == id && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  }
  ends = true;
  busy.join();
  std::printf("%d children\n", good);
}

/// Threads that are cancelled wherever they are.
void cancelled() {
  System one;
  one.settle();
  for (int round = 0; round < 40; ++round) {
    static System *given;
    System mine = one;
    given = &mine;
    pthread_t thread;
    pthread_create(
        &thread, nullptr,
        [](void *) -> void * {
          pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
          for (;;)
            given->sweepOnce();
        },
        nullptr);
    std::this_thread::sleep_for(std::chrono::microseconds(100 + 37 * round));
    pthread_cancel(thread);
    pthread_join(thread, nullptr);
  }
  one.sweeps(20);
  print("after cancelled threads", one.x);
}

System *interrupted;
sigjmp_buf outside;

/// A handler that calls the kernel on other vectors, over the same matrix.
void handlers() {
  static System one, inHandlers;
  interrupted = &inHandlers;
  one.settle();
  std::signal(SIGALRM, [](int) { interrupted->sweepOnce(); });
  const itimerval often = {{0, 3000}, {0, 3000}}, never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  one.sweeps(300);
  setitimer(ITIMER_REAL, &never, nullptr);
  print("with handlers", one.x);
}

/// A handler that leaves the kernel.
void jumps() {
  static System one;
  one.settle();
  std::signal(SIGALRM, [](int) { siglongjmp(outside, 1); });
  static std::vector<double> x;
  static int round; // not in a register
  for (round = 0; round < 60; ++round) {
    x = one.x;
    if (sigsetjmp(outside, 1) == 0) {
      const itimerval once = {{0, 0}, {0, 200 + 53 * round}};
      setitimer(ITIMER_REAL, &once, nullptr);
      for (;;)
        sweep(one.a.n, one.a.start.data(), one.a.column.data(), one.a.value.data(), one.b.data(),
              x.data());
    }
  }
  one.sweeps(20);
  print("after jumps", one.x);
}

/// All threads on one processor, then on several again; another thread takes what it gets.
void confined() {
  System one;
  one.settle();
  cpu_set_t before, few;
  sched_getaffinity(0, sizeof before, &before);
  std::atomic<bool> ends{false};
  std::thread greedy([&] {
    while (!ends) {
    }
  });
  for (int round = 0; round < 6; ++round) {
    CPU_ZERO(&few);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &before)) {
        CPU_SET(cpu, &few);
        break;
      }
    sched_setaffinity(0, sizeof few, round % 2 == 0 ? &few : &before);
    one.sweeps(60);
  }
  ends = true;
  greedy.join();
  print("confined", one.x);
}

} // namespace

int main(int argc, char **argv) {
  static constexpr Scenario All[] = {
      {"reused", reused},     {"callers", callers}, {"forks", forks},      {"cancelled", cancelled},
      {"handlers", handlers}, {"jumps", jumps},     {"confined", confined}};
  return runScenario(All, argc, argv);
}
