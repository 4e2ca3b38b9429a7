//===- profiler/observations/value_profile.h - observes the values of one input ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of an input are summarised in bounded memory:
//  - heavy hitters by Space-Saving (Metwally, Agrawal, El Abbadi: "Efficient computation of
//    frequent and top-k elements in data streams", 2005): a new value takes the place of the
//    rarest one and inherits its count as possible error. Every value that occurs in more than
//    1/Capacity of the calls is in the table, and count - error <= true count <= count;
//  - the smallest and largest value;
//  - for pointers the alignment that all addresses have.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_OBSERVATIONS_VALUE_PROFILE_H
#define SPECRT_PROFILER_OBSERVATIONS_VALUE_PROFILE_H

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace specrt {

class JsonReader;

/// A value that occurred between Count - Error and Count times.
struct ValueCount {
  uint64_t Value = 0; ///< packed
  uint64_t Count = 0; ///< 0: the entry is free
  uint64_t Error = 0;
};

/// A value type without references; recording neither allocates nor locks.
class ValueProfile {
public:
  static constexpr unsigned Capacity = 8;
  static constexpr unsigned MaxAlignment = 4096;

  explicit ValueProfile(uint8_t Kind = 0) : Kind(Kind) {}

  /// Counts one call with this packed value. Async-signal-safe.
  void record(uint64_t Packed);

  /// Counts one more call with the last recorded value. Async-signal-safe.
  void repeat() { ++Values[Last].Count, ++Calls; }

  /// Adds Other's observations. The bounds of every count stay valid.
  void merge(const ValueProfile &Other);

  uint8_t kind() const { return Kind; }
  uint64_t calls() const { return Calls; }

  /// Returns the table, unordered; free entries have Count 0.
  const std::array<ValueCount, Capacity> &values() const { return Values; }

  /// Returns the value with the largest certain count; Count 0 when nothing was recorded.
  ValueCount top() const;

  /// Return the smallest and largest value: integers and pointers as signed numbers, floating-point
  /// values in their numeric order (packedBound returns the bits). Meaningless when calls() is 0.
  int64_t min() const { return Min; }
  int64_t max() const { return Max; }
  /// Returns the packed form of min() or max().
  uint64_t packedBound(int64_t Bound) const;

  /// Returns for pointers the largest power of two, at most MaxAlignment, that divides every
  /// address; 1 for other kinds and when nothing was recorded.
  uint64_t alignment() const;

  /// Returns the JSON form. For pointers it contains only the alignment: addresses are meaningless
  /// in other processes.
  nlohmann::json toJson() const;
  /// Does what Observation::readJson does.
  void readJson(JsonReader &In, const nlohmann::json &Json);

private:
  void readValues(JsonReader &In, const nlohmann::json &Json);
  int64_t ordered(uint64_t Packed) const;
  void recordSlow(uint64_t Packed);
  void count(uint64_t Packed);
  void widen(int64_t Value);

  std::array<ValueCount, Capacity> Values{};
  uint64_t Calls = 0;
  int64_t Min = 0, Max = 0;
  uint64_t AddressBits = 0; ///< or of all addresses
  uint8_t Kind;             ///< enum specrt_kind
  uint8_t Last = 0;         ///< entry of the value recorded last
};

} // namespace specrt

#endif
