//===- profiler/folding/piece_text.cpp - describes pieces in words --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specrt/folding.h"

#include <algorithm>

namespace specrt {
namespace {

std::string iteratorName(unsigned Iterator, std::span<const std::string> Iterators) {
  return Iterator < Iterators.size() ? Iterators[Iterator] : "c" + std::to_string(Iterator);
}

/// Returns the names of the dimensions of a piece: its iterator, tile k/4 and position k%4.
std::vector<std::string> dimensionNames(const FoldedPiece &Piece,
                                        std::span<const std::string> Iterators) {
  std::vector<std::string> Names;
  const auto &Dimensions = Piece.Dimensions;
  for (size_t D = 0; D < Dimensions.size(); ++D) {
    std::string Name = iteratorName(Dimensions[D].Iterator, Iterators);
    const bool Outer =
        D + 1 < Dimensions.size() && Dimensions[D + 1].Iterator == Dimensions[D].Iterator;
    const bool Inner = D > 0 && Dimensions[D - 1].Iterator == Dimensions[D].Iterator;
    if (Inner)
      Name += "%" + std::to_string(Dimensions[D - 1].Scale);
    else if (Outer || Dimensions[D].Scale != 1)
      Name += "/" + std::to_string(Dimensions[D].Scale);
    Names.push_back(std::move(Name));
  }
  return Names;
}

/// Appends for example " + 3j", or "3j" at the beginning.
void append(std::string &Text, int64_t Factor, const std::string &What) {
  if (Text.empty())
    Text = std::to_string(Factor);
  else // the magnitude of the lowest number has no int64_t
    Text += Factor < 0 ? " - " + std::to_string(-uint64_t(Factor)) : " + " + std::to_string(Factor);
  Text += What;
}

/// Returns for example "2j - 1"; zero terms are omitted.
std::string boundText(const AffineFunction &F, const std::vector<std::string> &Names) {
  std::string Text;
  for (size_t D = 0; D < F.Coefficients.size(); ++D) {
    const int64_t Factor = F.Coefficients[D].Value;
    if (Factor == 1 && Text.empty())
      Text = Names[D];
    else if (Factor == 1 || Factor == -1)
      Text += (Factor < 0 ? Text.empty() ? "-" : " - " : " + ") + Names[D];
    else if (Factor)
      append(Text, Factor, Names[D]);
  }
  if (F.Constant.Value || Text.empty())
    append(Text, F.Constant.Value, "");
  return Text;
}

} // namespace

std::string FoldedPiece::domainText(std::span<const std::string> Iterators) const {
  const std::vector<std::string> Names = dimensionNames(*this, Iterators);
  std::string Text;
  for (size_t D = 0; D < Dimensions.size(); ++D)
    Text += (D ? ", " : "") + boundText(Dimensions[D].Lower, Names) + " <= " + Names[D] +
            " <= " + boundText(Dimensions[D].Upper, Names);
  // Names of tiles and of every s-th value count from the lowest value.
  for (unsigned K = 0; K < Offsets.size(); ++K)
    if (std::string Lowest = boundText(Offsets[K], Names); Lowest != "0")
      Text += ", " + iteratorName(K, Iterators) + " counted from " + Lowest;
  return Text;
}

std::string FoldedPiece::functionText(unsigned Label,
                                      std::span<const std::string> Iterators) const {
  const std::vector<std::string> Names = dimensionNames(*this, Iterators);
  const AffineFunction &F = Functions[Label];
  std::string Text;
  auto AppendCoefficient = [&](const Coefficient &C, const std::string &Name) {
    if (C.Is == Coefficient::Number)
      return append(Text, C.Value, Name);
    Text += (Text.empty() ? "" : " + ") + std::string(C.isTop() ? "T" : "?") + Name;
  };
  for (size_t D = 0; D < Names.size(); ++D)
    AppendCoefficient(F.Coefficients[D], Names[D]);
  AppendCoefficient(F.Constant, "");
  return Text;
}

std::string FoldedPiece::dependenceText(std::span<const std::string> Iterators) const {
  const std::vector<std::string> Names = dimensionNames(*this, Iterators);
  std::string Text;
  bool SameOutside = true; // the labels so far say that both are the same iteration
  for (unsigned L = 0; L < Functions.size(); ++L) {
    const std::string Name = iteratorName(L, Iterators);
    const bool Affine = Functions[L].affine();
    const std::string Source = Affine ? boundText(Functions[L], Names) : Name;
    if (Affine || SameOutside) {
      Text += (Text.empty() ? "" : ", ") + Name;
      Text += (Affine ? "' = " : "' <= ") + Source;
    }
    SameOutside &= Affine && Source == Name;
  }
  return Text;
}

} // namespace specrt
