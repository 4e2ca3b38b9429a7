//===- bench/solvers/multigrid.cpp - V-cycles for a periodic Poisson equation ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The 3-D Poisson equation with periodic boundaries on a cube of 2^k points, with charges of +1 and
// -1 at a few of them, by V-cycles with a 27-point operator, one smoothing per level, full
// weighting and trilinear interpolation. Every level has a layer of border points around it and
// lies in one array with the others, so the same few functions see grids from 2 to 2^k points per
// direction. Sums over the neighbours of a line go through line buffers. The functions view their
// arguments as arrays of variable size, and two of the arguments are sometimes the same array.
#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

#pragma clang diagnostic ignored "-Wvla-cxx-extension"

// The finest level that fits the arrays, and the length of its lines.
constexpr int LTMAX = 8;
constexpr int M = (1 << LTMAX) + 2;

// The points of all levels together.
constexpr int pointsOfLevels() {
  int sum = 0;
  for (int k = 1; k <= LTMAX; ++k) {
    const int n = (1 << k) + 2;
    sum += n * n * n;
  }
  return sum;
}
constexpr int NR = pointsOfLevels();

constexpr int CHARGES = 10;

// The finest and the coarsest level, the lengths of the lines of each with the border, and where
// each begins.
static int lt, lb;
static int m1[LTMAX + 1], m2[LTMAX + 1], m3[LTMAX + 1], ir[LTMAX + 1];
static int nit;

// Grids with fewer planes are not worth the start of the threads.
static int parallel_from;

// The coefficients of the operator and of the smoother for the point itself and for the neighbours
// at a face, at an edge and at a corner.
static double a[4], c[4];

static double u[NR];
static double r[NR];
static double *v;

// The sums over the four nearest and over the four diagonal lines around a line.
static double u1[M], u2[M];
static double r1[M], r2[M];
#pragma omp threadprivate(u1, u2, r1, r2)

static inline int indexOf(int i3, int i2, int i1, int n2, int n1) {
  return (i3 * n2 + i2) * n1 + i1;
}

// Copies the inner points at each side to the border at the opposite one.
static void comm3(double *p, int n1, int n2, int n3) {
#pragma omp parallel if (n3 >= parallel_from)
  {
#pragma omp for schedule(static)
    for (int i3 = 1; i3 < n3 - 1; ++i3) {
      for (int i2 = 1; i2 < n2 - 1; ++i2) {
        p[indexOf(i3, i2, 0, n2, n1)] = p[indexOf(i3, i2, n1 - 2, n2, n1)];
        p[indexOf(i3, i2, n1 - 1, n2, n1)] = p[indexOf(i3, i2, 1, n2, n1)];
      }
      for (int i1 = 0; i1 < n1; ++i1) {
        p[indexOf(i3, 0, i1, n2, n1)] = p[indexOf(i3, n2 - 2, i1, n2, n1)];
        p[indexOf(i3, n2 - 1, i1, n2, n1)] = p[indexOf(i3, 1, i1, n2, n1)];
      }
    }
#pragma omp for schedule(static)
    for (int i2 = 0; i2 < n2; ++i2)
      for (int i1 = 0; i1 < n1; ++i1) {
        p[indexOf(0, i2, i1, n2, n1)] = p[indexOf(n3 - 2, i2, i1, n2, n1)];
        p[indexOf(n3 - 1, i2, i1, n2, n1)] = p[indexOf(1, i2, i1, n2, n1)];
      }
  }
}

static void zero3(double *pz, int n1, int n2, int n3) {
  using plane = double[n2][n1];
  plane *z = (plane *)pz;
#pragma omp parallel for schedule(static) if (n3 >= parallel_from)
  for (int i3 = 0; i3 < n3; ++i3)
    for (int i2 = 0; i2 < n2; ++i2)
      for (int i1 = 0; i1 < n1; ++i1)
        z[i3][i2][i1] = 0.0;
}

// Computes right side - operator(solution). The neighbours at a face have the coefficient zero.
// The right side and the residual may be the same array.
static void resid(double *pu, double *pv, double *pr, int n1, int n2, int n3, const double ca[4]) {
  using plane = double[n2][n1];
  plane *us = (plane *)pu;
  plane *vs = (plane *)pv;
  plane *rs = (plane *)pr;
#pragma omp parallel for schedule(static) if (n3 >= parallel_from)
  for (int i3 = 1; i3 < n3 - 1; ++i3) {
    for (int i2 = 1; i2 < n2 - 1; ++i2) {
      for (int i1 = 0; i1 < n1; ++i1) {
        u1[i1] = us[i3 - 1][i2][i1] + us[i3][i2 - 1][i1] + us[i3][i2 + 1][i1] + us[i3 + 1][i2][i1];
        u2[i1] = us[i3 - 1][i2 - 1][i1] + us[i3 - 1][i2 + 1][i1] + us[i3 + 1][i2 - 1][i1] +
                 us[i3 + 1][i2 + 1][i1];
      }
      for (int i1 = 1; i1 < n1 - 1; ++i1)
        rs[i3][i2][i1] = vs[i3][i2][i1] - ca[0] * us[i3][i2][i1] -
                         ca[2] * (u1[i1 - 1] + u1[i1 + 1] + u2[i1]) -
                         ca[3] * (u2[i1 - 1] + u2[i1 + 1]);
    }
  }
  comm3(pr, n1, n2, n3);
}

// Adds an approximate inverse of the operator, applied to the residual, to the solution. The
// neighbours at a corner have the coefficient zero.
static void psinv(double *pr, double *pu, int n1, int n2, int n3, const double cc[4]) {
  using plane = double[n2][n1];
  plane *rs = (plane *)pr;
  plane *us = (plane *)pu;
#pragma omp parallel for schedule(static) if (n3 >= parallel_from)
  for (int i3 = 1; i3 < n3 - 1; ++i3) {
    for (int i2 = 1; i2 < n2 - 1; ++i2) {
      for (int i1 = 0; i1 < n1; ++i1) {
        r1[i1] = rs[i3 - 1][i2][i1] + rs[i3][i2 - 1][i1] + rs[i3][i2 + 1][i1] + rs[i3 + 1][i2][i1];
        r2[i1] = rs[i3 - 1][i2 - 1][i1] + rs[i3 - 1][i2 + 1][i1] + rs[i3 + 1][i2 - 1][i1] +
                 rs[i3 + 1][i2 + 1][i1];
      }
      for (int i1 = 1; i1 < n1 - 1; ++i1)
        us[i3][i2][i1] += cc[0] * rs[i3][i2][i1] +
                          cc[1] * (rs[i3][i2][i1 - 1] + rs[i3][i2][i1 + 1] + r1[i1]) +
                          cc[2] * (r1[i1 - 1] + r1[i1 + 1] + r2[i1]);
    }
  }
  comm3(pu, n1, n2, n3);
}

// Computes the residual of the level below as a mean of a point and its neighbours with weights.
static void rprj3(double *pr, int n1, int n2, double *ps, int l1, int l2, int l3) {
  using plane = double[n2][n1];
  using plane_below = double[l2][l1];
  plane *rs = (plane *)pr;
  plane_below *s = (plane_below *)ps;
#pragma omp parallel for schedule(static) if (l3 >= parallel_from)
  for (int j3 = 1; j3 < l3 - 1; ++j3) {
    double x1[M], y1[M];
    const int i3 = 2 * j3;
    for (int j2 = 1; j2 < l2 - 1; ++j2) {
      const int i2 = 2 * j2;
      for (int i1 = 1; i1 < n1; ++i1) {
        x1[i1] = rs[i3][i2 - 1][i1] + rs[i3][i2 + 1][i1] + rs[i3 - 1][i2][i1] + rs[i3 + 1][i2][i1];
        y1[i1] = rs[i3 - 1][i2 - 1][i1] + rs[i3 + 1][i2 - 1][i1] + rs[i3 - 1][i2 + 1][i1] +
                 rs[i3 + 1][i2 + 1][i1];
      }
      for (int j1 = 1; j1 < l1 - 1; ++j1) {
        const int i1 = 2 * j1;
        s[j3][j2][j1] =
            0.5 * rs[i3][i2][i1] + 0.25 * (rs[i3][i2][i1 - 1] + rs[i3][i2][i1 + 1] + x1[i1]) +
            0.125 * (x1[i1 - 1] + x1[i1 + 1] + y1[i1]) + 0.0625 * (y1[i1 - 1] + y1[i1 + 1]);
      }
    }
  }
  comm3(ps, l1, l2, l3);
}

// Adds the correction of the level below: its points lie at every second one of each direction, the
// border included, and the ones between get the mean of two, four or eight of them.
static void interp(const double *pz, int l1, int l2, int l3, double *pu, int n1, int n2) {
#pragma omp parallel for schedule(static) if (l3 >= parallel_from)
  for (int j3 = 0; j3 < l3 - 1; ++j3) {
    double z1[M], z2[M], z3[M];
    for (int j2 = 0; j2 < l2 - 1; ++j2) {
      const double *z = &pz[indexOf(j3, j2, 0, l2, l1)];
      const double *zn = &pz[indexOf(j3, j2 + 1, 0, l2, l1)];
      const double *zb = &pz[indexOf(j3 + 1, j2, 0, l2, l1)];
      const double *zbn = &pz[indexOf(j3 + 1, j2 + 1, 0, l2, l1)];
      for (int j1 = 0; j1 < l1; ++j1) {
        z1[j1] = z[j1] + zn[j1];
        z2[j1] = z[j1] + zb[j1];
        z3[j1] = z1[j1] + zb[j1] + zbn[j1];
      }
      for (int j1 = 0; j1 < l1 - 1; ++j1) {
        pu[indexOf(2 * j3, 2 * j2, 2 * j1, n2, n1)] += z[j1];
        pu[indexOf(2 * j3, 2 * j2, 2 * j1 + 1, n2, n1)] += 0.5 * (z[j1] + z[j1 + 1]);
      }
      for (int j1 = 0; j1 < l1 - 1; ++j1) {
        pu[indexOf(2 * j3, 2 * j2 + 1, 2 * j1, n2, n1)] += 0.5 * z1[j1];
        pu[indexOf(2 * j3, 2 * j2 + 1, 2 * j1 + 1, n2, n1)] += 0.25 * (z1[j1] + z1[j1 + 1]);
      }
      for (int j1 = 0; j1 < l1 - 1; ++j1) {
        pu[indexOf(2 * j3 + 1, 2 * j2, 2 * j1, n2, n1)] += 0.5 * z2[j1];
        pu[indexOf(2 * j3 + 1, 2 * j2, 2 * j1 + 1, n2, n1)] += 0.25 * (z2[j1] + z2[j1 + 1]);
      }
      for (int j1 = 0; j1 < l1 - 1; ++j1) {
        pu[indexOf(2 * j3 + 1, 2 * j2 + 1, 2 * j1, n2, n1)] += 0.25 * z3[j1];
        pu[indexOf(2 * j3 + 1, 2 * j2 + 1, 2 * j1 + 1, n2, n1)] += 0.125 * (z3[j1] + z3[j1 + 1]);
      }
    }
  }
}

// Returns the root of the mean square and the largest magnitude of the inner points.
static double norm2u3(double *pr, int n1, int n2, int n3, double &largest) {
  using plane = double[n2][n1];
  plane *rs = (plane *)pr;
  double sum = 0.0, most = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum)                                       \
    reduction(max : most) if (n3 >= parallel_from)
  for (int i3 = 1; i3 < n3 - 1; ++i3)
    for (int i2 = 1; i2 < n2 - 1; ++i2)
      for (int i1 = 1; i1 < n1 - 1; ++i1) {
        const double magnitude = std::fabs(rs[i3][i2][i1]);
        sum += magnitude * magnitude;
        most = magnitude > most ? magnitude : most;
      }
  largest = most;
  const double points = static_cast<double>(n1 - 2) * (n2 - 2) * (n3 - 2);
  return std::sqrt(sum / points);
}

// Executes a V-cycle: passes the residual down to the coarsest level and the correction up.
static void mg3P() {
  for (int k = lt; k > lb; --k)
    rprj3(&r[ir[k]], m1[k], m2[k], &r[ir[k - 1]], m1[k - 1], m2[k - 1], m3[k - 1]);
  zero3(&u[ir[lb]], m1[lb], m2[lb], m3[lb]);
  psinv(&r[ir[lb]], &u[ir[lb]], m1[lb], m2[lb], m3[lb], c);
  for (int k = lb + 1; k < lt; ++k) {
    const int j = k - 1;
    zero3(&u[ir[k]], m1[k], m2[k], m3[k]);
    interp(&u[ir[j]], m1[j], m2[j], m3[j], &u[ir[k]], m1[k], m2[k]);
    resid(&u[ir[k]], &r[ir[k]], &r[ir[k]], m1[k], m2[k], m3[k], a);
    psinv(&r[ir[k]], &u[ir[k]], m1[k], m2[k], m3[k], c);
  }
  const int j = lt - 1;
  interp(&u[ir[j]], m1[j], m2[j], m3[j], &u[ir[lt]], m1[lt], m2[lt]);
  resid(&u[ir[lt]], v, &r[ir[lt]], m1[lt], m2[lt], m3[lt], a);
  psinv(&r[ir[lt]], &u[ir[lt]], m1[lt], m2[lt], m3[lt], c);
}

// The sizes of the levels, the finest of them first in memory, and the coefficients.
static void setup(int levels) {
  lt = levels;
  lb = 1;
  int next = 0;
  for (int k = lt; k >= lb; --k) {
    m1[k] = m2[k] = m3[k] = (1 << k) + 2;
    ir[k] = next;
    next += m1[k] * m2[k] * m3[k];
  }
  parallel_from = 34;
  a[0] = -8.0 / 3.0;
  a[1] = 0.0;
  a[2] = 1.0 / 6.0;
  a[3] = 1.0 / 12.0;
  c[0] = -3.0 / 8.0;
  c[1] = 1.0 / 32.0;
  c[2] = -1.0 / 64.0;
  c[3] = 0.0;
  v = new double[m1[lt] * m2[lt] * m3[lt]];
}

// Sets equally many charges of +1 and of -1 at different points.
static void charge(double *pv, int n1, int n2, int n3) {
  zero3(pv, n1, n2, n3);
  const std::vector<double> places = bench::numbers(3000, 1);
  size_t next = 0;
  const auto place = [&](int n) {
    return 1 + static_cast<int>(0.5 * (1.0 + places[next++ % places.size()]) * (n - 2));
  };
  const int charges = std::min(CHARGES, (n1 - 2) * (n2 - 2) * (n3 - 2) / 8);
  for (int q = 0; q < 2 * charges;) {
    const int i3 = place(n3), i2 = place(n2), i1 = place(n1);
    double &here = pv[indexOf(i3, i2, i1, n2, n1)];
    if (here != 0.0)
      continue;
    here = q % 2 ? -1.0 : 1.0;
    ++q;
  }
  comm3(pv, n1, n2, n3);
}

// Returns the largest difference between the residual and a plain evaluation of its definition
// without borders.
static double deviation() {
  const int n = m1[lt] - 2;
  using plane = double[n + 2][n + 2];
  plane *us = (plane *)&u[ir[lt]];
  plane *vs = (plane *)v;
  plane *rs = (plane *)&r[ir[lt]];
  double most = 0.0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int i3 = 0; i3 < n; ++i3)
    for (int i2 = 0; i2 < n; ++i2)
      for (int i1 = 0; i1 < n; ++i1) {
        double sum = vs[i3 + 1][i2 + 1][i1 + 1];
        for (int d3 = -1; d3 <= 1; ++d3)
          for (int d2 = -1; d2 <= 1; ++d2)
            for (int d1 = -1; d1 <= 1; ++d1)
              sum -= a[d3 * d3 + d2 * d2 + d1 * d1] *
                     us[1 + (i3 + d3 + n) % n][1 + (i2 + d2 + n) % n][1 + (i1 + d1 + n) % n];
        most = std::max(most, std::fabs(sum - rs[i3 + 1][i2 + 1][i1 + 1]));
      }
  return most;
}

int main(int Argc, char **Argv) {
  const long levels = bench::argument(Argc, Argv, 1, 7);
  nit = static_cast<int>(bench::argument(Argc, Argv, 2, 60));
  if (levels < 2 || levels > LTMAX) {
    std::fprintf(stderr, "error: there are between 2 and %d levels\n", LTMAX);
    return 2;
  }
  setup(static_cast<int>(levels));
  charge(v, m1[lt], m2[lt], m3[lt]);
  for (int k = lb; k <= lt; ++k) {
    zero3(&u[ir[k]], m1[k], m2[k], m3[k]);
    zero3(&r[ir[k]], m1[k], m2[k], m3[k]);
  }
  double largest;
  const double before = norm2u3(v, m1[lt], m2[lt], m3[lt], largest);

  bench::Stopwatch Time;
  resid(&u[ir[lt]], v, &r[ir[lt]], m1[lt], m2[lt], m3[lt], a);
  for (int it = 0; it < nit; ++it) {
    mg3P();
    resid(&u[ir[lt]], v, &r[ir[lt]], m1[lt], m2[lt], m3[lt], a);
  }
  const double after = norm2u3(&r[ir[lt]], m1[lt], m2[lt], m3[lt], largest);
  Time.stop();

  // Every cycle leaves less than 0.4 of the residual, and even less of it at the beginning, as
  // far as the rounding lets it.
  const double allowed = before * std::max(std::pow(0.4, nit), 1e-14);
  if (!(after <= allowed)) {
    std::fprintf(stderr, "error: a residual of %g, from %g, is above %g\n", after, before, allowed);
    return 1;
  }
  const double difference = deviation();
  if (!(difference <= 1e-13)) {
    std::fprintf(stderr, "error: the residual deviates by %g from its definition\n", difference);
    return 1;
  }
  Time.print(bench::checksum(&u[ir[lt]], static_cast<size_t>(m1[lt]) * m2[lt] * m3[lt]));
}
