//===- tests/profiler/store/stored_json_test.cpp - stored JSON when memory ends ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/store/stored_json.h"

#include <cstddef>
#include <cstdlib>
#include <gtest/gtest.h>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>

using namespace specrt;

namespace {

/// Allocations of this thread that still succeed.
thread_local size_t Left = std::numeric_limits<size_t>::max();

/// Lets the allocation after the first \p Count fail, and all later ones, for the life of this
/// object.
class LastAllocations {
public:
  explicit LastAllocations(size_t Count) { Left = Count; }
  ~LastAllocations() { Left = std::numeric_limits<size_t>::max(); }
  LastAllocations(const LastAllocations &) = delete;
  LastAllocations &operator=(const LastAllocations &) = delete;
};

constexpr const char *Text =
    R"({"regions": [{"name": "a region with a long name", "values": [1, 2, [3, 4.5, {}], "text"]},
                    {"name": "another one", "nested": {"deep": {"deeper": [[], [null, true]]}}}],
        "format": "something that is longer than a short string"})";

/// A destructor that finds no memory would end the process.
TEST(StoredJson, IsLeftWithoutMemory) {
  size_t NumFailed = 0;
  for (bool IsRead = false; !IsRead; ++NumFailed) {
    const LastAllocations Few(NumFailed);
    try {
      nlohmann::json Json;
      const EmptyJsonAtEnd Guard(Json);
      IsRead = parseStored(Text, Json).empty();
      Left = 0;
    } catch (const std::bad_alloc &) {
    }
  }
  EXPECT_GT(NumFailed, 20u);
}

TEST(StoredJson, OtherTextLeavesNothing) {
  for (const char *Damaged : {"", "{\"a\": [1, 2", "[1, 2]]", "{\"a\": nothing}"}) {
    nlohmann::json Json = {1, 2};
    EXPECT_EQ(parseStored(Damaged, Json), "is damaged (not JSON)") << Damaged;
    EXPECT_TRUE(Json.empty()) << Damaged;
  }
}

TEST(StoredJson, IsReplaced) {
  nlohmann::json Json = {{"old", {1, 2}}};
  EXPECT_EQ(parseStored("[3]", Json), "");
  EXPECT_EQ(Json, nlohmann::json::array({3}));
}

} // namespace

void *operator new(size_t Bytes) {
  void *Memory = Left == 0 ? nullptr : std::malloc(Bytes);
  if (!Memory)
    throw std::bad_alloc();
  if (Left != std::numeric_limits<size_t>::max())
    --Left;
  return Memory;
}
void operator delete(void *Memory) noexcept { std::free(Memory); }
void operator delete(void *Memory, size_t) noexcept { std::free(Memory); }
