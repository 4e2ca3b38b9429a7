//===- profiler/values/tuple_profile.h - which argument tuples recur ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of single arguments do not tell whether n == 1000 and m == 1100 occur together. This table
// counts whole tuples of the arguments that are not pointers (addresses change from run to run), by
// Space-Saving as in value_profile.h, with the time spent in each.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_VALUES_TUPLE_PROFILE_H
#define SPECRT_PROFILER_VALUES_TUPLE_PROFILE_H

#include <array>
#include <cstdint>
#include <vector>

namespace specrt {

/// One tuple's statistics: it occurred between Count - Error and Count times. Times cover the calls
/// since the entry was taken over: Count - Error of them.
struct TupleCount {
  uint64_t Count = 0; ///< 0: the entry is free
  uint64_t Error = 0;
  uint64_t TotalNs = 0;
  uint64_t MinNs = 0;
};

/// A value type; the only allocation is in the constructor.
class TupleProfile {
public:
  static constexpr unsigned Capacity = 16;

  /// Kinds: enum specrt_kind of every argument.
  explicit TupleProfile(const std::vector<uint8_t> &Kinds);

  /// Counts one call. Packed: all arguments, pointers too. Async-signal-safe.
  void record(const uint64_t *Packed, uint64_t Nanoseconds);

  /// Counts one more call with the tuple recorded last. Async-signal-safe.
  void repeat(uint64_t Nanoseconds);

  /// Forgets everything observed.
  void clear();

  /// Adds what Other saw; both describe the same argument kinds.
  void merge(const TupleProfile &Other);

  /// Numbers of the arguments that form the tuple, ascending.
  const std::vector<uint32_t> &arguments() const { return Arguments; }
  /// The table, unordered; free entries have Count 0.
  const std::array<TupleCount, Capacity> &entries() const { return Entries; }
  /// The packed values of entry I, in the order of arguments().
  const uint64_t *values(unsigned I) const { return Values.data() + I * Arguments.size(); }

private:
  friend class ProfileReader;
  friend class ProfileWriter;
  bool matches(unsigned I, const uint64_t *Packed) const;

  std::vector<uint32_t> Arguments;
  std::array<TupleCount, Capacity> Entries{};
  std::array<uint64_t, Capacity> Hashes{};
  std::vector<uint64_t> Values; ///< [Capacity * Arguments.size()]
  unsigned Last = 0;
};

} // namespace specrt

#endif
