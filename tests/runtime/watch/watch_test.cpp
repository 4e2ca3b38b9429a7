//===- tests/runtime/watch/watch_test.cpp - what every watch promises -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same cases for pages, for comparison, and for pages on a kernel without a record of them.
//
//===----------------------------------------------------------------------===//
#include "tests/runtime/watch/fixture.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/uio.h>
#include <thread>
#include <vector>

namespace specrt {
namespace {

enum class How : uint8_t { Pages, Compare, NoRecord };

struct WatchTest : testing::TestWithParam<How> {
  WatchTest() : Mode(GetParam() == How::Compare ? WatchMode::Compare : WatchMode::Pages) {
    pageRecordIsMissing() = GetParam() == How::NoRecord;
  }
  ~WatchTest() override { pageRecordIsMissing() = false; }

  std::string expectedKind() const {
    return GetParam() == How::Pages && hasPageRecord() ? "pages" : "comparison";
  }

  WithMode Mode;
};

std::string nameOf(const testing::TestParamInfo<How> &Info) {
  return Info.param == How::Pages ? "Pages" : Info.param == How::Compare ? "Compare" : "NoRecord";
}
INSTANTIATE_TEST_SUITE_P(Kinds, WatchTest, testing::Values(How::Pages, How::Compare, How::NoRecord),
                         nameOf);

TEST_P(WatchTest, SeesAChangeAtEachPosition) {
  Pages P(12);
  auto W = armed(P.Data + 5, P.Size - 105); // both ends are within pages
  ASSERT_TRUE(W);
  EXPECT_EQ(W->figures().Kinds, expectedKind());
  EXPECT_EQ(W->figures().Bytes, P.Size - 105);
  const size_t Page = pageBytes();
  for (size_t I = 0; I < P.Size; I += I % Page > 120 && I % Page < Page - 120 ? 37 : 1) {
    P[I] ^= std::byte{1};
    ASSERT_EQ(W->unchanged(), I < 5 || I >= P.Size - 100) << I;
    P[I] ^= std::byte{1};
    ASSERT_TRUE(W->unchanged()) << I;
  }
}

TEST_P(WatchTest, SeesAChangeOfSmallRanges) {
  std::vector<std::vector<int>> Rows(5000, std::vector<int>(5, 1));
  std::vector<WatchedRange> Ranges;
  for (const std::vector<int> &Row : Rows)
    Ranges.push_back({reinterpret_cast<const std::byte *>(Row.data()), 5 * sizeof(int)});
  auto W = Watch::arm(Ranges);
  ASSERT_TRUE(W);
  EXPECT_TRUE(W->unchanged());
  for (size_t I = 0; I < Rows.size(); I += 111) {
    Rows[I][I % 5] = 2;
    EXPECT_FALSE(W->unchanged());
    Rows[I][I % 5] = 1;
    EXPECT_TRUE(W->unchanged());
  }
}

TEST_P(WatchTest, SeesWhatSystemCallsWrite) {
  Pages P(16);
  auto W = armed(P);
  ASSERT_TRUE(W && W->unchanged());
  const int Zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(read(Zeros, P.page(7) - 10, 20), 20);
  EXPECT_FALSE(W->unchanged());
  P.fill();
  EXPECT_TRUE(W->unchanged());
  iovec Parts[] = {{P.page(2), 1}, {P.page(3), pageBytes()}};
  ASSERT_EQ(readv(Zeros, Parts, 2), ssize_t(pageBytes()) + 1);
  EXPECT_FALSE(W->unchanged());
  close(Zeros);
}

TEST_P(WatchTest, SeesWhatAnotherThreadWrote) {
  Pages P(16);
  auto W = armed(P);
  for (size_t I = 0; I < P.Size; I += 1000) {
    std::thread([&] { P[I] ^= std::byte{4}; }).join();
    EXPECT_FALSE(W->unchanged());
    std::thread([&] { P[I] ^= std::byte{4}; }).join();
    EXPECT_TRUE(W->unchanged());
  }
}

TEST_P(WatchTest, SeesMemoryThatWasMappedAgain) {
  Pages P(16);
  auto W = armed(P);
  munmap(P.Data, P.Size);
  constexpr int Again = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  ASSERT_EQ(mmap(P.Data, P.Size, PROT_READ | PROT_WRITE, Again, -1, 0), P.Data);
  EXPECT_FALSE(W->unchanged()) << "zeros now";
  P.fill();
  EXPECT_TRUE(W->unchanged()) << "the very bytes";
  P[9000] ^= std::byte{1};
  EXPECT_FALSE(W->unchanged());
  auto New = armed(P);
  ASSERT_TRUE(New);
  EXPECT_TRUE(New->unchanged());
  P[100] ^= std::byte{1};
  EXPECT_FALSE(New->unchanged());
}

TEST_P(WatchTest, SeesPagesThatWereReplaced) {
  Pages P(16);
  auto W = armed(P);
  constexpr int Again = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  mmap(P.page(5), pageBytes(), PROT_READ | PROT_WRITE, Again, -1, 0);
  EXPECT_FALSE(W->unchanged());
  Pages Q(16), Other(1);
  auto V = armed(Q);
  std::memset(Other.Data, 9, Other.Size);
  ASSERT_EQ(mremap(Other.Data, Other.Size, Other.Size, MREMAP_MAYMOVE | MREMAP_FIXED, Q.page(3)),
            Q.page(3));
  EXPECT_FALSE(V->unchanged());
}

TEST_P(WatchTest, SeesPagesThatWereGivenBack) {
  for (size_t Count : {1, 16}) {
    Pages P(16);
    auto W = armed(P);
    madvise(P.page(16 - Count), Count * pageBytes(), MADV_DONTNEED);
    EXPECT_FALSE(W->unchanged());
    P.fill();
    EXPECT_TRUE(W->unchanged());
  }
}

TEST_P(WatchTest, WatchesMemoryThatMayNotBeWritten) {
  Pages P(16);
  mprotect(P.Data, P.Size, PROT_READ);
  auto W = armed(P);
  ASSERT_TRUE(W);
  EXPECT_TRUE(W->unchanged());
  mprotect(P.Data, P.Size, PROT_READ | PROT_WRITE);
  EXPECT_TRUE(W->unchanged());
  P[8000] ^= std::byte{1};
  mprotect(P.Data, P.Size, PROT_READ);
  EXPECT_FALSE(W->unchanged());
}

TEST_P(WatchTest, ComparesSharedMemory) {
  Pages P(16, MAP_SHARED | MAP_ANONYMOUS);
  auto W = armed(P);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->figures().Kinds, "comparison");
  EXPECT_TRUE(W->unchanged());
  EXPECT_TRUE(inChild([&] {
    P[20000] ^= std::byte{1};
    return true;
  }));
  EXPECT_FALSE(W->unchanged());
}

TEST_P(WatchTest, ComparesMappingsOfFiles) {
  for (int Flags : {MAP_SHARED, MAP_PRIVATE}) {
    std::FILE *File = std::tmpfile();
    ASSERT_EQ(ftruncate(fileno(File), 16 * static_cast<off_t>(pageBytes())), 0);
    void *Read = mmap(nullptr, 16 * pageBytes(), PROT_READ, Flags, fileno(File), 0);
    auto W = armed(Read, 16 * pageBytes());
    ASSERT_TRUE(W);
    EXPECT_EQ(W->figures().Kinds, "comparison");
    EXPECT_TRUE(W->unchanged());
    ASSERT_EQ(pwrite(fileno(File), "x", 1, 12345), 1);
    EXPECT_FALSE(W->unchanged());
    munmap(Read, 16 * pageBytes());
    std::fclose(File);
  }
}

TEST_P(WatchTest, IsTheParentsAfterAFork) {
  Pages P(16);
  auto W = armed(P);
  ASSERT_TRUE(W->unchanged());
  EXPECT_TRUE(inChild([&] {
    bool Right = !W->unchanged(); // counts as changed
    auto Own = armed(P);
    Right = Right && Own && Own->unchanged();
    P[5000] ^= std::byte{1};
    Right = Right && !Own->unchanged();
    W.reset();
    return Right;
  }));
  EXPECT_TRUE(W->unchanged()) << "the child has memory of its own";
  const pid_t Child = fork();
  if (Child == 0) {
    pause();
    _exit(0);
  }
  P[5000] ^= std::byte{1}; // the first write of a page that is shared with the child
  EXPECT_FALSE(W->unchanged());
  kill(Child, SIGKILL);
  waitpid(Child, nullptr, 0);
  P[5000] ^= std::byte{1};
  EXPECT_TRUE(W->unchanged());
}

TEST_P(WatchTest, GrandchildrenWatch) {
  Pages P(16);
  auto W = armed(P);
  EXPECT_TRUE(inChild([&] {
    auto Own = armed(P);
    return inChild([&] {
      auto Third = armed(P);
      const bool Right = !Own->unchanged() && Third->unchanged();
      P[1] ^= std::byte{1};
      return Right && !Third->unchanged();
    });
  }));
  EXPECT_TRUE(W->unchanged());
}

TEST_P(WatchTest, OverlappingRangesEachSeeEveryChange) {
  Pages P(40);
  const size_t Page = pageBytes();
  std::vector<std::unique_ptr<Watch>> All;
  auto Add = [&](size_t From, size_t To) {
    All.push_back(armed(P.page(From), (To - From) * Page));
  };
  Add(0, 40), Add(0, 20), Add(10, 30), Add(20, 40), Add(0, 40);
  All.push_back(armed(P.page(3) + 17, 20 * Page));
  const std::vector<std::pair<size_t, size_t>> Bounds = {
      {0, 40 * Page},         {0, 20 * Page}, {10 * Page, 30 * Page},
      {20 * Page, 40 * Page}, {0, 40 * Page}, {3 * Page + 17, 23 * Page + 17}};
  std::mt19937 Random(1);
  for (int Round = 0; Round < 200; ++Round) {
    const size_t At = Random() % P.Size;
    P[At] ^= std::byte{1};
    std::vector<size_t> Order = {0, 1, 2, 3, 4, 5};
    std::ranges::shuffle(Order, Random);
    for (size_t I : Order) // whoever looks first protects the page again
      ASSERT_EQ(All[I]->unchanged(), At < Bounds[I].first || At >= Bounds[I].second)
          << Round << ": watch " << I << ", byte " << At;
    P[At] ^= std::byte{1};
    for (size_t I : Order)
      ASSERT_TRUE(All[I]->unchanged()) << Round << ": watch " << I << ", byte " << At;
  }
}

TEST_P(WatchTest, AWatchThatIsArmedLaterHidesNothing) {
  Pages P(40);
  auto W = armed(P);
  P[9999] ^= std::byte{1};
  auto Later = armed(P.page(1), 30 * pageBytes()); // protects what W has not looked at
  EXPECT_TRUE(Later->unchanged());
  EXPECT_FALSE(W->unchanged());
  P[9999] ^= std::byte{1};
  EXPECT_FALSE(Later->unchanged());
  EXPECT_TRUE(W->unchanged());
}

TEST_P(WatchTest, ManyThreads) {
  Pages P(64);
  auto W = armed(P);
  std::vector<std::unique_ptr<Watch>> Others;
  for (size_t I = 0; I < 8; ++I)
    Others.push_back(armed(P.page(I), 50 * pageBytes() + 10));
  // In turn: one thread writes, then all look, arm and give up at the same time.
  for (size_t Round = 0; Round < 40; ++Round) {
    const bool Differs = Round % 2 == 0;
    const size_t At = Round / 2 * 13001 % P.Size;
    P[At] ^= std::byte{1};
    std::atomic<int> Wrong{0};
    std::vector<std::thread> Threads;
    for (size_t T = 0; T < 64; ++T)
      Threads.emplace_back([&, T] {
        auto Own = T % 8 == 0 ? armed(P.page(T % 5), 40 * pageBytes()) : nullptr;
        const size_t First = T % 8 * pageBytes();
        const bool Outside = At < First || At >= First + 50 * pageBytes() + 10;
        for (int I = 0; I < 10; ++I)
          Wrong += W->unchanged() == Differs || (Own && !Own->unchanged()) ||
                   Others[T % 8]->unchanged() != (!Differs || Outside);
      });
    for (std::thread &T : Threads)
      T.join();
    ASSERT_EQ(Wrong, 0) << Round;
  }
}

TEST_P(WatchTest, KeepsToTheBudgetOfCopies) {
  std::vector<int> Numbers(25, 1);
  const size_t Before = copyBudget().exchange(150);
  auto First = armed(Numbers.data(), 100);
  EXPECT_TRUE(First);
  EXPECT_FALSE(armed(Numbers.data(), 51));
  First.reset();
  EXPECT_TRUE(armed(Numbers.data(), 51)) << "what is given up makes room";
  copyBudget() = Before;
}

TEST_P(WatchTest, BeyondTheBudgetOnlyPagesAreWatched) {
  Pages P(16);
  const size_t Before = copyBudget().exchange(150);
  auto W = armed(P);
  copyBudget() = Before;
  EXPECT_EQ(W != nullptr, expectedKind() == "pages");
  if (!W)
    return;
  EXPECT_TRUE(W->unchanged());
  P[5] ^= std::byte{1};
  EXPECT_FALSE(W->unchanged());
  P[5] ^= std::byte{1};
  EXPECT_FALSE(W->unchanged()) << "nobody can tell without a copy";
}

TEST_P(WatchTest, RangesMayMeetOverlapAndBeEmpty) {
  Pages P(4);
  EXPECT_TRUE(Watch::arm({})->unchanged());
  const WatchedRange Ranges[] = {
      {P.Data + 100, 50}, {P.Data, 0}, {P.Data + 10, 30}, {P.Data + 30, 20}, {P.Data + 50, 5}};
  auto W = Watch::arm(Ranges);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->figures().Bytes, 95u);
  for (size_t I = 0; I < 200; ++I) {
    P[I] ^= std::byte{1};
    EXPECT_EQ(W->unchanged(), !((I >= 10 && I < 55) || (I >= 100 && I < 150))) << I;
    P[I] ^= std::byte{1};
  }
  EXPECT_FALSE(armed(P.Data, ~size_t{0}));
}

TEST_P(WatchTest, KeepsErrno) {
  Pages P(16);
  errno = 77;
  auto W = armed(P);
  P[1] ^= std::byte{1};
  W->unchanged();
  W.reset();
  EXPECT_EQ(errno, 77);
  auto V = armed(P);
  munmap(P.Data, P.Size);
  mmap(P.Data, P.Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  errno = 77;
  V->unchanged(); // the kernel refuses
  EXPECT_EQ(errno, 77);
}

TEST_P(WatchTest, CountsChecks) {
  Pages P(16);
  auto W = armed(P);
  for (int I = 0; I < 100; ++I)
    W->unchanged();
  EXPECT_EQ(W->figures().Checks, 100u);
  EXPECT_GT(W->figures().NsPerCheck, 0);
  EXPECT_FALSE(W->isCostly());
}

TEST(WatchModes, OffWatchesNothing) {
  const WithMode Off(WatchMode::Off);
  Pages P(1);
  EXPECT_FALSE(armed(P));
}

/// Random changes, looks and watches, against copies.
TEST_P(WatchTest, Random) {
  struct Watched {
    std::unique_ptr<Watch> W;
    size_t Begin;
    std::vector<std::byte> Copy;
  };
  const size_t Page = pageBytes();
  const int Zeros = open("/dev/zero", O_RDONLY | O_CLOEXEC);
  for (unsigned Case = 0; Case < 10000; ++Case) {
    std::mt19937 Random(Case);
    auto Below = [&](size_t N) { return Random() % N; };
    const size_t NumPages = Case % 64 ? 24 : 400; // small ones soon go over to comparison
    Pages P(NumPages);
    std::vector<Watched> All;
    auto Arm = [&] {
      const size_t Begin = Below(2) ? Below(NumPages - 4) * Page : Below(P.Size);
      const size_t Bytes = Below(P.Size - Begin) + 1;
      All.push_back({armed(P.Data + Begin, Bytes), Begin,
                     std::vector(P.Data + Begin, P.Data + Begin + Bytes)});
      ASSERT_TRUE(All.back().W);
    };
    Arm();
    for (int Step = 0; Step < 12; ++Step) {
      const size_t At = Below(P.Size), First = Below(NumPages), Count = Below(NumPages - First) + 1;
      switch (Below(9)) {
      case 0:
        P[At] ^= std::byte{1};
        break;
      case 1:
        P[At] = P[At];
        break;
      case 2:
        std::memset(P.page(First), int(Below(2)), Count * Page);
        break;
      case 3:
        P.fill();
        break;
      case 4:
        ASSERT_GT(read(Zeros, P.Data + At, Below(P.Size - At) + 1), 0);
        break;
      case 5:
        madvise(P.page(First), Count * Page, MADV_DONTNEED);
        break;
      case 6:
        munmap(P.page(First), Count * Page);
        mmap(P.page(First), Count * Page, PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
        break;
      case 7:
        Arm();
        break;
      default:
        All.erase(All.begin() + long(Below(All.size())));
        if (All.empty())
          Arm();
      }
      for (const Watched &Each : All)
        if (Below(3))
          ASSERT_EQ(Each.W->unchanged(),
                    std::memcmp(P.Data + Each.Begin, Each.Copy.data(), Each.Copy.size()) == 0)
              << "case " << Case << ", step " << Step;
    }
  }
  close(Zeros);
}

} // namespace
} // namespace specrt
