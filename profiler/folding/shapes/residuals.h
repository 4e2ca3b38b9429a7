//===- profiler/folding/shapes/residuals.h - hashes of the residuals of top coefficients ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A label that is not affine along the levels T is { y -> g(y_T) + sum of s_m y_m, m not in T }.
// Two pieces have a number as coefficient along a further level only if their g are equal. A piece
// keeps a hash of g: H = sum over the box of y_T of g(y_T) * product of r_t^(y_t), modulo a prime.
// H is linear in g, so it can be computed for more levels than those that are top in a piece, and
// for two consecutive pieces, without the points themselves.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_PROFILER_FOLDING_SHAPES_RESIDUALS_H
#define SPECRT_PROFILER_FOLDING_SHAPES_RESIDUALS_H

#include <cstdint>

namespace specrt::folding {

/// Integers modulo 2^61 - 1.
class Residue {
public:
  static constexpr uint64_t Prime = (uint64_t(1) << 61) - 1;

  Residue() = default;
  explicit Residue(int64_t Number) {
    int64_t Rest = Number % int64_t(Prime);
    Value = Rest < 0 ? uint64_t(Rest + int64_t(Prime)) : uint64_t(Rest);
  }
  friend Residue operator+(Residue A, Residue B) { return reduced(A.Value + B.Value); }
  friend Residue operator-(Residue A, Residue B) { return reduced(A.Value + Prime - B.Value); }
  friend Residue operator*(Residue A, Residue B) {
    unsigned __int128 Product = static_cast<unsigned __int128>(A.Value) * B.Value;
    return reduced((uint64_t(Product) & Prime) + uint64_t(Product >> 61));
  }
  bool operator==(const Residue &) const = default;
  Residue toThe(uint64_t Exponent) const;
  /// Returns the number from 0 to Prime - 1, the form that a Shape stores.
  int64_t number() const { return int64_t(Value); }

private:
  static Residue reduced(uint64_t Number) {
    Residue R;
    R.Value = Number >= Prime ? Number - Prime : Number;
    return R;
  }
  uint64_t Value = 0;
};

/// Returns r_t of a level.
Residue base(unsigned Level);

/// Returns the sum of r_t^y for 0 <= y < Count.
Residue weight(unsigned Level, uint64_t Count);

/// Returns the sum of y * r_t^y for 0 <= y < Count.
Residue moment(unsigned Level, uint64_t Count);

} // namespace specrt::folding

#endif
