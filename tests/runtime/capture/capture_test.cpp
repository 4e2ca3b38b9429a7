//===- tests/runtime/capture/capture_test.cpp - what is kept of a call ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/config.h"
#include "runtime/capture/capture.h"
#include "runtime/capture/described_call.h"
#include "support/process/own_descriptors.h"
#include "tests/runtime/capture/captured_region.h"
#include "gtest/gtest.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <vector>

using namespace captured;

namespace {

class CaptureTest : public testing::Test {
protected:
  ~CaptureTest() override { dropCapture(this); }

  /// Sets Why.
  Capture *begin(double RegionNs = LongNs) {
    return beginCapture(this, Of.Region, Call.packed().data(), RegionNs, Why);
  }

  Sums Of;
  Arrays Call;
  CaptureRefusal Why = CaptureRefusal::None;
};

/// The head of a complete capture.
CapturedCall headOf(int File) {
  CapturedCall Head{};
  for (int Ms = 0; Ms < 10'000 && !Head.IsComplete; ++Ms) {
    EXPECT_EQ(pread(File, &Head, sizeof(Head), 0), static_cast<ssize_t>(sizeof(Head)));
    usleep(1000);
  }
  return Head;
}

} // namespace

TEST_F(CaptureTest, KeepsArgumentsAndBytesAsTheyWereBeforeTheCall) {
  Capture *const Kept = begin();
  ASSERT_NE(Kept, nullptr);
  const std::vector<double> Before(Call.b(), Call.b() + Arrays::Usual);
  EXPECT_FALSE(hasCapture(this)) << "the call runs";
  Call.run();
  EXPECT_TRUE(endCapture(*Kept, 123));
  ASSERT_TRUE(hasCapture(this));
  const int File = takeCapture(this);
  ASSERT_GE(File, 0);
  const CapturedCall Head = headOf(File);
  ASSERT_TRUE(Head.IsComplete);
  EXPECT_EQ(Head.Nanoseconds, 123u);
  ASSERT_EQ(Head.NumArguments, 4u);
  EXPECT_EQ(Head.Packed[2], reinterpret_cast<uint64_t>(Call.b()));
  ASSERT_EQ(Head.NumSegments, 3u);
  unsigned Written = 0;
  for (const CapturedSegment &Segment : Head.Segments) {
    if (Segment.Begin == reinterpret_cast<uint64_t>(Call.a())) {
      EXPECT_FALSE(Segment.IsWritten);
      EXPECT_EQ(Segment.size(), size_t{Arrays::Usual} * 8);
    }
    if (Segment.Begin != reinterpret_cast<uint64_t>(Call.b()))
      continue;
    ++Written;
    EXPECT_TRUE(Segment.IsWritten);
    EXPECT_FALSE(Segment.MayBeResult);
    std::vector<double> Stored(Arrays::Usual);
    ASSERT_EQ(pread(File, Stored.data(), Segment.size(), static_cast<off_t>(Segment.Bytes)),
              static_cast<ssize_t>(Segment.size()));
    EXPECT_EQ(std::memcmp(Stored.data(), Before.data(), Segment.size()), 0);
  }
  EXPECT_EQ(Written, 1u);
  EXPECT_FALSE(hasCapture(this));
  EXPECT_EQ(takeCapture(this), -1);
  close(File);
}

TEST_F(CaptureTest, CostsAtMostItsShareOfTheRegionsTime) {
  const double Ns = captureNs(Of.Region, Call.packed().data());
  ASSERT_GT(Ns, 0);
  ASSERT_LT(Ns, 1e9);
  EXPECT_EQ(begin(Ns / CaptureShare / 2), nullptr);
  EXPECT_EQ(Why, CaptureRefusal::TooCostly);
  Capture *const Kept = begin(2 * Ns / CaptureShare);
  ASSERT_NE(Kept, nullptr);
  abandonCapture(*Kept);
  EXPECT_FALSE(hasCapture(this));
}

TEST_F(CaptureTest, OneCallOfARegionIsEnough) {
  Capture *const Kept = begin();
  ASSERT_NE(Kept, nullptr);
  EXPECT_EQ(begin(), nullptr) << "another thread's call";
  EXPECT_EQ(Why, CaptureRefusal::None) << "nothing is missing";
  endCapture(*Kept, 1);
  EXPECT_EQ(begin(), nullptr);
  dropCapture(this);
  Capture *const Next = begin();
  ASSERT_NE(Next, nullptr);
  abandonCapture(*Next);
}

TEST_F(CaptureTest, WhatIsNotKnownIsNotCaptured) {
  Of.Accesses[0].range.end.num_terms = SPECRT_UNKNOWN;
  EXPECT_EQ(begin(), nullptr);
  EXPECT_EQ(Why, CaptureRefusal::UnknownAccesses);
  EXPECT_TRUE(std::isinf(captureNs(Of.Region, Call.packed().data())));
}

TEST_F(CaptureTest, WhatExceedsTheLimitIsNotCaptured) {
  auto Packed = Call.packed();
  Packed[0] = uint64_t{1} << 28;
  EXPECT_EQ(beginCapture(this, Of.Region, Packed.data(), LongNs, Why), nullptr);
  EXPECT_EQ(Why, CaptureRefusal::TooLarge);
  EXPECT_TRUE(std::isinf(captureNs(Of.Region, Packed.data())));
}

TEST_F(CaptureTest, ALimitOnFilesIsNoSignal) {
  const pid_t Child = fork();
  ASSERT_GE(Child, 0);
  if (Child == 0) {
    rlimit Limit{100, 100};
    setrlimit(RLIMIT_FSIZE, &Limit);
    _exit(!begin() && Why == CaptureRefusal::FileLimit ? 0 : 1);
  }
  int Status = 0;
  ASSERT_EQ(waitpid(Child, &Status, 0), Child);
  EXPECT_TRUE(WIFEXITED(Status) && WEXITSTATUS(Status) == 0);
}

TEST_F(CaptureTest, PagesThatAreGoneAreNoSignal) {
  Memory Gap(3 * 4096);
  auto Packed = Call.packed();
  Packed[0] = 3 * 4096 / 8;
  Packed[2] = reinterpret_cast<uint64_t>(Gap.doubles());
  ASSERT_EQ(munmap(reinterpret_cast<char *>(Gap.doubles()) + 4096, 4096), 0);
  EXPECT_EQ(beginCapture(this, Of.Region, Packed.data(), LongNs, Why), nullptr);
  EXPECT_EQ(Why, CaptureRefusal::Unavailable);
}

TEST_F(CaptureTest, TheProgramMayCloseAllDescriptors) {
  Capture *const Kept = begin();
  ASSERT_NE(Kept, nullptr);
  char Name[] = "/tmp/specrt-captureXXXXXX";
  const int Other = mkstemp(Name);
  ASSERT_GE(Other, 0);
  unlink(Name);
  // As daemons do, but that the test's own descriptors stay; then the number is the program's.
  for (int File = Other + 1; File < 4096; ++File) {
    struct stat Status;
    if (fstat(File, &Status) == 0 && S_ISREG(Status.st_mode))
      dup2(Other, File);
  }
  Call.run();
  EXPECT_FALSE(endCapture(*Kept, 1));
  EXPECT_EQ(takeCapture(this), -1);
  struct stat Status;
  ASSERT_EQ(fstat(Other, &Status), 0);
  EXPECT_EQ(Status.st_size, 0) << "nothing was written to the program's file";
  for (int File = Other; File < 4096; ++File) {
    struct stat Here;
    if (fstat(File, &Here) == 0 && Here.st_ino == Status.st_ino)
      close(File);
  }
}

TEST_F(CaptureTest, AThreadWithOtherDescriptorsTakesOrEmptiesIt) {
  for (const bool Takes : {true, false}) {
    Capture *const Kept = begin();
    ASSERT_NE(Kept, nullptr);
    Call.run();
    endCapture(*Kept, 1);
    EXPECT_GT(msUntilCaptureIs(1'000'000'000), 0u);
    EXPECT_EQ(captureOlderThan(0), this);
    EXPECT_EQ(captureOlderThan(uint64_t{3'600} * 1'000'000'000), nullptr);
    std::thread([&] {
      takeOwnDescriptors();
      if (!Takes)
        return dropCapture(this);
      const int File = takeCapture(this);
      ASSERT_GE(File, 0);
      EXPECT_TRUE(headOf(File).IsComplete);
      EXPECT_EQ(ftruncate(File, 0), 0);
    }).join();
    EXPECT_EQ(msUntilCaptureIs(0), 0u);
    // The program's descriptors refer to nothing that takes memory.
    struct stat Status;
    for (int File = 3; File < 4096; ++File) {
      char Target[64] = {};
      const std::string Link = "/proc/self/fd/" + std::to_string(File);
      if (readlink(Link.c_str(), Target, sizeof(Target) - 1) > 0 &&
          std::string_view(Target).find("specrt-call") != std::string_view::npos) {
        ASSERT_EQ(fstat(File, &Status), 0);
        EXPECT_EQ(Status.st_size, 0);
      }
    }
  }
}

TEST_F(CaptureTest, NoWaitOfTheProgramReturnsForTheClone) {
  if (usableProcessors() < 2)
    GTEST_SKIP() << "a clone would wait for the only processor";
  const Arrays Large(40 * Arrays::Usual); // it takes longer to copy than to clone
  Capture *const Kept = beginAllowed(this, Of.Region, Large.packed().data());
  ASSERT_NE(Kept, nullptr);
  EXPECT_TRUE(endCapture(*Kept, 1));
  errno = 0;
  EXPECT_EQ(waitpid(-1, nullptr, 0), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_GT(waitpid(-1, nullptr, __WCLONE), 0) << "there was a clone";
}

TEST_F(CaptureTest, PrivateMemoryStaysPrivate) {
  ASSERT_EQ(prctl(PR_SET_DUMPABLE, 0), 0);
  EXPECT_EQ(begin(), nullptr);
  EXPECT_EQ(Why, CaptureRefusal::Private);
  ASSERT_EQ(prctl(PR_SET_DUMPABLE, 1), 0);
  Capture *const Kept = begin();
  ASSERT_NE(Kept, nullptr);
  abandonCapture(*Kept);
}

TEST_F(CaptureTest, PreservesErrno) {
  errno = 77;
  Capture *const Kept = begin();
  EXPECT_EQ(errno, 77);
  ASSERT_NE(Kept, nullptr);
  endCapture(*Kept, 1);
  EXPECT_EQ(errno, 77);
  dropCapture(this);
  EXPECT_EQ(errno, 77);
}

TEST(DescribedCall, OverlappingAccessesAreOneSegment) {
  const Sums Of;
  const Arrays Call;
  auto Packed = Call.packed();
  Packed[1] = Packed[2] + 800;
  const std::optional<CallFootprint> Found = footprintOf(Of.Region, Packed.data());
  ASSERT_TRUE(Found);
  ASSERT_EQ(Found->Count, 2u);
  EXPECT_EQ(Found->Bytes.All, size_t{Arrays::Usual} * 8 + 800 + 8);
  EXPECT_EQ(Found->Bytes.Written, Found->Bytes.All);
}

TEST(DescribedCall, LoopsAreMultipliedAndSiblingsAdded) {
  // for 10 { for 20 {} for 30 { for 2 {} } } for 7 {}
  const int64_t Counts[] = {10, 20, 30, 2, 7};
  const uint32_t Depths[] = {1, 2, 2, 3, 1};
  specrt_loop Loops[5] = {};
  for (int I = 0; I < 5; ++I) {
    Loops[I].depth = Depths[I];
    Loops[I].trip_count = constant(Counts[I]);
  }
  specrt_region Region{};
  Region.loops = Loops;
  Region.num_loops = 5;
  EXPECT_EQ(workOf(Region, nullptr), 10 * (20 + 30 * 2) + 7);
  Loops[3].trip_count.num_terms = SPECRT_UNKNOWN;
  EXPECT_EQ(workOf(Region, nullptr), 0);
}
