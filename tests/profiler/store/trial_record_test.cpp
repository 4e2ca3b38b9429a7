//===- tests/profiler/store/trial_record_test.cpp - what is left to measure -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_reader.h"
#include "profiler/store/trial_record.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

TEST(TrialRecordTest, ANewLookForgetsTimesThatAreNotFarBehind) {
  TrialRecord Old;
  Old.add("contraction", 100);
  Old.add("vector", 131);
  Old.Complete = true;
  EXPECT_FALSE(Old.isOpen());
  TrialRecord New = Old;
  New.lookAgain(/*FarBehindNs=*/130);
  EXPECT_TRUE(New.isOpen());
  EXPECT_TRUE(New.knows("vector"));
  New.add("source-order", 70);
  Old.merge(New);
  EXPECT_FALSE(Old.knows("contraction"));
  EXPECT_TRUE(Old.knows("source-order"));
  EXPECT_EQ(Old.Looks, 1u);
}

TEST(TrialRecordTest, IsOpenUntilAllThatExistsIsMeasured) {
  TrialRecord R;
  EXPECT_TRUE(R.isOpen()) << "nobody knows what there is";
  R.add("contraction", 100);
  EXPECT_TRUE(R.knows("contraction"));
  R.add("source-order");
  EXPECT_FALSE(R.knows("source-order"));
  R.Complete = true;
  EXPECT_TRUE(R.isOpen());
  R.add("source-order", 50);
  EXPECT_FALSE(R.isOpen());
  R.add("source-order"); // met again
  EXPECT_TRUE(R.knows("source-order"));
  EXPECT_EQ(R.Candidates.size(), 2u);
}

TEST(TrialRecordTest, RunsAddUp) {
  TrialRecord Old, New;
  Old.add("contraction", 100);
  Old.add("source-order");
  Old.Attempts = 3;
  New.add("source-order", 70);
  New.add("contraction");
  New.Complete = true;
  New.Attempts = 1;
  Old.merge(New);
  EXPECT_TRUE(Old.knows("contraction") && Old.knows("source-order") && Old.Complete);
  EXPECT_EQ(Old.Attempts, 3u);
  EXPECT_FALSE(Old.isOpen());
}

TEST(TrialRecordTest, EndsAfterManyAttempts) {
  TrialRecord R;
  R.Attempts = TrialRecord::MaxAttempts;
  EXPECT_FALSE(R.isOpen());
}

TEST(TrialRecordTest, IsTheSameAfterWritingAndReading) {
  TrialRecord R;
  R.add("contraction", 100.5);
  R.add("source-order");
  R.Complete = true;
  R.Attempts = 2;
  JsonReader In;
  TrialRecord Again = readTrialRecord(In, toJson(R));
  EXPECT_TRUE(In.good());
  ASSERT_EQ(Again.Candidates.size(), 2u);
  EXPECT_EQ(Again.Candidates[0].Name, "contraction");
  EXPECT_EQ(Again.Candidates[0].Ns, 100.5);
  EXPECT_FALSE(Again.knows("source-order"));
  EXPECT_TRUE(Again.Complete);
  EXPECT_EQ(Again.Attempts, 2u);
}

TEST(TrialRecordTest, DamageIsNoticed) {
  nlohmann::json Good = toJson(TrialRecord());
  for (const char *Field : {"candidates", "complete", "attempts", "looks"}) {
    nlohmann::json Bad = Good;
    Bad[Field] = "x";
    JsonReader In;
    readTrialRecord(In, Bad);
    EXPECT_FALSE(In.good()) << Field;
  }
  nlohmann::json Negative = Good;
  Negative["candidates"] = {{{"name", "contraction"}, {"ns", -1}}};
  JsonReader In;
  readTrialRecord(In, Negative);
  EXPECT_FALSE(In.good());
}

} // namespace
} // namespace specrt
