//===- tests/analysis/range_soundness_test.cpp - ranges against execution -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random loop nests with wrapping arithmetic, written as IR and executed here at the same time.
// Whatever range the analysis claims without assumptions must contain every executed access. A
// claim may be "unknown", but enough nests must get a range for the test to mean anything.
//
//===----------------------------------------------------------------------===//
#include "analysis/memory/access_ranges.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"
#include <gtest/gtest.h>
#include <memory>
#include <random>

using namespace llvm;
using namespace specrt;

namespace {

__extension__ typedef __int128 Integer;

enum class Op { Constant, Argument, Iteration, Add, Sub, Mul, Min, Max, Shift, Narrow, Mask };

/// An i64 expression.
struct Expression {
  Op Kind;
  int64_t Value = 0; ///< constant, or number of the argument or loop
  std::unique_ptr<Expression> A, B;
};
using ExpressionPtr = std::unique_ptr<Expression>;

constexpr unsigned NumArguments = 3;

struct Nest {
  std::vector<ExpressionPtr> Counts; ///< of loop i, in arguments and outer iterations; at least 1
  std::vector<int64_t> Starts, Steps;
  std::vector<ExpressionPtr> Offsets; ///< stored to, in the innermost loop
};

class Generator {
public:
  explicit Generator(unsigned Seed) : Random(Seed) {}
  int64_t number(int64_t Low, int64_t High) {
    return std::uniform_int_distribution<int64_t>(Low, High)(Random);
  }

  ExpressionPtr expression(unsigned Loops, unsigned Depth) {
    auto E = std::make_unique<Expression>();
    if (Depth == 0 || number(0, 4) == 0) {
      switch (number(0, 3)) {
      case 0:
        E->Kind = Op::Constant;
        E->Value = number(-6, 12);
        return E;
      case 1:
        E->Kind = Op::Argument;
        E->Value = number(0, NumArguments - 1);
        return E;
      default:
        E->Kind = Loops ? Op::Iteration : Op::Constant;
        E->Value = Loops ? number(0, Loops - 1) : 7;
        return E;
      }
    }
    static const Op Kinds[] = {Op::Add, Op::Add, Op::Add,   Op::Sub,    Op::Mul, Op::Mul,
                               Op::Min, Op::Max, Op::Shift, Op::Narrow, Op::Mask};
    E->Kind = Kinds[number(0, std::size(Kinds) - 1)];
    E->Value = number(0, 3);
    E->A = expression(Loops, Depth - 1);
    if (E->Kind < Op::Shift)
      E->B = expression(Loops, Depth - 1);
    return E;
  }

  Nest nest() {
    Nest N;
    unsigned Depth = number(1, 3);
    for (unsigned I = 0; I < Depth; ++I) {
      N.Counts.push_back(expression(I, 2));
      N.Starts.push_back(number(0, 2) ? 0 : number(-3, 5));
      N.Steps.push_back(number(0, 2) ? 1 : number(0, 1) ? -1 : number(2, 4));
    }
    for (int64_t I = number(1, 2); I > 0; --I)
      N.Offsets.push_back(expression(Depth, 3));
    return N;
  }

private:
  std::mt19937 Random;
};

/// Prints a nest as a function f(ptr %a, i64 %n0, ...).
class Printer {
public:
  std::string print(const Nest &N, const std::string &Attributes) {
    unsigned Depth = N.Counts.size();
    std::string Previous = "entry";
    for (unsigned I = 0; I < Depth; ++I) {
      std::string Loop = "l" + std::to_string(I);
      std::string Raw = emit(*N.Counts[I]);
      line("%t" + std::to_string(I) + " = call i64 @llvm.smax.i64(i64 " + Raw + ", i64 1)");
      line("br label %" + Loop);
      Text += Loop + ":\n";
      std::string Number = std::to_string(I);
      line("%k" + Number + " = phi i64 [ 0, %" + Previous + " ], [ %k.next" + Number + ", %e" +
           Number + " ]");
      line("%s" + Number + " = mul i64 %k" + Number + ", " + std::to_string(N.Steps[I]));
      line("%i" + Number + " = add i64 %s" + Number + ", " + std::to_string(N.Starts[I]));
      Previous = Loop;
    }
    for (const ExpressionPtr &Offset : N.Offsets) {
      std::string Value = emit(*Offset);
      std::string Place = "%p" + std::to_string(Next++);
      line(Place + " = getelementptr i8, ptr %a, i64 " + Value);
      line("store i16 0, ptr " + Place + ", align 1");
    }
    for (unsigned I = Depth; I-- > 0;) {
      std::string Number = std::to_string(I);
      line("br label %e" + Number);
      Text += "e" + Number + ":\n";
      line("%k.next" + Number + " = add nuw nsw i64 %k" + Number + ", 1");
      line("%c" + Number + " = icmp slt i64 %k.next" + Number + ", %t" + Number);
      line("br i1 %c" + Number + ", label %l" + Number + ", label %x" + Number);
      Text += "x" + Number + ":\n";
    }
    line("ret void");
    std::string Arguments = "ptr %a";
    for (unsigned I = 0; I < NumArguments; ++I)
      Arguments += ", i64 " + Attributes + " %n" + std::to_string(I);
    return "target datalayout = \"e-m:e-i64:64-n8:16:32:64-S128\"\n"
           "declare i64 @llvm.smax.i64(i64, i64)\ndeclare i64 @llvm.smin.i64(i64, i64)\n"
           "define void @f(" +
           Arguments + ") {\nentry:\n" + Text + "}\n";
  }

private:
  void line(const std::string &L) { Text += "  " + L + "\n"; }

  std::string emit(const Expression &E) {
    if (E.Kind == Op::Constant)
      return std::to_string(E.Value);
    if (E.Kind == Op::Argument)
      return "%n" + std::to_string(E.Value);
    if (E.Kind == Op::Iteration)
      return "%i" + std::to_string(E.Value);
    std::string A = emit(*E.A), B = E.B ? emit(*E.B) : "";
    std::string Name = "%v" + std::to_string(Next++);
    switch (E.Kind) {
    case Op::Add:
      line(Name + " = add i64 " + A + ", " + B);
      break;
    case Op::Sub:
      line(Name + " = sub i64 " + A + ", " + B);
      break;
    case Op::Mul:
      line(Name + " = mul i64 " + A + ", " + B);
      break;
    case Op::Min:
    case Op::Max:
      line(Name + " = call i64 @llvm.s" + (E.Kind == Op::Min ? "min" : "max") + ".i64(i64 " + A +
           ", i64 " + B + ")");
      break;
    case Op::Shift:
      line(Name + " = lshr i64 " + A + ", " + std::to_string(E.Value));
      break;
    case Op::Narrow:
      line(Name + ".t = trunc i64 " + A + " to i8");
      line(Name + (E.Value & 1 ? " = sext i8 " : " = zext i8 ") + Name + ".t to i64");
      break;
    default:
      line(Name + " = and i64 " + A + ", " + std::to_string((1 << (E.Value + 1)) - 1));
      break;
    }
    return Name;
  }

  std::string Text;
  unsigned Next = 0;
};

/// Executes a nest for one set of arguments.
class Machine {
public:
  Machine(const Nest &N, ArrayRef<int64_t> Arguments) : N(N), Arguments(Arguments) {}
  /// False when it would take too long.
  bool run(unsigned Loop = 0) {
    if (Loop == N.Counts.size()) {
      for (const ExpressionPtr &Offset : N.Offsets) {
        int64_t Place = eval(*Offset);
        Low = std::min(Low, Place);
        High = std::max(High, Place);
      }
      return ++Work < 20000;
    }
    int64_t Count = std::max<int64_t>(eval(*N.Counts[Loop]), 1);
    if (Count > 300)
      return false;
    Iterations.resize(N.Counts.size());
    for (int64_t K = 0; K < Count; ++K) {
      Iterations[Loop] = N.Starts[Loop] + K * N.Steps[Loop];
      if (!run(Loop + 1))
        return false;
    }
    return true;
  }
  int64_t Low = INT64_MAX, High = INT64_MIN;

private:
  int64_t eval(const Expression &E) {
    auto A = [&] { return static_cast<uint64_t>(eval(*E.A)); };
    auto B = [&] { return static_cast<uint64_t>(eval(*E.B)); };
    switch (E.Kind) {
    case Op::Constant:
      return E.Value;
    case Op::Argument:
      return Arguments[E.Value];
    case Op::Iteration:
      return Iterations[E.Value];
    case Op::Add:
      return A() + B();
    case Op::Sub:
      return A() - B();
    case Op::Mul:
      return A() * B();
    case Op::Min:
      return std::min<int64_t>(A(), B());
    case Op::Max:
      return std::max<int64_t>(A(), B());
    case Op::Shift:
      return A() >> E.Value;
    case Op::Narrow:
      return E.Value & 1 ? static_cast<int8_t>(A()) : static_cast<uint8_t>(A());
    default:
      return A() & ((1 << (E.Value + 1)) - 1);
    }
  }

  const Nest &N;
  ArrayRef<int64_t> Arguments;
  std::vector<int64_t> Iterations;
  unsigned Work = 0;
};

/// The value as whoever checks a guard computes it: none when it leaves int64_t.
std::optional<int64_t> evaluate(const specrt_polynomial &P, ArrayRef<int64_t> Arguments) {
  if (P.num_terms == SPECRT_UNKNOWN)
    return std::nullopt;
  Integer Sum = 0;
  for (unsigned I = 0; I < P.num_terms; ++I) {
    Integer Term = P.terms[I].coefficient;
    for (unsigned J = 0; J < P.terms[I].num_factors; ++J) {
      uint16_t Factor = P.terms[I].factors[J];
      int64_t Value = Arguments[(Factor & ~SPECRT_FACTOR_UNSIGNED) - 1];
      if ((Factor & SPECRT_FACTOR_UNSIGNED) && Value < 0)
        return std::nullopt;
      if (__builtin_mul_overflow(Term, Value, &Term) || Term != static_cast<int64_t>(Term))
        return std::nullopt;
    }
    Sum += Term;
  }
  if (Sum != static_cast<int64_t>(Sum))
    return std::nullopt;
  return static_cast<int64_t>(Sum);
}

AccessSummary analyze(Function &F) {
  TargetLibraryInfoImpl Library(Triple("x86_64-unknown-linux-gnu"));
  TargetLibraryInfo LibraryInfo(Library);
  AssumptionCache Assumptions(F);
  DominatorTree Dominators(F);
  LoopInfo Loops(Dominators);
  ScalarEvolution SE(F, LibraryInfo, Assumptions, Dominators, Loops);
  return computeAccesses(F, SE, Loops, /*AssumeNoWrap=*/false, nullptr);
}

TEST(RangeSoundness, ClaimedRangesContainEveryAccess) {
  unsigned Claims = 0, Checks = 0;
  for (unsigned Seed = 0; Seed < 6000; ++Seed) {
    Generator Random(Seed);
    Nest N = Random.nest();
    // Constants as in a specialised version, known ranges, or nothing known.
    int64_t Low = Seed % 3 == 0 ? Random.number(1, 9) : Seed % 3 == 1 ? 1 : -20;
    int64_t High = Seed % 3 == 0 ? Low : 20;
    std::string Attributes =
        Seed % 3 == 2 ? ""
                      : "range(i64 " + std::to_string(Low) + ", " + std::to_string(High + 1) + ")";
    std::string Text = Printer().print(N, Attributes);
    LLVMContext Context;
    SMDiagnostic Error;
    std::unique_ptr<Module> M = parseAssemblyString(Text, Error, Context);
    ASSERT_TRUE(M) << Error.getMessage().str() << "\n" << Text;
    AccessSummary Summary = analyze(*M->getFunction("f"));
    ASSERT_EQ(Summary.Bases.size(), 1u);
    ASSERT_TRUE(Summary.Complete);
    const BaseAccesses &Base = Summary.Bases[0];
    Claims += Base.isBounded();
    for (unsigned Trial = 0; Trial < 4; ++Trial) {
      SmallVector<int64_t> Arguments;
      for (unsigned I = 0; I < NumArguments; ++I)
        Arguments.push_back(Random.number(Low, High));
      Machine Run(N, Arguments);
      if (!Run.run())
        continue;
      std::optional<int64_t> Begin = evaluate(Base.Begin, Arguments);
      std::optional<int64_t> End = evaluate(Base.End, Arguments);
      if (!Begin || !End)
        continue;
      ++Checks;
      ASSERT_LE(*Begin, Run.Low) << "seed " << Seed << "\n" << Text;
      ASSERT_GE(*End, Run.High + 2) << "seed " << Seed << "\n" << Text;
    }
  }
  EXPECT_GT(Claims, 1500u);
  EXPECT_GT(Checks, 5000u);
  RecordProperty("claims", Claims);
  RecordProperty("checks", Checks);
}

} // namespace
