//===- tests/tools/terminal_test.cpp - text that fits and reads well ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/text.h"
#include "tools/terminal.h"

#include <gtest/gtest.h>
#include <sstream>

namespace specrt::tools {
namespace {

TEST(Printable, LetsNoControlSequenceThrough) {
  EXPECT_EQ(printable("a\033[31mb\n"), "a?[31mb?");
  EXPECT_EQ(printable("\xc2\x9b"), "?"); // the one-character form of ESC [
  EXPECT_EQ(printable("\x7f"), "?");
}

TEST(Printable, KeepsUtf8AndReplacesTheRest) {
  EXPECT_EQ(printable("größe 漢字"), "größe 漢字");
  EXPECT_EQ(printable("a\xff\xfe"), "a??");
  EXPECT_EQ(printable("cut \xe6\xbc"), "cut ??");
}

TEST(Shortened, KeepsTheEnd) {
  EXPECT_EQ(shortened("short", 10), "short");
  EXPECT_EQ(shortened("a::very::long::name:70", 10), "...name:70");
  EXPECT_EQ(shortened("äöüäöüäöü", 6), "...äöü");
  EXPECT_EQ(shortenedName("f<int>:3", 8), "f<int>:3");
  EXPECT_EQ(shortenedName("solver::Grid<std::vector<double>, 3>::relax:33", 30),
            "solver::Grid<...>::relax:33");
  EXPECT_EQ(shortenedName("Grid<double, 3>::operator<<<int>:33", 30),
            "Grid<...>::operator<<<int>:33")
      << "brackets of an operator are part of its name";
  EXPECT_EQ(shortenedName("Grid<double>::step:33, inlined into main", 20), "Grid<...>::step:33");
  EXPECT_EQ(shortenedName("jacobi (OpenMP loop, solver.cpp:29)", 34),
            "jacobi (OpenMP..., solver.cpp:29)");
  EXPECT_EQ(shortenedName("jacobi (OpenMP loop, solver.cpp:29)", 30),
            "jacobi (..., solver.cpp:29)");
  EXPECT_EQ(shortenedName("a::very::long::name:70", 12), "...::name:70");
  EXPECT_EQ(shortenedName("a::very::long::name:70", 18), "...::long::name:70");
}

TEST(Wrapped, IndentsAndBreaksAtBlanks) {
  EXPECT_EQ(wrapped("-> ", "one two three", 11), "-> one two\n   three\n");
  EXPECT_EQ(wrapped("", "unbreakableword x", 5), "unbreakableword\nx\n");
  EXPECT_EQ(wrapped("key: ", "", 20), "key: \n");
}

TEST(Filled, DoesNotBreakPieces) { EXPECT_EQ(filled("", {"a b c", "d e f"}, 8), "a b c\nd e f\n"); }

TEST(TableTest, AlignsAndLeavesNoBlanksAtTheEnd) {
  Table T({{"NAME"}, {"N", true}, {"END"}});
  T.add({{"größe"}, {"5"}, {"x"}});
  T.add({{"b"}, {"1234"}, {""}});
  EXPECT_EQ(T.text(), "NAME      N  END\n"
                      "größe     5  x\n"
                      "b      1234\n");
}

TEST(TableTest, ShortensNamesWhereNumbersAreLong) {
  Table T({{"NAME", false, 34, /*IsName=*/true}, {"A", true}, {"B", true}}, 100);
  T.add({{"solver::relax_all_of_the_lines:33"}, {std::string(40, '1')}, {std::string(38, '2')}});
  std::istringstream Lines(T.text());
  for (std::string Line; std::getline(Lines, Line);)
    EXPECT_EQ(columns(Line), 100U) << Line;
  EXPECT_NE(T.text().find(":33"), std::string::npos);
}

TEST(TableTest, ShortensWhatIsTooWide) {
  Table T({{"NAME", false, 8}, {"N", true}});
  T.add({{"0123456789"}, {"1"}});
  EXPECT_EQ(T.text(), "NAME      N\n...56789  1\n");
}

TEST(Quantities, AreReadable) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(bytesText(999), "999 B");
  EXPECT_EQ(bytesText(12345678), "12.3 MB");
  EXPECT_EQ(gainText(300, 100), "3.00x");
  EXPECT_EQ(gainText(0, 100), "-");
  EXPECT_EQ(timeText(0), "-");
  EXPECT_EQ(timeText(1500), "1.50 us");
  EXPECT_EQ(dateText(0), "-");
}

TEST(InkTest, IsOnlyUsedWhenAskedFor) {
  setColour(false);
  EXPECT_EQ(ink(Ink::Bad, "x"), "x");
  setColour(true);
  EXPECT_EQ(ink(Ink::Bad, "x"), "\033[31mx\033[0m");
  EXPECT_EQ(ink(Ink::Plain, "x"), "x");
  setColour(false);
}

} // namespace
} // namespace specrt::tools
