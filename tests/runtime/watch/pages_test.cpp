//===- tests/runtime/watch/pages_test.cpp - watched by the record of pages ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/watch/mappings.h"
#include "tests/runtime/watch/fixture.h"

#include <cstring>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <string>
#include <sys/syscall.h>
#include <thread>

namespace specrt {

struct MappingsTest : testing::Test {
  static std::optional<Mapping> asked(const void *At) {
    return Mappings().ask(reinterpret_cast<uintptr_t>(At));
  }
  static std::optional<Mapping> read(const void *At) {
    return Mappings().read(reinterpret_cast<uintptr_t>(At));
  }
};

namespace {

struct PagesTest : testing::Test {
  void SetUp() override {
    if (!hasPageRecord())
      GTEST_SKIP() << "this kernel keeps no record of pages, or does not let us ask for it";
  }
};

bool tracks(const std::unique_ptr<Watch> &W) { return W && W->figures().Kinds == "pages"; }

/// So large and written so little that it stays tracked.
constexpr size_t Many = 256;

TEST_F(PagesTest, LooksAtNoByteThatNobodyWrote) {
  Pages P(Many);
  auto W = armed(P);
  ASSERT_TRUE(tracks(W));
  for (int I = 0; I < 20; ++I) {
    P[I * 999] ^= std::byte{1};
    EXPECT_FALSE(W->unchanged());
    P[I * 999] ^= std::byte{1};
    EXPECT_TRUE(W->unchanged());
    EXPECT_TRUE(W->unchanged());
  }
  EXPECT_TRUE(tracks(W));
  EXPECT_FALSE(W->isCostly());
}

std::unique_ptr<Watch> armedWithoutCopies(const std::byte *Begin, size_t Bytes) {
  const WatchedRange Range = {Begin, Bytes};
  return Watch::arm({&Range, 1}, WatchCopies::OfSmall);
}

void writeAgain(std::byte &Byte) {
  volatile std::byte &Written = Byte;
  Written = std::byte{Written};
}

TEST_F(PagesTest, WithoutACopyAllThatIsWrittenIsAChange) {
  Pages P(Many);
  auto W = armedWithoutCopies(P.Data, P.Size);
  ASSERT_TRUE(tracks(W) && W->lacksCopies());
  EXPECT_TRUE(W->unchanged());
  EXPECT_TRUE(W->unchanged());
  writeAgain(P[P.Size / 2]);
  EXPECT_FALSE(W->unchanged());
  EXPECT_FALSE(W->unchanged()) << "nobody knows what was there";
  auto V = armed(P);
  ASSERT_TRUE(tracks(V) && !V->lacksCopies());
  writeAgain(P[P.Size / 2]);
  EXPECT_TRUE(V->unchanged());
  P[77] ^= std::byte{1};
  EXPECT_FALSE(V->unchanged());
  EXPECT_FALSE(W->unchanged());
}

TEST_F(PagesTest, WhoWantsACopyDoesNotShareWhatHasNone) {
  Pages P(Many);
  auto W = armedWithoutCopies(P.Data, P.Size), V = armedWithoutCopies(P.Data, P.Size);
  ASSERT_TRUE(tracks(W) && W->lacksCopies() && V->lacksCopies());
  auto WithCopy = armed(P);
  ASSERT_TRUE(tracks(WithCopy) && !WithCopy->lacksCopies());
  EXPECT_TRUE(WithCopy->unchanged());
  EXPECT_FALSE(armedWithoutCopies(P.Data, P.Size)->lacksCopies()) << "there is one";
  EXPECT_FALSE(armedWithoutCopies(P.Data, P.Size - pageBytes())->lacksCopies())
      << "it would be told whenever somebody else begins to watch";
}

/// Rows of the heap, with other things between them.
TEST_F(PagesTest, BetweenRangesThatAreNearAnybodyMayWrite) {
  Pages P(40);
  std::vector<WatchedRange> Rows;
  for (size_t At = 100; At + 1000 < P.Size; At += 1100)
    Rows.push_back({P.Data + At, 1000});
  const std::unique_ptr<Watch> W = Watch::arm(Rows);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->figures().Kinds, "pages");
  P[50] ^= std::byte{1};
  for (const WatchedRange &R : Rows)
    const_cast<std::byte *>(R.Begin)[R.Bytes + 20] ^= std::byte{1};
  EXPECT_TRUE(W->unchanged());
  EXPECT_TRUE(W->unchanged());
  for (const WatchedRange &R : {Rows[0], Rows[Rows.size() / 2], Rows.back()})
    for (const size_t At : {size_t{0}, R.Bytes / 2, R.Bytes - 1}) {
      const_cast<std::byte *>(R.Begin)[At] ^= std::byte{1};
      EXPECT_FALSE(W->unchanged());
      const_cast<std::byte *>(R.Begin)[At] ^= std::byte{1};
      EXPECT_TRUE(W->unchanged());
    }
}

TEST_F(PagesTest, SmallRangesHaveCopies) {
  Pages P(Many);
  auto W = armedWithoutCopies(P.Data, P.Size - pageBytes());
  ASSERT_TRUE(tracks(W) && !W->lacksCopies());
  writeAgain(P[77]);
  EXPECT_TRUE(W->unchanged());
}

TEST_F(PagesTest, MemoryThatIsGoneIsNotTouched) {
  auto P = std::make_unique<Pages>(Many);
  auto W = armed(*P), V = armed(P->page(3), 100 * pageBytes());
  (*P)[5000] ^= std::byte{1}; // W has something to compare
  EXPECT_FALSE(W->unchanged());
  P.reset();
  V.reset();
  W.reset();
  Pages Q(Many);
  EXPECT_TRUE(armed(Q)->unchanged()) << "those that are gone are in nobody's way";
}

/// Tables of pages may go together with the pages.
TEST_F(PagesTest, SeesThatHugePagesWereGivenBack) {
  constexpr size_t Huge = size_t{2} << 20;
  Pages P(3 * Huge / pageBytes());
  std::byte *Begin = P.Data + (-reinterpret_cast<uintptr_t>(P.Data) & (Huge - 1));
  madvise(Begin, 2 * Huge, MADV_DONTNEED);
  madvise(Begin, 2 * Huge, MADV_HUGEPAGE);
  P.fill();
  auto W = armed(Begin, 2 * Huge);
  ASSERT_TRUE(tracks(W));
  EXPECT_TRUE(W->unchanged());
  madvise(Begin + Huge, Huge, MADV_DONTNEED);
  EXPECT_FALSE(W->unchanged());
  P.fill();
  EXPECT_TRUE(W->unchanged());
  Begin[Huge + 77] ^= std::byte{1};
  EXPECT_FALSE(W->unchanged());
}

TEST_F(PagesTest, SeesAChangeWithinHugePages) {
  constexpr size_t Huge = size_t{2} << 20;
  Pages P(3 * Huge / pageBytes());
  madvise(P.Data, P.Size, MADV_HUGEPAGE);
  P.fill();
  auto W = armed(P);
  for (size_t At = 0; At < P.Size; At += 100 * 1000) {
    P[At] ^= std::byte{1};
    ASSERT_FALSE(W->unchanged()) << At;
    P[At] ^= std::byte{1};
    ASSERT_TRUE(W->unchanged()) << At;
  }
}

TEST_F(PagesTest, WatchesPagesThatWereNeverThere) {
  constexpr size_t Size = size_t{8} << 20;
  void *Memory = mmap(nullptr, Size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto W = armed(Memory, Size);
  ASSERT_TRUE(tracks(W));
  EXPECT_TRUE(W->unchanged());
  static_cast<std::byte *>(Memory)[Size / 2] = std::byte{1};
  EXPECT_FALSE(W->unchanged());
  munmap(Memory, Size);
}

TEST_F(PagesTest, ResizingMovesWhatWasWatched) {
  Pages P(2 * Many);
  const size_t Half = P.Size / 2;
  munmap(P.Data + Half, Half);
  auto W = armed(P.page(10), 100 * pageBytes()); // within one mapping, which must not fall apart
  ASSERT_TRUE(tracks(W));
  void *Moved = mremap(P.Data, Half, 4 * P.Size, MREMAP_MAYMOVE);
  ASSERT_NE(Moved, MAP_FAILED);
  auto *Bytes = static_cast<std::byte *>(Moved);
  std::memset(Bytes, 1, Half); // before Linux 6.13 the pages came with old flags
  auto V = armed(Moved, Half);
  EXPECT_TRUE(V->unchanged());
  for (size_t At = 0; At < Half; At += 3 * pageBytes()) {
    Bytes[At] ^= std::byte{1};
    EXPECT_FALSE(V->unchanged());
    Bytes[At] ^= std::byte{1};
    EXPECT_TRUE(V->unchanged());
  }
  static_cast<std::byte *>(Moved)[12345] ^= std::byte{1};
  EXPECT_FALSE(V->unchanged());
  munmap(Moved, 4 * P.Size);
}

TEST_F(PagesTest, ReallocKeepsItsWay) {
  auto *Data = static_cast<std::byte *>(std::calloc(1 << 20, 1));
  auto W = armed(Data, 1 << 20);
  EXPECT_TRUE(W->unchanged());
  auto *Larger = static_cast<std::byte *>(std::realloc(Data, 8 << 20));
  ASSERT_TRUE(Larger);
  auto V = armed(Larger, 8 << 20);
  EXPECT_TRUE(V->unchanged());
  Larger[7 << 20] = std::byte{1};
  EXPECT_FALSE(V->unchanged());
  std::free(Larger);
}

TEST_F(PagesTest, ComparesWhatAnotherUserOfUserfaultfdHas) {
  const int Theirs = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC | kernel::UserModeOnly));
  uffdio_api Api{};
  Api.api = UFFD_API;
  ASSERT_EQ(ioctl(Theirs, UFFDIO_API, &Api), 0);
  Pages P(Many);
  uffdio_register Register{};
  Register.range = {reinterpret_cast<uintptr_t>(P.page(9)), pageBytes()};
  Register.mode = UFFDIO_REGISTER_MODE_MISSING;
  ASSERT_EQ(ioctl(Theirs, UFFDIO_REGISTER, &Register), 0);
  auto W = armed(P);
  ASSERT_TRUE(W);
  EXPECT_EQ(W->figures().Kinds, "comparison");
  EXPECT_TRUE(W->unchanged());
  P[123456] ^= std::byte{1};
  EXPECT_FALSE(W->unchanged());
  close(Theirs);
}

TEST_F(PagesTest, GoesOverToComparisonWhenWrittenOften) {
  Pages P(Many);
  auto W = armed(P);
  for (int I = 0; I < 3; ++I) {
    std::memset(P.Data, int(P[0]), 1); // a page, again and again: stays
    EXPECT_TRUE(W->unchanged());
  }
  EXPECT_TRUE(tracks(W));
  for (int I = 0; I < 3; ++I) {
    P.fill(); // all pages, now and then: stays
    EXPECT_TRUE(W->unchanged());
    EXPECT_TRUE(W->unchanged());
  }
  EXPECT_TRUE(tracks(W));
  EXPECT_FALSE(W->isCostly());
  for (int I = 0; I < 10; ++I) {
    P.fill();
    EXPECT_TRUE(W->unchanged());
  }
  EXPECT_EQ(W->figures().Kinds, "comparison");
  EXPECT_TRUE(W->isCostly());
  P[777777] ^= std::byte{1};
  EXPECT_FALSE(W->unchanged());
}

TEST_F(PagesTest, WatchesOfTheSameBytesShareOneCopy) {
  Pages P(Many);
  const size_t Before = copyBudget().exchange(P.Size + P.Size / 2);
  auto First = armed(P), Second = armed(P);
  P[5] ^= std::byte{1};
  EXPECT_FALSE(First->unchanged());
  EXPECT_FALSE(Second->unchanged());
  P[5] ^= std::byte{1};
  EXPECT_TRUE(First->unchanged()) << "there was room for both, because it is one";
  EXPECT_TRUE(Second->unchanged());
  copyBudget() = Before;
}

/// What daemons do: the program closes all files that it does not know.
TEST_F(PagesTest, SurvivesThatItsFilesAreClosed) {
  EXPECT_TRUE(inChild([] {
    Pages P(Many);
    auto W = armed(P);
    bool Right = tracks(W);
    for (int File = 3; File < 2000; ++File)
      close(File);
    Right = Right && W->unchanged();
    P[5555] ^= std::byte{1};
    Right = Right && !W->unchanged();
    auto V = armed(P);
    Right = Right && V && V->unchanged();
    P[5555] ^= std::byte{1};
    return Right && !V->unchanged();
  }));
}

TEST_F(PagesTest, StaysAwayFromFilteredProcesses) {
  const std::optional<ProcessStatus> Status = processStatus();
  ASSERT_TRUE(Status);
  EXPECT_FALSE(Status->IsFiltered);
  EXPECT_FALSE(Status->HasPinnedMemory);
}

TEST_F(MappingsTest, BothWaysSayTheSame) {
  Pages Anonymous(3), Shared(3, MAP_SHARED | MAP_ANONYMOUS);
  static const int Constant = 1;
  static int Variable;
  const void *Local = __builtin_frame_address(0); // sanitizers keep variables elsewhere
  auto Heap = std::make_unique<int>();
  for (const void *At :
       {static_cast<const void *>(Anonymous.page(1)), static_cast<const void *>(Shared.page(1)),
        static_cast<const void *>(&Constant), static_cast<const void *>(&Variable), Local,
        static_cast<const void *>(Heap.get())}) {
    const std::optional<Mapping> Read = read(At), Asked = asked(At);
    ASSERT_TRUE(Read);
    EXPECT_LE(Read->Begin, reinterpret_cast<uintptr_t>(At));
    EXPECT_GT(Read->End, reinterpret_cast<uintptr_t>(At));
    if (Asked) { // since Linux 6.11
      EXPECT_EQ(Read->Begin, Asked->Begin);
      EXPECT_EQ(Read->End, Asked->End);
      EXPECT_EQ(Read->IsPrivateAnonymous, Asked->IsPrivateAnonymous);
      EXPECT_EQ(Read->IsReadable, Asked->IsReadable);
    }
    EXPECT_TRUE(Read->IsReadable);
  }
  EXPECT_TRUE(read(Anonymous.Data)->IsPrivateAnonymous);
  EXPECT_FALSE(read(Shared.Data)->IsPrivateAnonymous);
  EXPECT_FALSE(read(&Constant)->IsPrivateAnonymous);
  EXPECT_FALSE(read(Local)->IsPrivateAnonymous) << "a stack grows";
}

TEST_F(MappingsTest, SomeCannotBeRead) {
  Pages P(4);
  const auto Begin = reinterpret_cast<uintptr_t>(P.page(0)), End = Begin + 4 * pageBytes();
  EXPECT_TRUE(Mappings().areReadable(Begin + 1, End));
  ASSERT_EQ(mprotect(P.page(2), pageBytes(), PROT_NONE), 0);
  EXPECT_FALSE(read(P.page(2))->IsReadable);
  if (const std::optional<Mapping> Asked = asked(P.page(2)))
    EXPECT_FALSE(Asked->IsReadable);
  EXPECT_FALSE(Mappings().areReadable(Begin, End));
  EXPECT_TRUE(Mappings().areReadable(Begin, Begin + 2 * pageBytes()));
  ASSERT_EQ(mprotect(P.page(2), pageBytes(), PROT_READ), 0);
  EXPECT_TRUE(Mappings().areReadable(Begin, End));
}

TEST_F(MappingsTest, NothingIsThere) {
  auto P = std::make_unique<Pages>(3);
  const void *At = P->page(1);
  P.reset();
  EXPECT_FALSE(read(At));
  EXPECT_FALSE(asked(At));
  EXPECT_FALSE(read(nullptr));
}

} // namespace
} // namespace specrt
