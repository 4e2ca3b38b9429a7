//===- tests/jit/recorded_backprop_test.cpp - the paper's tables, from a call ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layer-forward kernel of backprop with n2 = 16 and n1 = 42, on memory that is laid out as in
// the paper, in words of eight bytes: row pointers from 12 on, rows at 67, 71, 77... and 243, the
// layer from 407 on. The sum stays in memory, so that the chain of additions is one of last
// writers.
//
//===----------------------------------------------------------------------===//
#include "specrt/folding.h"
#include "tests/jit/recording.h"
#include <array>
#include <cstring>
#include <map>
#include <span>

extern "C" void layer_in_memory(double *Layer1, double *Layer2, double **Weights, int64_t N1,
                                int64_t N2);

using namespace specrt;

namespace {

constexpr int64_t N1 = 42, N2 = 16;
constexpr size_t Rows = 12, Layer1 = 407, Layer2 = 460;

/// The memory of the kernel.
struct Arena {
  alignas(64) std::array<uint64_t, 512> Words{};

  Arena() {
    for (size_t I = 60; I < Words.size(); ++I)
      at<double>(I)[0] = double(I % 13) * 0.37;
    for (int64_t K = 0; K <= N1; ++K) {
      double *Row = at<double>(rowOf(K)) - 1; // j begins with 1
      std::memcpy(&Words[Rows + size_t(K)], &Row, sizeof(Row));
    }
  }
  template <typename T> T *at(size_t Word) { return reinterpret_cast<T *>(&Words[Word]); }
  static size_t rowOf(int64_t K) {
    return size_t(K == N1 ? 243 : 67 + 4 * K + 2 * (K / 2) * (K > 1) - (K > 6 ? K % 3 : 0));
  }
  int64_t wordOf(uint64_t Address) const {
    return int64_t(Address - reinterpret_cast<uint64_t>(Words.data())) / 8;
  }
  void run(decltype(layer_in_memory) *Kernel) {
    Kernel(at<double>(Layer1), at<double>(Layer2) - 1, at<double *>(Rows), N1, N2);
  }
};

/// The instructions of the paper: which access they are, told by what they read.
struct Kernel {
  unsigned I1 = ~0u, I2 = ~0u, I3 = ~0u; ///< row pointers, weights, layer
  unsigned Reads = ~0u, Writes = ~0u;    ///< I4 in memory: the sum so far, and the next
};

Kernel findKernel(const std::vector<Event> &Events, const Arena &Memory,
                  const specrt_jit_instrumented &Version) {
  Kernel Found;
  for (const Event &E : Events) {
    const int64_t Word = Memory.wordOf(E.Address);
    const bool IsWrite = Version.accesses[E.Access].flags & SPECRT_RECORDED_WRITE;
    if (Word < 60)
      Found.I1 = E.Access;
    else if (Word < 400)
      Found.I2 = E.Access;
    else if (Word < 455)
      Found.I3 = E.Access;
    else
      (IsWrite ? Found.Writes : Found.Reads) = E.Access;
  }
  return Found;
}

/// The one piece of a stream of labels.
std::string folded(Folder &F) {
  const Folding Result = F.finish();
  if (Result.Pieces.size() != 1)
    return std::to_string(Result.Pieces.size()) + " pieces";
  const std::vector<std::string> Names = {"cj", "ck"};
  std::string Text = Result.Pieces[0].domainText(Names);
  for (unsigned L = 0; L < Result.Labels; ++L)
    Text += "; " + Result.Pieces[0].functionText(L, Names);
  return Text;
}

class RecordedBackprop : public testing::Test {
protected:
  void SetUp() override {
    Arena Plain;
    Plain.run(layer_in_memory);
    ASSERT_EQ(Made.Version->error, nullptr);
    Memory.run(Made.as<decltype(layer_in_memory)>());
    for (size_t I = Layer2; I < Layer2 + size_t(N2); ++I)
      ASSERT_EQ(Memory.Words[I], Plain.Words[I]);
    Events = Made.events();
    Found = findKernel(Events, Memory, *Made.Version);
  }

  std::string addressesOf(unsigned Access) {
    Folder F(2, 1);
    for (const Event &E : Events)
      if (E.Access == Access) {
        const int64_t Label = Memory.wordOf(E.Address);
        F.add(E.At.data(), &Label);
      }
    return folded(F);
  }

  /// What a register carries: the source is the access's last execution.
  std::string throughRegister(unsigned From, unsigned To) {
    Folder F(2, 2);
    std::vector<int64_t> Last;
    for (const Event &E : Events)
      if (E.Access == From)
        Last = E.At;
      else if (E.Access == To)
        F.add(E.At.data(), Last.data());
    return folded(F);
  }

  /// The values that the counter of the \p Depth'th loop is set to for its next iteration, over the
  /// loops around: how it grows is known from the code, and how often from the call.
  std::string nextOfCounter(unsigned Depth) {
    const specrt_jit_instrumented &Version = *Made.Version;
    const specrt_carried_value *Counter = nullptr;
    for (const specrt_carried_value &V : std::span(Version.carried, Version.num_carried))
      if (V.role == SPECRT_CARRIED_COUNTER && V.step != 0 && Version.loops[V.loop].depth == Depth)
        Counter = &V;
    if (!Counter)
      return "no counter";
    Folder F(Depth, 1);
    std::vector<int64_t> Before;
    for (const Event &E : Events) {
      std::vector<int64_t> At(E.At.begin(), E.At.begin() + Depth);
      if (E.Access != Found.I1 || At == Before)
        continue;
      const int64_t Next = Counter->first + (At.back() + 1) * Counter->step;
      F.add(At.data(), &Next);
      Before = std::move(At);
    }
    return folded(F);
  }

  std::unique_ptr<TestRegion> Region = TestRegion::fromKernel("layer_in_memory");
  Instrumented Made{*Region};
  Arena Memory;
  std::vector<Event> Events;
  Kernel Found;
};

TEST_F(RecordedBackprop, Table1) {
  auto Word = [&](unsigned Access, size_t Index) {
    for (const Event &E : Events)
      if (E.Access == Access && Index-- == 0)
        return Memory.wordOf(E.Address);
    return int64_t{-1};
  };
  EXPECT_EQ(Word(Found.I1, 0), 12);
  EXPECT_EQ(Word(Found.I1, 1), 13);
  EXPECT_EQ(Word(Found.I1, 42), 54);
  EXPECT_EQ(Word(Found.I1, 43), 12);
  EXPECT_EQ(Word(Found.I2, 0), 67);
  EXPECT_EQ(Word(Found.I2, 1), 71);
  EXPECT_EQ(Word(Found.I2, 2), 77);
  EXPECT_EQ(Word(Found.I2, 42), 243);
  EXPECT_EQ(Word(Found.I2, 43), 68);
  EXPECT_EQ(Word(Found.I2, 44), 72);
  EXPECT_EQ(Word(Found.I3, 0), 407);
  EXPECT_EQ(Word(Found.I3, 42), 449);
}

TEST_F(RecordedBackprop, Table3) {
  const std::string Domain = "0 <= cj <= 15, 0 <= ck <= 42; ";
  EXPECT_EQ(addressesOf(Found.I1), Domain + "0cj + 1ck + 12");
  EXPECT_EQ(addressesOf(Found.I2), Domain + "1cj + Tck + 67");
  EXPECT_EQ(addressesOf(Found.I3), Domain + "0cj + 1ck + 407");
  EXPECT_EQ(nextOfCounter(2), Domain + "0cj + 1ck + 1"); // I5
  EXPECT_EQ(nextOfCounter(1), "0 <= cj <= 15; 1cj + 2"); // I6
}

TEST_F(RecordedBackprop, Table4) {
  const std::string Same = "0 <= cj <= 15, 0 <= ck <= 42; 1cj + 0ck + 0; 0cj + 1ck + 0";
  EXPECT_EQ(throughRegister(Found.I1, Found.I2), Same);
  EXPECT_EQ(throughRegister(Found.I2, Found.Writes), Same);
  std::map<uint64_t, const Event *> LastWriters;
  Folder Chain(2, 2);
  for (const Event &E : Events) {
    if (E.Access == Found.Writes)
      LastWriters[E.Address] = &E;
    else if (const Event *Source = LastWriters[E.Address]; Source && E.Access == Found.Reads)
      Chain.add(E.At.data(), Source->At.data());
  }
  EXPECT_EQ(folded(Chain), "0 <= cj <= 15, 1 <= ck <= 42; 1cj + 0ck + 0; 0cj + 1ck - 1");
}

} // namespace
