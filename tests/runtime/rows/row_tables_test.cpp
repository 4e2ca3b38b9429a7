//===- tests/runtime/rows/row_tables_test.cpp - when loops get a table ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop is Y [I] = X [Index [I]], and its inspector is written by hand.
//
//===----------------------------------------------------------------------===//
#include "runtime/rows/row_tables.h"

#include <cerrno>
#include <csignal>
#include <gtest/gtest.h>
#include <numeric>
#include <pthread.h>
#include <thread>
#include <vector>

using namespace specrt;

namespace {

/// Bytes between what rows write; less than a number: rows write what others write.
uint64_t WriteStride = 8;
uint64_t IsScattered = 0;

void inspect(const uint64_t *Inputs, specrt_row_trace *Into) {
  const auto *Index = reinterpret_cast<const int *>(Inputs[0]);
  for (uint64_t I = 0; I < Inputs[3]; ++I) {
    Into->values[0] = Index[I];
    Into->kinds[0] = SPECRT_ROW_VALUE;
    Into->low[0] = Inputs[0] + I * sizeof(int);
    Into->high[0] = Into->low[0] + sizeof(int);
    Into->low[1] = Inputs[1] + static_cast<uint64_t>(Index[I]) * sizeof(double);
    Into->high[1] = Into->low[1] + sizeof(double);
    Into->low[2] = Inputs[2] + I * WriteStride;
    Into->high[2] = Into->low[2] + sizeof(double);
    Into->trouble = IsScattered;
    if (!Into->row(Into, 1))
      return;
  }
}

struct RowTables : testing::Test {
  RowTables() {
    WriteStride = sizeof(double);
    IsScattered = 0;
    std::iota(Index.begin(), Index.end(), 0);
    ownRows(this, &Site);
  }
  ~RowTables() override { forgetRows(this); }

  std::vector<uint64_t> inputs(std::vector<double> &Result) {
    return {reinterpret_cast<uint64_t>(Index.data()), reinterpret_cast<uint64_t>(X.data()),
            reinterpret_cast<uint64_t>(Result.data()), Index.size()};
  }
  /// One call. Does it get a table, and is it one of all rows?
  bool call(std::vector<double> &Result) {
    const auto Inputs = inputs(Result);
    const specrt_rows_table *Table = beginRows(&Site, Inputs.data(), Index.size());
    if (!Table)
      return false;
    int64_t Rows = 0;
    for (uint64_t I = 0; I < Table->num_segments; ++I)
      Rows += Table->segments[I].count;
    EXPECT_EQ(Rows, static_cast<int64_t>(Index.size()));
    endRows(&Site, Table);
    return true;
  }
  bool call() { return call(Y); }
  RowFigures figures() const { return rowFigures(&Site); }

  std::vector<int> Index = std::vector<int>(1000);
  std::vector<double> X = std::vector<double>(1000), Y = X;
  specrt_row_entry Entry = {SPECRT_ROW_VALUE, SPECRT_ROW_AFFINE, 1};
  specrt_row_class Class = {&Entry, 1, 1, 8, 0};
  specrt_rows_base Bases[3] = {
      {0, SPECRT_ROWS_DECIDES}, {1, SPECRT_ROWS_READ}, {2, SPECRT_ROWS_WRITTEN}};
  uint8_t Deciding[4] = {1, 0, 0, 1};
  specrt_rows_site Site = {.state = nullptr,
                           .inspect = &inspect,
                           .bases = Bases,
                           .classes = &Class,
                           .deciding = Deciding,
                           .num_inputs = 4,
                           .num_bases = 3,
                           .num_classes = 1,
                           .is_parallel = 0,
                           .may_wait = 0,
                           .num_carried = 0,
                           .next = nullptr};
};

TEST_F(RowTables, AreUsedAgain) {
  for (int I = 0; I < 10; ++I)
    EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Calls, 10U);
  EXPECT_EQ(figures().RowsInClasses, 1000U);
  EXPECT_EQ(figures().Segments, 1U);
}

TEST_F(RowTables, AreMadeAnewAfterAChange) {
  EXPECT_TRUE(call());
  Index[500] = 3;
  EXPECT_TRUE(call());
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Changes, 1U);
  EXPECT_EQ(figures().Inspections, 2U);
  EXPECT_EQ(figures().Segments, 3U);
}

TEST_F(RowTables, HoldForOtherDataButNotWhereTheyOverlap) {
  EXPECT_TRUE(call());
  std::vector<double> Other(1000);
  EXPECT_TRUE(call(Other));
  EXPECT_FALSE(call(X));
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Refused, 1U);
}

TEST_F(RowTables, AreKeptForArraysThatTakeTurns) {
  const std::vector<int> First = Index;
  std::vector<int> Second(700);
  std::iota(Second.begin(), Second.end(), 100);
  for (int I = 0; I < 6; ++I) {
    EXPECT_TRUE(call());
    Index.swap(Second);
  }
  EXPECT_EQ(figures().Inspections, 2U);
  EXPECT_EQ(figures().Tables, 2U);
}

TEST_F(RowTables, AreNotMadeForRowsThatWriteWhatOthersWrite) {
  WriteStride = 4;
  EXPECT_FALSE(call());
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Problem, "rows write what others access");
}

TEST_F(RowTables, AreNotMadeForScatteredIndices) {
  IsScattered = SPECRT_ROWS_SCATTERED;
  EXPECT_FALSE(call());
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Problem, "what decides lies in many places");
}

TEST_F(RowTables, AreNotMadeWhereRowsWriteWhatDecides) {
  IsScattered = SPECRT_ROWS_OVERWRITTEN;
  EXPECT_FALSE(call());
  IsScattered = 0;
  EXPECT_TRUE(call()); // other pointers
}

TEST_F(RowTables, AreNotWorthItWithoutClasses) {
  for (size_t I = 0; I < Index.size(); ++I)
    Index[I] = static_cast<int>(I * 7919 % Index.size());
  EXPECT_FALSE(call());
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Calls, 0U);
  EXPECT_EQ(figures().Refused, 2U);
}

TEST_F(RowTables, AreCutForThreads) {
  Site.is_parallel = 1;
  Index.resize(5000);
  std::iota(Index.begin(), Index.end(), 0);
  X.resize(5000);
  Y.resize(5000);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Segments, 5U);
}

TEST_F(RowTables, AreNotMadeForEverWhereIndicesAlwaysChange) {
  Index.resize(100000);
  X.resize(100000);
  Y.resize(100000);
  std::iota(Index.begin(), Index.end(), 0);
  constexpr uint64_t Calls = 2000;
  for (uint64_t I = 0; I < Calls; ++I) {
    Index[I] ^= 1;
    call();
  }
  EXPECT_LT(figures().Inspections, Calls);
  EXPECT_GT(figures().Refused, 0U);
}

TEST_F(RowTables, AreForgotten) {
  EXPECT_TRUE(call());
  forgetRows(this);
  EXPECT_EQ(Site.state, nullptr);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  ownRows(this, &Site);
}

/// What handlers of SIGUSR1 do for the time of a test.
struct HandledSignal {
  explicit HandledSignal(void (*Handler)(int)) {
    struct sigaction New = {};
    New.sa_handler = Handler;
    sigaction(SIGUSR1, &New, &Before);
  }
  ~HandledSignal() { sigaction(SIGUSR1, &Before, nullptr); }
  HandledSignal(const HandledSignal &) = delete;
  HandledSignal &operator=(const HandledSignal &) = delete;

  struct sigaction Before;
};

RowTables *Interrupted = nullptr;
bool HasTable = false;

/// A handler must not allocate memory.
TEST_F(RowTables, AreNotMadeInSignalHandlers) {
  Interrupted = this;
  HandledSignal Handled([](int) { HasTable = Interrupted->call(); });
  HasTable = true;
  raise(SIGUSR1);
  EXPECT_FALSE(HasTable);
  EXPECT_TRUE(call());
  raise(SIGUSR1); // there is one now
  EXPECT_TRUE(HasTable);
}

TEST_F(RowTables, AreMadeWhereSignalsThatNobodyHandlesAreBlocked) {
  sigset_t Set, Before;
  sigemptyset(&Set);
  sigaddset(&Set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &Set, &Before);
  EXPECT_TRUE(call());
  pthread_sigmask(SIG_SETMASK, &Before, nullptr);
}

/// A handler that jumps away would leave the memory's lock behind.
TEST_F(RowTables, SignalsWaitUntilRowsAreWalked) {
  static bool IsWalking, CameWhileWalking;
  HandledSignal Handled([](int) { CameWhileWalking = IsWalking; });
  Site.inspect = [](const uint64_t *Inputs, specrt_row_trace *Into) {
    IsWalking = true;
    raise(SIGUSR1);
    inspect(Inputs, Into);
    IsWalking = false;
  };
  CameWhileWalking = true;
  EXPECT_TRUE(call());
  EXPECT_FALSE(CameWhileWalking);
}

TEST_F(RowTables, CancellationWaitsUntilRowsAreWalked) {
  Site.inspect = [](const uint64_t *Inputs, specrt_row_trace *Into) {
    pthread_cancel(pthread_self());
    inspect(Inputs, Into);
  };
  pthread_t Thread;
  auto Cancelled = [](void *Tables) -> void * {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
    static_cast<RowTables *>(Tables)->call();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&Thread, nullptr, Cancelled, static_cast<RowTables *>(this)), 0);
  void *Result = nullptr;
  ASSERT_EQ(pthread_join(Thread, &Result), 0);
  EXPECT_EQ(Result, PTHREAD_CANCELED);
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_TRUE(call()); // nobody holds the lock
}

TEST_F(RowTables, LeaveErrnoAlone) {
  Site.inspect = [](const uint64_t *Inputs, specrt_row_trace *Into) {
    errno = ENOMEM;
    inspect(Inputs, Into);
  };
  errno = EDOM;
  EXPECT_TRUE(call());
  EXPECT_EQ(errno, EDOM);
}

TEST_F(RowTables, AreSharedByThreads) {
  EXPECT_TRUE(call());
  std::vector<std::thread> Threads;
  for (int T = 0; T < 4; ++T)
    Threads.emplace_back([&] {
      for (int I = 0; I < 1000; ++I)
        call();
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(figures().Inspections, 1U);
}

TEST_F(RowTables, AreAskedForWithoutRows) { EXPECT_EQ(beginRows(&Site, nullptr, 0), nullptr); }

} // namespace
