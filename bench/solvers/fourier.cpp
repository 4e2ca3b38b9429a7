//===- bench/solvers/fourier.cpp - the heat equation by fast Fourier transforms ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 3-D heat equation with periodic boundaries on a grid whose numbers of points are powers of
// two: one transform forward, and for every step a multiplication with a table of exponential
// factors and a transform back. A transform copies blocks of lines along one direction after the
// other through two static work arrays and applies Stockham's radix-2 algorithm to all lines of a
// block at once, with strides that double and halve from pass to pass. Complex numbers are structs
// with small inline functions.
#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

struct dcomplex {
  double re, im;
};

static inline dcomplex add(dcomplex a, dcomplex b) { return {a.re + b.re, a.im + b.im}; }
static inline dcomplex sub(dcomplex a, dcomplex b) { return {a.re - b.re, a.im - b.im}; }
static inline dcomplex mul(dcomplex a, dcomplex b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
static inline dcomplex scale(double s, dcomplex a) { return {s * a.re, s * a.im}; }
static inline dcomplex conj(dcomplex a) { return {a.re, -a.im}; }
static inline double square(dcomplex a) { return a.re * a.re + a.im * a.im; }

// The largest grid. Lines along the first direction are one point longer than they need to be, so
// that lines do not lie at a distance of a power of two.
constexpr int NXMAX = 128, NYMAX = 128, NZMAX = 256, MAXDIM = 256;
constexpr int NXPAD = NXMAX + 1;
constexpr int FFTBLOCK_MAX = 16, FFTBLOCKPAD = FFTBLOCK_MAX + 2;
constexpr int NITER_MAX = 500;

static int nx, ny, nz, niter;
static int log_nx, log_ny, log_nz;
static int fftblock;

// The transform of the state, the state, and the factors of one step.
static dcomplex u0[NZMAX][NYMAX][NXPAD];
static dcomplex (*u1)[NYMAX][NXPAD];
static double (*twiddle)[NYMAX][NXPAD];

// The n-th roots of unity that a pass with n / 2 of them needs are stored from n / 2 on.
static dcomplex roots[MAXDIM];

// A block of lines and its transform.
static dcomplex line_a[MAXDIM][FFTBLOCKPAD], line_b[MAXDIM][FFTBLOCKPAD];
#pragma omp threadprivate(line_a, line_b)

static dcomplex sums[NITER_MAX];

// Returns the frequency that belongs to index i of n.
static inline int frequency(int i, int n) { return i < n / 2 ? i : i - n; }

// Pass l of the m of a transform: each of li groups of lk numbers in the first half of the line
// meets one in the second half.
static void fftz2(int is, int l, int m, int n, int ny, const dcomplex *u, dcomplex x[][FFTBLOCKPAD],
                  dcomplex y[][FFTBLOCKPAD]) {
  const int half = n / 2;
  const int lk = 1 << (l - 1);
  const int li = 1 << (m - l);
  const int lj = 2 * lk;
  for (int i = 0; i < li; ++i) {
    const int i11 = i * lk, i12 = i11 + half;
    const int i21 = i * lj, i22 = i21 + lk;
    const dcomplex w = is >= 1 ? u[li + i] : conj(u[li + i]);
    for (int k = 0; k < lk; ++k)
      for (int j = 0; j < ny; ++j) {
        const dcomplex upper = x[i11 + k][j];
        const dcomplex lower = x[i12 + k][j];
        y[i21 + k][j] = add(upper, lower);
        y[i22 + k][j] = mul(w, sub(upper, lower));
      }
  }
}

// Transforms fftblock lines of n = 2^m numbers in x, with y for every second pass.
static void cfftz(int is, int m, int n, dcomplex x[][FFTBLOCKPAD], dcomplex y[][FFTBLOCKPAD]) {
  for (int l = 1; l <= m; l += 2) {
    fftz2(is, l, m, n, fftblock, roots, x, y);
    if (l == m) {
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < fftblock; ++j)
          x[i][j] = y[i][j];
      break;
    }
    fftz2(is, l + 1, m, n, fftblock, roots, y, x);
  }
}

static void cffts1(int is, int d1, int d2, int d3, int logd1, dcomplex (*x)[NYMAX][NXPAD],
                   dcomplex (*xout)[NYMAX][NXPAD]) {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < d3; ++k)
    for (int jj = 0; jj <= d2 - fftblock; jj += fftblock) {
      for (int j = 0; j < fftblock; ++j)
        for (int i = 0; i < d1; ++i)
          line_a[i][j] = x[k][j + jj][i];
      cfftz(is, logd1, d1, line_a, line_b);
      for (int j = 0; j < fftblock; ++j)
        for (int i = 0; i < d1; ++i)
          xout[k][j + jj][i] = line_a[i][j];
    }
}

static void cffts2(int is, int d1, int d2, int d3, int logd2, dcomplex (*x)[NYMAX][NXPAD],
                   dcomplex (*xout)[NYMAX][NXPAD]) {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < d3; ++k)
    for (int ii = 0; ii <= d1 - fftblock; ii += fftblock) {
      for (int j = 0; j < d2; ++j)
        for (int i = 0; i < fftblock; ++i)
          line_a[j][i] = x[k][j][i + ii];
      cfftz(is, logd2, d2, line_a, line_b);
      for (int j = 0; j < d2; ++j)
        for (int i = 0; i < fftblock; ++i)
          xout[k][j][i + ii] = line_a[j][i];
    }
}

static void cffts3(int is, int d1, int d2, int d3, int logd3, dcomplex (*x)[NYMAX][NXPAD],
                   dcomplex (*xout)[NYMAX][NXPAD]) {
#pragma omp parallel for schedule(static)
  for (int j = 0; j < d2; ++j)
    for (int ii = 0; ii <= d1 - fftblock; ii += fftblock) {
      for (int k = 0; k < d3; ++k)
        for (int i = 0; i < fftblock; ++i)
          line_a[k][i] = x[k][j][i + ii];
      cfftz(is, logd3, d3, line_a, line_b);
      for (int k = 0; k < d3; ++k)
        for (int i = 0; i < fftblock; ++i)
          xout[k][j][i + ii] = line_a[k][i];
    }
}

// Transforms forward, or backward without the division by the number of points.
static void fft(int dir, dcomplex (*x1)[NYMAX][NXPAD], dcomplex (*x2)[NYMAX][NXPAD]) {
  if (dir == 1) {
    cffts1(1, nx, ny, nz, log_nx, x1, x1);
    cffts2(1, nx, ny, nz, log_ny, x1, x1);
    cffts3(1, nx, ny, nz, log_nz, x1, x2);
  } else {
    cffts3(-1, nx, ny, nz, log_nz, x1, x1);
    cffts2(-1, nx, ny, nz, log_ny, x1, x1);
    cffts1(-1, nx, ny, nz, log_nx, x1, x2);
  }
}

// Executes one time step, which is exact in the space of the frequencies.
static void evolve() {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        u0[k][j][i] = scale(twiddle[k][j][i], u0[k][j][i]);
        u1[k][j][i] = u0[k][j][i];
      }
}

// Computes the mean over points that lie scattered over the grid.
static void checksum(int iter) {
  dcomplex chk = {0.0, 0.0};
  for (int j = 1; j <= 1024; ++j)
    chk = add(chk, u1[(5 * j) % nz][(3 * j) % ny][j % nx]);
  sums[iter] = scale(1.0 / (static_cast<double>(nx) * ny * nz), chk);
}

static void fft_init() {
  roots[0] = {0.0, 0.0};
  for (int li = 1; li < MAXDIM; li *= 2)
    for (int i = 0; i < li; ++i) {
      const double angle = std::numbers::pi * i / li;
      roots[li + i] = {std::cos(angle), -std::sin(angle)};
    }
}

static void compute_twiddle() {
  const double alpha = 1e-6;
  const double ap = -4.0 * alpha * std::numbers::pi * std::numbers::pi;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < nz; ++k) {
    const int kk = frequency(k, nz) * frequency(k, nz);
    for (int j = 0; j < ny; ++j) {
      const int kj = kk + frequency(j, ny) * frequency(j, ny);
      for (int i = 0; i < nx; ++i)
        twiddle[k][j][i] = std::exp(ap * (kj + frequency(i, nx) * frequency(i, nx)));
    }
  }
}

// Line (j, k) of the initial state.
static void initial_line(dcomplex *line, int j, int k) {
  double values[2 * NXMAX];
  bench::fill(values, 2 * static_cast<size_t>(nx), 1 + static_cast<uint64_t>(k) * NYMAX + j);
  for (int i = 0; i < nx; ++i)
    line[i] = {values[2 * i], values[2 * i + 1]};
}

static void initial_conditions() {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      initial_line(u1[k][j], j, k);
      for (int i = 0; i < nx; ++i)
        u0[k][j][i] = {0.0, 0.0};
    }
}

// Returns the sum of the squares of all values.
static double energy(dcomplex (*x)[NYMAX][NXPAD]) {
  double sum = 0.0;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        sum += square(x[k][j][i]);
  return sum;
}

static bool fails(const char *what, double deviation, double tolerance) {
  if (deviation <= tolerance)
    return false;
  std::fprintf(stderr, "error: %s deviates by %g\n", what, deviation);
  return true;
}

// Returns the distance of the amplitude of one frequency after all steps from its definition,
// relative to the amplitude that is typical at the beginning.
static double deviation_of_mode(int p3, int p2, int p1) {
  const auto wave = [](int product, int n) {
    const double angle = -2.0 * std::numbers::pi * (product % n) / n;
    return dcomplex{std::cos(angle), std::sin(angle)};
  };
  dcomplex waves[NXMAX], line[NXMAX], total = {0.0, 0.0};
  for (int i = 0; i < nx; ++i)
    waves[i] = wave(p1 * i, nx);
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      initial_line(line, j, k);
      dcomplex sum = {0.0, 0.0};
      for (int i = 0; i < nx; ++i)
        sum = add(sum, mul(waves[i], line[i]));
      total = add(total, mul(mul(wave(p3 * k, nz), wave(p2 * j, ny)), sum));
    }
  const double f3 = frequency(p3, nz), f2 = frequency(p2, ny), f1 = frequency(p1, nx);
  const double pi = std::numbers::pi;
  const double decay = std::exp(-4e-6 * pi * pi * niter * (f3 * f3 + f2 * f2 + f1 * f1));
  const double typical = std::sqrt(static_cast<double>(nx) * ny * nz);
  return std::sqrt(square(sub(u0[p3][p2][p1], scale(decay, total)))) / typical;
}

// Returns the largest difference from the initial state when the decay is undone, in place.
static double deviation_of_start() {
  const double points = static_cast<double>(nx) * ny * nz;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i)
        u1[k][j][i] = scale(std::pow(twiddle[k][j][i], -niter) / points, u0[k][j][i]);
  fft(-1, u1, u1);
  double most = 0.0;
  dcomplex line[NXMAX];
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j) {
      initial_line(line, j, k);
      for (int i = 0; i < nx; ++i)
        most = std::max(most, square(sub(u1[k][j][i], line[i])));
    }
  return std::sqrt(most);
}

int main(int Argc, char **Argv) {
  log_nx = static_cast<int>(bench::argument(Argc, Argv, 1, 7));
  log_ny = static_cast<int>(bench::argument(Argc, Argv, 2, 7));
  log_nz = static_cast<int>(bench::argument(Argc, Argv, 3, 7));
  niter = static_cast<int>(bench::argument(Argc, Argv, 4, 30));
  if (log_nx > 7 || log_ny > 7 || log_nz > 8 || niter > NITER_MAX) {
    std::fprintf(stderr, "error: there is room for 2^7 by 2^7 by 2^8 points and %d steps\n",
                 NITER_MAX);
    return 2;
  }
  nx = 1 << log_nx;
  ny = 1 << log_ny;
  nz = 1 << log_nz;
  fftblock = std::min({FFTBLOCK_MAX, nx, ny});
  u1 = new dcomplex[nz][NYMAX][NXPAD];
  twiddle = new double[nz][NYMAX][NXPAD];
  initial_conditions();
  compute_twiddle();
  fft_init();

  bench::Stopwatch Time;
  fft(1, u1, u0);
  for (int iter = 0; iter < niter; ++iter) {
    evolve();
    fft(-1, u1, u1);
    checksum(iter);
  }
  Time.stop();

  uint64_t Checksum = bench::checksum(&sums[0].re, 2 * static_cast<size_t>(niter));
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      Checksum = 31 * Checksum + bench::checksum(&u1[k][j][0].re, 2 * static_cast<size_t>(nx));

  // Parseval's identity, a few frequencies by their definition, and the way back to the beginning,
  // which magnifies the rounding of the frequencies that decayed most.
  const double points = static_cast<double>(nx) * ny * nz;
  const double ratio = energy(u1) / (points * energy(u0));
  const double growth = std::pow(twiddle[nz / 2][ny / 2][nx / 2], -niter);
  if (fails("Parseval's sum", std::fabs(ratio - 1.0), 1e-11) ||
      fails("a low frequency", deviation_of_mode(1, 0, nx - 1), 1e-11) ||
      fails("a middle frequency", deviation_of_mode(nz / 3, ny / 3, nx / 5), 1e-11) ||
      fails("a high frequency", deviation_of_mode(nz / 2, ny - 1, nx / 2), 1e-11) ||
      fails("the initial state", deviation_of_start(), 1e-13 * growth))
    return 1;
  Time.print(Checksum);
}
