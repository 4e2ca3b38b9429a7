//===- tests/runtime/zeros/zero_lists_test.cpp - lists that calls do not end with ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a signal handler that jumps away, and a fork, leave of what is known of arrays.
//
//===----------------------------------------------------------------------===//
#include "runtime/zeros/zero_lists.h"

#include <atomic>
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace specrt {
namespace {

/// Every 64th is not zero.
struct SparseArray {
  explicit SparseArray(size_t Size) : Numbers(Size, 0.0) {
    for (size_t I = 0; I < Size; I += 64)
      Numbers[I] = static_cast<double>(I + 1);
    Walk.base = Numbers.data();
    Walk.kind = SPECRT_ZEROS_DOUBLE;
    Walk.num_loops = 1;
    Walk.loops[0].step = sizeof(double);
    Walk.loops[0].trips = static_cast<int64_t>(Size);
  }
  bool isListedBy(const specrt_zeros_list &L) const {
    const auto *Values = static_cast<const double *>(L.values);
    if (L.starts[1] != (Numbers.size() + 63) / 64)
      return false;
    for (uint64_t I = 0; I < L.starts[1]; ++I)
      if (L.positions[I] != 64 * I || std::abs(Values[I]) != static_cast<double>(64 * I + 1))
        return false;
    return true;
  }
  /// Asks until there is a list; false: there is none for a minute.
  bool getsListed() const {
    const auto Begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - Begin < std::chrono::minutes(1))
      if (const specrt_zeros_list *List = beginZeros(&Walk)) {
        const bool IsRight = isListedBy(*List);
        endZeros(List);
        return IsRight;
      }
    return false;
  }

  std::vector<double> Numbers;
  specrt_zeros_walk Walk{};
};

/// Children are forked while another thread of the parent makes the list that they ask for.
TEST(ZeroLists, AChildMakesItsOwn) {
  SparseArray Large(1 << 20);
  std::atomic<bool> IsOver{false};
  std::thread Maker([&] {
    while (!IsOver) {
      endZeros(beginZeros(&Large.Walk));
      Large.Numbers[64] = -Large.Numbers[64]; // no list is good for two calls
    }
  });
  for (int I = 0; I < 20; ++I) {
    const pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (Child == 0) {
      alarm(120);
      _exit(Large.getsListed() ? 0 : 1);
    }
    int Status = -1;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0) << "child " << I << ": " << Status;
  }
  IsOver = true;
  Maker.join();
}

sigjmp_buf Outside;
volatile sig_atomic_t MayJump = 0, Jumps = 0;

void jump(int) {
  if (!MayJump)
    return;
  MayJump = 0;
  Jumps = Jumps + 1;
  siglongjmp(Outside, 1);
}

/// Calls are left at any instruction, now and then with the lock; later ones go on.
TEST(ZeroLists, CallsMayBeLeft) {
  const SparseArray Some(512), Other(512);
  ASSERT_TRUE(Some.getsListed());
  struct sigaction Action{}, Before{};
  Action.sa_handler = jump;
  sigaction(SIGALRM, &Action, &Before);
  constexpr int Times = 4000;
  const itimerval Timer = {{0, 53}, {0, 53}};
  const itimerval Never = {};
  setitimer(ITIMER_REAL, &Timer, nullptr);
  while (Jumps < Times) {
    if (sigsetjmp(Outside, 1) == 0) {
      MayJump = 1;
      while (true)
        endZeros(beginZeros(&Some.Walk));
    }
  }
  setitimer(ITIMER_REAL, &Never, nullptr);
  sigaction(SIGALRM, &Before, nullptr);
  EXPECT_TRUE(Some.getsListed());
  EXPECT_TRUE(Other.getsListed());
}

} // namespace
} // namespace specrt
