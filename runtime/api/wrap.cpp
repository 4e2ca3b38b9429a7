//===- runtime/api/wrap.cpp - implements wrap.h ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/clock.h"
#include "runtime/base/export.h"
#include "runtime/base/log.h"
#include "runtime/base/reasons.h"
#include "runtime/base/tuning.h"
#include "runtime/decide/registry.h"
#include "runtime/process/attend.h"
#include "runtime/wrap/wrap_code.h"

#include <algorithm>
#include <cstring>
#include <unistd.h>

namespace specrt {
namespace {

struct LastError {
  int Code = SPECRT_WRAP_OK;
  std::string Message;
};
thread_local LastError Last;

int finish(int Code, const std::string &Message = "") {
  Last.Code = Code;
  Last.Message = Message;
  return Code;
}

/// Runs Work and returns its result; returns Otherwise and sets an error code if it throws
/// (bad_alloc): no exception may propagate into a C program.
template <typename T, typename F> T guarded(T Otherwise, F Work) noexcept {
  try {
    return Work();
  } catch (...) {
    Last.Code = SPECRT_WRAP_MEMORY;
    Last.Message = "no memory"; // short enough for the buffer inside std::string
    return Otherwise;
  }
}

/// Returns whether this is raw bitcode, or bitcode in the wrapper of Apple's tools.
bool looksLikeBitcode(const void *Bitcode, size_t Size) {
  constexpr char Raw[] = {'B', 'C', '\xc0', '\xde'}, Wrapper[] = {'\xde', '\xc0', '\x17', '\x0b'};
  return Size >= 4 && (std::memcmp(Bitcode, Raw, 4) == 0 || std::memcmp(Bitcode, Wrapper, 4) == 0);
}

auto find(Registry &R, void *Callable) {
  return std::find_if(R.Wrapped.begin(), R.Wrapped.end(),
                      [=](const auto &W) { return W->Callable == Callable; });
}

/// Returns the result for an unknown callable. While libspecrt is disabled it is valid, because
/// specrt_wrap may have returned the function itself.
int finishUnknown(const RegistryLock &Guard, Registry &R, void *Callable) {
  if (Callable && R.Settings.Disable)
    return finish(SPECRT_WRAP_OK);
  return finish(SPECRT_WRAP_INVALID, "this callable was not made by specrt_wrap, or has ended");
}

bool isDisabled(Registry &R) {
  RegistryLock Guard(R);
  return R.Settings.Disable;
}

/// Prepares versions of a function that was hot in an earlier run, so that it need not become hot
/// again.
void prepareIfKnown(Registry &R, WrappedFunction &W) {
  bool Known;
  {
    RegistryLock Guard(R);
    Known = R.Store && R.Settings.readsProfile() && R.Store->wasHot(W.Signature.Name);
  }
  RegionState *S = W.state();
  if (!Known || !S || !tuning().CompileEnabled.load(std::memory_order_relaxed))
    return;
  // The callable has not been returned yet, so no other thread can free the state.
  W.requestDescription(*S);
  W.waitForDescription(*S);
}

void *wrap(void *Function, const char *Text, const void *Bitcode, size_t Size) {
  Registry &R = Registry::get();
  if (!Function || !Text || !Bitcode) {
    finish(SPECRT_WRAP_INVALID, "function, signature and bitcode must not be null");
    return nullptr;
  }
  Signature S;
  if (std::string Error = parseSignature(Text, S); !Error.empty()) {
    finish(SPECRT_WRAP_SIGNATURE, Error);
    return nullptr;
  }
  if (!looksLikeBitcode(Bitcode, Size)) {
    finish(SPECRT_WRAP_BITCODE, "this is not LLVM bitcode, which begins with the bytes 'BC' c0 de");
    return nullptr;
  }
  if (isDisabled(R)) {
    finish(SPECRT_WRAP_OK);
    return Function;
  }
  freeUnwrapped(R);
  auto W = std::make_shared<WrappedFunction>(Function, std::move(S), Bitcode, Size);
  if (!makeWrapCode(*W)) {
    finish(SPECRT_WRAP_MEMORY, "the system gives no memory that may hold code");
    return nullptr;
  }
  {
    RegistryLock Guard(R);
    R.Wrapped.push_back(W);
  }
  R.registerImage(&W->Entry, &W->Entry + 1);
  attend(R);
  prepareIfKnown(R, *W);
  finish(SPECRT_WRAP_OK);
  return W->Callable;
}

int unwrap(void *Callable) {
  Registry &R = Registry::get();
  std::shared_ptr<WrappedFunction> W;
  {
    RegistryLock Guard(R);
    auto Found = find(R, Callable);
    if (Found == R.Wrapped.end())
      return finishUnknown(Guard, R, Callable);
    W = *Found;
    R.Unwrapped.splice(R.Unwrapped.end(), R.Wrapped, Found);
  }
  R.unregisterImage(&W->Entry, &W->Entry + 1);
  W.reset();
  freeUnwrapped(R);
  return finish(SPECRT_WRAP_OK);
}

/// Waits until the worker has finished the request for W.
int waitForOutcome(Registry &R, WrappedFunction &W, uint32_t TimeoutMs) {
  for (uint64_t Deadline = monotonicNs() + uint64_t{TimeoutMs} * 1000000;; usleep(200)) {
    {
      RegistryLock Guard(R);
      if (W.Outcome != SPECRT_WRAP_TIMEOUT)
        return finish(W.Outcome, W.OutcomeMessage);
      if (!W.state())
        return finishUnknown(Guard, R, W.Callable); // another thread has ended it
    }
    if (monotonicNs() >= Deadline)
      return finish(SPECRT_WRAP_TIMEOUT, "the bitcode was not read in time");
  }
}

int verify(void *Callable, uint32_t TimeoutMs) {
  Registry &R = Registry::get();
  freeUnwrapped(R);
  std::shared_ptr<WrappedFunction> W;
  {
    // The lock keeps the state alive, which specrt_unwrap in another thread frees.
    RegistryLock Guard(R);
    auto Found = find(R, Callable);
    RegionState *S = Found == R.Wrapped.end() ? nullptr : (*Found)->state();
    if (!S)
      return finishUnknown(Guard, R, Callable);
    const char *Why = S->StaticReason.load(std::memory_order_relaxed);
    if (!tuning().CompileEnabled.load(std::memory_order_relaxed))
      return finish(SPECRT_WRAP_NO_COMPILER, Why ? Why : words(Reason::CompilingOff));
    if (Why)
      return finish(SPECRT_WRAP_UNSUPPORTED, Why);
    W = *Found;
    W->requestDescription(*S);
  }
  return waitForOutcome(R, *W, TimeoutMs);
}

} // namespace
} // namespace specrt

using namespace specrt;

SPECRT_EXPORT void *specrt_wrap(void *Function, const char *Signature, const void *Bitcode,
                                size_t Size) {
  void *Callable =
      guarded<void *>(nullptr, [&] { return wrap(Function, Signature, Bitcode, Size); });
  if (!Callable)
    logLine(LogLevel::Info, "specrt_wrap(\"%s\"): %s", Signature ? Signature : "",
            Last.Message.c_str());
  return Callable;
}

SPECRT_EXPORT int specrt_unwrap(void *Callable) {
  return guarded<int>(SPECRT_WRAP_MEMORY, [&] { return unwrap(Callable); });
}

SPECRT_EXPORT int specrt_wrap_verify(void *Callable, uint32_t TimeoutMs) {
  return guarded<int>(SPECRT_WRAP_MEMORY, [&] { return verify(Callable, TimeoutMs); });
}

SPECRT_EXPORT int specrt_wrap_error(const char **Message) {
  if (Message)
    *Message = Last.Message.c_str();
  return Last.Code;
}
