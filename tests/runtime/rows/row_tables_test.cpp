//===- tests/runtime/rows/row_tables_test.cpp - when loops get a table ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/deferred.h"
#include "runtime/base/policy/ledger.h"
#include "runtime/base/reasons.h"
#include "runtime/decide/region_ledger.h"
#include "runtime/report/row_report.h"
#include "tests/runtime/rows/row_loop.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <pthread.h>
#include <thread>
#include <vector>

using namespace specrt;

namespace {

/// Returns the ledger of a region with this debt, in a run that is expected to last \p RunNs.
std::shared_ptr<Ledger> payer(double RunNs, double EarlierNs) {
  struct Accounts {
    Ledger Run, Region{Run};
  };
  const auto All = std::make_shared<Accounts>();
  All->Run.begin(UINT64_MAX); // no time passes
  All->Run.expect(RunNs);
  All->Region.carryOver(EarlierNs);
  return {All, &All->Region};
}

TEST_F(RowTables, AreUsedAgain) {
  for (int I = 0; I < 10; ++I)
    EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Calls, 10U);
  EXPECT_EQ(figures().RowsInClasses, 1000U);
  EXPECT_EQ(figures().Segments, 1U);
}

TEST_F(RowTables, ArePartOfThePage) {
  Index[500] = 3;
  EXPECT_TRUE(call());
  const nlohmann::json Pictures = rowsJson(&Loop)["pictures"];
  ASSERT_EQ(Pictures.size(), 1U);
  const nlohmann::json &P = Pictures[0];
  EXPECT_EQ(P["width"], 200);
  ASSERT_EQ(P["lines"].size(), 200U);
  EXPECT_EQ(P["lines"][7], nlohmann::json::array({7}));
  EXPECT_EQ(P["lines"][100], nlohmann::json::array({0}));
  EXPECT_EQ(P["classes"][7], 0);
  EXPECT_EQ(P["classes"][100], -1) << "a row of no class";
}

TEST_F(RowTables, CountAsLossesUntilTheyGain) {
  EXPECT_EQ(walkedNs(&Loop), 0);
  EXPECT_TRUE(call());
  const double Ns = walkedNs(&Loop);
  EXPECT_GT(Ns, 0);
  EXPECT_TRUE(call());
  EXPECT_EQ(walkedNs(&Loop), Ns);
}

TEST_F(RowTables, AreDeferredWhileTheyAreNotAffordable) {
  limitWalks(&Loop, {payer(/*RunNs=*/1e9, /*EarlierNs=*/1e15)});
  isDeferred() = false;
  EXPECT_FALSE(call());
  EXPECT_TRUE(isDeferred());
  EXPECT_EQ(figures().Inspections, 0U);
  const auto Enough = payer(/*RunNs=*/1e12, /*EarlierNs=*/0);
  limitWalks(&Loop, {Enough});
  const double Before = Enough->leftNs();
  isDeferred() = false;
  EXPECT_TRUE(call());
  EXPECT_FALSE(isDeferred());
  EXPECT_LT(Enough->leftNs(), Before);
  // What is there needs none.
  limitWalks(&Loop, {payer(/*RunNs=*/0, /*EarlierNs=*/1e15)});
  EXPECT_TRUE(call());
  limitWalks(&Loop, {});
  Index[500] = 3;
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 2U);
}

TEST_F(RowTables, AreGivenUpWhenTheFirstRowsSayThatTheyTakeTooLong) {
  NsPerRow = 2000;
  setRows(1'000'000);
  limitWalks(&Loop, {payer(/*RunNs=*/0, /*EarlierNs=*/0)});
  isDeferred() = false;
  EXPECT_FALSE(call());
  EXPECT_TRUE(isDeferred());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(RowsWalked, 1024U) << "it would have taken 2 s";
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  // Without a payer no inspection takes longer than LongestWalkNs.
  limitWalks(&Loop, {});
  RowsWalked = 0;
  EXPECT_FALSE(call());
  EXPECT_EQ(RowsWalked, 0U);
  EXPECT_EQ(figures().Problem, words(Reason::RowsTakeLong));
}

TEST_F(RowTables, AreGivenUpSoonWhereRowsAreLong) {
  NsPerRow = 100'000;
  EntriesPerRow = 10'000;
  setRows(10'000);
  limitWalks(&Loop, {payer(/*RunNs=*/0, /*EarlierNs=*/0)});
  EXPECT_FALSE(call());
  EXPECT_LT(RowsWalked, 30U) << "they take 3 ms, and all take 1 s";
}

/// A version that is published may not look at them in vain for ever.
TEST_F(RowTables, MayTakeLongInLongRuns) {
  processLedger().begin(monotonicNs());
  NsPerRow = 5000;
  setRows(60'000);
  EXPECT_FALSE(call());
  EXPECT_EQ(RowsWalked, 1024U) << "it would have taken 300 ms";
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  processLedger().expect(/*RunNs=*/4e9);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 2U);
  processLedger().lift();
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
  Loop.may_depend = SPECRT_ROWS_LISTED_IN_32_BITS;
  WriteStride = 4;
  EXPECT_FALSE(call());
  EXPECT_FALSE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  EXPECT_EQ(figures().Problem, "each row waits for the one before it");
  EXPECT_EQ(rowsJson(&Loop)["problem"], "each row waits for the one before it");
  EXPECT_NE(rowsJson(&Loop)["advice"], "");
  WriteStride = 8; // another matrix
  Index[0] = 5;
  EXPECT_TRUE(call());
}

TEST_F(RowTables, ListRowsThatWaitForRows) {
  Period = 100;
  for (uint32_t Width : {SPECRT_ROWS_LISTED_IN_32_BITS, SPECRT_ROWS_LISTED_IN_64_BITS}) {
    Loop.may_depend = Width;
    forgetRows(this);
    ownRows(this, &Loop);
    const auto Inputs = inputs(Y);
    const specrt_rows_table *Table = beginRows(&Loop, Inputs.data(), Index.size());
    ASSERT_NE(Table, nullptr);
    EXPECT_EQ(Table->share, nullptr);
    std::vector<bool> Done(Index.size());
    for (uint64_t I = 0; I < Table->num_segments; ++I) {
      const specrt_rows_segment &S = Table->segments[I];
      EXPECT_EQ(S.kind, uint32_t{SPECRT_SEGMENT_LISTED});
      EXPECT_EQ(S.class_index, 0U);
      for (int64_t K = 0; K < S.count; ++K) {
        const size_t Row = Width == SPECRT_ROWS_LISTED_IN_32_BITS
                               ? reinterpret_cast<const uint32_t *>(S.origins)[K]
                               : static_cast<size_t>(S.origins[K]);
        EXPECT_FALSE(Done[Row]);
        EXPECT_TRUE(Row < Period || Done[Row - Period]);
        Done[Row] = true;
      }
    }
    endRows(&Loop, Table);
    EXPECT_EQ(figures().Levels, 10U);
  }
}

uint64_t RowsShown = 0;

/// Each row waits for one that is as good as any.
void inspectMixed(const uint64_t *Inputs, specrt_row_trace *Into) {
  for (uint64_t I = 0; I < Inputs[3]; ++I) {
    ++RowsShown;
    Into->phase->values[0] = static_cast<int64_t>(I);
    Into->kinds[0] = SPECRT_ROW_VALUE;
    Into->low[0] = Inputs[0] + I * sizeof(int);
    Into->high[0] = Into->low[0] + sizeof(int);
    Into->low[1] = 1;
    Into->high[1] = 0;
    Into->low[2] = Inputs[2];
    Into->high[2] = Inputs[2] + sizeof(double) * (I + 1);
    const uint64_t Other = (I * 0x9e3779b97f4a7c15 >> 20) % (I + 1);
    Into->accesses[0] = {Inputs[2] + Other * sizeof(double), sizeof(double), 2 * 2};
    if (Into->access_capacity > 1)
      Into->accesses[1] = {Inputs[2] + I * sizeof(double), sizeof(double), 2 * 2 + 1};
    Into->num_accesses = 2;
    if (!Into->row(Into, 1))
      return;
  }
}

TEST_F(RowTables, AreNotMadeWhereProcessorsNeedNone) {
  Loop.may_depend = SPECRT_ROWS_LISTED_IN_32_BITS;
  Loop.inspect = inspectMixed;
  setRows(100000);
  RowsShown = 0;
  EXPECT_FALSE(call());
  EXPECT_LT(RowsShown, 10000U);
  EXPECT_EQ(figures().Problem, "rows seldom wait for those just before them");
  EXPECT_NE(rowsJson(&Loop)["advice"], "");
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

TEST_F(RowTables, AreTriedAgainLater) {
  WriteStride = 4; // the arrays of these calls overlap
  const auto Refusals = [&](uint64_t Inspections) {
    uint64_t Calls = 0;
    for (; Calls < 100'000'000 && figures().Inspections < Inspections; ++Calls)
      EXPECT_FALSE(call());
    return Calls;
  };
  EXPECT_EQ(Refusals(1), 1U);
  EXPECT_GT(Refusals(2), 10U);
  EXPECT_EQ(figures().Problem, "rows write what others access");
  WriteStride = 8;
  bool HasTable = false;
  for (uint64_t I = 0; I < 100'000'000 && !HasTable; ++I)
    HasTable = call();
  EXPECT_TRUE(HasTable);
  EXPECT_EQ(figures().Inspections, 3U);
  EXPECT_EQ(figures().Problem, "");
}

TEST_F(RowTables, AreTriedLessAndLessOften) {
  WriteStride = 4;
  for (int I = 0; I < 1'000'000; ++I)
    EXPECT_FALSE(call());
  EXPECT_LE(figures().Inspections, 12U);
}

/// A loop within another one begins with other inputs each time.
TEST_F(RowTables, AreNotMadeForEverWhereNoneIsWorthIt) {
  Loop.may_depend = SPECRT_ROWS_LISTED_IN_32_BITS;
  WriteStride = 4;
  constexpr uint64_t Calls = 100'000;
  for (uint64_t I = 0; I < Calls; ++I) {
    Index.resize(16 + I % 500);
    EXPECT_FALSE(call());
  }
  EXPECT_LT(figures().Inspections, 40U);
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
  Loop.is_parallel = 1;
  setRows(5000);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Segments, 5U);
}

TEST_F(RowTables, AreNotMadeForEverWhereIndicesAlwaysChange) {
  setRows(100000);
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
  EXPECT_EQ(Loop.state, nullptr);
  EXPECT_TRUE(call());
  EXPECT_EQ(figures().Inspections, 1U);
  ownRows(this, &Loop);
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
  Loop.inspect = [](const uint64_t *Inputs, specrt_row_trace *Into) {
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
  Loop.inspect = [](const uint64_t *Inputs, specrt_row_trace *Into) {
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

/// Code of C++ with something to clean up may not be left at any instruction.
TEST_F(RowTables, CancellationWaitsUntilRowsAreFound) {
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "its own code may not be left at any instruction either";
#endif
  const auto Inputs = inputs(Y);
  static specrt_sparse_loop *Of;
  static const uint64_t *With;
  Of = &Loop;
  With = Inputs.data();
  for (unsigned Round = 0; Round < 300; ++Round) {
    pthread_t Thread;
    const auto Calls = [](void *) -> void * {
      pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, nullptr);
      for (;;)
        if (const specrt_rows_table *Table = beginRows(Of, With, With[3]))
          endRows(Of, Table);
    };
    ASSERT_EQ(pthread_create(&Thread, nullptr, Calls, nullptr), 0);
    std::this_thread::sleep_for(std::chrono::microseconds(Round % 100));
    pthread_cancel(Thread);
    void *Result = nullptr;
    ASSERT_EQ(pthread_join(Thread, &Result), 0);
    ASSERT_EQ(Result, PTHREAD_CANCELED);
  }
  EXPECT_TRUE(call());
}

TEST_F(RowTables, LeaveErrnoAlone) {
  Loop.inspect = [](const uint64_t *Inputs, specrt_row_trace *Into) {
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

TEST_F(RowTables, AreAskedForWithoutRows) { EXPECT_EQ(beginRows(&Loop, nullptr, 0), nullptr); }

} // namespace
