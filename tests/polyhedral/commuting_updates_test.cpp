//===- tests/polyhedral/commuting_updates_test.cpp - which orders are free ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pairs that relaxUpdates keeps are compared with those found by looking at every two accesses
// of small nests, and nests are executed in random orders that respect the pairs: not as they are,
// but with functions of the values read that any mistake in the order changes.
//
//===----------------------------------------------------------------------===//
#include "polly/CodePreparation.h"
#include "polly/Support/ISLTools.h"
#include "specializer/polyhedral/contraction/commuting_updates.h"
#include "specializer/polyhedral/model/detected_scops.h"
#include "specializer/polyhedral/model/polly_options.h"
#include "specializer/polyhedral/model/reload_scalars.h"
#include "tests/polyhedral/nest_compiler.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace llvm;
using namespace specrt;

namespace {

constexpr unsigned long ManyOperations = 10'000'000;

/// Calls \p look with the model of a nest.
template <typename Look> void withScop(const char *Nest, const Sizes &S, Look look) {
  SCOPED_TRACE(Nest);
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Nest);
  Function &F = Compiler.withSizes(S);
  FunctionAnalysisManager &FAM = Compiler.functions();
  PollyOptionScope Options;
  Options.set("polly-on-isl-error-abort", false);
  Options.set("polly-process-unprofitable", true);
  Options.set("polly-detect-reductions", false);
  reloadScalars(F, FAM);
  polly::runCodePreparation(F, &FAM.getResult<DominatorTreeAnalysis>(F),
                            &FAM.getResult<LoopAnalysis>(F), nullptr);
  DetectedScops Detected(F, FAM);
  polly::ScopInfo Scops = Detected.model();
  bool Found = false;
  for (const Region *R : Detected.Detection)
    if (polly::Scop *Scop = Scops.getScop(const_cast<Region *>(R))) {
      Found = true;
      look(*Scop);
    }
  EXPECT_TRUE(Found);
}

/// Numbers of updates that are recognised in the nest, by the name of their operation.
std::multiset<std::string> updatesIn(const char *Nest) {
  std::multiset<std::string> Names;
  withScop(Nest, {9, 8, 7}, [&](polly::Scop &S) {
    for (polly::ScopStmt &Stmt : S)
      if (std::optional<ElementUpdate> Update = recognizeUpdate(Stmt)) {
        const Instruction *I = Update->Steps.back();
        auto *Call = dyn_cast<CallInst>(I);
        Names.insert(Call ? Call->getCalledFunction()->getName().str() : I->getOpcodeName());
      }
  });
  return Names;
}

using Names = std::multiset<std::string>;

TEST(CommutingUpdates, AreRecognised) {
  EXPECT_EQ(updatesIn("sum_of_columns"), Names{"add"});
  EXPECT_EQ(updatesIn("difference"), Names{"sub"});
  EXPECT_EQ(updatesIn("union_of_columns"), Names{"or"});
  EXPECT_EQ(updatesIn("folding"), (Names{"llvm.smax.i32", "llvm.smax.i32"}));
  EXPECT_EQ(updatesIn("folding_xor"), (Names{"xor", "xor"}));
  EXPECT_EQ(updatesIn("matrix_chain"), Names{"llvm.smin.i64"});
  EXPECT_EQ(updatesIn("two_operations"), (Names{"llvm.smax.i32", "llvm.smin.i32"}));
}

TEST(CommutingUpdates, WhatDoesNotCommuteIsNone) {
  for (const char *Nest : {"double_sum", "folding_single", "subtracted_from", "intermediate_values",
                           "used_twice", "two_operations_at_once"})
    EXPECT_EQ(updatesIn(Nest), Names{}) << Nest;
}

TEST(CommutingUpdates, NothingIsRelaxedWithoutAny) {
  for (const char *Nest : {"double_sum", "folding_single", "used_twice"})
    withScop(Nest, {9, 8, 7},
             [](polly::Scop &S) { EXPECT_FALSE(relaxUpdates(S, ManyOperations)); });
}

TEST(CommutingUpdates, TooFewOperationsRelaxNothing) {
  withScop("folding", {9, 8, 7}, [](polly::Scop &S) {
    EXPECT_FALSE(relaxUpdates(S, 200));
    EXPECT_TRUE(relaxUpdates(S, ManyOperations));
  });
}

TEST(CommutingUpdates, PromisesAboutOverflowAreDropped) {
  withScop("sum_of_columns", {9, 8, 7}, [](polly::Scop &S) {
    std::optional<RelaxedOrder> Relaxed = relaxUpdates(S, ManyOperations);
    ASSERT_TRUE(Relaxed);
    Instruction *Sum = Relaxed->Updates.front().Steps.back();
    EXPECT_TRUE(Sum->hasNoSignedWrap());
    dropPromises(Relaxed->Updates);
    EXPECT_FALSE(Sum->hasNoSignedWrap());
  });
}

using Place = std::vector<long>; ///< of an array's element, or of a statement's iteration

Place placeOf(const isl::point &Point) {
  Place Result;
  isl::multi_val Values = Point.multi_val();
  for (unsigned D = 0, E = unsignedFromIslSize(Values.size()); D < E; ++D)
    Result.push_back(Values.at(int(D)).get_num_si());
  return Result;
}

/// The points of a set whose space is S or S -> T, with their names in front.
using Point = std::pair<std::string, Place>;

template <typename Visit> void forEachPoint(const isl::set &Set, Visit visit) {
  auto Call = [&](isl::point Point) {
    visit(Point);
    return isl::stat::ok();
  };
  Set.foreach_point(Call);
}

/// One iteration of a statement with what it accesses.
struct Iteration {
  Point Id;
  Place Time;
  unsigned Operation = 0;        ///< of the update, 0: none
  Point Element;                 ///< that it updates
  std::set<Point> Reads, Writes; ///< others

  bool updatesLike(const Iteration &Other) const {
    return Operation != 0 && Operation == Other.Operation && Element == Other.Element;
  }
};

std::set<Point> elementsOf(const isl::map &Relation, const isl::set &One) {
  std::set<Point> Result;
  isl::set Range = Relation.intersect_domain(One).range();
  forEachPoint(Range,
               [&](const isl::point &P) { Result.insert({Range.get_tuple_name(), placeOf(P)}); });
  return Result;
}

class Execution {
public:
  Execution(polly::Scop &S, const RelaxedOrder &Order) {
    isl::union_map Schedule = S.getSchedule();
    for (polly::ScopStmt &Stmt : S) {
      const ElementUpdate *Update = nullptr;
      for (const ElementUpdate &U : Order.Updates)
        if (U.Stmt == &Stmt)
          Update = &U;
      isl::set Domain = Stmt.getDomain();
      forEachPoint(Domain, [&](const isl::point &P) {
        Iteration It;
        isl::set One(P);
        It.Id = {Domain.get_tuple_name(), placeOf(P)};
        forEachPoint(isl::set(Schedule.intersect_domain(isl::union_set(One)).range()),
                     [&](const isl::point &Time) { It.Time = placeOf(Time); });
        for (polly::MemoryAccess *Access : Stmt) {
          std::set<Point> Elements = elementsOf(Access->getLatestAccessRelation(), One);
          if (Update && is_contained(Update->Accesses, Access)) {
            It.Operation = Update->Operation;
            It.Element = *Elements.begin();
          } else {
            (Access->isRead() ? It.Reads : It.Writes).insert(Elements.begin(), Elements.end());
          }
        }
        All.push_back(std::move(It));
      });
    }
    sort(All, [](const Iteration &A, const Iteration &B) { return A.Time < B.Time; });
    for (size_t I = 0; I < All.size(); ++I)
      Number[All[I].Id] = I;
    for (isl::map Map : Order.Validity.get_map_list())
      forEachPoint(Map.wrap(), [&](const isl::point &P) {
        Place Both = placeOf(P);
        auto Middle = Both.begin() + long(unsignedFromIslSize(Map.domain_tuple_dim()));
        Pairs.insert(
            {Number.at({isl_map_get_tuple_name(Map.get(), isl_dim_in), {Both.begin(), Middle}}),
             Number.at({isl_map_get_tuple_name(Map.get(), isl_dim_out), {Middle, Both.end()}})});
      });
  }

  using NumberPairs = std::set<std::pair<size_t, size_t>>;
  const NumberPairs &pairs() const { return Pairs; }

  /// By looking at every two iterations.
  NumberPairs expectedPairs() const {
    NumberPairs Result;
    for (size_t B = 0; B < All.size(); ++B)
      for (size_t A = 0; A < B; ++A)
        if (conflict(All[A], All[B]) || conflict(All[B], All[A]) ||
            (All[A].Operation && All[B].Operation && All[A].Element == All[B].Element &&
             !All[A].updatesLike(All[B])))
          Result.insert({A, B});
    return Result;
  }

  using Memory = std::map<Point, uint64_t>;

  /// Every value is a function of all values that the iteration reads.
  Memory run(ArrayRef<size_t> Order) const {
    Memory M;
    for (size_t I : Order) {
      const Iteration &It = All[I];
      uint64_t Value = I * 0x9E3779B97F4A7C15;
      for (const Point &Read : It.Reads)
        Value = (Value ^ M[Read]) * 0xBF58476D1CE4E5B9 + 1;
      for (const Point &Write : It.Writes)
        M[Write] = Value;
      if (It.Operation) {
        // Some operation whose order is free, a different one for each number.
        uint64_t &X = M[It.Element];
        X = It.Operation % 2 ? X + Value * It.Operation : X ^ Value * It.Operation;
      }
    }
    return M;
  }

  std::vector<size_t> sourceOrder() const {
    std::vector<size_t> Order(All.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    return Order;
  }

  std::vector<size_t> randomOrder(std::mt19937 &Random) const {
    std::vector<size_t> NumBefore(All.size()), Ready, Order;
    for (auto [First, Second] : Pairs)
      ++NumBefore[Second];
    for (size_t I = 0; I < All.size(); ++I)
      if (NumBefore[I] == 0)
        Ready.push_back(I);
    while (!Ready.empty()) {
      std::swap(Ready[Random() % Ready.size()], Ready.back());
      Order.push_back(Ready.back());
      Ready.pop_back();
      for (auto At = Pairs.lower_bound({Order.back(), 0});
           At != Pairs.end() && At->first == Order.back(); ++At)
        if (--NumBefore[At->second] == 0)
          Ready.push_back(At->second);
    }
    return Order;
  }

private:
  /// Does one write, or update, what the other one uses beside its own updates?
  static bool conflict(const Iteration &Writer, const Iteration &User) {
    std::set<Point> Written = Writer.Writes, Used = User.Reads;
    Used.insert(User.Writes.begin(), User.Writes.end());
    if (User.Operation && Written.count(User.Element))
      return true;
    if (Writer.Operation)
      Written.insert(Writer.Element);
    return any_of(Used, [&](const Point &P) { return Written.count(P) != 0; });
  }

  std::vector<Iteration> All; ///< in the order of the source
  std::map<Point, size_t> Number;
  NumberPairs Pairs;
};

class Relaxed : public testing::TestWithParam<const char *> {};

TEST_P(Relaxed, PairsAreThoseOfAllAccesses) {
  withScop(GetParam(), {6, 5, 4}, [](polly::Scop &S) {
    std::optional<RelaxedOrder> Order = relaxUpdates(S, ManyOperations);
    ASSERT_TRUE(Order);
    Execution Own(S, *Order);
    EXPECT_EQ(Own.pairs(), Own.expectedPairs());
  });
}

TEST_P(Relaxed, AnyOrderThatRespectsThePairsGivesTheSameValues) {
  withScop(GetParam(), {7, 6, 5}, [](polly::Scop &S) {
    std::optional<RelaxedOrder> Order = relaxUpdates(S, ManyOperations);
    ASSERT_TRUE(Order);
    Execution Own(S, *Order);
    std::vector<size_t> Source = Own.sourceOrder();
    Execution::Memory Expected = Own.run(Source);
    std::mt19937 Random(1);
    bool SomeDiffer = false;
    for (int Round = 0; Round < 20; ++Round) {
      std::vector<size_t> Other = Own.randomOrder(Random);
      ASSERT_EQ(Other.size(), Source.size());
      EXPECT_EQ(Own.run(Other), Expected);
      SomeDiffer |= Other != Source;
    }
    EXPECT_TRUE(SomeDiffer);
  });
}

INSTANTIATE_TEST_SUITE_P(Nests, Relaxed,
                         testing::Values("folding", "folding_xor", "folding_sum", "matrix_chain",
                                         "sum_of_columns", "two_operations", "read_in_between",
                                         "written_in_between", "operand_is_result"),
                         [](const auto &Info) { return std::string(Info.param); });

} // namespace
