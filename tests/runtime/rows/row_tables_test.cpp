//===- tests/runtime/rows/row_tables_test.cpp - when loops get a table ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop is Y [I] = X [Index [I]], and its inspector is written by hand.
//
//===----------------------------------------------------------------------===//
#include "runtime/rows/row_tables.h"

#include <algorithm>
#include <atomic>
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
/// So many rows later the same is written.
uint64_t Period = UINT64_MAX;
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
    Into->low[2] = Inputs[2] + I % Period * WriteStride;
    Into->high[2] = Into->low[2] + sizeof(double);
    Into->accesses[0] = {Into->low[2], sizeof(double), 2 * 2 + 1};
    Into->num_accesses = 1;
    Into->trouble = IsScattered;
    if (!Into->row(Into, 1))
      return;
  }
}

struct RowTables : testing::Test {
  RowTables() {
    WriteStride = sizeof(double);
    Period = UINT64_MAX;
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

TEST_F(RowTables, SayThatRowsFollowOneAnother) {
  Site.may_wait = SPECRT_ROWS_LISTED_IN_32_BITS;
  WriteStride = 4;
  EXPECT_FALSE(call());
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Problem, "each row waits for the one before it");
  WriteStride = 8; // another matrix
  Index[0] = 5;
  EXPECT_TRUE(call());
}

TEST_F(RowTables, ListRowsThatWaitForRows) {
  Period = 100;
  for (uint32_t Width : {SPECRT_ROWS_LISTED_IN_32_BITS, SPECRT_ROWS_LISTED_IN_64_BITS}) {
    Site.may_wait = Width;
    forgetRows(this);
    ownRows(this, &Site);
    const auto Inputs = inputs(Y);
    const specrt_rows_table *Table = beginRows(&Site, Inputs.data(), Index.size());
    ASSERT_NE(Table, nullptr);
    EXPECT_EQ(Table->share, nullptr);
    std::vector<bool> Done(Index.size());
    for (uint64_t I = 0; I < Table->num_segments; ++I) {
      const specrt_rows_segment &S = Table->segments[I];
      EXPECT_EQ(S.class_number, Site.num_classes); // as rows of the first class, but listed
      for (int64_t K = 0; K < S.count; ++K) {
        const size_t Row = Width == SPECRT_ROWS_LISTED_IN_32_BITS
                               ? reinterpret_cast<const uint32_t *>(S.origins)[K]
                               : static_cast<size_t>(S.origins[K]);
        EXPECT_FALSE(Done[Row]);
        EXPECT_TRUE(Row < Period || Done[Row - Period]);
        Done[Row] = true;
      }
    }
    endRows(&Site, Table);
    EXPECT_EQ(figures().Levels, 10U);
  }
}

/// What threads do with a table that they share.
struct SharedRows {
  const specrt_rows_table *Table;
  std::vector<std::atomic<int>> Done;
  std::atomic<int> TooEarly{0};

  static void run(void *Words, uint64_t Begin, uint64_t End) {
    auto &Mine = *static_cast<SharedRows *>(Words);
    for (uint64_t I = Begin; I < End; ++I)
      for (int64_t K = 0; K < Mine.Table->segments[I].count; ++K) {
        const uint32_t Row = reinterpret_cast<const uint32_t *>(Mine.Table->segments[I].origins)[K];
        if (Row >= Period && Mine.Done[Row - Period].load(std::memory_order_relaxed) == 0)
          ++Mine.TooEarly;
        Mine.Done[Row].store(1, std::memory_order_relaxed);
      }
  }
};

TEST_F(RowTables, AreSharedInOrder) {
  constexpr size_t Size = 60000;
  Site.is_parallel = 1;
  Site.may_wait = SPECRT_ROWS_LISTED_IN_32_BITS;
  Period = Size / 6;
  Index.resize(Size);
  std::iota(Index.begin(), Index.end(), 0);
  X.resize(Size);
  Y.resize(Size);
  for (int Call = 0; Call < 20; ++Call) {
    const auto Inputs = inputs(Y);
    const specrt_rows_table *Table = beginRows(&Site, Inputs.data(), Size);
    ASSERT_NE(Table, nullptr) << figures().Problem;
    EXPECT_EQ(beginRows(&Site, Inputs.data(), Size), nullptr) << "one call at a time";
    SharedRows Rows{Table, std::vector<std::atomic<int>>(Size)};
    std::vector<std::thread> Threads;
    for (int I = 0; I < 3; ++I)
      Threads.emplace_back([&] { Table->share(Table, &SharedRows::run, &Rows); });
    for (std::thread &T : Threads)
      T.join();
    EXPECT_EQ(Rows.TooEarly, 0);
    EXPECT_EQ(std::count(Rows.Done.begin(), Rows.Done.end(), 1), Size);
    endRows(&Site, Table);
  }
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
