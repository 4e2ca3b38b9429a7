//===- bench/feedback/kmeans.cpp - the nearest centre of each point ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void assign(long NumPoints, long NumCentres, long NumFeatures,
                                      float **Points, float **Centres, int *Member, float **Sums) {
  for (long I = 0; I < NumPoints; ++I) {
    int Best = 0;
    float Least = 1e30F;
    for (long C = 0; C < NumCentres; ++C) {
      float Distance = 0;
      for (long F = 0; F < NumFeatures; ++F)
        Distance += (Points[I][F] - Centres[C][F]) * (Points[I][F] - Centres[C][F]);
      if (Distance < Least) {
        Least = Distance;
        Best = int(C);
      }
    }
    Member[I] = Best;
    for (long F = 0; F < NumFeatures; ++F)
      Sums[Best][F] += Points[I][F];
  }
}

int main() {
  constexpr long NumPoints = 200, NumCentres = 5, NumFeatures = 8;
  Rows<float> Points(NumPoints, NumFeatures), Centres(NumCentres, NumFeatures),
      Sums(NumCentres, NumFeatures);
  std::vector<int> Member(NumPoints);
  return repeat(
      [&] {
        assign(NumPoints, NumCentres, NumFeatures, Points.data(), Centres.data(), Member.data(),
               Sums.data());
      },
      Member);
}
