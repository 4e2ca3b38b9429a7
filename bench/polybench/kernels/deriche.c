//===- bench/polybench/kernels/deriche.c - Deriche's recursive smoothing of a picture ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive filter of order two, forwards and backwards along each row (the sum goes to Out),
// then along each column of the result. Single precision. The filter's response is k (alpha |x| +
// 1) exp(-alpha |x|), with k such that a constant picture stays as it is.
#include "../kernel.h"
#include <math.h>

enum { W, H };
#define In(i, j) AT2(In, h, i, j)
#define Out(i, j) AT2(Out, h, i, j)
#define Y1(i, j) AT2(Y1, h, i, j)
#define Y2(i, j) AT2(Y2, h, i, j)

KERNEL deriche(Index w, Index h, float alpha, const float MATRIX(In, h), float MATRIX(Out, h),
               float MATRIX(Y1, h), float MATRIX(Y2, h)) {
  const float e = expf(-alpha);
  const float k = (1.0f - e) * (1.0f - e) / (1.0f + 2.0f * alpha * e - e * e);
  const float a1 = k, a2 = k * e * (alpha - 1.0f), a3 = k * e * (alpha + 1.0f), a4 = -k * e * e;
  const float b1 = 2.0f * e, b2 = -e * e;

  for (Index i = 0; i < w; ++i) {
    float PreviousIn = 0.0f, Previous = 0.0f, BeforePrevious = 0.0f;
    for (Index j = 0; j < h; ++j) {
      Y1(i, j) = a1 * In(i, j) + a2 * PreviousIn + b1 * Previous + b2 * BeforePrevious;
      PreviousIn = In(i, j);
      BeforePrevious = Previous;
      Previous = Y1(i, j);
    }
  }
  for (Index i = 0; i < w; ++i) {
    float NextIn = 0.0f, AfterNextIn = 0.0f, Next = 0.0f, AfterNext = 0.0f;
    for (Index j = h - 1; j >= 0; --j) {
      Y2(i, j) = a3 * NextIn + a4 * AfterNextIn + b1 * Next + b2 * AfterNext;
      AfterNextIn = NextIn;
      NextIn = In(i, j);
      AfterNext = Next;
      Next = Y2(i, j);
    }
  }
  for (Index i = 0; i < w; ++i)
    for (Index j = 0; j < h; ++j)
      Out(i, j) = Y1(i, j) + Y2(i, j);

  for (Index j = 0; j < h; ++j) {
    float PreviousIn = 0.0f, Previous = 0.0f, BeforePrevious = 0.0f;
    for (Index i = 0; i < w; ++i) {
      Y1(i, j) = a1 * Out(i, j) + a2 * PreviousIn + b1 * Previous + b2 * BeforePrevious;
      PreviousIn = Out(i, j);
      BeforePrevious = Previous;
      Previous = Y1(i, j);
    }
  }
  for (Index j = 0; j < h; ++j) {
    float NextIn = 0.0f, AfterNextIn = 0.0f, Next = 0.0f, AfterNext = 0.0f;
    for (Index i = w - 1; i >= 0; --i) {
      Y2(i, j) = a3 * NextIn + a4 * AfterNextIn + b1 * Next + b2 * AfterNext;
      AfterNextIn = NextIn;
      NextIn = Out(i, j);
      AfterNext = Next;
      Next = Y2(i, j);
    }
  }
  for (Index i = 0; i < w; ++i)
    for (Index j = 0; j < h; ++j)
      Out(i, j) = Y1(i, j) + Y2(i, j);
}

static void run(const long *S, void *const *D) {
  deriche(S[W], S[H], 0.25f, D[0], D[1], D[2], D[3]);
}

const KernelInfo Kernel = {
    .Name = "deriche",
    .Form = POLYBENCH_FORM,
    .SizeNames = {"w", "h"},
    .SizeClasses = {{64, 64}, {192, 128}, {720, 480}, {4096, 2160}},
    .Arrays = {{"In", TypeFloat, FillUniform, 2, {W, H}},
               {"Out", TypeFloat, FillZero, 2, {W, H}},
               {"Y1", TypeFloat, FillZero, 2, {W, H}},
               {"Y2", TypeFloat, FillZero, 2, {W, H}}},
    .Flops = "30*w*h",
    .Bytes = "4*4*w*h",
    .Run = run,
};
