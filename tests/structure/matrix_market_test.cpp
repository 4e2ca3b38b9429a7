//===- tests/structure/matrix_market_test.cpp - good and bad Matrix Market files ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/matrix_market.h"

#include <cstdio>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace specrt;
using testing::HasSubstr;

namespace {

class MatrixMarket : public testing::Test {
protected:
  MatrixMarket() : Path(testing::TempDir() + "matrix_market_" + std::to_string(getpid())) {}
  ~MatrixMarket() override { std::remove(Path.c_str()); }

  MatrixMarketFile read(const std::string &Text, bool NeedsValues = true) {
    std::ofstream(Path, std::ios::binary) << Text;
    return readMatrixMarket(Path, NeedsValues);
  }
  std::string problem(const std::string &Text, bool NeedsValues = true) {
    try {
      read(Text, NeedsValues);
    } catch (const MatrixMarketError &Error) {
      return Error.what();
    }
    return "";
  }
  const std::string Path;
};

std::vector<std::tuple<long, long, double>> entries(const MatrixMarketFile &File) {
  std::vector<std::tuple<long, long, double>> Result;
  for (const MatrixMarketEntry &E : File.Entries)
    Result.emplace_back(E.Row, E.Column, E.Value);
  return Result;
}

using Entries = std::vector<std::tuple<long, long, double>>;

TEST_F(MatrixMarket, HasEntriesOfAllFields) {
  const MatrixMarketFile File =
      read("%%MatrixMarket MATRIX Coordinate real general\r\n% comment\n\n"
           "2 3 3\r\n1 1 +1.5\r\n \t2 3   -2e-3 \n%\n2 1 1e-320\n");
  EXPECT_EQ(File.Rows, 2);
  EXPECT_EQ(File.Columns, 3);
  EXPECT_EQ(entries(File), (Entries{{0, 0, 1.5}, {1, 2, -2e-3}, {1, 0, 1e-320}}));
  EXPECT_EQ(entries(read("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 7\n")),
            (Entries{{0, 0, 7}}));
  EXPECT_EQ(entries(read("%%MatrixMarket matrix coordinate pattern general\n1 2 1\n1 2\n")),
            (Entries{{0, 1, 1}}));
  EXPECT_EQ(entries(read("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 1e999\n")),
            (Entries{{0, 0, HUGE_VAL}}));
}

TEST_F(MatrixMarket, AddsWhatSymmetryImplies) {
  const std::string Rest = "\n2 2 2\n1 1 3\n2 1 4\n", Head = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(entries(read(Head + "real symmetric" + Rest)),
            (Entries{{0, 0, 3}, {1, 0, 4}, {0, 1, 4}}));
  EXPECT_EQ(entries(read(Head + "real skew-symmetric" + Rest)),
            (Entries{{0, 0, 3}, {1, 0, 4}, {0, 1, -4}}));
  EXPECT_EQ(read(Head + "complex hermitian\n2 2 1\n2 1 4 5\n", false).Entries.size(), 2u);
}

TEST_F(MatrixMarket, SaysWhatIsWrongAndWhere) {
  const std::string Head = "%%MatrixMarket matrix coordinate real general\n";
  const std::pair<std::string, std::string> Cases[] = {
      {"", "is empty"},
      {"hello\n", ":1: not a Matrix Market file"},
      {"%%MatrixMarket matrix array real general\n", "'matrix array'"},
      {"%%MatrixMarket vector coordinate real general\n", "'vector coordinate'"},
      {"%%MatrixMarket matrix coordinate complex general\n", "not 'complex'"},
      {"%%MatrixMarket matrix coordinate real square\n", "'square' is not one of"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n",
       ":2: a symmetric matrix that is not square: 2 x 3"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n", "lower triangle"},
      {Head, "expected a line 'rows columns entries'"},
      {Head + "2 2\n", ":2: expected a line"},
      {Head + "0 2 1\n", ":2: expected a line"},
      {Head + "2 2 -1\n", ":2: expected a line"},
      {Head + "2 2 1 1\n", ":2: expected a line"},
      {Head + "99999999999999999999 2 1\n", ":2: expected a line"},
      {Head + "2 2 2\n1 1 1\n", "the file ends after 1 of 2 entries"},
      {Head + "2 2 1\n1 1 1\n2 2 1\n", ":4: more entries than the 1 announced"},
      {Head + "2 2 1\n3 1 1\n", ":3: entry (3, 1) lies outside the 2 x 2 matrix"},
      {Head + "2 2 1\n1 0 1\n", "entry (1, 0) lies outside"},
      {Head + "2 2 1\n1 1\n", ":3: expected 'row column value'"},
      {Head + "2 2 1\n1 1 x\n", "expected 'row column value'"},
      {Head + "2 2 1\n1 1 1x\n", "expected 'row column value'"},
      {Head + "2 2 1\n1 1 1 1\n", "expected 'row column value'"},
      {Head + "2 2 1\n1.5 1 1\n", "expected 'row column value'"},
      {Head + "2 2 1\n1 1 +-1\n", "expected 'row column value'"},
      {Head + "100000000 100000000 1\n1 1 1\n",
       ":3: the 100000000 x 100000000 matrix has hardly any entries"},
  };
  for (const auto &[Text, Words] : Cases)
    EXPECT_THAT(problem(Text), HasSubstr(Words)) << Text;
  EXPECT_THAT(problem("%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1 1\n"),
              HasSubstr("expected 'row column'"));
}

TEST_F(MatrixMarket, MayBeMissing) {
  try {
    readMatrixMarket("/proc/nosuch.mtx", true);
    FAIL();
  } catch (const MatrixMarketError &Error) {
    EXPECT_THAT(Error.what(), HasSubstr("cannot read '/proc/nosuch.mtx': No such file"));
  }
  EXPECT_NE(problem(std::string("%%MatrixMarket") + '\0' + "x"), "");
  try {
    readMatrixMarket(testing::TempDir(), true);
    FAIL();
  } catch (const MatrixMarketError &Error) {
    EXPECT_THAT(Error.what(), HasSubstr("Is a directory"));
  }
}

} // namespace
