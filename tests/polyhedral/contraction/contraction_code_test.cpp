//===- tests/polyhedral/contraction/contraction_code_test.cpp - code of kernels ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What results cannot tell: contraction_test.cpp runs the code, these tests read it.
//
//===----------------------------------------------------------------------===//
#include "tests/polyhedral/nest_compiler.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <deque>
#include <gmock/gmock.h>

using namespace llvm;
using namespace specrt;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

namespace {

/// The module of \p Nest after the transformation.
Module &transformed(NestCompiler &Compiler, const Sizes &S, unsigned L2Bytes = 1 << 20,
                    unsigned Threads = 1) {
  PolyhedralOptions Options;
  Options.Schedule = findStrategy(StrategyId::Contraction);
  Options.Parallel = Threads > 1;
  Options.Target = describeHost(Compiler.costs(), Threads);
  Options.Target.L2Bytes = L2Bytes;
  Function &F = Compiler.withSizes(S);
  Module &M = *F.getParent();
  optimizeScops(F, Compiler.functions(), Options);
  return M;
}

/// Small nests are not packed, and no nest is with a second cache of this size.
constexpr unsigned SmallL2 = 8 * 1024;

std::vector<Function *> kernelsOf(Module &M) {
  std::vector<Function *> Kernels;
  for (Function &F : M)
    if (F.getName().contains(".contraction"))
      Kernels.push_back(&F);
  return Kernels;
}

std::string textOf(Module &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (Function *F : kernelsOf(M))
    F->print(OS);
  return Text;
}

/// Addresses of values differ from run to run; the code, and with it what a cache keeps, does not.
TEST(ContractionCode, DoesNotDependOnAddresses) {
  for (const char *Nest : {"two_products", "alpha_of_both", "horner", "copied_result"})
    for (unsigned L2Bytes : {1U << 20, SmallL2}) {
      std::vector<std::string> Texts;
      std::deque<NestCompiler> Alive;
      for (int Run = 0; Run < 4; ++Run) {
        NestCompiler &Compiler = Alive.emplace_back(SPECRT_CONTRACTIONS_IR, Nest);
        Texts.push_back(textOf(transformed(Compiler, {40, 37, 35}, L2Bytes)));
      }
      EXPECT_THAT(Texts, Each(Not(IsEmpty()))) << Nest;
      EXPECT_THAT(Texts, Each(Texts.front())) << Nest;
    }
}

/// Debuggers and profilers walk through kernels and bodies of parallel loops.
TEST(ContractionCode, IsCompiledAsTheNestIs) {
  for (unsigned Threads : {1, 3}) {
    NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "order_ijk");
    Module &M = transformed(Compiler, {131, 97, 61}, SmallL2, Threads);
    const Function &Nest = *M.getFunction("order_ijk");
    size_t NumDefined = 0;
    for (const Function &F : M) {
      if (F.isDeclaration())
        continue;
      ++NumDefined;
      EXPECT_EQ(F.getUWTableKind(), UWTableKind::Async) << F.getName().str();
      for (const Attribute &A : Nest.getAttributes().getFnAttrs())
        if (A.isStringAttribute())
          EXPECT_EQ(F.getFnAttribute(A.getKindAsString()), A) << F.getName().str();
    }
    EXPECT_THAT(kernelsOf(M), Not(IsEmpty()));
    EXPECT_EQ(NumDefined, kernelsOf(M).size() + (Threads > 1 ? 2 : 1));
  }
}

/// A frame of known size; nothing is taken from the stack while the kernel runs.
TEST(ContractionCode, UsesOnlyItsFrame) {
  for (const char *Nest : {"alpha_left", "transposed_b", "two_products"})
    for (unsigned L2Bytes : {1U << 20, SmallL2}) {
      NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, Nest);
      size_t NumBuffers = 0;
      for (Function *F : kernelsOf(transformed(Compiler, {40, 37, 35}, L2Bytes)))
        for (const Instruction &I : instructions(*F))
          if (auto *Buffer = dyn_cast<AllocaInst>(&I)) {
            ++NumBuffers;
            EXPECT_TRUE(Buffer->isStaticAlloca()) << Nest;
          }
      EXPECT_GT(NumBuffers, 0u) << Nest;
    }
}

/// One column operand is transposed, the other is computed from values that lie side by side.
TEST(ContractionCode, PacksEachOperandAsItsOwnLoadsAllow) {
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "two_layouts");
  size_t NumScaled = 0;
  for (Function *F : kernelsOf(transformed(Compiler, {131, 97, 61}, SmallL2)))
    for (const Instruction &I : instructions(*F))
      NumScaled += I.getOpcode() == Instruction::FMul && I.getType()->isVectorTy() &&
                   any_of(I.operands(), [](const Use &U) { return isa<Constant>(U); });
  EXPECT_GT(NumScaled, 0u);
}

/// With more rows of results every packed value is used by several register blocks.
TEST(ContractionCode, PacksColumnsForManyRowsOnly) {
  for (long Rows : {1, 8, 9, 131}) {
    NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "order_ijk");
    std::string Text = textOf(transformed(Compiler, {Rows, 97, 61}, SmallL2));
    EXPECT_THAT(Text, HasSubstr("pack.rows")) << Rows;
    if (Rows > 8)
      EXPECT_THAT(Text, HasSubstr("pack.columns")) << Rows;
    else
      EXPECT_THAT(Text, Not(HasSubstr("pack.columns"))) << Rows;
  }
}

/// Where a step computes more than it loads.
TEST(ContractionCode, FetchesPackedOperandsAhead) {
  NestCompiler Compiler(SPECRT_CONTRACTIONS_IR, "order_ijk");
  std::string Text = textOf(transformed(Compiler, {131, 97, 61}, SmallL2));
  EXPECT_THAT(Text, HasSubstr("llvm.prefetch"));
  EXPECT_THAT(Text, HasSubstr(", i32 0, i32 3, i32 1)")) << "to read";
  EXPECT_THAT(Text, HasSubstr(", i32 1, i32 3, i32 1)")) << "to write";
}

} // namespace
