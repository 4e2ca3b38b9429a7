//===- runtime/wrap/wrapped_function.h - a function that specrt_wrap wraps ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A wrapped function is a region whose descriptor is made in two steps. The signature determines
// its arguments, so it is registered at once like an image of one region. Accesses, loops, symbols
// and the code to specialise come from the bitcode, which only the compiler can read:
//
//   watched    calls are counted and timed, the first are recorded            phase Cold
//   being read it was hot, or requested: the worker has it read               phase Compiling
//   described  an ordinary region, which begins with the recorded calls       any
//   refused    runs as it is; the reason says why                             phase Blocked
//
// Until it is described no call enters specrt_enter for it, so that the worker may complete the
// descriptor under the registry's mutex.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_WRAP_WRAPPED_FUNCTION_H
#define SPECRT_RUNTIME_WRAP_WRAPPED_FUNCTION_H

#include "runtime/call/region_state.h"
#include "runtime/compile/region_copy.h"
#include "runtime/decide/registry_lock.h"
#include "runtime/protocol/messages.h"
#include "runtime/wrap/object_symbols.h"
#include "runtime/wrap/signature.h"
#include "specrt/wrap.h"
#include <array>
#include <memory>

namespace specrt {

class Registry;

/// The limit of a region's arguments: the C arguments and a place for a struct result.
constexpr unsigned MaxRegionArguments = SPECRT_WRAP_MAX_ARGUMENTS + 1;

/// Records calls from before there is a profile. Async-signal-safe.
class EarlyCalls {
public:
  struct Call {
    std::atomic<bool> Complete{false};
    uint64_t Ticks = 0;
    uint64_t Packed[MaxRegionArguments] = {};
  };

  /// Adds a call; the first ones are kept. Any number of threads.
  void add(const uint64_t *Packed, unsigned NumArguments, uint64_t Ticks);

  uint64_t totalTicks() const { return Total.load(std::memory_order_relaxed); }
  const std::array<Call, 16> &kept() const { return Kept; }

private:
  std::atomic<uint64_t> Total{0};
  std::atomic<uint32_t> Next{0};
  std::array<Call, 16> Kept;
};

class WrappedFunction {
public:
  WrappedFunction(void *Function, specrt::Signature S, const void *Bitcode, size_t Size);
  WrappedFunction(const WrappedFunction &) = delete;
  WrappedFunction &operator=(const WrappedFunction &) = delete;

  void *const Function;
  const specrt::Signature Signature;
  specrt_region Region{};
  specrt_region *Entry = &Region; ///< the image: one entry
  void *Slot = nullptr;
  uint64_t PassBy = 0;
  EarlyCalls Early;
  /// The function that the program calls, and the owner of its code (see wrap_code.h).
  void *Callable = nullptr;
  std::shared_ptr<void> Code;

  bool isDescribed() const { return Described.load(std::memory_order_acquire); }
  /// Returns null while disabled, or when it is not wrapped any more.
  RegionState *state() const {
    return static_cast<RegionState *>(__atomic_load_n(&Region.state, __ATOMIC_ACQUIRE));
  }

  /// Makes the worker read the bitcode, at the first call. Async-signal-safe. \p S must not be
  /// freed meanwhile: a call of the function is running, or the registry's mutex is held.
  void requestDescription(RegionState &S);
  /// With SPECRT_COMPILE=sync, waits until the worker has read it. Async-signal-safe.
  void waitForDescription(RegionState &S);
  /// Makes calls run the function directly from now on; \p Why is static text. Async-signal-safe.
  void leaveAlone(RegionState &S, const char *Why);

  /// Called in a forked child: repeats requests that the parent's worker was serving, or drops them
  /// if there is no compiler any more.
  void restartAfterFork(const RegistryLock &Guard);

  /// Reads the bitcode and completes the descriptor, on the worker. Registry's mutex not held.
  void describe(Registry &R, RegionState &S);

  /// Makes the function run as it is, for ever. giveUp is for lack of memory while it was read and
  /// allocates only the reason's text.
  void giveUp(const RegistryLock &Guard, RegionState &S, const char *Why) noexcept;
  void refuse(const RegistryLock &Guard, Registry &R, RegionState &S, int Code,
              const std::string &Why);

  /// The worker is in describe. Guarded by the registry's mutex.
  bool IsBeingRead = false;
  /// Result of describe as specrt_wrap_verify gives it. Guarded by the registry's mutex.
  int Outcome = SPECRT_WRAP_TIMEOUT;
  std::string OutcomeMessage;

private:
  void setKinds();
  void accept(const RegistryLock &Guard, Registry &R, RegionState &S, const specrt_region &Found);
  void replayEarlyCalls(const RegistryLock &Guard, Registry &R, RegionState &S);
  DescribeRequest::Name resolve(const DescribeAnswer::Name &Wanted);
  void *addressOf(const std::string &Name, bool HasOneMeaning, const char *&Why);

  std::string Bitcode; ///< the user's; empty once it was read
  /// Set once: a description is not made twice.
  std::atomic<bool> Requested{false};
  std::atomic<bool> Described{false};
  std::vector<uint8_t> Kinds;
  std::vector<const char *> Names;
  std::unique_ptr<RegionCopy> Description;
  ObjectSymbols Symbols;
};

/// Serves RequestDescribe. Worker only.
void describeWrapped(Registry &R, RegionState &S);

/// Frees unwrapped functions, except those that are being read. For threads of the program: it
/// closes libraries, whose destructors may do anything. Registry's mutex not held.
void freeUnwrapped(Registry &R);

/// Called in a forked child: restarts all wrapped functions.
void releaseWrappedAfterFork(const RegistryLock &Guard, Registry &R);

} // namespace specrt

#endif
