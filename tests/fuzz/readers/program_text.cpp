//===- tests/fuzz/readers/program_text.cpp - programs over dense arrays in profiles ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/program/program_text.h"
#include "structure/propagation/delinearisation.h"
#include "structure/propagation/propagation.h"
#include "tests/fuzz/readers/reader.h"

using namespace specrt;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const std::optional<DenseProgram> Read = readProgram(viewOf(Data, Size));
  if (!Read)
    return 0;
  const std::string Text = programText(*Read);
  const std::optional<DenseProgram> Again = readProgram(Text);
  demand(Again && programText(*Again) == Text, "what was read can be written and read");
  for (unsigned I = 0; I < Read->Statements.size(); ++I)
    Read->statementText(I);
  const std::vector<int64_t> Values(Read->Parameters.size(), 5);
  const DenseProgram Delinearised = delinearise(Read->with(Values));
  // Code asks for the time before each step, and there is no more of it than that.
  uint64_t Asked = 0;
  propagate(Delinearised, std::vector<ArrayStructure>(Delinearised.Arrays.size(), Boxes()), 500,
            [&] { return ++Asked > 500; });
  return 0;
}

/// for (i < 8) for (k <= i) y[i] += A[8 * i + k] * x[k]
std::vector<std::string> seeds() {
  DenseProgram P;
  const auto Affine = [](int64_t Constant, std::vector<int64_t> Loops) {
    return AffineValue{Constant, std::move(Loops), {}};
  };
  P.Parameters = {"n"};
  P.Arrays = {{"y", 1, {Affine(-1, {})}, false},
              {"A", 1, {Affine(-1, {})}, false},
              {"x", 1, {Affine(-1, {})}, true}};
  DenseStatement S;
  S.Name = "S1";
  S.Depth = 2;
  S.Domain = {{Affine(0, {1, 0}), Affine(7, {-1, 0}), Affine(0, {0, 1}), Affine(0, {1, -1})}};
  S.Domain[0][1].Parameters = {1};
  S.Write = {0, {Affine(0, {1})}};
  S.Reads = {{1, {Affine(0, {8, 1})}}, {2, {Affine(0, {0, 1})}}, S.Write};
  const unsigned A = S.Value.read(0), X = S.Value.read(1);
  S.Value.apply(DenseOp::MultiplyAdd, A, X, S.Value.read(2));
  P.Statements = {S};
  P.Items = {{true, 0, {{true, 0, {{false, 0, {}}}}}}};
  return {programText(P)};
}
