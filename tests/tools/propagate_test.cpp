//===- tests/tools/propagate_test.cpp - specrt propagate on small programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/structure.h"
#include "tests/e2e/harness.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <thread>

using namespace specrt::e2e;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr const char *Kernels = R"(
void spmm(long n, long m, double C[n][m], double A[n][n], double B[n][m]) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < n; k++)
      for (long j = 0; j < m; j++)
        C[i][j] += A[i][k] * B[k][j];
}
void spmv(long n, double y[n], double A[n][n], double x[n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      y[i] += A[i][j] * x[j];
}
void flat(double *y, double *A, double *x) {
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++)
      y[i] += A[i * 40 + j] * x[j];
}
void wild(int n, int *at, double *x) {
  for (int i = 0; i < n; i++)
    x[at[i]] = 1;
}
)";

class PropagateTest : public testing::Test {
protected:
  /// 40 x 40, three diagonals: 118 entries.
  std::string band() const {
    std::string Entries;
    for (int I = 1; I <= 40; ++I)
      for (int J = std::max(1, I - 1); J <= std::min(40, I + 1); ++J)
        Entries += std::to_string(I) + " " + std::to_string(J) + "\n";
    return Box.write("band.mtx",
                     "%%MatrixMarket matrix coordinate pattern general\n40 40 118\n" + Entries);
  }
  std::string vector() const {
    return Box.write("x.mtx",
                     "%%MatrixMarket matrix coordinate pattern general\n40 1 2\n5 1\n21 1\n");
  }
  std::string bitcode() const {
    const std::string Source = Box.write("kernels.c", Kernels),
                      File = Box.path("kernels.bc").string();
    const Outcome O =
        Box.run(SPECRT_TEST_CLANG, {"-O0", "-g", "-emit-llvm", "-c", Source, "-o", File});
    EXPECT_EQ(O.Status, 0) << O.Errors;
    return File;
  }
  Outcome propagate(std::vector<std::string> Arguments) const {
    Arguments.insert(Arguments.begin(), "propagate");
    return Box.run(SPECRT_TOOL, Arguments);
  }
  void expectError(const std::vector<std::string> &Arguments, const char *Words) const {
    const Outcome O = propagate(Arguments);
    EXPECT_EQ(O.Status, 2) << O.Output;
    EXPECT_THAT(O.Errors, HasSubstr(Words));
    EXPECT_THAT(O.Output, IsEmpty());
  }
  Sandbox Box;
};

TEST_F(PropagateTest, TellsWhereAProductIsNonzero) {
  const Outcome O =
      propagate({bitcode(), "spmv", "--structure", "A=" + band(), "--structure", "x=" + vector(),
                 "--zero", "y", "--output", "y=" + Box.path("y.mtx").string()});
  ASSERT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Errors, IsEmpty());
  EXPECT_THAT(O.Output, HasSubstr("40, read and written: 6 may be nonzero, 15 %"));
  EXPECT_THAT(O.Output, HasSubstr("40 x 40, read: 118 may be nonzero, 7.38 %"));
  EXPECT_EQ(Box.read("y.mtx"), "%%MatrixMarket matrix coordinate pattern general\n40 1 6\n"
                               "4 1\n5 1\n6 1\n20 1\n21 1\n22 1\n");
}

TEST_F(PropagateTest, FindsSizesInFiles) {
  const std::string File = bitcode(), A = "A=" + band();
  const Outcome O = propagate({File, "spmm", "--structure", A, "--value", "m=8", "--zero", "C",
                               "--json", "--structure",
                               "B=" + Box.write("b.mtx", "%%MatrixMarket matrix coordinate pattern "
                                                         "general\n40 8 1\n10 3\n")});
  ASSERT_EQ(O.Status, 0) << O.Errors;
  const json Found = json::parse(O.Output);
  EXPECT_EQ(Found["sizes"], json({{"n", 40}, {"m", 8}}));
  for (const json &Array : Found["arrays"])
    if (Array["array"] == "C") {
      EXPECT_EQ(Array["nonzeros"], 3);
      EXPECT_EQ(Array["extents"], json({40, 8}));
    } else {
      EXPECT_FALSE(Array["written"]);
    }
  EXPECT_THAT(Found["equations"].get<std::string>(),
              HasSubstr("nonzero only where (A[i][j] and B[j][k]) or C[i][k] is"));
}

TEST_F(PropagateTest, TakesRowsBehindEachOther) {
  const Outcome O = propagate({bitcode(), "flat", "--structure", "A=" + band(), "--structure",
                               "x=" + vector(), "--zero", "y", "--equations"});
  ASSERT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("40, read and written: 6 may be nonzero, 15 %"));
  EXPECT_THAT(O.Output, HasSubstr("S1: y[i] = "));
}

TEST_F(PropagateTest, SaysWhatIsWrong) {
  const std::string File = bitcode(), A = "A=" + band();
  expectError({File, "nosuch"}, "it has no function nosuch, but spmm, spmv, flat, wild");
  expectError({File, "wild"}, "wild has no loop nest that is affine");
  expectError({File, "spmm", "--structure", A}, "it is not known what m is");
  expectError({File, "spmm", "--structure", A, "--value", "n=7", "--value", "m=7"},
              "n is 7, but A says 40");
  expectError({File, "spmm", "--value", "q=7"}, "no size is called q");
  expectError({File, "spmv", "--structure", "Q=" + band()}, "there is no array Q, but");
  expectError({File, "spmv", "--structure", A, "--zero", "A"}, "A is named twice");
  expectError({File, "flat", "--structure", "n=" + band()}, "there is no array n, but");
  expectError({File, "spmv", "--structure", "A"}, "--structure wants ARRAY=FILE");
  expectError({File, "spmv", "--structure", "A=nosuch.mtx"}, "cannot read 'nosuch.mtx'");
  expectError({File, "spmv", "--value", "n=many"}, "'many' is no number");
  expectError({File, "spmv", "--nest", "3"}, "spmv has only 1 that are affine");
  expectError({"nosuch.bc", "spmv"}, "No such file");
  expectError({band(), "spmv"}, "it holds no bitcode");
}

/// The same in a program, by several threads.
TEST_F(PropagateTest, IsAFunctionOfTheLibrary) {
  std::ifstream In(bitcode(), std::ios::binary);
  const std::string Bytes((std::istreambuf_iterator<char>(In)), {});
  const auto Ask = [&] {
    const specrt_box Boxes[] = {{{3, 3}, {3, 9}}, {{5, 0}, {5, 0}}};
    specrt_array_structure Inputs[2] = {};
    Inputs[1].array = "y"; // all zero
    specrt_array_structure &A = Inputs[0];
    A.array = "A";
    A.num_dimensions = 2;
    A.boxes = Boxes;
    A.num_boxes = 2;
    A.extent[0] = A.extent[1] = 40;
    specrt_structure_request Request{};
    Request.bitcode = Bytes.data();
    Request.bitcode_size = Bytes.size();
    Request.region = "spmv";
    Request.inputs = Inputs;
    Request.num_inputs = 2;
    const specrt_structures *Found = specrt_propagate(&Request);
    ASSERT_EQ(Found->error, nullptr) << Found->error;
    for (uint32_t I = 0; I < Found->num_arrays; ++I)
      if (Found->arrays[I].array == std::string("y")) {
        const specrt_array_structure &Y = Found->arrays[I];
        EXPECT_FALSE(Y.is_everywhere);
        EXPECT_EQ(Y.extent[0], 40);
        ASSERT_EQ(Y.num_boxes, 2u);
        EXPECT_EQ(Y.boxes[0].first[0], 3);
        EXPECT_EQ(Y.boxes[1].last[0], 5);
      }
    specrt_free_structures(Found);
  };
  std::thread Other(Ask);
  Ask();
  Other.join();
  specrt_structure_request Nothing{};
  const specrt_structures *Found = specrt_propagate(&Nothing);
  EXPECT_THAT(Found->error, HasSubstr("no bitcode"));
  specrt_free_structures(Found);
  specrt_free_structures(nullptr);
}

} // namespace
