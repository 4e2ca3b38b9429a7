//===- tests/runtime/rows/left_calls_test.cpp - loops that are not ended, and forks ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/runtime/rows/row_loop.h"

#include <atomic>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt;

namespace {

struct LeftCalls : RowTables {
  /// False: there is none for a minute.
  bool getsTable() {
    const auto Begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - Begin < std::chrono::minutes(1))
      if (call())
        return true;
    return false;
  }
};

sigjmp_buf Outside;
volatile sig_atomic_t MayJump = 0, Jumps = 0;

void jump(int) {
  if (!MayJump)
    return;
  MayJump = 0;
  Jumps = Jumps + 1;
  siglongjmp(Outside, 1);
}

/// At any instruction, now and then with the lock; later ones get tables again.
TEST_F(LeftCalls, AreNotTheLastOnesWithATable) {
  ASSERT_TRUE(call());
  struct sigaction Action{}, Before{};
  Action.sa_handler = jump;
  sigaction(SIGALRM, &Action, &Before);
  constexpr int Times = 4000;
  const itimerval Timer = {{0, 53}, {0, 53}};
  const itimerval Never = {};
  const auto Inputs = inputs(Y);
  setitimer(ITIMER_REAL, &Timer, nullptr);
  while (Jumps < Times) {
    if (sigsetjmp(Outside, 1) == 0) {
      MayJump = 1;
      while (true)
        if (const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Index.size()))
          endRows(&Loop, Table);
    }
  }
  setitimer(ITIMER_REAL, &Never, nullptr);
  sigaction(SIGALRM, &Before, nullptr);
  EXPECT_TRUE(getsTable());
  EXPECT_TRUE(call());
}

/// Children are forked while another thread of the parent walks the rows that they ask for.
TEST_F(LeftCalls, OfTheParentDoNotKeepAChildFromWalking) {
  Loop.digest[0] = 7;
  specrt_sparse_loop Other = Loop;
  ownRows(&Other, &Other);
  setRows(20000);
  std::atomic<bool> IsOver{false};
  std::thread Caller([&] {
    while (!IsOver) {
      call();
      Index[7] = 8 - Index[7]; // and back
    }
  });
  for (int I = 0; I < 20; ++I) {
    const pid_t Child = fork();
    ASSERT_GE(Child, 0);
    if (Child == 0) {
      alarm(120);
      _exit(getsTable() && figures().Inspections + figures().TakenOver > 0 ? 0 : 1);
    }
    int Status = -1;
    ASSERT_EQ(waitpid(Child, &Status, 0), Child);
    EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0) << "child " << I << ": " << Status;
  }
  IsOver = true;
  Caller.join();
  forgetRows(&Other);
}

} // namespace
