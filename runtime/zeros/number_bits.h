//===- runtime/zeros/number_bits.h - floating-point numbers by their bits ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ZEROS_NUMBER_BITS_H
#define SPECRT_RUNTIME_ZEROS_NUMBER_BITS_H

#include <cstdint>

namespace specrt {

/// Constants of the floating-point format with this many bits. A size is a number without its sign,
/// shifted left by one.
template <typename Bits> struct NumberBits {
  static constexpr int Width = sizeof(Bits) * 8;
  static constexpr int Mantissa = Width == 64 ? 52 : 23;
  static constexpr int Bias = Width == 64 ? 1023 : 127;
  static constexpr Bits Sign = Bits{1} << (Width - 1);
  static constexpr Bits Infinity = static_cast<Bits>(Bits(2 * Bias + 1) << (Mantissa + 1));
  static constexpr Bits Quiet = Bits{1} << (Mantissa - 1);
  /// The size of the least normal number.
  static constexpr Bits Normal = Bits{1} << (Mantissa + 1);
  /// Returns the size of two to this power; 0 for 0.
  static constexpr Bits least(int Exponent) {
    return Exponent == 0 ? 0 : static_cast<Bits>(Bits(Bias + Exponent) << (Mantissa + 1));
  }
};

} // namespace specrt

#endif
