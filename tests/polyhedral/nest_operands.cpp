//===- tests/polyhedral/nest_operands.cpp - what a nest works on ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/polyhedral/nest_operands.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace specrt {
namespace {

/// Calls \p use with a zero of that type.
template <typename Use> auto withZeroOf(Element Type, Use use) {
  switch (Type) {
  case Element::Float64:
    return use(double());
  case Element::Float32:
    return use(float());
  case Element::Int64:
    return use(int64_t());
  case Element::Int32:
    return use(int32_t());
  }
  llvm_unreachable("all elements are handled");
}

template <typename T> T valueAt(size_t I, Values Kind) {
  T Ordinary = std::is_floating_point_v<T> ? T(double(I * 7919 % 1009) / 1009 - 0.4)
                                           : T(I * 2654435761u + (I << 40));
  if (Kind != Values::Special || I * 7919 % 13 > 6)
    return Ordinary;
  using Limits = std::numeric_limits<T>;
  const T Special[] = {
      Limits::infinity(),   -Limits::infinity(), Limits::quiet_NaN(), T(0), T(-0.0),
      Limits::denorm_min(), Limits::min() / 2};
  // One place in a few thousand is infinite or NaN: they spread over whole rows.
  size_t Which = I * 7919 % 13;
  return Which < 3 && I * 31 % 997 > 2 ? Ordinary : Special[Which];
}

template <typename T> void fillAs(const GuardedArray &Array, size_t Seed, Values Kind) {
  for (std::span<char> Part : Array.parts())
    for (size_t At = 0; At < Part.size(); At += sizeof(T), ++Seed) {
      T V = valueAt<T>(Seed, Kind);
      std::memcpy(Part.data() + At, &V, sizeof V);
    }
}

template <typename T> bool isSameValue(T L, T R) {
  if constexpr (std::is_floating_point_v<T>)
    if (std::isnan(L) && std::isnan(R))
      return true;
  using Bytes = std::array<std::byte, sizeof(T)>;
  return std::bit_cast<Bytes>(L) == std::bit_cast<Bytes>(R);
}

template <typename T> size_t differencesAs(const GuardedArray &X, const GuardedArray &Y) {
  size_t Count = 0;
  for (size_t P = 0; P < X.parts().size(); ++P)
    for (size_t At = 0; At < X.parts()[P].size(); At += sizeof(T)) {
      T L, R;
      std::memcpy(&L, X.parts()[P].data() + At, sizeof L);
      std::memcpy(&R, Y.parts()[P].data() + At, sizeof R);
      Count += !isSameValue(L, R);
    }
  return Count;
}

bool isIdentical(const GuardedArray &X, const GuardedArray &Y) {
  return std::equal(X.parts().begin(), X.parts().end(), Y.parts().begin(), Y.parts().end(),
                    [](std::span<char> L, std::span<char> R) {
                      return L.size() == R.size() && !std::memcmp(L.data(), R.data(), L.size());
                    });
}

} // namespace

size_t bytesOf(Element Type) {
  return withZeroOf(Type, [](auto Zero) { return sizeof Zero; });
}

Operands Operands::dense(const Extents &Elements, Element Type, Side At) {
  auto Make = [&](long Count) {
    return GuardedArray::dense(size_t(std::max(Count, 1L)) * bytesOf(Type), At);
  };
  return Operands(Type, Make(Elements[0]), Make(Elements[1]), Make(Elements[2]));
}

Operands Operands::filledFor(const Sizes &S) {
  long Most = std::max({S[0] * S[1], S[0] * S[2], S[1] * S[2], S[0] * S[1] * S[1]});
  Operands Data = dense({Most, Most, Most}, Element::Float64, Side::End);
  Data.fill(Values::Ordinary);
  return Data;
}

void Operands::fill(Values Kind, long Rows) {
  size_t Seed = 1;
  for (const GuardedArray *Array : all())
    withZeroOf(Type, [&](auto Zero) { fillAs<decltype(Zero)>(*Array, Seed += 1000, Kind); });
  if (Kind != Values::Dominant && Kind != Values::Pivots)
    return;
  auto *Matrix = static_cast<double *>((Kind == Values::Dominant ? C : A).data());
  for (long I = 0; I < Rows; ++I)
    Matrix[I * Rows + I] += double(Rows);
}

void Operands::copyFrom(const Operands &Other) {
  for (unsigned I = 0; I < 3; ++I)
    all()[I]->copyFrom(*Other.all()[I]);
}

size_t Operands::differences(const Operands &Other) const {
  size_t Count = 0;
  for (unsigned I = 0; I < 3; ++I)
    Count += withZeroOf(
        Type, [&](auto Zero) { return differencesAs<decltype(Zero)>(*all()[I], *Other.all()[I]); });
  return Count;
}

bool Operands::identical(const Operands &Other) const {
  for (unsigned I = 0; I < 3; ++I)
    if (!isIdentical(*all()[I], *Other.all()[I]))
      return false;
  return true;
}

ComparedRun compareRun(Nest *Original, Nest *Candidate, const Sizes &S) {
  ComparedRun Run;
  const int Before = LoopEntries::numReversed();
  Run.IsRight = haveSameResults(Original, Candidate, S);
  Run.NumReversed = LoopEntries::numReversed() - Before;
  return Run;
}

bool haveSameResults(Nest *Original, Nest *Candidate, const Sizes &S) {
  Operands Expected = Operands::filledFor(S), Actual = Operands::filledFor(S);
  Expected.run(Original, S);
  Actual.run(Candidate, S);
  return Actual.identical(Expected);
}

} // namespace specrt
