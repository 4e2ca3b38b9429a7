//===- tests/tools/advice_test.cpp - something can be done about everything ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/reasons.h"
#include "runtime/report/advice.h"
#include "specializer/polyhedral/polyhedral.h"
#include "specrt/jit_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace specrt {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::StrEq;

TEST(Advice, EveryKindOfCauseHasOne) {
  std::vector<const char *> Kinds = rejectionKinds();
  EXPECT_THAT(Kinds, Contains(StrEq("alias")));
  EXPECT_THAT(Kinds, Contains(StrEq("non-affine bound")));
  for (const char *Kind : Kinds) {
    const char *Text = adviceForCause(Kind);
    ASSERT_NE(Text, nullptr) << Kind;
    EXPECT_GT(std::string(Text).size(), 20u) << Kind;
  }
  EXPECT_EQ(adviceForCause("no such kind"), nullptr);
}

TEST(Advice, EveryReasonHasOneAndIsRecognisedByItsWords) {
  std::set<std::string> Words;
  for (unsigned I = 0; I < NumReasons; ++I) {
    std::string Text = words(static_cast<Reason>(I));
    EXPECT_TRUE(Words.insert(Text).second) << Text;
    EXPECT_STRNE(adviceForReason(Text), "") << Text;
    // What call sites append must not change which advice is given.
    EXPECT_EQ(adviceForReason(Text + ": details"), adviceForReason(Text));
  }
  EXPECT_STREQ(adviceForReason("something else"), "");
}

TEST(Advice, NoReasonBeginsLikeAnother) {
  for (unsigned I = 0; I < NumReasons; ++I)
    for (unsigned J = 0; J < NumReasons; ++J)
      if (I != J)
        EXPECT_FALSE(std::string_view(words(static_cast<Reason>(I)))
                         .starts_with(words(static_cast<Reason>(J))))
            << words(static_cast<Reason>(I));
}

TEST(Advice, EveryCodeOfANoteHasANameAndAdvice) {
  std::set<std::string> Names;
  for (uint32_t Code = 0; Code < SPECRT_NUM_NOTE_CODES; ++Code) {
    EXPECT_TRUE(Names.insert(noteName(Code)).second) << noteName(Code);
    EXPECT_EQ(std::string(adviceForNote(Code)).size() > 20, Code != SPECRT_NOTE_PLAIN)
        << noteName(Code);
  }
  EXPECT_THAT(adviceForNote(SPECRT_NOTE_STACK), HasSubstr("Split"));
  EXPECT_THAT(adviceForNote(SPECRT_NOTE_OVERLAP), HasSubstr("separate arrays"));
  // Of a newer compiler.
  EXPECT_STREQ(noteName(SPECRT_NUM_NOTE_CODES), "plain");
  EXPECT_STREQ(adviceForNote(SPECRT_NUM_NOTE_CODES), "");
}

TEST(Advice, EveryStateWithoutAVersionSaysWhatIsMissing) {
  for (Phase P : {Phase::Cold, Phase::Profiling, Phase::Preparing, Phase::Compiling, Phase::Trial,
                  Phase::Retired, Phase::Blocked})
    EXPECT_STRNE(adviceForState(P), "") << phaseName(P);
  EXPECT_STREQ(adviceForState(Phase::Specialised), "");
}

} // namespace
} // namespace specrt
