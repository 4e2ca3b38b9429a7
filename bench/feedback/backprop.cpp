//===- bench/feedback/backprop.cpp - a layer whose weights are used by column ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/feedback/kernel.h"

__attribute__((noinline)) void layer(const float *In, float *Out, float **Weights, long NumIn,
                                     long NumOut) {
  for (long J = 1; J <= NumOut; ++J) {
    float Sum = 0;
    for (long K = 0; K <= NumIn; ++K)
      Sum += Weights[K][J] * In[K];
    Out[J] = Sum;
  }
}

int main() {
  constexpr long NumIn = 48, NumOut = 16;
  Rows<float> Weights(NumIn + 1, NumOut + 1);
  std::vector<float> In(NumIn + 1), Out(NumOut + 1);
  fill(In);
  return repeat([&] { layer(In.data(), Out.data(), Weights.data(), NumIn, NumOut); }, Out);
}
