//===- tests/runtime/capture/captured_region.h - a region whose calls are captured ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_RUNTIME_CAPTURE_CAPTURED_REGION_H
#define SPECRT_TESTS_RUNTIME_CAPTURE_CAPTURED_REGION_H

#include "runtime/capture/capture.h"
#include "specrt/abi.h"
#include "gtest/gtest.h"
#include <array>
#include <cstdint>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace captured {

using namespace specrt;

inline specrt_polynomial multiple(int64_t Coefficient, uint16_t Argument) {
  specrt_polynomial P{};
  P.num_terms = 1;
  P.terms[0].coefficient = Coefficient;
  P.terms[0].num_factors = 1;
  P.terms[0].factors[0] = Argument;
  return P;
}
inline specrt_polynomial constant(int64_t Value) {
  specrt_polynomial P{};
  P.num_terms = Value != 0;
  P.terms[0].coefficient = Value;
  return P;
}

/// for (i < n) b[i] = 2 * a[i] + b[i], and *last is b[n - 1], which the nest in place hands on in a
/// register.
struct Sums {
  Sums() {
    Kinds = {SPECRT_KIND_I64, SPECRT_KIND_POINTER, SPECRT_KIND_POINTER, SPECRT_KIND_POINTER};
    Accesses[0] = access(1, multiple(8, 0), SPECRT_ACCESS_READ);
    Accesses[1] = access(2, multiple(8, 0), SPECRT_ACCESS_READ | SPECRT_ACCESS_WRITE);
    Accesses[2] = access(3, constant(8), SPECRT_ACCESS_WRITE);
    Loop.depth = 1;
    Loop.trip_count = multiple(1, 0);
    Region.abi_version = SPECRT_ABI_VERSION;
    Region.size = SPECRT_REGION_BYTES;
    Region.name = Region.function = "sums";
    Region.file = Region.entry_symbol = Region.pipeline = "";
    Region.num_args = Kinds.size();
    Region.return_kind = SPECRT_KIND_I32;
    Region.arg_kinds = Kinds.data();
    Region.arg_names = Names.data();
    Region.accesses = Accesses.data();
    Region.num_accesses = Accesses.size();
    Region.loops = &Loop;
    Region.num_loops = 1;
  }
  Sums(const Sums &) = delete;
  Sums &operator=(const Sums &) = delete;

  static specrt_access access(uint16_t Argument, specrt_polynomial End, uint32_t Flags) {
    specrt_access A{};
    A.range.base = {SPECRT_BASE_ARGUMENT, Argument, 0};
    A.range.begin = constant(0);
    A.range.end = End;
    A.flags = Flags;
    A.element_size = 8;
    return A;
  }

  std::array<uint8_t, 4> Kinds{};
  std::array<const char *, 4> Names = {"n", "a", "b", "last"};
  std::array<specrt_access, 3> Accesses{};
  specrt_loop Loop{};
  specrt_region Region{};
};

/// Pages of their own.
class Memory {
public:
  explicit Memory(size_t Bytes)
      : Bytes(Bytes),
        At(mmap(nullptr, Bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Memory() { munmap(At, Bytes); }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  double *doubles() const { return static_cast<double *>(At); }

private:
  const size_t Bytes;
  void *const At;
};

/// The arrays of a call. They begin and end within pages.
struct Arrays {
  static constexpr int64_t Usual = 100'000;

  explicit Arrays(int64_t N = Usual) : N(N) {
    for (int64_t I = 0; I < N; ++I) {
      a()[I] = static_cast<double>(I % 17);
      b()[I] = static_cast<double>(I % 5);
    }
    last() = -1;
  }
  double *a() const { return A.doubles() + 3; }
  double *b() const { return B.doubles() + 5; }
  double &last() const { return *Last.doubles(); }

  std::array<uint64_t, 4> packed() const {
    return {static_cast<uint64_t>(N), reinterpret_cast<uint64_t>(a()),
            reinterpret_cast<uint64_t>(b()), reinterpret_cast<uint64_t>(&last())};
  }
  /// As the program runs the nest.
  void run() const {
    for (int64_t I = 0; I < N; ++I)
      b()[I] = 2 * a()[I] + b()[I];
  }

  const int64_t N;
  Memory A{bytes(N)}, B{bytes(N)}, Last{4096};

private:
  static size_t bytes(int64_t Doubles) { return static_cast<size_t>(Doubles + 16) * 8; }
};

/// A region's time, in nanoseconds, that allows any capture here.
inline constexpr double LongNs = 1e12;

/// Begins to capture a call. Returns null, and fails the test, if it is not captured.
inline Capture *beginAllowed(const void *Key, const specrt_region &Region, const uint64_t *Packed) {
  CaptureRefusal Why{};
  Capture *const Begun = beginCapture(Key, Region, Packed, LongNs, Why);
  EXPECT_NE(Begun, nullptr) << "the call " << words(Why);
  return Begun;
}

} // namespace captured

#endif
