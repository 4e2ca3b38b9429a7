//===- arch/x86_64/region_calls.h - calls of regions of any signature -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A region's arguments arrive as the System V ABI passes them, whatever their types: integers and
// pointers in six registers, floating-point numbers in eight, the rest on the stack in their order.
// The two functions here save all registers that can contain arguments, and let the description of
// the region say which do. So a program needs no code of its own for any of its signatures.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_ARCH_X86_64_REGION_CALLS_H
#define SPECRT_ARCH_X86_64_REGION_CALLS_H

#include "specrt/abi.h"
#include <cstdint>

namespace specrt {

/// The registers that can contain arguments, as they were when a call began.
struct SavedArguments {
  uint64_t General[6];
  uint64_t Vector[8]; ///< the low halves
};

/// Reads the arguments of a call one after the other.
class ArgumentReader {
public:
  /// \p Stack points to the arguments that the caller passed on the stack.
  ArgumentReader(const SavedArguments &Saved, const uint64_t *Stack) : Saved(Saved), Stack(Stack) {}

  /// Returns the next argument, packed. \p Kind is an enum specrt_kind.
  uint64_t next(uint8_t Kind);
  /// Returns the number of arguments read so far that were on the stack.
  uint64_t numOnStack() const { return OnStack; }

private:
  const SavedArguments &Saved;
  const uint64_t *Stack;
  uint64_t InGeneral = 0, InVector = 0, OnStack = 0;
};

/// A result in two registers, rax and rdx.
struct CodeAndNumber {
  void *Code;
  uint64_t Number;
};

} // namespace specrt

extern "C" {
/// The thunk that specrt/abi.h describes.
__attribute__((visibility("hidden"))) void regionThunk(void);

// The two functions above call these, which runtime/api/region_calls.cpp defines. The record's
// region must not be null, and Packed must have room for all arguments. They are not noexcept,
// because the cancellation of a thread may unwind through them.

/// Returns the code to run, or null, and the number of arguments on the stack.
__attribute__((visibility("hidden"))) specrt::CodeAndNumber
enterFromThunk(specrt_record *Record, const specrt::SavedArguments *Saved, const uint64_t *Stack,
               uint64_t *Packed, specrt_call *Call);
__attribute__((visibility("hidden"))) void leaveFromThunk(specrt_record *Record, specrt_call *Call);
/// Returns the code to run, or null, and a token.
__attribute__((visibility("hidden"))) specrt::CodeAndNumber
pollFromNest(specrt_record *Record, const specrt::SavedArguments *Saved, const uint64_t *Stack,
             uint64_t *Packed);
}

#endif
