//===- tests/polyhedral/loop_shifts_test.cpp - the order of syntax trees ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/polyhedral/schedule/loop_shifts.h"
#include "specializer/polyhedral/schedule/schedule_tools.h"
#include "isl/ast_build.h"
#include "isl/schedule.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <vector>

using namespace specrt;

namespace {

/// Executes a syntax tree.
class Interpreter {
public:
  void run(const isl::ast_node &Node);

  /// Such as "{ A[1, 2] }", in the order of their execution.
  std::vector<std::string> Instances;

private:
  void loop(const isl::ast_node_for &For);
  void call(const isl::ast_expr_op &Call);
  int64_t value(const isl::ast_expr &E);
  int64_t result(isl_ast_expr_op_type Type, const std::vector<int64_t> &Arguments);

  std::map<std::string, int64_t> Iterators;
};

void Interpreter::run(const isl::ast_node &Node) {
  if (Node.isa<isl::ast_node_for>()) {
    loop(Node.as<isl::ast_node_for>());
  } else if (Node.isa<isl::ast_node_if>()) {
    auto If = Node.as<isl::ast_node_if>();
    if (value(If.cond()))
      run(If.then_node());
    else if (If.has_else_node())
      run(If.else_node());
  } else if (Node.isa<isl::ast_node_block>()) {
    isl::ast_node_list Children = Node.as<isl::ast_node_block>().children();
    for (unsigned C = 0; C < count(Children.size()); ++C)
      run(Children.at(int(C)));
  } else {
    call(Node.as<isl::ast_node_user>().expr().as<isl::ast_expr_op>());
  }
}

void Interpreter::loop(const isl::ast_node_for &For) {
  int64_t &Iterator = Iterators[For.iterator().as<isl::ast_expr_id>().id().get_name()];
  Iterator = value(For.init());
  if (For.is_degenerate())
    return run(For.body());
  for (; value(For.cond()); Iterator += value(For.inc()))
    run(For.body());
}

void Interpreter::call(const isl::ast_expr_op &Call) {
  std::string Coordinates;
  for (unsigned A = 1; A < count(Call.n_arg()); ++A)
    Coordinates += (A > 1 ? ", " : "") + std::to_string(value(Call.arg(int(A))));
  std::string Statement = isl::ast_expr(Call.arg(0)).as<isl::ast_expr_id>().id().get_name();
  Instances.push_back("{ " + Statement + "[" + Coordinates + "] }");
}

int64_t Interpreter::value(const isl::ast_expr &E) {
  if (E.isa<isl::ast_expr_id>())
    return Iterators.at(E.as<isl::ast_expr_id>().id().get_name());
  if (E.isa<isl::ast_expr_int>())
    return *integer(E.as<isl::ast_expr_int>().val());
  auto Op = E.as<isl::ast_expr_op>();
  std::vector<int64_t> Arguments;
  for (unsigned A = 0; A < count(Op.n_arg()); ++A)
    Arguments.push_back(value(Op.arg(int(A))));
  return result(isl_ast_expr_get_op_type(Op.get()), Arguments);
}

/// Of the operations that the schedules here lead to.
int64_t Interpreter::result(isl_ast_expr_op_type Type, const std::vector<int64_t> &Arguments) {
  int64_t X = Arguments.front(), Y = Arguments.back();
  switch (Type) {
  case isl_ast_expr_op_and:
  case isl_ast_expr_op_and_then:
    return std::ranges::all_of(Arguments, [](int64_t V) { return V != 0; });
  case isl_ast_expr_op_add:
    return X + Y;
  case isl_ast_expr_op_sub:
    return X - Y;
  case isl_ast_expr_op_mul:
    return X * Y;
  case isl_ast_expr_op_div: // divides evenly
    return X / Y;
  case isl_ast_expr_op_pdiv_r:
  case isl_ast_expr_op_zdiv_r: // compared with zero
    return X % Y;
  case isl_ast_expr_op_eq:
    return X == Y;
  case isl_ast_expr_op_le:
    return X <= Y;
  default:
    ADD_FAILURE() << "operation " << Type;
    return 0;
  }
}

class LoopShifts : public testing::Test {
protected:
  ~LoopShifts() override { isl_ctx_free(Context); }

  /// One band of \p Loops, with all instances of \p Domain.
  isl::schedule schedule(const std::string &Domain, const std::string &Loops) const {
    isl::ctx Ctx(Context);
    return isl::schedule::from_domain(isl::union_set(Ctx, Domain))
        .insert_partial_schedule(isl::multi_union_pw_aff(Ctx, Loops));
  }

  /// When the instances run according to \p Schedule, in the order in which its syntax tree runs
  /// them.
  std::vector<std::vector<int64_t>> times(const isl::schedule &Schedule) const {
    Interpreter Tree;
    Tree.run(isl::ast_build(Schedule.ctx()).node_from(Schedule));
    isl::union_map Time = Schedule.get_map();
    std::vector<std::vector<int64_t>> Result;
    for (const std::string &Instance : Tree.Instances) {
      isl::set Point(isl::union_set(Schedule.ctx(), Instance).apply(Time));
      std::vector<int64_t> &Coordinates = Result.emplace_back();
      for (unsigned D = 0; D < count(Point.tuple_dim()); ++D)
        Coordinates.push_back(rangeOf(Point, D).value().First);
    }
    return Result;
  }

  isl_ctx *Context = isl_ctx_alloc();
};

/// B and C are 2 apart, which the distances of A from B (3) and C (they never meet) do not say.
TEST_F(LoopShifts, StatementsThatMeetInSomeIterationsKeepTheirOrder) {
  std::string Names = "ABC";
  unsigned NumWrong = 0;
  do {
    auto Named = [&](std::string Text) {
      for (char &Letter : Text)
        if (Letter >= 'X' && Letter <= 'Z')
          Letter = Names[size_t(Letter - 'X')];
      return Text;
    };
    isl::schedule Schedule =
        schedule(Named("{ X[t, i] : t = 0 and 0 <= i < 4; Y[t, i] : 0 <= t <= 1 and 0 <= i < 4; "
                       "Z[t, i] : t = 1 and 0 <= i < 4 }"),
                 Named("[{ X[t, i] -> [(t)]; Y[t, i] -> [(t)]; Z[t, i] -> [(t)] }, "
                       "{ X[t, i] -> [(4i)]; Y[t, i] -> [(4i + 3)]; Z[t, i] -> [(4i + 1)] }]"));
    NumWrong += !std::ranges::is_sorted(times(Schedule));
    std::vector<std::vector<int64_t>> Times = times(forbidShifts(Schedule));
    EXPECT_EQ(Times.size(), 16u);
    EXPECT_TRUE(std::ranges::is_sorted(Times)) << Names;
  } while (std::ranges::next_permutation(Names).found);
  EXPECT_GT(NumWrong, 0u) << "isl does it right now: forbidShifts() can go";
}

TEST_F(LoopShifts, TwoStatementsAreMerged) {
  isl::schedule Schedule = schedule("{ A[i] : 0 <= i < 9; B[i] : 0 <= i < 9 }",
                                    "[{ A[i] -> [(2i)]; B[i] -> [(2i + 1)] }]");
  EXPECT_TRUE(isl_schedule_plain_is_equal(forbidShifts(Schedule).get(), Schedule.get()));
  EXPECT_TRUE(std::ranges::is_sorted(times(forbidShifts(Schedule))));
}

} // namespace
