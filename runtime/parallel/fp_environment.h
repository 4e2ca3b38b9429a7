//===- runtime/parallel/fp_environment.h - a thread's floating-point mode --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop's results depend on the rounding mode and on how denormals are treated. Both belong to the
// thread, so a worker takes over the caller's for the time of a loop.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PARALLEL_FP_ENVIRONMENT_H
#define SPECRT_RUNTIME_PARALLEL_FP_ENVIRONMENT_H

#include <cfenv>
#include <cstdint>

namespace specrt {

/// The control state (rounding, denormals, exception masks) and the exception flags of a thread.
class FpEnvironment {
public:
  /// Returns the calling thread's state.
  static FpEnvironment current() {
    FpEnvironment E;
#if defined(__x86_64__)
    E.Mxcsr = __builtin_ia32_stmxcsr();
    asm volatile("fnstcw %0" : "=m"(E.X87));
#else
    fegetenv(&E.Env);
#endif
    return E;
  }

  /// Gives the calling thread this control state and cleared flags.
  void enter() const {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(Mxcsr & ~FlagMask);
    asm volatile("fldcw %0" ::"m"(X87));
#else
    fesetenv(&Env);
    feclearexcept(FE_ALL_EXCEPT);
#endif
  }

  /// Lets no floating-point exception of the calling thread trap until restore().
  static void maskExceptions() {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | FlagMask << 7);
#else
    fenv_t Before;
    feholdexcept(&Before);
#endif
  }

  /// Gives the calling thread back its own state.
  void restore() const {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(Mxcsr);
    asm volatile("fldcw %0" ::"m"(X87));
#else
    fesetenv(&Env);
#endif
  }

  /// The exception flags that the calling thread has set.
  static uint32_t flags() {
#if defined(__x86_64__)
    return __builtin_ia32_stmxcsr() & FlagMask;
#else
    return static_cast<uint32_t>(fetestexcept(FE_ALL_EXCEPT));
#endif
  }

  /// Adds flags() of another thread to the calling thread's, without trapping.
  static void addFlags(uint32_t Flags) {
#if defined(__x86_64__)
    if (Flags != 0)
      __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | Flags);
#else
    if (Flags != 0)
      feraiseexcept(static_cast<int>(Flags));
#endif
  }

private:
#if defined(__x86_64__)
  static constexpr uint32_t FlagMask = 0x3f;
  uint32_t Mxcsr = 0;
  uint16_t X87 = 0;
#else
  fenv_t Env;
#endif
};

/// Lets no floating-point exception of its thread trap while it lives, and raises no flag.
class MaskedExceptions {
public:
  MaskedExceptions() { FpEnvironment::maskExceptions(); }
  ~MaskedExceptions() { Before.restore(); }
  MaskedExceptions(const MaskedExceptions &) = delete;
  MaskedExceptions &operator=(const MaskedExceptions &) = delete;

private:
  const FpEnvironment Before = FpEnvironment::current();
};

} // namespace specrt

#endif
