//===- tests/tools/propagate_test.cpp - specrt propagate on small programs ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/structure.h"
#include "tests/e2e/harness.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace specrt::e2e;
using nlohmann::json;
using testing::Contains;
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
void copy(long n, double *y, double *x) {
  for (long i = 0; i < n; i++)
    y[i] = x[i];
}
void triangle(long n, double x[n], double L[n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < i; j++)
      x[i] -= L[i][j] * x[j];
}
void wild(int n, int *at, double *x) {
  for (int i = 0; i < n; i++)
    x[at[i]] = 1;
}
)";

std::string bytesOf(const std::string &File) {
  std::ifstream In(File, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

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
  /// The path of a file with the code of \p Source, the same bytes in every folder.
  std::string bitcode(const char *Source = Kernels) const {
    Box.write("kernels.c", Source);
    std::string File = Box.path("kernels.bc").string();
    const Outcome O = Box.run(SPECRT_TEST_CLANG, {"-working-directory", Box.path().string(),
                                                  "-fdebug-compilation-dir=.", "-O0", "-g",
                                                  "-emit-llvm", "-c", "kernels.c", "-o", File});
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
  ASSERT_EQ(Found["arrays"].size(), 3u);
  int Products = 0;
  for (const json &Array : Found["arrays"])
    if (Array["array"] == "C") {
      ++Products;
      EXPECT_EQ(Array["nonzeros"], 3);
      EXPECT_EQ(Array["extents"], json({40, 8}));
    } else {
      EXPECT_FALSE(Array["written"]);
    }
  EXPECT_EQ(Products, 1);
  EXPECT_THAT(Found["equations"].get<std::string>(),
              HasSubstr("nonzero only where (A[i][j] and B[j][k]) or C[i][k] is"));
}

/// What a loop keeps in a register is stored as well: both values are made from what one replaces.
TEST_F(PropagateTest, TakesSumsIntoScalars) {
  const std::string File = bitcode(R"(
void total(long n, double A[n][n], double *sum, double factor) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      *sum = *sum + A[i][j] * factor;
}
)");
  const Outcome Some = propagate({File, "total", "--structure", "A=" + band(), "--zero", "sum"});
  EXPECT_EQ(Some.Status, 0) << Some.Errors;
  EXPECT_THAT(Some.Output, HasSubstr("1, read and written: 1 may be nonzero, 100 %"));
  const Outcome None =
      propagate({File, "total", "--zero", "A", "--zero", "sum", "--value", "n=40"});
  EXPECT_EQ(None.Status, 0) << None.Errors;
  EXPECT_THAT(None.Output, HasSubstr("1, read and written: all zero"));
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
  expectError({File, "nosuch"},
              "it has no function nosuch, but spmm, spmv, flat, copy, triangle, wild");
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

TEST_F(PropagateTest, SizesLeaveSomethingToDo) {
  const std::string File = bitcode();
  for (const char *Size : {"n=0", "n=-3"}) {
    expectError({File, "copy", "--value", Size}, "no loop has an iteration where n == ");
    expectError({File, "spmm", "--value", "m=1", "--value", Size}, "A has no elements: its extent");
  }
  expectError({File, "spmv", "--value", "n=1073741824"}, "n is out of range: 1073741824");
  expectError({File, "spmv", "--value", "n=7", "--value", "n=8"}, "n is named twice");
  EXPECT_EQ(propagate({File, "spmv", "--value", "n=1"}).Status, 0);
}

/// Nothing is worked out in vain.
TEST_F(PropagateTest, OutputsAreLookedAtFirst) {
  const std::string Folder = Box.path().string(), File = bitcode();
  for (const auto &[Name, Problem] :
       {std::pair(Folder + "/nosuch/y.mtx", "No such file"), std::pair(Folder, "Is a directory")})
    expectError({"nosuch.bc", "spmv", "--output", "y=" + Name}, Problem);
  expectError(
      {"nosuch.bc", "spmv", "--output", "y=" + Folder + "/y", "--output", "A=" + Folder + "/y"},
      "is named twice");
  const Outcome O = propagate({File, "spmv", "--structure", "A=" + band(), "--structure",
                               "x=" + vector(), "--zero", "y", "--output", "y=" + Folder + "/y",
                               "--output", "q=" + Folder + "/q"});
  EXPECT_EQ(O.Status, 2);
  EXPECT_THAT(O.Errors, HasSubstr("there is no array q"));
  EXPECT_FALSE(std::filesystem::exists(Box.path("y"))) << "all or none";
}

/// Elements of six dimensions are more than 64 bits can count.
TEST_F(PropagateTest, CountsWhatCanBeCounted) {
  const std::string Source = Box.write("six.c", R"(
void six(long n, double (*A)[n][n][n][n][n]) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
        for (long l = 0; l < n; l++)
          for (long m = 0; m < n; m++)
            for (long o = 0; o < n; o++)
              A[i][j][k][l][m][o] = 1;
})"),
                    File = Box.path("six.bc").string();
  const Outcome Compiled =
      Box.run(SPECRT_TEST_CLANG, {"-O0", "-g", "-emit-llvm", "-c", Source, "-o", File});
  ASSERT_EQ(Compiled.Status, 0) << Compiled.Errors;
  const std::vector<std::string> Small = {File, "six", "--zero", "A", "--value", "n=2"};
  EXPECT_THAT(propagate(Small).Output, HasSubstr("written: 64 may be nonzero, 100 %"));
  const Outcome O = propagate({File, "six", "--zero", "A", "--value", "n=100000000"});
  ASSERT_EQ(O.Status, 0) << O.Errors;
  EXPECT_THAT(O.Output, HasSubstr("too many to be counted may be nonzero"));
}

/// What a run of specrt_propagate on damaged bitcode came to.
enum class Damage : unsigned char { Unseen, Accepted, Refused, BrokenDebugInfo, Fatal };

/// Propagates through \p Good with the lowest bit of one byte changed: of each in turn where
/// STRESS_REPETITIONS is set, else of each 16th, which takes a second.
/// Processes that LLVM ends are followed by others; what they write to standard error goes to \p
/// Errors.
std::vector<Damage> damageEveryByte(const std::string &Good, const std::string &Errors) {
  const size_t Stride = std::getenv("STRESS_REPETITIONS") ? 1 : 16;
  void *Shared =
      mmap(nullptr, Good.size(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(Shared, MAP_FAILED);
  auto *Found = static_cast<Damage *>(Shared);
  const auto Work = [&](size_t From) {
    const int File = open(Errors.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(File, STDERR_FILENO);
    const specrt_parameter N = {"n", 40};
    for (size_t I = From; I < Good.size(); I += Stride) {
      Found[I] = Damage::Fatal; // unless it survives
      std::string Bad = Good;
      Bad[I] = static_cast<char>(Bad[I] ^ 1);
      specrt_structure_request Request{};
      Request.bitcode = Bad.data();
      Request.bitcode_size = Bad.size();
      Request.region = "copy";
      Request.values = &N;
      Request.num_values = 1;
      const specrt_structures *Result = specrt_propagate(&Request);
      const std::string Why = Result->error ? Result->error : "";
      if (Why.starts_with("the compiler failed"))
        _exit(0); // and is not used again
      Found[I] = Why.empty()                                   ? Damage::Accepted
                 : Why == "its debug information is not valid" ? Damage::BrokenDebugInfo
                                                               : Damage::Refused;
      specrt_free_structures(Result);
    }
    _exit(0);
  };
  for (size_t Next = 0; Next < Good.size();) {
    const pid_t Child = fork();
    if (Child == 0)
      Work(Next);
    waitpid(Child, nullptr, 0);
    const size_t Before = Next;
    while (Next < Good.size() && Found[Next] != Damage::Unseen)
      Next += Stride;
    if (Child < 0 || Next == Before) {
      ADD_FAILURE() << "no progress at byte " << Next;
      break;
    }
  }
  std::vector<Damage> All(Found, Found + Good.size());
  munmap(Shared, Good.size());
  return All;
}

/// Whatever is damaged, nothing is written to the program's standard error, and the command reports
/// it in one line.
TEST_F(PropagateTest, SurvivesDamagedBitcode) {
  const std::string File = bitcode("void copy(long n, double *y, double *x) {\n"
                                   "  for (long i = 0; i < n; i++)\n"
                                   "    y[i] = x[i];\n"
                                   "}\n"),
                    Good = bytesOf(File);
  ASSERT_EQ(propagate({File, "copy", "--value", "n=40"}).Status, 0);
  // The compiler is loaded once, here, and not in each process.
  specrt_structure_request Nothing{};
  specrt_free_structures(specrt_propagate(&Nothing));
  const std::string Errors = Box.path("errors").string();
  const std::vector<Damage> Found = damageEveryByte(Good, Errors);
  EXPECT_THAT(bytesOf(Errors), IsEmpty());
  EXPECT_THAT(Found, Contains(Damage::Accepted));
  for (const Damage Kind : {Damage::Refused, Damage::BrokenDebugInfo, Damage::Fatal}) {
    const auto First = std::find(Found.begin(), Found.end(), Kind);
    if (First == Found.end() && Kind == Damage::Fatal)
      continue; // none of the bytes is too much for LLVM
    ASSERT_NE(First, Found.end());
    std::string Bad = Good;
    Bad[static_cast<size_t>(First - Found.begin())] ^= 1;
    const Outcome O = propagate({Box.write("bad.bc", Bad), "copy", "--value", "n=40"});
    EXPECT_EQ(O.Status, 2) << O.Output;
    EXPECT_THAT(O.Errors, testing::StartsWith("specrt: error: "));
    EXPECT_THAT(O.Errors, HasSubstr("bad.bc: "));
    EXPECT_EQ(std::count(O.Errors.begin(), O.Errors.end(), '\n'), 1) << O.Errors;
  }
  expectError({Box.write("half.bc", Good.substr(0, Good.size() / 2)), "copy"}, "half.bc: ");
}

/// All of it counts: what takes long here is done after the compiler's work.
TEST_F(PropagateTest, EndsWithItsBudget) {
  const std::string Bytes = bytesOf(bitcode());
  std::vector<specrt_box> Scattered;
  constexpr int N = 100000;
  for (int I = 1; I < N; ++I)
    for (const int J : {(I * 7) / 11, (I * 3) / 5, I / 2})
      if (J < I)
        Scattered.push_back({{I, J}, {I, J}});
  specrt_array_structure L{};
  L.array = "L";
  L.num_dimensions = 2;
  L.boxes = Scattered.data();
  L.num_boxes = Scattered.size();
  L.extent[0] = L.extent[1] = N;
  specrt_structure_request Request{};
  Request.bitcode = Bytes.data();
  Request.bitcode_size = Bytes.size();
  Request.region = "triangle";
  specrt_array_structure Inputs[] = {L, {}};
  Inputs[1].array = "x";
  Inputs[1].num_dimensions = 1;
  const specrt_box First[] = {{{0}, {0}}};
  Inputs[1].boxes = First;
  Inputs[1].num_boxes = 1;
  Request.inputs = Inputs;
  Request.num_inputs = 2;
  Request.budget_ms = 1500;
  const specrt_structures *Found = specrt_propagate(&Request);
  ASSERT_NE(Found->error, nullptr);
  EXPECT_THAT(Found->error, HasSubstr("it takes too long"));
  EXPECT_EQ(Found->num_arrays, 0u);
  specrt_free_structures(Found);
}

/// The same in a program, by several threads.
TEST_F(PropagateTest, IsAFunctionOfTheLibrary) {
  const std::string Bytes = bytesOf(bitcode());
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
    const auto *End = Found->arrays + Found->num_arrays;
    const auto *Y = std::find_if(Found->arrays, End,
                                 [](const auto &Each) { return Each.array == std::string("y"); });
    ASSERT_NE(Y, End);
    EXPECT_FALSE(Y->is_everywhere);
    EXPECT_EQ(Y->extent[0], 40);
    ASSERT_EQ(Y->num_boxes, 2u);
    EXPECT_EQ(Y->boxes[0].first[0], 3);
    EXPECT_EQ(Y->boxes[1].last[0], 5);
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
