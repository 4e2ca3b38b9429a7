//===- runtime/base/nearest.cpp - finds similar names ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/nearest.h"

#include <algorithm>
#include <utility>

namespace specrt {

size_t editDistance(const std::string &A, const std::string &B) {
  std::vector<size_t> Row(B.size() + 1);
  for (size_t J = 0; J <= B.size(); ++J)
    Row[J] = J;
  for (size_t I = 1; I <= A.size(); ++I) {
    size_t Diagonal = std::exchange(Row[0], I);
    for (size_t J = 1; J <= B.size(); ++J)
      Diagonal = std::exchange(
          Row[J], std::min({Row[J] + 1, Row[J - 1] + 1, Diagonal + (A[I - 1] != B[J - 1])}));
  }
  return Row.back();
}

std::string nearestName(const std::string &Word, const std::vector<std::string> &Names) {
  auto Closer = [&](const std::string &A, const std::string &B) {
    return editDistance(Word, A) < editDistance(Word, B);
  };
  auto Nearest = std::min_element(Names.begin(), Names.end(), Closer);
  return Nearest == Names.end() ? "" : *Nearest;
}

} // namespace specrt
