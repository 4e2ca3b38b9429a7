//===- instrument/emit/packed_region.h - writes the compact part of a descriptor ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writer of the stream that specrt/packed_region.h describes and reads.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_INSTRUMENT_EMIT_PACKED_REGION_H
#define SPECRT_INSTRUMENT_EMIT_PACKED_REGION_H

#include "specrt/abi.h"
#include <string_view>
#include <vector>

namespace specrt {

/// Appends the members of the stream; the calls must be in the order of the stream.
class PackedRegion {
public:
  void byte(uint8_t Value) { Bytes.push_back(Value); }
  /// Appends \p Text, which must not contain zero bytes, and a terminating zero.
  void text(std::string_view Text);
  void number(uint64_t Value);
  void access(const specrt_access &Access);
  void loop(const specrt_loop &Loop);
  void place(const specrt_place &Place);
  void memoryName(const specrt_memory_name &Name);
  const std::vector<uint8_t> &bytes() const { return Bytes; }

private:
  void signedNumber(int64_t Value);
  void base(const specrt_base &Base);
  void polynomial(const specrt_polynomial &P);

  std::vector<uint8_t> Bytes;
};

} // namespace specrt

#endif
