//===- runtime/capture/captured_call.h - the file with one call of a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured call is a file in memory. It contains the arguments, the bytes that the call may read
// or write as they were before the call, and hashes of the bytes that it may write as they were
// after the call. A version that is replayed on the same bytes at the same addresses must lead to
// the same hashes.
//
//   CapturedCall, at offset 0
//   a buffer of HashedBytes, into which bytes are copied to be hashed
//   bytes of each segment, aligned to a page of the file
//   hashes of each written segment, one ContentHash per HashedBytes
//   addresses of the region's symbols, 8 bytes each
//
// The file has no name and is not written to any disk.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CAPTURE_CAPTURED_CALL_H
#define SPECRT_RUNTIME_CAPTURE_CAPTURED_CALL_H

#include "specrt/abi.h"
#include <cstdint>

namespace specrt {

/// Bytes [Begin, End) of the program's memory. A segment may contain several arrays.
struct CapturedSegment {
  uint64_t Begin, End;
  uint64_t Bytes;  ///< offset in the file
  uint64_t Hashes; ///< offset in the file if IsWritten
  bool IsWritten;
  /// The segment may be the place of a value that the nest hands to the code behind it. The nest in
  /// place keeps such a value in a register and does not write the segment.
  bool MayBeResult;

  uint64_t size() const { return End - Begin; }
};

/// The head of the file. Plain data, because both ends are of one build.
struct CapturedCall {
  static constexpr uint64_t Expected = 0x4c41432d54525053; // "SPRT-CAL"
  /// Bounds the head. Regions of the examples and benchmarks have at most a dozen accesses.
  static constexpr uint32_t MaxSegments = 32;
  /// The number of bytes under one hash. The buffer of that size stays in the second cache.
  static constexpr uint64_t HashedBytes = 64 << 10;

  uint64_t Magic;
  uint64_t FileBytes;
  uint64_t Symbols;     ///< offset in the file
  uint64_t Nanoseconds; ///< the time of the call in the original
  uint32_t NumSymbols, NumArguments, NumSegments;
  uint32_t Mxcsr;                        ///< the SSE control and status register at the call
  uint32_t IsComplete;                   ///< written last
  CapturedSegment Segments[MaxSegments]; ///< ascending, without overlaps
  uint64_t Packed[SPECRT_MAX_ARGUMENTS];
};

} // namespace specrt

#endif
