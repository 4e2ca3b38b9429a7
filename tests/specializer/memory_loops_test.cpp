//===- tests/specializer/memory_loops_test.cpp - calls that fill and copy, as loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/memory_loops.h"
#include "tests/specializer/analysed_module.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <array>

using namespace llvm;
using namespace specrt;

namespace {

/// A loop of %n iterations, counted by %i, over bytes at %a and %b. \p Body ends in a block "next"
/// or before it.
std::string loopWith(const std::string &Body) {
  return R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-S128"
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare void @llvm.memset.inline.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
define void @f(ptr %a, ptr %b, i64 %n, i64 %m, i8 %byte) {
entry:
  %begin = icmp sgt i64 %n, 0
  br i1 %begin, label %head, label %end
head:
  %i = phi i64 [0, %entry], [%i.next, %next]
  %row = mul i64 %i, 64
  %to = getelementptr i8, ptr %a, i64 %row
  %from = getelementptr i8, ptr %b, i64 %row
  br label %body
body:
)" + Body +
         R"(
  br label %next
next:
  %i.next = add nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %head, label %end
end:
  ret void
}
)";
}

/// Accesses that tell what elements %a and %b have.
std::string elements(const std::string &OfA, const std::string &OfB) {
  return "  %seen.a = load " + OfA + ", ptr %to\n  store " + OfA + " %seen.a, ptr %to\n" +
         "  %seen.b = load " + OfB + ", ptr %from\n  store " + OfB + " %seen.b, ptr %from\n";
}

constexpr size_t RowBytes = 64, MostRows = 8;

/// What a function may access.
struct Memory {
  alignas(RowBytes) std::array<unsigned char, RowBytes *(MostRows + 2)> A, B;
  bool operator==(const Memory &) const = default;
};

Memory filled() {
  Memory M;
  for (size_t I = 0; I < M.A.size(); ++I) {
    M.A[I] = static_cast<unsigned char>(7 * I + I / 13);
    M.B[I] = static_cast<unsigned char>(11 * I + I / 7 + 3);
  }
  return M;
}

/// What the code of \p Text leaves behind.
Memory executed(const std::string &Text, int64_t N, int64_t M, uint8_t Byte) {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Context = std::make_unique<LLVMContext>();
  SMDiagnostic Error;
  std::unique_ptr<Module> Code = parseAssemblyString(Text, Error, *Context);
  if (!Code)
    ADD_FAILURE() << Error.getMessage().str() << Text;
  auto Jit = cantFail(orc::LLJITBuilder().create());
  Code->setDataLayout(Jit->getDataLayout());
  cantFail(Jit->addIRModule(orc::ThreadSafeModule(std::move(Code), std::move(Context))));
  auto *F = cantFail(Jit->lookup("f"))
                .toPtr<void (*)(unsigned char *, unsigned char *, int64_t, int64_t, uint8_t)>();
  Memory Result = filled();
  F(Result.A.data() + RowBytes, Result.B.data() + RowBytes, N, M, Byte);
  return Result;
}

/// What became of a loop.
struct Expanded {
  unsigned NumReplaced = 0;
  unsigned NumCalls = 0; ///< of memory intrinsics, afterwards
  unsigned NumLoops = 0;
  std::vector<std::string> Stored; ///< types that the new stores have
  std::string Text;
};

std::string print(const Type &T) {
  std::string Text;
  raw_string_ostream(Text) << T;
  return Text;
}

/// Expands the calls in \p Body and compares what is left in memory, for several numbers of
/// iterations and values of %m.
Expanded expanded(const std::string &Body, bool AreApart = false) {
  const std::string Before = loopWith(Body);
  AnalysedModule Code(Before);
  Function *F = Code.function("f");
  if (!F)
    return {};
  SmallPtrSet<const Instruction *, 8> Old;
  for (Instruction &I : instructions(*F))
    Old.insert(&I);
  Expanded Result;
  Result.NumReplaced =
      expandMemoryCalls(*F, Code.FAM, [&](const MemMoveInst &) { return AreApart; });
  EXPECT_FALSE(verifyFunction(*F, &errs()));
  for (Instruction &I : instructions(*F)) {
    Result.NumCalls += isa<MemIntrinsic>(I);
    if (isa<StoreInst>(I) && !Old.contains(&I))
      Result.Stored.push_back(print(*getLoadStoreType(&I)));
  }
  Result.NumLoops = unsigned(Code.of<LoopAnalysis>(*F).getLoopsInPreorder().size());
  raw_string_ostream(Result.Text) << *Code.M;
  for (const int64_t N : {0, 1, 3, 8})
    for (const int64_t M : {0, 1, 5})
      EXPECT_EQ(executed(Before, N, M, 0xA7), executed(Result.Text, N, M, 0xA7))
          << N << " " << M << Result.Text;
  return Result;
}

using Types = std::vector<std::string>;

TEST(MemoryLoops, ElementsAreThoseOfTheOtherAccesses) {
  const std::string Copy = "  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 48, "
                           "i1 false)\n";
  EXPECT_EQ(expanded(elements("double", "double") + Copy).Stored, Types{"double"});
  EXPECT_EQ(expanded(elements("float", "float") + Copy).Stored, Types{"float"});
  EXPECT_EQ(expanded(elements("i16", "i16") + Copy).Stored, Types{"i16"});
  EXPECT_EQ(expanded(elements("ptr", "ptr") + Copy).Stored, Types{"ptr"});
  EXPECT_EQ(expanded(elements("double", "float") + Copy).Stored, Types{"float"}) << "fits both";
  EXPECT_EQ(expanded(elements("half", "half") + Copy).Stored, Types{"i16"}) << "moves all bits";
  EXPECT_EQ(expanded(elements("x86_fp80", "i1") + Copy).Stored, Types{"i64"})
      << "neither moves all bits of its memory";
  EXPECT_EQ(expanded(Copy).Stored, Types{"i64"}) << "the widest";
}

TEST(MemoryLoops, AnArrayBehindALoadedPointerIsOneArray) {
  const Expanded E = expanded(R"(
  %cell = getelementptr i8, ptr %b, i64 -64
  store ptr %to, ptr %cell
  %first = load ptr, ptr %cell
  %seen = load float, ptr %first
  %second = load ptr, ptr %cell
  call void @llvm.memset.p0.i64(ptr %second, i8 0, i64 48, i1 false)
  store i64 0, ptr %cell
)");
  EXPECT_EQ(E.Stored, Types{"float"});
}

TEST(MemoryLoops, FillsKeepTheirBits) {
  auto Fill = [](const char *Byte) {
    return elements("double", "double") + "  call void @llvm.memset.p0.i64(ptr %to, i8 " + Byte +
           ", i64 48, i1 false)\n";
  };
  EXPECT_EQ(expanded(Fill("0")).Stored, Types{"double"});
  EXPECT_EQ(expanded(Fill("90")).Stored, Types{"i64"});
  EXPECT_EQ(expanded(Fill("-1")).Stored, Types{"i64"}) << "a NaN is no constant of a program";
  EXPECT_EQ(expanded(Fill("%byte")).Stored, Types{"i64"});
}

TEST(MemoryLoops, LengthsAreMultiplesOfElements) {
  auto Fill = [](const std::string &Element, const std::string &Length) {
    return elements(Element, Element) + "  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 " +
           Length + ", i1 false)\n";
  };
  EXPECT_EQ(expanded(Fill("double", "44")).NumCalls, 1u);
  EXPECT_EQ(expanded(Fill("float", "44")).NumCalls, 0u);
  EXPECT_EQ(expanded(Fill("float", "43")).NumCalls, 1u);
  EXPECT_EQ(expanded(Fill("i8", "43")).NumCalls, 0u);
  EXPECT_EQ(expanded(Fill("i8", "%m")).NumCalls, 0u);
  EXPECT_EQ(expanded(Fill("i32", "%m")).NumCalls, 1u) << "nothing is known of m";
  EXPECT_EQ(expanded("  %bytes = shl nuw i64 %m, 2\n" + Fill("i32", "%bytes")).NumCalls, 0u);
  EXPECT_EQ(expanded("  call void @llvm.memset.p0.i64(ptr %to, i8 0, i64 6, i1 false)\n").NumCalls,
            1u)
      << "few bytes are better filled at once, if nothing else accesses them";
  EXPECT_EQ(expanded("  %short = trunc i64 %m to i32\n  %bytes = shl nuw i32 %short, 3\n"
                     "  call void @llvm.memset.p0.i32(ptr %to, i8 0, i32 %bytes, i1 false)\n")
                .NumCalls,
            0u);
}

TEST(MemoryLoops, RowsHaveALoop) {
  // Elements of eight bytes in rows of 64, and a block of six rows.
  const std::string Rows = R"(
  br label %inner
inner:
  %j = phi i64 [0, %body], [%j.next, %inner]
  %p = getelementptr double, ptr %to, i64 %j
  %v = load double, ptr %p
  store double %v, ptr %p
  %j.next = add i64 %j, 1
  %more = icmp ult i64 %j.next, 6
  br i1 %more, label %inner, label %outer
outer:
  %first = icmp eq i64 %i, 0
  br i1 %first, label %fill, label %next
fill:
)";
  auto Fill = [&](const std::string &Length) {
    return Rows + "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 " + Length + ", i1 false)\n";
  };
  EXPECT_EQ(expanded(Fill("384")).NumLoops, 4u);
  EXPECT_EQ(expanded(Fill("64")).NumLoops, 3u) << "one row";
  EXPECT_EQ(expanded(Fill("392")).NumLoops, 3u) << "no whole number of rows";
  EXPECT_EQ(expanded("  %bytes = shl nuw nsw i64 %m, 6\n" + Fill("%bytes")).NumLoops, 4u);
}

std::string move(const std::string &To, const std::string &From, const char *Length = "48") {
  return "  %dest = getelementptr inbounds i8, ptr " + To +
         "\n  %source = getelementptr inbounds " + "i8, ptr " + From +
         "\n  call void @llvm.memmove.p0.p0.i64(ptr %dest, ptr %source, i64 " + Length +
         ", i1 false)\n";
}

TEST(MemoryLoops, MovesGoInTheDirectionThatKeepsTheSource) {
  const std::string Elements = elements("double", "double");
  EXPECT_EQ(expanded(Elements + move("%to, i64 0", "%to, i64 8")).NumCalls, 0u);
  EXPECT_EQ(expanded(Elements + move("%to, i64 8", "%to, i64 0")).NumCalls, 0u);
  EXPECT_EQ(expanded(Elements + move("%to, i64 0", "%to, i64 0")).NumCalls, 0u);
  // Blocks that are shifted by less than an element.
  EXPECT_EQ(expanded(Elements + move("%to, i64 3", "%to, i64 0")).NumCalls, 0u);
  EXPECT_EQ(expanded(Elements + move("%to, i64 0", "%to, i64 3")).NumCalls, 0u);
  const std::string Bytes = "  %bytes = shl nuw nsw i64 %m, 3\n";
  EXPECT_EQ(expanded(Bytes + Elements + move("%to, i64 8", "%to, i64 0", "%bytes")).NumCalls, 0u);
  EXPECT_EQ(expanded(Elements + move("%to, i64 %m", "%to, i64 0")).NumCalls, 1u)
      << "m may be negative";
}

TEST(MemoryLoops, MovesBetweenArraysNeedAPromise) {
  const std::string Body = elements("double", "double") + move("%to, i64 0", "%from, i64 8");
  EXPECT_EQ(expanded(Body).NumCalls, 1u);
  EXPECT_EQ(expanded(Body, /*AreApart=*/true).NumCalls, 0u);
}

TEST(MemoryLoops, WhatIsVolatileOrInlineStays) {
  for (const char *Call : {"memset.p0.i64(ptr %to, i8 0, i64 48, i1 true)",
                           "memcpy.p0.p0.i64(ptr %to, ptr %from, i64 48, i1 true)",
                           "memmove.p0.p0.i64(ptr %to, ptr %to, i64 48, i1 true)",
                           "memset.inline.p0.i64(ptr %to, i8 0, i64 48, i1 false)"})
    EXPECT_EQ(expanded(std::string("  call void @llvm.") + Call).NumCalls, 1u) << Call;
}

TEST(MemoryLoops, WhatStandsInNoLoopStays) {
  AnalysedModule Code("declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
                      "define void @f(ptr %a) {\n"
                      "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 64, i1 false)\n"
                      "  ret void\n}\n");
  EXPECT_EQ(expandMemoryCalls(*Code.function("f"), Code.FAM), 0u);
}

/// What the call says about its memory is said of each element, but not what types lie where.
TEST(MemoryLoops, PromisesAreKept) {
  const std::string Text = expanded(R"(
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %to, ptr align 4 %from, i64 48, i1 false),
    !tbaa.struct !{i64 0, i64 8, !{!{!"double"}, !{!"double"}, i64 0}}, !llvm.access.group !{}
)")
                               .Text;
  EXPECT_NE(Text.find("load i64, ptr %"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("tbaa.struct"), std::string::npos) << Text;
  EXPECT_NE(Text.find("align 4, !llvm.access.group"), std::string::npos) << Text;
  EXPECT_NE(Text.find("align 8, !llvm.access.group"), std::string::npos) << Text;
}

} // namespace
