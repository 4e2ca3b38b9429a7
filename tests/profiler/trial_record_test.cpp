//===- tests/profiler/trial_record_test.cpp - what is left to measure -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/json/json_reader.h"
#include "profiler/store/trial_record.h"

#include <gtest/gtest.h>

namespace specrt {
namespace {

TEST(TrialRecordTest, IsOpenUntilAllThatExistsIsMeasured) {
  TrialRecord R;
  EXPECT_TRUE(R.isOpen()) << "nobody knows what there is";
  R.add("tiled", 100);
  EXPECT_TRUE(R.knows("tiled"));
  R.add("polly");
  EXPECT_FALSE(R.knows("polly"));
  R.Complete = true;
  EXPECT_TRUE(R.isOpen());
  R.add("polly", 50);
  EXPECT_FALSE(R.isOpen());
  R.add("polly"); // met again
  EXPECT_TRUE(R.knows("polly"));
  EXPECT_EQ(R.Candidates.size(), 2u);
}

TEST(TrialRecordTest, RunsAddUp) {
  TrialRecord Old, New;
  Old.add("tiled", 100);
  Old.add("polly");
  Old.Attempts = 3;
  New.add("polly", 70);
  New.add("tiled");
  New.Complete = true;
  New.Attempts = 1;
  Old.merge(New);
  EXPECT_TRUE(Old.knows("tiled") && Old.knows("polly") && Old.Complete);
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
  R.add("tiled", 100.5);
  R.add("polly");
  R.Complete = true;
  R.Attempts = 2;
  JsonReader In;
  TrialRecord Again = readTrialRecord(In, toJson(R));
  EXPECT_TRUE(In.good());
  ASSERT_EQ(Again.Candidates.size(), 2u);
  EXPECT_EQ(Again.Candidates[0].Name, "tiled");
  EXPECT_EQ(Again.Candidates[0].Ns, 100.5);
  EXPECT_FALSE(Again.knows("polly"));
  EXPECT_TRUE(Again.Complete);
  EXPECT_EQ(Again.Attempts, 2u);
}

TEST(TrialRecordTest, DamageIsNoticed) {
  nlohmann::json Good = toJson(TrialRecord());
  for (const char *Field : {"candidates", "complete", "attempts"}) {
    nlohmann::json Bad = Good;
    Bad[Field] = "x";
    JsonReader In;
    readTrialRecord(In, Bad);
    EXPECT_FALSE(In.good()) << Field;
  }
  nlohmann::json Negative = Good;
  Negative["candidates"] = {{{"name", "tiled"}, {"ns", -1}}};
  JsonReader In;
  readTrialRecord(In, Negative);
  EXPECT_FALSE(In.good());
}

} // namespace
} // namespace specrt
