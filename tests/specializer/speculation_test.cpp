//===- tests/specializer/speculation_test.cpp - facts, memory, guards -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/access_numbers.h"
#include "specializer/module/host_target.h"
#include "specializer/module/optimize.h"
#include "specializer/module/region_module.h"
#include "specializer/speculation/facts.h"
#include "specializer/speculation/memory/memory_values.h"
#include "specializer/speculation/speculation.h"
#include "tests/guards/test_guards.h"
#include "tests/specializer/test_region.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "gtest/gtest.h"

using namespace specrt;

namespace {

llvm::TargetMachine &target() {
  static llvm::TargetMachine &TM = *llvm::cantFail(createHostTarget()).release();
  return TM;
}

class Loaded {
public:
  explicit Loaded(TestRegion &R)
      : Context(createQuietContext()),
        M(llvm::cantFail(loadRegion(R.region(), target(), *Context))),
        F(regionFunction(*M, R.region())) {}
  std::unique_ptr<llvm::LLVMContext> Context;
  std::unique_ptr<llvm::Module> M;
  llvm::Function &F;
};

TEST(RegionModule, DamagedBitcodeIsRefusedByItsHash) {
  auto R = TestRegion::fromKernel("axpy");
  std::vector<char> Copy(static_cast<const char *>(R->region().bitcode),
                         static_cast<const char *>(R->region().bitcode) + R->region().bitcode_size);
  auto Context = createQuietContext();
  for (size_t Position = 0; Position < Copy.size(); Position += 97) {
    std::vector<char> Damaged = Copy;
    Damaged[Position] ^= 0x10;
    R->region().bitcode = Damaged.data();
    auto M = loadRegion(R->region(), target(), *Context);
    ASSERT_FALSE(bool(M));
    EXPECT_NE(toString(M.takeError()).find("damaged"), std::string::npos);
  }
}

TEST(RegionModule, NoiseWithTheRightHashIsRefusedByTheReader) {
  auto R = TestRegion::fromIR("define void @f(i32 %n) { ret void }", "f");
  std::string Noise = "BC\xC0\xDE this is not a module";
  llvm::XXH128_hash_t Hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(Noise));
  R->region().bitcode = Noise.data();
  R->region().bitcode_size = Noise.size();
  R->region().bitcode_hash[0] = Hash.low64;
  R->region().bitcode_hash[1] = Hash.high64;
  auto Context = createQuietContext();
  auto M = loadRegion(R->region(), target(), *Context);
  ASSERT_FALSE(bool(M));
  llvm::consumeError(M.takeError());
}

TEST(RegionModule, DescriptorAndCodeMustAgree) {
  auto R = TestRegion::fromIR("define void @f(i32 %n) { ret void }", "f");
  const uint8_t Kinds[] = {SPECRT_KIND_I64};
  R->region().arg_kinds = Kinds;
  auto Context = createQuietContext();
  auto M = loadRegion(R->region(), target(), *Context);
  ASSERT_FALSE(bool(M));
  llvm::consumeError(M.takeError());
}

TEST(AccessNumbers, CountLoadsAndStoresOfTheRegionAndStayWithClones) {
  auto R = TestRegion::fromIR("define internal i32 @callee(ptr %p) {\n"
                              "  %v = load i32, ptr %p\n  ret i32 %v\n}\n"
                              "define void @f(ptr %p, ptr %q) {\n"
                              "  %v = load i32, ptr %p\n  %w = call i32 @callee(ptr %q)\n"
                              "  %s = add i32 %v, %w\n  store i32 %s, ptr %q\n  ret void\n}",
                              "f");
  Loaded L(*R);
  std::unique_ptr<llvm::Module> Clone = llvm::CloneModule(*L.M);
  for (llvm::Module *M : {L.M.get(), Clone.get()}) {
    std::vector<std::optional<unsigned>> Numbers;
    for (const char *Name : {"f", "callee"})
      for (const llvm::Instruction &I : llvm::instructions(*M->getFunction(Name)))
        if (I.mayReadOrWriteMemory() && !llvm::isa<llvm::CallInst>(I))
          Numbers.push_back(accessNumber(I));
    EXPECT_EQ(Numbers, (std::vector<std::optional<unsigned>>{0, 1, std::nullopt}));
  }
}

/// Returns an access whose base is \p Argument.
specrt_access accessOf(uint16_t Argument) {
  specrt_access Access{};
  Access.range.base = {SPECRT_BASE_ARGUMENT, Argument, 0};
  return Access;
}

TEST(Facts, ArgumentsThatAreTheSameAddress) {
  auto R = TestRegion::fromIR("define void @f(ptr readonly captures(none) dereferenceable(16) %x, "
                              "ptr noalias %y, ptr captures(none) dereferenceable(8) %z) {\n"
                              "  %a = load i32, ptr %x\n  store i32 %a, ptr %y\n"
                              "  store i32 %a, ptr %z\n  ret void\n}",
                              "f");
  const specrt_access Accesses[] = {accessOf(0), accessOf(1), accessOf(2)};
  specrt_region Region = R->region();
  Region.accesses = Accesses;
  Region.num_accesses = 3;
  constexpr uint8_t Overlaps[] = {0, 2, 2, 2, 0, 2, 2, 2, 0};
  Loaded L(*R);
  Premises S;
  unifySameArguments(L.F, Region, Overlaps, S);
  EXPECT_FALSE(L.F.getArg(1)->use_empty()) << "restrict promises something else";
  EXPECT_TRUE(L.F.getArg(2)->use_empty());
  EXPECT_FALSE(L.F.getArg(0)->hasAttribute(llvm::Attribute::ReadOnly));
  EXPECT_TRUE(L.F.getArg(0)->hasAttribute(llvm::Attribute::Captures)) << "neither escapes";
  EXPECT_EQ(L.F.getArg(0)->getDereferenceableBytes(), 8u);
  EXPECT_EQ(S.Guards, listOf(SameGuard(0, 2)));
}

TEST(Facts, ConstantsReplaceArgumentsAndAreGuarded) {
  auto R = TestRegion::fromIR("define i32 @f(i32 %n, double %x, ptr %p) {\n"
                              "  store double %x, ptr %p\n  ret i32 %n\n}",
                              "f");
  R->constant(0, uint32_t(-7));
  R->constant(1, packed(2.5));
  R->constant(2, 0x1000);
  Loaded L(*R);
  Premises S;
  applyFacts(L.F, R->region(), R->request().facts, S);
  EXPECT_TRUE(L.F.getArg(0)->use_empty());
  EXPECT_TRUE(L.F.getArg(1)->use_empty());
  EXPECT_FALSE(L.F.getArg(2)->use_empty()) << "pointers are no constants";
  // Packed values are zero-extended.
  EXPECT_EQ(S.Guards, listOf(EqualGuard(0, uint32_t(-7)), EqualGuard(1, packed(2.5))));
  EXPECT_FALSE(llvm::verifyModule(*L.M, &llvm::errs()));
}

TEST(Facts, UnusedArgumentsNeedNoGuard) {
  auto R = TestRegion::fromIR("define void @f(i32 %n) { ret void }", "f");
  R->constant(0, 1);
  Loaded L(*R);
  Premises S;
  applyFacts(L.F, R->region(), R->request().facts, S);
  EXPECT_TRUE(S.Guards.empty());
}

TEST(Facts, AStartOfASumIsNoConstant) {
  auto R = TestRegion::fromIR("define double @f(double %start, ptr %x, double %scale) {\n"
                              "entry:\n  br label %loop\n"
                              "loop:\n"
                              "  %i = phi i64 [0, %entry], [%next, %loop]\n"
                              "  %sum = phi double [%start, %entry], [%more, %loop]\n"
                              "  %p = getelementptr double, ptr %x, i64 %i\n"
                              "  %v = load double, ptr %p\n"
                              "  %w = fmul double %v, %scale\n"
                              "  %more = fadd double %sum, %w\n"
                              "  %next = add i64 %i, 1\n"
                              "  %again = icmp ult i64 %next, 100\n"
                              "  br i1 %again, label %loop, label %end\n"
                              "end:\n  ret double %more\n}",
                              "f");
  R->constant(0, llvm::bit_cast<uint64_t>(0.0));
  R->constant(2, llvm::bit_cast<uint64_t>(1.0));
  Loaded L(*R);
  Premises Result;
  applyFacts(L.F, R->region(), R->request().facts, Result);
  EXPECT_FALSE(L.F.getArg(0)->use_empty());
  EXPECT_TRUE(L.F.getArg(2)->use_empty());
}

TEST(Facts, RangesAndAlignmentsBecomeAttributes) {
  auto R = TestRegion::fromIR("define i32 @f(i32 %n, ptr %p) {\n"
                              "  %v = load i32, ptr %p\n  %s = add i32 %v, %n\n  ret i32 %s\n}",
                              "f");
  R->range(0, 1, 100);
  R->aligned(1, 32);
  Loaded L(*R);
  Premises S;
  applyFacts(L.F, R->region(), R->request().facts, S);
  ASSERT_TRUE(L.F.getArg(0)->getRange().has_value());
  EXPECT_EQ(L.F.getArg(0)->getRange()->getSignedMax(), 100);
  EXPECT_EQ(L.F.getArg(1)->getParamAlign()->value(), 32u);
  EXPECT_EQ(S.Guards,
            listOf(InRangeGuard(0, 1, 100), AlignedGuard({SPECRT_BASE_ARGUMENT, 1, 0}, 32)));
}

TEST(MemoryValues, OnlySizesThatEveryCallReadsAreAssumed) {
  // %n shapes the branch and is read by every call; %data only feeds the result; %late is read
  // behind a branch.
  auto R = TestRegion::fromIR(R"(
    define i64 @f(ptr %s, i1 %c) {
      %n = load i64, ptr %s
      %q = getelementptr i8, ptr %s, i64 8
      %data = load i64, ptr %q
      br i1 %c, label %a, label %b
    a:
      %r = getelementptr i8, ptr %s, i64 16
      %late = load i64, ptr %r
      %t = icmp eq i64 %late, %n
      br i1 %t, label %b, label %d
    b:
      ret i64 %data
    d:
      ret i64 0
    })",
                              "f");
  int64_t Struct[3] = {5, 6, 7};
  R->sample({packed(Struct), 1});
  Loaded L(*R);
  auto Cells = assumeMemoryValues(L.F, R->region(),
                                  llvm::ArrayRef(R->request().cells, R->request().num_cells));
  ASSERT_EQ(Cells.size(), 1u);
  EXPECT_EQ(Cells[0].cell.begin, 0);
  EXPECT_EQ(Cells[0].value, 5u);
}

/// Stands for a speculation that reads ahead: adds a guard and a range, and marks the function.
struct ReadAhead final : Speculation {
  bool isTentative() const override { return true; }
  Applied apply(Speculative &On) const override {
    On.F.addFnAttr("changed");
    On.Known.Guards.append(EqualGuard(0, 1));
    On.Known.Unwritten.push_back({{}, "it", "stays"});
    return Applied::Done;
  }
};

/// Stands for the one that sees to the ranges, or cannot.
struct Keeper final : Speculation {
  explicit Keeper(bool Can) : Can(Can) {}
  bool Can;
  Applied apply(Speculative &On) const override {
    On.Known.Told.add("looked");
    if (On.Known.Unwritten.empty())
      return Applied::Nothing;
    On.Known.Unwritten.clear();
    return Can ? Applied::Done : Applied::Impossible;
  }
};

TEST(Driver, WhatCannotBePromisedLeavesNothingButItsNotes) {
  for (bool Can : {true, false}) {
    auto R = TestRegion::fromIR("define void @f(i32 %n) { ret void }", "f");
    Loaded L(*R);
    CompileBudget Budget(std::chrono::seconds(10));
    Optimizer Passes(target(), Budget);
    Premises Known;
    ReadAhead First;
    Keeper Second(Can);
    speculate(L.M, R->request(), Passes, Known, {&First, &Second});
    EXPECT_EQ(regionFunction(*L.M, R->region()).hasFnAttribute("changed"), Can);
    EXPECT_EQ(Known.Guards.empty(), !Can);
    EXPECT_TRUE(Known.Unwritten.empty());
    EXPECT_EQ(Known.Told.text(), Can ? "looked\n" : "looked\nlooked\n");
  }
}

TEST(Driver, RangesThatNobodySeesToAreNotPromised) {
  auto R = TestRegion::fromIR("define void @f(i32 %n) { ret void }", "f");
  Loaded L(*R);
  CompileBudget Budget(std::chrono::seconds(10));
  Optimizer Passes(target(), Budget);
  Premises Known;
  ReadAhead First;
  speculate(L.M, R->request(), Passes, Known, {&First});
  EXPECT_FALSE(regionFunction(*L.M, R->region()).hasFnAttribute("changed"));
  EXPECT_TRUE(Known.Guards.empty() && Known.Unwritten.empty());
}

} // namespace
