//===- runtime/capture/captured_call.h - a file with one call of a region ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A captured call is a file in memory: the arguments, the bytes that the call may read or write as
// they were before it, and hashes of the bytes that it may write as they were after it. Replaying a
// version on the same bytes at the same addresses must lead to the same hashes.
//
//   CapturedCall, at offset 0
//   bytes of each segment, from the beginning of a page of the file on
//   hashes of each written segment, one ContentHash per HashedBytes
//   addresses of the region's symbols, 8 bytes each
//
// The file never has a name and never reaches a disk.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_CAPTURE_CAPTURED_CALL_H
#define SPECRT_RUNTIME_CAPTURE_CAPTURED_CALL_H

#include "specrt/abi.h"
#include <cstdint>

namespace specrt {

/// Bytes [Begin, End) of the program's memory, which may belong to several arrays.
struct CapturedSegment {
  uint64_t Begin, End;
  uint64_t Bytes;  ///< offset in the file
  uint64_t Hashes; ///< offset in the file, where IsWritten
  bool IsWritten;
  /// The call stores at most one value here, maybe what it hands to the code behind the nest. The
  /// nest in place keeps such values in registers, and the bytes stay as they are.
  bool MayBeResult;

  uint64_t size() const { return End - Begin; }
};

/// The head of the file. Plain data: both ends are of one build.
struct CapturedCall {
  static constexpr uint64_t Expected = 0x4c41432d54525053; // "SPRT-CAL"
  static constexpr uint32_t MaxSegments = 32;
  /// Bytes under one hash.
  static constexpr uint64_t HashedBytes = 64 << 10;

  uint64_t Magic;
  uint64_t FileBytes;
  uint64_t Symbols;     ///< offset in the file
  uint64_t Nanoseconds; ///< that the call took in the original
  uint32_t NumSymbols, NumArguments, NumSegments;
  uint32_t Mxcsr;                        ///< the thread's floating-point control and status
  uint32_t IsComplete;                   ///< set last, with release order
  CapturedSegment Segments[MaxSegments]; ///< ascending, without overlaps
  uint64_t Packed[SPECRT_MAX_ARGUMENTS];
};

} // namespace specrt

#endif
