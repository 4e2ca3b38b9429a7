//===- tests/analysis/memory_cells_test.cpp - sizes that live in memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/memory/memory_cells.h"
#include "specrt/abi.h"
#include "tests/analysis/parsed_function.h"

using namespace llvm;
using namespace specrt;

namespace {

class MemoryCells : public ParsedFunction {
protected:
  /// The cells of "f" as "a0+8:8" (an argument) or "g7+0:4" (a global), those that not every call
  /// reads with a question mark.
  std::vector<std::string> cells(const std::string &Text) {
    std::vector<std::string> Words;
    Function *F = parse(Text);
    if (!F)
      return Words;
    auto Symbols = [](const GlobalValue &G) -> std::optional<unsigned> {
      return G.getName() == "named" ? std::optional(7u) : std::nullopt;
    };
    for (const specrt_cell &Cell : describeCells(*F, Symbols))
      Words.push_back((Cell.base.kind == SPECRT_BASE_ARGUMENT ? "a" : "g") +
                      std::to_string(Cell.base.index) + "+" + std::to_string(Cell.begin) + ":" +
                      std::to_string(Cell.width) + (Cell.certain ? "" : "?"));
    return Words;
  }
  using Words = std::vector<std::string>;
};

/// A loop up to the i64 %n that Entry loads, with Body in it.
std::string loop(const std::string &Entry, const std::string &Body = "") {
  return "@named = external global i64\n@other = external global i64\n"
         "define void @f(ptr %s, ptr %x, i1 %c) {\nentry:\n" +
         Entry + "  br label %body\nbody:\n  %i = phi i64 [0, %entry], [%next, %latch]\n" + Body +
         "  br label %latch\nlatch:\n  %next = add i64 %i, 1\n"
         "  %more = icmp slt i64 %next, %n\n"
         "  br i1 %more, label %body, label %end\nend:\n  ret void\n}\n";
}

TEST_F(MemoryCells, BoundsBehindArgumentsAndGlobals) {
  EXPECT_EQ(cells(loop("  %p = getelementptr i8, ptr %s, i64 8\n  %n = load i64, ptr %p\n")),
            Words{"a0+8:8"});
  EXPECT_EQ(cells(loop("  %n = load i64, ptr @named\n")), Words{"g7+0:8"});
  EXPECT_EQ(cells(loop("  %n = load i64, ptr @other\n")), Words{}) << "no number, no cell";
}

TEST_F(MemoryCells, DataShapeNothing) {
  EXPECT_EQ(
      cells(loop("  %n = load i64, ptr %s\n", "  %v = load i64, ptr %x\n  %w = add i64 %v, 1\n"
                                              "  store i64 %w, ptr %x\n")),
      Words{"a0+0:8"});
}

TEST_F(MemoryCells, WhatSomeCallsReadNeedsACertainNeighbour) {
  const std::string Sometimes = "  br i1 %c, label %then, label %latch\nthen:\n"
                                "  %q = getelementptr i8, ptr BASE, i64 16\n"
                                "  %m = load i64, ptr %q\n  %z = icmp eq i64 %m, 0\n"
                                "  br i1 %z, label %body.end, label %latch\nbody.end:\n";
  auto With = [&](const std::string &Base) {
    std::string Body = Sometimes;
    Body.replace(Body.find("BASE"), 4, Base);
    return cells(loop("  %n = load i64, ptr %s\n", Body));
  };
  EXPECT_EQ(With("%s"), (Words{"a0+0:8", "a0+16:8?"}));
  EXPECT_EQ(With("%x"), Words{"a0+0:8"});
}

TEST_F(MemoryCells, EachOnceAndNoVolatileOnes) {
  EXPECT_EQ(cells(loop("  %n = load i64, ptr %s\n", "  %again = load i64, ptr %s\n"
                                                    "  %e = getelementptr i8, ptr %x, i64 %again\n"
                                                    "  store i8 0, ptr %e\n")),
            Words{"a0+0:8"});
  EXPECT_EQ(cells(loop("  %n = load volatile i64, ptr %s\n")), Words{});
}

} // namespace
