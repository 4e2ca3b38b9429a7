//===- tests/wrap/signature_test.cpp - what the parser understands --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/wrap/signature.h"
#include <gtest/gtest.h>

using namespace specrt;

namespace {

Signature parsed(const std::string &Text) {
  Signature S;
  EXPECT_EQ(parseSignature(Text, S), "") << Text;
  return S;
}

std::string errorOf(const std::string &Text) {
  Signature S;
  return parseSignature(Text, S);
}

specrt_c_type layoutOf(const std::string &Type) {
  return parsed("void f(" + Type + ")").Arguments[0].Abi;
}

TEST(Signature, HasResultNameAndArguments) {
  Signature S = parsed("f64 dot(ptr, ptr, i64)");
  EXPECT_EQ(S.Name, "dot");
  EXPECT_EQ(S.Result.Abi.kind, SPECRT_KIND_F64);
  ASSERT_EQ(S.Arguments.size(), 3u);
  EXPECT_EQ(S.Arguments[0].Abi.kind, SPECRT_KIND_POINTER);
  EXPECT_EQ(S.Arguments[2].Abi.kind, SPECRT_KIND_I64);
  EXPECT_EQ(S.ArgumentNames, std::vector<std::string>(3));
}

TEST(Signature, TakesNamesAndSpacesAnywhere) {
  Signature S = parsed("  {f64 ,u8} _ZN3foo3barEv (\n ptr a,i32 n1 , { i8,{f32}} s\t) ");
  EXPECT_EQ(S.Name, "_ZN3foo3barEv");
  EXPECT_EQ(S.Result.Text, "{f64, u8}");
  EXPECT_EQ(S.Arguments[2].Text, "{i8, {f32}}");
  EXPECT_EQ(S.ArgumentNames, (std::vector<std::string>{"a", "n1", "s"}));
}

TEST(Signature, MayHaveNoArguments) {
  EXPECT_TRUE(parsed("void f()").Arguments.empty());
  EXPECT_TRUE(parsed("void f( void )").Arguments.empty());
}

TEST(Signature, KnowsAllScalars) {
  Signature S = parsed("void f(bool,i8,u8,i16,u16,i32,u32,i64,u64,f32,f64,ptr)");
  std::vector<unsigned> Sizes, Signs;
  for (const CType &T : S.Arguments) {
    Sizes.push_back(T.Abi.size);
    Signs.push_back(T.Abi.is_signed);
  }
  EXPECT_EQ(Sizes, (std::vector<unsigned>{1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8}));
  EXPECT_EQ(Signs, (std::vector<unsigned>{0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0}));
}

TEST(Signature, LaysStructsOutAsC) {
  EXPECT_EQ(layoutOf("{i8}").size, 1u);
  EXPECT_EQ(layoutOf("{i8, i32}").size, 8u);
  EXPECT_EQ(layoutOf("{i8, i16, i8}").size, 6u);
  EXPECT_EQ(layoutOf("{f64, i8}").size, 16u);
  EXPECT_EQ(layoutOf("{i8, {f64}, i8}").size, 24u);
  EXPECT_EQ(layoutOf("{i8, {f64}, i8}").alignment, 8u);
}

TEST(Signature, ClassifiesEightbytes) {
  specrt_c_type T = layoutOf("{f32, i32, f64}");
  EXPECT_EQ(T.num_words, 2);
  EXPECT_EQ(T.word_class[0], SPECRT_C_INTEGER);
  EXPECT_EQ(T.word_class[1], SPECRT_C_SSE);
  T = layoutOf("{f32, f32, f32}");
  EXPECT_EQ(T.word_class[0], SPECRT_C_SSE);
  EXPECT_EQ(T.word_bytes[1], 4);
  // Inner structs count where they lie.
  T = layoutOf("{{f32, {f32}}, {i16, i8}}");
  EXPECT_EQ(T.word_class[0], SPECRT_C_SSE);
  EXPECT_EQ(T.word_class[1], SPECRT_C_INTEGER);
  EXPECT_EQ(T.word_bytes[1], 3);
  T = layoutOf("{f64, f64, i8}");
  EXPECT_TRUE(T.in_memory);
  EXPECT_EQ(T.num_words, 0);
}

TEST(Signature, ErrorsGiveThePositionAndWhatIsExpected) {
  const std::pair<const char *, const char *> Cases[] = {
      {"", "position 1: expected a type, found the end"},
      {"f64", "position 4: expected the function's name, found the end"},
      {"f64 (ptr)", "position 5: expected the function's name, found '('"},
      {"f65 f()", "position 1: expected a type, found 'f65'; types are void, bool, i8"},
      {"f64 f(ptr, f6, i64)", "position 12: expected a type, found 'f6'"},
      {"f64 f(ptr", "position 10: expected ',' or ')', found the end"},
      {"f64 f(ptr a b)", "position 13: expected ',' or ')', found 'b'"},
      {"f64 f(ptr,)", "position 11: expected a type, found ')'"},
      {"f64 f(void, ptr)", "position 7: an argument cannot be void"},
      {"f64 f({f64, void})", "position 13: a member of a struct cannot be void"},
      {"f64 f({})", "position 8: expected a type, found '}'"},
      {"f64 f({f64)", "position 11: expected ',' or '}', found ')'"},
      {"f64 f(ptr) g", "position 12: expected the end, found 'g'"},
      {"f64 f ptr", "position 7: expected '(', found 'ptr'"},
      {"double f()", "position 1: expected a type, found 'double'"},
      {"f64 f(\xff)", "position 7: expected a type"}};
  for (const auto &[Text, Expected] : Cases)
    EXPECT_NE(errorOf(Text).find(Expected), std::string::npos) << errorOf(Text);
}

TEST(Signature, HasLimits) {
  std::string Arguments = "i32";
  for (int I = 1; I < 32; ++I)
    Arguments += ",i32";
  EXPECT_EQ(parsed("void f(" + Arguments + ")").Arguments.size(), 32u);
  EXPECT_NE(errorOf("void f(" + Arguments + ",i32)").find("more than 32 arguments"),
            std::string::npos);

  std::string Nested = "f64";
  for (int I = 0; I < 8; ++I)
    Nested = "{" + Nested + "}";
  EXPECT_EQ(layoutOf(Nested).size, 8u);
  EXPECT_NE(errorOf("void f({" + Nested + "})").find("nested deeper than 8"), std::string::npos);
  EXPECT_NE(errorOf("void f(" + std::string(100000, '{')).find("nested deeper"), std::string::npos);

  std::string Large = "{f64";
  for (int I = 1; I < 512; ++I)
    Large += ",f64";
  EXPECT_EQ(layoutOf(Large + "}").size, 4096u);
  EXPECT_NE(errorOf("void f(" + Large + ",i8})").find("larger than 4096 bytes"), std::string::npos);
}

} // namespace
