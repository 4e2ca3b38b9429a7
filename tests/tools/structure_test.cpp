//===- tests/tools/structure_test.cpp - specrt structure on small matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/e2e/harness.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using namespace specrt::e2e;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace {

class StructureTest : public testing::Test {
protected:
  Outcome structure(std::vector<std::string> Arguments) const {
    Arguments.insert(Arguments.begin(), "structure");
    return Box.run(SPECRT_TOOL, Arguments);
  }
  /// The lower half of a tridiagonal matrix; some of it is there twice.
  std::string tridiagonal() const {
    std::string Text = "%%MatrixMarket matrix coordinate real symmetric\n1000 1000 2000\n1 1 5\n";
    for (int Row = 1; Row <= 1000; ++Row) {
      Text += std::to_string(Row) + " " + std::to_string(Row) + " 2.0\n";
      if (Row > 1)
        Text += std::to_string(Row) + " " + std::to_string(Row - 1) + " -1.0\n";
    }
    return Box.write("three.mtx", Text);
  }
  Sandbox Box;
};

TEST_F(StructureTest, TellsWhatAMatrixIsLike) {
  const Outcome O = structure({tridiagonal()});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Errors, IsEmpty());
  EXPECT_THAT(O.Output, StartsWith("three.mtx: 1,000 rows, 1,000 columns, 2,998 entries\n"));
  for (const char *Words :
       {"the file has the lower triangle only", "1 entry is there more than once",
        "2 to 3, 3.00 on average, median 3", "1 below the diagonal, 1 above",
        "3 with 100 % of the entries: -1 (100 %), 0 (100 %), 1 (100 %)",
        "3 diagonals in 99 % of 1,000 rows, the rest gathered",
        "1 class in 1 segment, 2 segments of other rows",
        "1,000 levels, 1 row wide at most, merged to 1", "as compressed rows"})
    EXPECT_THAT(O.Output, HasSubstr(Words));
}

TEST_F(StructureTest, PrintsNumbersAsJson) {
  const Outcome O = structure({"--json", tridiagonal()});
  ASSERT_EQ(O.Status, 0) << O.Errors;
  const json Numbers = json::parse(O.Output);
  EXPECT_EQ(Numbers["rows"], 1000);
  EXPECT_EQ(Numbers["entries"], 2998);
  EXPECT_EQ(Numbers["diagonals"].size(), 3u);
  EXPECT_EQ(Numbers["classes"][0]["rows"], 998);
  EXPECT_EQ(Numbers["lower_triangle"]["levels"], 1000);
  EXPECT_LT(Numbers["bytes"]["pieces"], Numbers["bytes"]["compressed_rows"]);
}

TEST_F(StructureTest, DrawsAPicture) {
  const std::string Matrix = tridiagonal();
  Outcome O = structure({Matrix, "--svg", Box.path("a.svg").string()});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("3 diagonals"));
  EXPECT_THAT(Box.read("a.svg"), HasSubstr("<title>three.mtx: 1,000 rows"));
  O = structure({Matrix, "--svg", "-"});
  EXPECT_EQ(O.Output, Box.read("a.svg"));
  const std::string Nowhere = Box.path("nosuch/a.svg").string();
  O = structure({Matrix, "--svg", Nowhere});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr(Nowhere + " cannot be written"));
}

TEST_F(StructureTest, SaysWhatIsWrongWithAFile) {
  const std::string Bad =
      Box.write("bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n3 1 1\n");
  Outcome O = structure({Bad});
  EXPECT_EQ(O.Status, 2);
  EXPECT_EQ(O.Errors, "specrt: error: " + Bad + ":3: entry (3, 1) lies outside the 2 x 2 matrix\n");
  O = structure({Box.path("nosuch.mtx").string()});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr("No such file"));
  EXPECT_EQ(structure({}).Status, 2);
}

TEST_F(StructureTest, TakesMatricesWithoutEntries) {
  const Outcome O = structure(
      {Box.write("none.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 0\n")});
  EXPECT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("3 rows, 4 columns, 0 entries"));
  EXPECT_THAT(O.Output, HasSubstr("3 empty"));
}

} // namespace
