//===- tests/polyhedral/contraction/contraction_run.cpp - contractions beside their originals ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/contraction/contraction_run.h"
#include <cerrno>
#include <utility>

namespace specrt {

const Machine Avx2 = {"avx2", "x86-64-v3", true};
const Machine Sse2 = {"sse2", "x86-64", false};

PolyhedralResult specialize(NestCompiler &Compiler, const Sizes &S, const Setting &With) {
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(With.Schedule);
  Options.Parallel = With.Parallel;
  Options.Dump = With.Dump;
  Options.Target = describeHost(Compiler.costs(), With.Parallel ? 3 : 1);
  if (With.SmallCaches) {
    Options.Target.L1Bytes = 1024;
    Options.Target.L2Bytes = 8192;
  }
  if (With.L2Bytes)
    Options.Target.L2Bytes = With.L2Bytes;
  return Compiler.specialize(S, Options);
}

void expectSame(Nest *Original, Nest *Candidate, const ContractionCase &Of, const Sizes &S, Side At,
                Values Fill) {
  Operands Expected = Of.operands(S, At), Actual = Of.operands(S, At);
  Expected.fill(Fill, S[0]);
  Actual.copyFrom(Expected);
  errno = 77;
  Expected.run(Original, S);
  int ExpectedErrno = std::exchange(errno, 77);
  Actual.A.makeReadOnly();
  if (!Of.WritesB)
    Actual.B.makeReadOnly();
  Actual.run(Candidate, S);
  EXPECT_EQ(errno, ExpectedErrno);
  EXPECT_EQ(Actual.differences(Expected), 0u)
      << Of.Nest << " " << S[0] << "x" << S[1] << "x" << S[2] << ", at the "
      << (At == Side::Begin ? "begin" : "end") << ", values " << int(Fill);
}

std::string expectSame(const ContractionCase &Of, const Sizes &S, const Setting &With) {
  SCOPED_TRACE(With.For.Name + (With.SmallCaches ? ", small caches" : "") +
               (With.Parallel ? ", parallel" : ""));
  Nest *Original = originalNest(SPECRT_CONTRACTIONS_IR, Of.Nest, With.For.HasFma);
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Of.Nest, With.For);
  PolyhedralResult Result = specialize(Compiler, S, With);
  Nest *Candidate = Compiler.compile();
  for (Side At : {Side::End, Side::Begin})
    expectSame(Original, Candidate, Of, S, At, Of.Fill);
  if (Of.Type == Element::Float64 || Of.Type == Element::Float32)
    expectSame(Original, Candidate, Of, S, Side::End, Values::Special);
  return Result.Notes;
}

} // namespace specrt
