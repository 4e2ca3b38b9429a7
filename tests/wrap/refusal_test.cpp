//===- tests/wrap/refusal_test.cpp - errors, and functions that stay ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/wrap/plugin.h"

#include <atomic>
#include <gtest/gtest.h>

namespace {

using testing::Test;

bool contains(const std::string &Text, const std::string &Part) {
  return Text.find(Part) != std::string::npos;
}

TEST(WrapErrors, NullsAndStrangers) {
  Plugin Kernels("kernels");
  void *Gemm = Kernels.symbol("gemm");
  const char *Signature = "void gemm(i64, i64, i64, f64, f64, ptr, ptr, ptr)";
  EXPECT_EQ(specrt_wrap(nullptr, Signature, "BC\xc0\xde", 4), nullptr);
  EXPECT_EQ(specrt_wrap_error(nullptr), SPECRT_WRAP_INVALID);
  EXPECT_EQ(specrt_wrap(Gemm, nullptr, "BC\xc0\xde", 4), nullptr);
  EXPECT_EQ(specrt_wrap(Gemm, Signature, nullptr, 4), nullptr);
  EXPECT_EQ(specrt_wrap_error(nullptr), SPECRT_WRAP_INVALID);
  EXPECT_EQ(specrt_unwrap(nullptr), SPECRT_WRAP_INVALID);
  EXPECT_EQ(specrt_unwrap(Gemm), SPECRT_WRAP_INVALID);
  EXPECT_EQ(specrt_wrap_verify(Gemm, 10), SPECRT_WRAP_INVALID);
  void *Callable = Kernels.wrap("gemm", Signature);
  EXPECT_EQ(specrt_wrap_error(nullptr), SPECRT_WRAP_OK);
  EXPECT_EQ(wrapError(), "");
  EXPECT_EQ(specrt_unwrap(Callable), SPECRT_WRAP_OK);
  EXPECT_EQ(specrt_unwrap(Callable), SPECRT_WRAP_INVALID);
}

TEST(WrapErrors, SignaturesAreExplained) {
  EXPECT_EQ(
      specrt_wrap(reinterpret_cast<void *>(&contains), "f64 dot(ptr, float)", "BC\xc0\xde", 4),
      nullptr);
  EXPECT_EQ(specrt_wrap_error(nullptr), SPECRT_WRAP_SIGNATURE);
  EXPECT_TRUE(contains(wrapError(), "position 14")) << wrapError();
}

TEST(WrapErrors, WhatIsNoBitcodeIsRefusedAtOnce) {
  Plugin Kernels("kernels");
  EXPECT_EQ(specrt_wrap(Kernels.symbol("gemm"), "void gemm()", "; ModuleID", 10), nullptr);
  EXPECT_EQ(specrt_wrap_error(nullptr), SPECRT_WRAP_BITCODE);
  EXPECT_EQ(specrt_wrap(Kernels.symbol("gemm"), "void gemm()", "BC", 2), nullptr);
  EXPECT_EQ(specrt_wrap_error(nullptr), SPECRT_WRAP_BITCODE);
}

/// Damage anywhere must end in an answer, and never in another function.
TEST(WrapErrors, DamagedBitcodeLeavesTheFunctionAsItIs) {
  Plugin Kernels("kernels");
  auto *Fibonacci = Kernels.function<long(long)>("fibonacci");
  std::string Whole = Kernels.Bitcode;
  unsigned Refused = 0, Cases = 0;
  auto Try = [&](const std::string &Bitcode) {
    void *Callable = specrt_wrap(reinterpret_cast<void *>(Fibonacci), "i64 fibonacci(i64)",
                                 Bitcode.data(), Bitcode.size());
    ASSERT_NE(Callable, nullptr) << wrapError();
    ++Cases;
    Refused += verify(Callable) == SPECRT_WRAP_BITCODE;
    EXPECT_EQ(reinterpret_cast<long (*)(long)>(Callable)(15), 610);
    EXPECT_EQ(specrt_unwrap(Callable), SPECRT_WRAP_OK);
  };
  // Cut off anywhere, as an interrupted copy leaves it.
  for (size_t Size = 4; Size < Whole.size(); Size += 131)
    Try(Whole.substr(0, Size));
  Try(Whole.substr(0, 4) + std::string(1000, '\xff'));
  Try(std::string("\xde\xc0\x17\x0b", 4) + std::string(16, '\x7f'));
  EXPECT_EQ(Refused, Cases);
}

TEST(WrapErrors, TheBitcodeMustDefineTheFunction) {
  Plugin Kernels("kernels"), Other("unsupported");
  void *Callable = specrt_wrap(Kernels.symbol("gemm"), "f64 gemm(f64)", Other.Bitcode.data(),
                               Other.Bitcode.size());
  EXPECT_EQ(verify(Callable), SPECRT_WRAP_BITCODE);
  EXPECT_EQ(wrapError(), "the bitcode does not define gemm");
  specrt_unwrap(Callable);
  // The name in the source instead of the linker's.
  Callable = specrt_wrap(Other.symbol("_ZN5outer4halfEd"), "f64 half(f64)", Other.Bitcode.data(),
                         Other.Bitcode.size());
  EXPECT_EQ(verify(Callable), SPECRT_WRAP_BITCODE);
  EXPECT_EQ(wrapError(), "the bitcode does not define half, but _ZN5outer4halfEd; write that name "
                         "in the signature");
  EXPECT_EQ(reinterpret_cast<double (*)(double)>(Callable)(5), 2.5);
  specrt_unwrap(Callable);
}

TEST(WrapErrors, OtherTypesAreExplained) {
  Plugin Kernels("kernels");
  struct Case {
    const char *Function, *Signature, *Why;
  };
  constexpr Case Cases[] = {
      {"fibonacci", "i64 fibonacci()",
       "the function has more arguments in the bitcode than the 0 of the signature"},
      {"fibonacci", "i64 fibonacci(i64, i64)",
       "the signature has 2 arguments, but argument 2 is missing in the bitcode"},
      {"fibonacci", "i64 fibonacci(i32)",
       "argument 1 is i32 in the signature, but i64 in the bitcode"},
      {"fibonacci", "i32 fibonacci(i64)", "the result is i32 in the signature, but i64"},
      {"fibonacci", "void fibonacci(i64)", "the result is void in the signature, but i64"},
      {"fibonacci", "{i64} fibonacci(f64)", "argument 1 is f64 in the signature, but i64"},
      {"filter", "{f64, f64, f64} filter(ptr, ptr, i32)",
       "the result is {f64, f64, f64} in the signature, but f64 in the bitcode"},
      {"filter", "f64 filter(ptr, ptr, {f64, f64, f64})",
       "argument 3 is {f64, f64, f64} in the signature, but i32 in the bitcode"},
      {"bounds", "{f64, f64, f64} bounds(ptr, i32, {f64, f64})",
       "the result is {f64, f64, f64} in the signature, but a struct of 32 bytes"},
      {"bounds", "void bounds(ptr, i32, {f64, f64})", "the result is void in the signature"},
      {"bounds", "{f64, f64, f64, f64} bounds(ptr, i32, {f64, i64})",
       "argument 3 is {f64, i64} in the signature, but f64 in the bitcode"},
      {"bounds", "{f64, f64, f64, f64} bounds(ptr, i32, {f64})", "more arguments in the bitcode"},
      {"find_first", "ptr find_first(ptr, u32, f32, u8, i8)",
       "argument 4 is u8 in the signature, but bool in the bitcode"},
      {"find_first", "ptr find_first(ptr, u32, f32, bool, u8)",
       "argument 5 is u8 in the signature, but signed in the bitcode"}};
  for (const Case &C : Cases) {
    void *Callable = Kernels.wrap(C.Function, C.Signature);
    EXPECT_EQ(verify(Callable), SPECRT_WRAP_MISMATCH) << C.Signature;
    EXPECT_TRUE(contains(wrapError(), C.Why)) << wrapError();
    specrt_region_info Info = regionNamed(C.Function);
    EXPECT_EQ(Info.state, unsigned(SPECRT_STATE_BLOCKED));
    EXPECT_TRUE(contains(Info.reason, "its bitcode does not fit: ")) << Info.reason;
    specrt_unwrap(Callable);
  }
}

TEST(Unsupported, EachHasAReason) {
  Plugin Functions("unsupported");
  struct Case {
    const char *Function, *Signature, *Why;
  };
  constexpr Case Cases[] = {
      {"usesStatic", "i32 usesStatic(i32)", "uses the static variable _ZL7Counter"},
      {"readsStatic", "i32 readsStatic(i32)", "uses the static variable _ZL7Counter"},
      {"usesHidden", "i32 usesHidden(i32)", "uses Hidden, which cannot be found from outside"},
      {"usesThreadLocal", "i32 usesThreadLocal(i32)", "accesses a thread-local variable"},
      {"usesInlineAssembly", "i32 usesInlineAssembly(i32)", "contains inline assembly"},
      {"usesSetjmp", "i32 usesSetjmp(i32)", "calls setjmp"},
      {"usesAtomic", "i32 usesAtomic(ptr)", "contains atomic operations"},
      {"usesVolatile", "i32 usesVolatile(ptr)", "accesses volatile memory"},
      {"catches", "i32 catches(i32)", "handles exceptions"},
      {"takesMany", "i32 takesMany(i32)", "takes a variable number of arguments"},
      {"fusesFreely", "void fusesFreely(ptr, i32)", "chooses which multiplications"},
      {"reorders", "f64 reorders(ptr, i32)", "a pragma lets the compiler reorder"},
      {"namesItself", "ptr namesItself(i32)", "may outlive the call"},
      {"returnAddress", "ptr returnAddress(i32)", "looks at its own stack frame"}};
  for (const Case &C : Cases) {
    void *Callable = Functions.wrap(C.Function, C.Signature);
    EXPECT_EQ(verify(Callable), SPECRT_WRAP_UNSUPPORTED) << C.Function;
    EXPECT_TRUE(contains(wrapError(), C.Why)) << C.Function << ": " << wrapError();
    EXPECT_EQ(regionNamed(C.Function).state, unsigned(SPECRT_STATE_BLOCKED));
    EXPECT_EQ(regionNamed(C.Function).reason, "no version of it can be made: " + wrapError());
    specrt_unwrap(Callable);
  }
}

TEST(Unsupported, NamesThatMeanSomethingElseOutside) {
  Plugin Twins("twins");
  auto Why = [&](const char *Function, const char *Signature) {
    void *Callable = Twins.wrap(Function, Signature);
    EXPECT_EQ(verify(Callable), SPECRT_WRAP_UNSUPPORTED) << Function;
    std::string Sentence = wrapError();
    specrt_unwrap(Callable);
    return Sentence;
  };
  EXPECT_EQ(Why("callsItsOwnCosh", "f64 callsItsOwnCosh(f64)"),
            "the function uses cosh, which cannot be found from outside of its library");
  EXPECT_EQ(Why("usesStaticAlias", "i32 usesStaticAlias(i32)"),
            "the function uses the static variable twin, whose address cannot be found");
  EXPECT_EQ(Why("callsStaticAlias", "i32 callsStaticAlias(i32)"),
            "the function uses the static function twinOf, whose address cannot be found");
}

TEST(Unsupported, RunsAsItIs) {
  Plugin Functions("unsupported");
  auto *Set = Functions.function<int(int)>("setCounter");
  auto *Reads = Functions.wrap<int(int)>("readsStatic", "i32 readsStatic(i32)");
  for (int I = 0; I < 100; ++I) {
    Set(I);
    ASSERT_EQ(Reads(7), 7 * I);
  }
  auto *Catches = Functions.wrap<int(int)>("catches", "i32 catches(i32)");
  for (int I = 0; I < 100; ++I)
    ASSERT_EQ(Catches(I), I % 2 ? -1 : I);
  unwrap(Reads);
  unwrap(Catches);
}

} // namespace
