//===- runtime/zeros/number_bits.h - floating-point numbers by their bits ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_ZEROS_NUMBER_BITS_H
#define SPECRT_RUNTIME_ZEROS_NUMBER_BITS_H

#include <cstdint>

namespace specrt {

/// Of the format that has so many bits. Sizes are numbers without their sign, shifted left by one.
template <typename Bits> struct NumberBits {
  static constexpr int Width = sizeof(Bits) * 8;
  static constexpr int Mantissa = Width == 64 ? 52 : 23;
  static constexpr int Bias = Width == 64 ? 1023 : 127;
  static constexpr Bits Sign = Bits{1} << (Width - 1);
  static constexpr Bits Infinity = static_cast<Bits>(Bits(2 * Bias + 1) << (Mantissa + 1));
  static constexpr Bits Quiet = Bits{1} << (Mantissa - 1);
  /// The size of the least number that is no denormal. A size is without the sign, twice the bits.
  static constexpr Bits Normal = Bits{1} << (Mantissa + 1);
  /// The size of two to this power; 0: of nothing.
  static constexpr Bits least(int Exponent) {
    return Exponent == 0 ? 0 : static_cast<Bits>(Bits(Bias + Exponent) << (Mantissa + 1));
  }
};

} // namespace specrt

#endif
