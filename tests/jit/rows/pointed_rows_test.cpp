//===- tests/jit/rows/pointed_rows_test.cpp - rows behind pointers, bit for bit ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/jit/rows/kernel.h"
#include "tests/jit/rows/structures.h"

#include <cstring>
#include <deque>
#include <sys/mman.h>

extern "C" {
void pointed_product(int, const char *, int *const *, double *const *, const double *, double *);
void pointed_sums(int, const char *, int *const *, double *const *, const double *, char *);
void pointed_bytes(int, const char *, int *const *, double *const *, const double *,
                   unsigned char *);
void pointed_sweep(int, const char *, int *const *, double *const *, double *const *,
                   const double *, double *);
void pointed_entries(long, const entries *, const double *, double *);
void pointed_scaling(int, const char *, int *const *, double *const *, const double *);
void pointed_updates(int, const char *, int *const *, double *const *);
}

using namespace specrt;

namespace {

/// How rows lie in memory.
enum class Layout { Dense, WithGaps, Apart, Reversed };

/// Each row of a matrix has memory of its own, which pointers lead to.
struct PointedRows {
  std::vector<char> Length;
  std::vector<int *> Col;
  std::vector<double *> Val, Diagonal;
  std::vector<entries> Rows;
  std::vector<double> X, Y, B;

  PointedRows(const Pattern &P, Layout How, Random &Engine) { assign(P, How, Engine); }

  /// \p How: Apart is beyond what watches take for near.
  void assign(const Pattern &P, Layout How, Random &Engine) {
    const size_t Size = P.size();
    Columns.clear();
    Values.clear();
    Length.clear();
    size_t Room = 1;
    for (const auto &Row : P)
      Room += std::max<size_t>(Row.size(), 8) + (How == Layout::Apart ? 1500 : 4);
    AllColumns.assign(Room, 0);
    AllValues = someNumbers<double>(Room, Engine);
    Col.assign(Size, nullptr);
    Val.assign(Size, nullptr);
    Diagonal.assign(Size, nullptr);
    X = someNumbers<double>(Size, Engine);
    Y = someNumbers<double>(Size, Engine);
    B = someNumbers<double>(Size, Engine);
    size_t At = 0;
    for (size_t K = 0; K < Size; ++K) {
      const size_t I = How == Layout::Reversed ? Size - 1 - K : K;
      const auto &Row = P[I];
      Col[I] = &AllColumns[At];
      Val[I] = &AllValues[At];
      Diagonal[I] = Val[I];
      std::copy(Row.begin(), Row.end(), Col[I]);
      for (size_t E = 0; E < Row.size(); ++E)
        if (Row[E] == static_cast<int>(I))
          Diagonal[I] = Val[I] + E;
      At += How == Layout::Dense      ? Row.size()
            : How == Layout::WithGaps ? std::max<size_t>(Row.size(), 8)
            : How == Layout::Apart    ? Row.size() + 1500
                                      : Row.size() + 1;
    }
    for (const auto &Row : P)
      Length.push_back(static_cast<char>(Row.size()));
    setEntries();
  }
  int rows() const { return static_cast<int>(Length.size()); }

  /// After a change of Col, Val or Length.
  void setEntries() {
    AllEntries.clear();
    Rows.clear();
    size_t Count = 1;
    for (const char L : Length)
      Count += static_cast<size_t>(L);
    AllEntries.reserve(Count); // never moves
    for (size_t I = 0; I < Length.size(); ++I) {
      const entry *First = AllEntries.data() + AllEntries.size();
      for (int K = 0; K < Length[I]; ++K)
        AllEntries.push_back({Col[I][K], Val[I][K]});
      Rows.push_back({First, First + Length[I], First + Length[I]});
    }
  }

  void change(const Pattern &P, Random &Engine) {
    if (P.empty())
      return;
    const auto I = static_cast<size_t>(upTo(Engine, rows() - 1));
    switch (upTo(Engine, 5)) {
    case 0: // a column, in place
      if (Length[I] > 0)
        Col[I][upTo(Engine, Length[I] - 1)] = upTo(Engine, rows() - 1);
      break;
    case 1: // shorter
      if (Length[I] > 0)
        --Length[I];
      break;
    case 2: // the same elsewhere
      Columns.emplace_back(Col[I], Col[I] + Length[I]);
      Col[I] = Columns.back().data();
      break;
    case 3:
      Values.emplace_back(Val[I], Val[I] + Length[I] + 1);
      Diagonal[I] = Values.back().data() + (Diagonal[I] - Val[I]);
      Val[I] = Values.back().data();
      break;
    case 4: // what nobody accesses any more
      if (Length[I] == 0)
        Col[I] = nullptr;
      break;
    default:
      return;
    }
    setEntries();
  }

  std::vector<double> AllValues;

private:
  std::vector<int> AllColumns;
  std::vector<entry> AllEntries;
  std::deque<std::vector<int>> Columns;
  std::deque<std::vector<double>> Values;
};

/// What a kernel leaves behind, as doubles.
using Outcome = std::vector<double>;

template <typename Function> struct PointedKernel {
  const char *Name;
  Function *Original;
  Outcome (*Run)(Function *, PointedRows &); ///< leaves all as it was

  std::unique_ptr<RowVersions> versions(Layout How) const {
    Random Engine(1);
    PointedRows A(gridPattern(20, 20), How, Engine);
    return std::make_unique<RowVersions>(
        Name, [&](void *Body) { Run(reinterpret_cast<Function *>(Body), A); },
        SPECRT_POINTER_KERNELS);
  }

  void compare(const RowVersion &V, PointedRows &A) const {
    EXPECT_TRUE(same(Run(reinterpret_cast<Function *>(V.Body), A), Run(Original, A)))
        << V.Name << " with " << A.rows() << " rows";
  }

  /// Some calls, each of which has a table.
  RowFigures compareOnGrid(const RowVersion &V) const {
    Random Engine(3);
    PointedRows A(gridPattern(100, 100), Layout::WithGaps, Engine);
    V.begin();
    for (int Call = 0; Call < 5; ++Call)
      compare(V, A);
    const RowFigures Of = V.figures();
    EXPECT_EQ(Of.Calls, 5U) << V.Name << ": " << Of.Problem;
    EXPECT_GT(Of.RowsInClasses, 9000U);
    return Of;
  }

  /// Returns the number of calls that had a table.
  uint64_t compareMany(Layout How, int Cases) const {
    SCOPED_TRACE("layout " + std::to_string(static_cast<int>(How)));
    const auto Versions = versions(How);
    EXPECT_EQ(Versions->all().size(), 2U) << lastLog();
    uint64_t Calls = 0;
    for (const RowVersion &V : Versions->all()) {
      SCOPED_TRACE(V.Name);
      Calls += playCases(V, Cases, [&](Random &Engine) {
        Pattern P = somePattern(Engine);
        for (auto &Row : P)
          Row.resize(std::min<size_t>(Row.size(), 100)); // as chars have it
        PointedRows A(P, How, Engine);
        const int Uses = 1 + upTo(Engine, 3);
        for (int Use = 0; Use < Uses; ++Use) {
          compare(V, A);
          A.change(P, Engine);
        }
        return Uses;
      });
    }
    return Calls;
  }

  void compareAll(int Cases) const {
    for (const Layout How : {Layout::Dense, Layout::WithGaps, Layout::Reversed})
      EXPECT_GT(compareMany(How, Cases), static_cast<uint64_t>(Cases) / 8);
    // Small rows of small matrices are near each other nevertheless.
    compareMany(Layout::Apart, Cases / 4);
  }
};

template <typename Function>
PointedKernel<Function> pointedKernel(const char *Name, Function *Original,
                                      Outcome (*Run)(Function *, PointedRows &)) {
  return {Name, Original, Run};
}

constexpr int Cases = 250; // of each kernel, layout and candidate

auto product() {
  return pointedKernel(
      "pointed_product", &pointed_product, +[](decltype(&pointed_product) F, PointedRows &A) {
        Outcome Y = A.Y;
        F(A.rows(), A.Length.data(), A.Col.data(), A.Val.data(), A.X.data(), Y.data());
        return Y;
      });
}

auto sweep() {
  return pointedKernel(
      "pointed_sweep", &pointed_sweep, +[](decltype(&pointed_sweep) F, PointedRows &A) {
        Outcome X = A.X;
        F(A.rows(), A.Length.data(), A.Col.data(), A.Val.data(), A.Diagonal.data(), A.B.data(),
          X.data());
        return X;
      });
}

TEST(PointedRows, Product) { product().compareAll(Cases); }

TEST(PointedRows, PointersThatAreReadForEachEntry) {
  pointedKernel(
      "pointed_sums", &pointed_sums,
      +[](decltype(&pointed_sums) F, PointedRows &A) {
        // What does not fit into a char is nobody's business here.
        std::vector<double> Values(A.AllValues.size(), 1.5), X(A.X.size(), 2);
        std::vector<double *> Val;
        for (double *V : A.Val)
          Val.push_back(V >= A.AllValues.data() && V < A.AllValues.data() + A.AllValues.size()
                            ? Values.data() + (V - A.AllValues.data())
                            : Values.data());
        std::vector<char> Y(A.X.size());
        F(A.rows(), A.Length.data(), A.Col.data(), Val.data(), X.data(), Y.data());
        return Outcome(Y.begin(), Y.end());
      })
      .compareMany(Layout::WithGaps, Cases);
}

TEST(PointedRows, Sweep) { sweep().compareAll(Cases); }

TEST(PointedRows, VectorsOfEntries) {
  pointedKernel(
      "pointed_entries", &pointed_entries,
      +[](decltype(&pointed_entries) F, PointedRows &A) {
        Outcome Y = A.Y;
        F(A.rows(), A.Rows.data(), A.X.data(), Y.data());
        return Y;
      })
      .compareAll(Cases);
}

/// \p F changes the values of \p A.
template <typename Call> Outcome changedValues(PointedRows &A, Call F) {
  std::vector<std::vector<double>> Before;
  for (size_t I = 0; I < A.Val.size(); ++I)
    Before.emplace_back(A.Val[I], A.Val[I] + A.Length[I]);
  F();
  Outcome Changed;
  for (size_t I = 0; I < A.Val.size(); ++I) {
    Changed.insert(Changed.end(), A.Val[I], A.Val[I] + A.Length[I]);
    std::copy(Before[I].begin(), Before[I].end(), A.Val[I]);
  }
  return Changed;
}

TEST(PointedRows, ThatAreWritten) {
  pointedKernel(
      "pointed_scaling", &pointed_scaling,
      +[](decltype(&pointed_scaling) F, PointedRows &A) {
        return changedValues(
            A, [&] { F(A.rows(), A.Length.data(), A.Col.data(), A.Val.data(), A.X.data()); });
      })
      .compareAll(Cases);
}

TEST(PointedRows, ThatWaitForRows) {
  pointedKernel(
      "pointed_updates", &pointed_updates,
      +[](decltype(&pointed_updates) F, PointedRows &A) {
        return changedValues(A, [&] { F(A.rows(), A.Length.data(), A.Col.data(), A.Val.data()); });
      })
      .compareAll(Cases / 2);
}

TEST(PointedRows, OnAGridAreInClasses) {
  const auto K = product();
  const auto Versions = K.versions(Layout::WithGaps);
  for (const RowVersion &V : Versions->all())
    K.compareOnGrid(V);
}

TEST(PointedRows, OnAGridAreDoneInWavefronts) {
  const auto K = sweep();
  const auto Versions = K.versions(Layout::WithGaps);
  for (const RowVersion &V : Versions->all()) {
    const RowFigures Of = K.compareOnGrid(V);
    EXPECT_EQ(Of.Levels, 199U);
    EXPECT_GT(Of.RowsInLanes, 8000U);
  }
}

/// Where rows are written to, and read from elsewhere.
TEST(PointedRows, WhereResultsAre) {
  const auto K = product();
  const auto Versions = K.versions(Layout::Dense);
  Random Engine(3);
  PointedRows A(gridPattern(30, 30), Layout::Dense, Engine);
  const auto Run = [&](void *Body, double *Y) {
    const std::vector<double> Before = A.AllValues;
    reinterpret_cast<decltype(&pointed_product)>(Body)(A.rows(), A.Length.data(), A.Col.data(),
                                                       A.Val.data(), A.X.data(), Y);
    const std::vector<double> Changed = A.AllValues;
    A.AllValues = Before;
    return Changed;
  };
  for (const RowVersion &V : Versions->all()) {
    V.begin();
    double *Y = A.AllValues.data() + 100;
    EXPECT_TRUE(same(Run(V.Body, Y), Run(reinterpret_cast<void *>(&pointed_product), Y)));
    EXPECT_EQ(V.figures().Calls, 0U);
    Run(V.Body, A.Y.data());
    EXPECT_EQ(V.figures().Calls, 1U) << V.figures().Problem;
    EXPECT_TRUE(same(Run(V.Body, Y), Run(reinterpret_cast<void *>(&pointed_product), Y)));
    EXPECT_EQ(V.figures().Calls, 1U);
  }
}

/// Nobody looks at what lies between rows: it need not be there.
TEST(PointedRows, InMappingsApart) {
  constexpr size_t Size = 2000, Part = 1 << 17;
  auto *Memory = static_cast<char *>(
      mmap(nullptr, 3 * Part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(static_cast<void *>(Memory), MAP_FAILED);
  ASSERT_EQ(mprotect(Memory + Part, Part, PROT_NONE), 0);
  const auto K = product();
  const auto Versions = K.versions(Layout::WithGaps);
  Random Engine(3);
  for (const bool Descends : {false, true}) {
    PointedRows A(gridPattern(100, Size / 100), Layout::WithGaps, Engine);
    for (size_t I = 0; I < Size; ++I) {
      char *Place = Memory + ((I < Size / 2) == Descends ? 2 * Part : 0) + I % (Size / 2) * 32;
      A.Col[I] = static_cast<int *>(
          std::memcpy(Place, A.Col[I], static_cast<size_t>(A.Length[I]) * sizeof(int)));
    }
    for (const RowVersion &V : Versions->all()) {
      V.begin();
      for (int Call = 0; Call < 5; ++Call) {
        K.compare(V, A);
        ++A.Col[Size / 2 + 10 * static_cast<size_t>(Call)][0]; // that is seen
      }
      EXPECT_EQ(V.figures().Calls, 5U) << V.figures().Problem;
      EXPECT_EQ(V.figures().Changes, 4U);
    }
  }
  munmap(Memory, 3 * Part);
}

/// Rows store bytes where pointers were that they have used.
TEST(PointedRows, WherePointersAre) {
  Random Engine(3);
  PointedRows A(bandPattern(60, 1), Layout::Dense, Engine);
  std::fill(A.AllValues.begin(), A.AllValues.end(), 1);
  std::fill(A.X.begin(), A.X.end(), 2);
  std::vector<unsigned char> Apart(60);
  const std::vector<int *> Col = A.Col;
  const auto Run = [&](void *Body, unsigned char *Y) {
    A.Col = Col;
    reinterpret_cast<decltype(&pointed_bytes)>(Body)(60, A.Length.data(), A.Col.data(),
                                                     A.Val.data(), A.X.data(), Y);
    return std::vector<unsigned char>(Y, Y + 60);
  };
  const RowVersions Versions(
      "pointed_bytes", [&](void *Body) { Run(Body, Apart.data()); }, SPECRT_POINTER_KERNELS);
  ASSERT_EQ(Versions.all().size(), 2U);
  const auto Expected = Run(reinterpret_cast<void *>(&pointed_bytes), Apart.data());
  auto *Over = reinterpret_cast<unsigned char *>(A.Col.data());
  for (const RowVersion &V : Versions.all()) {
    EXPECT_EQ(Run(V.Body, Apart.data()), Expected);
    EXPECT_EQ(V.figures().Calls, 1U) << V.figures().Problem;
    EXPECT_EQ(Run(V.Body, Over), Expected);
    EXPECT_EQ(V.figures().Calls, 1U);
    V.begin();
    EXPECT_EQ(Run(V.Body, Over), Expected);
    EXPECT_EQ(V.figures().Calls, 0U);
  }
}

} // namespace
