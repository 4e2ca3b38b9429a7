//===- tests/wrap/typed_test.cpp - callables that know their type ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/wrap.hpp"
#include "tests/wrap/plugin.h"

#include <gtest/gtest.h>
#include <utility>

namespace {

struct Pair {
  float First;
  short Second;
};
enum class Colour : unsigned char { Red };

} // namespace

template <> struct specrt::SignatureText<Pair> {
  static std::string text() { return "{f32, i16}"; }
};

namespace {

TEST(Typed, WritesSignatures) {
  EXPECT_EQ(specrt::signatureOf<void()>("f"), "void f()");
  EXPECT_EQ((specrt::signatureOf<double(const double *, const double *, long)>("dot")),
            "f64 dot(ptr, ptr, i64)");
  EXPECT_EQ((specrt::signatureOf<Pair(bool, signed char, unsigned short, int, unsigned, float,
                                      Colour, const Pair &, Pair, const int)>("g")),
            "{f32, i16} g(bool, i8, u16, i32, u32, f32, u8, ptr, {f32, i16}, i32)");
  EXPECT_EQ(specrt::signatureOf<double(float) noexcept>("h"), "f64 h(f32)");
}

TEST(Typed, OwnsTheCallable) {
  Plugin Kernels("kernels");
  auto *Fibonacci = Kernels.function<long(long)>("fibonacci");
  {
    specrt::Wrapped<long(long)> First(Fibonacci, "fibonacci", Kernels.Bitcode);
    EXPECT_EQ(First.error(), "");
    EXPECT_TRUE(First.verify(std::chrono::seconds(60)));
    specrt::Wrapped<long(long)> Second(std::move(First));
    EXPECT_NE(Second.get(), Fibonacci);
    EXPECT_EQ(Second(10), 55);
    regionNamed("fibonacci");
  }
  specrt_region_info Info;
  EXPECT_EQ(specrt_find_region("fibonacci", &Info), 0);
  specrt::Wrapped<long(long)> Refused(Fibonacci, "fibonacci", "no bitcode");
  EXPECT_EQ(Refused.code(), SPECRT_WRAP_BITCODE);
  EXPECT_EQ(Refused(10), 55);
}

} // namespace
