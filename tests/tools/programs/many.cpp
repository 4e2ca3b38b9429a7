//===- tests/tools/programs/many.cpp - one hot region and many cold ones --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <utility>
#include <vector>

template <int N> [[gnu::noinline]] void cold(long Size, const double *In, double *Out) {
  for (long I = 1; I < Size - 1; ++I)
    Out[I] += In[I - 1] * N + In[I + 1];
}

extern "C" [[gnu::noinline]] void hot(long Size, const double *In, double *Out) {
  for (long I = 1; I < Size - 1; ++I)
    Out[I] += In[I - 1] * 0.5 + In[I + 1];
}

template <int... N>
static void callAll(std::integer_sequence<int, N...>, const double *In, double *Out, long Size) {
  (cold<N>(Size, In, Out), ...);
}

int main() {
  std::vector<double> In(4000, 1), Out(4000, 0);
  callAll(std::make_integer_sequence<int, 40>(), In.data(), Out.data(), 100);
  for (int I = 0; I < 20000; ++I)
    hot(4000, In.data(), Out.data());
  std::printf("%g\n", Out[7]);
}
