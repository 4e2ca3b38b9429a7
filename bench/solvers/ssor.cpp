//===- bench/solvers/ssor.cpp - symmetric successive over-relaxation for five laws ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compressible Navier-Stokes equations on a box, with a forcing that makes a given smooth flow
// the steady state, by pseudo-time steps each of which makes one symmetric sweep of successive
// over-relaxation on the implicit system. rhs() goes along lines with a static buffer of fluxes.
// The sweeps go plane by plane: jacld() or jacu() in ssor.h fills the blocks of a plane, then
// blts() or buts() solves 5x5 systems point by point, each of which needs its three neighbours.
#include "ssor.h"
#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#ifdef _OPENMP
#include <atomic>
#include <omp.h>
#include <thread>
#endif

// Work arrays of rhs() for one line of points, one set per thread. It stores the fluxes along the
// line in flux. Lines across the planes are copied to zline, and their result comes from zrsd.
static double flux[LINE][5];
static double zline[LINE][6];
static double zrsd[LINE][5];
#pragma omp threadprivate(flux, zline, zrsd)

// Errors and residuals per component, before and after.
static double errnm[5], errnm0[5];
static double rsdnm[5], rsdnm0[5];

// In the sweeps thread t may enter its rows of a plane when thread t - 1 has done its own.
#ifdef _OPENMP
struct alignas(128) Progress {
  std::atomic<int> planes;
};
static Progress progress[JMAX];

static void resetProgress() {
  for (Progress &p : progress)
    p.planes.store(0, std::memory_order_relaxed);
}

static void awaitNeighbour() {
  const int me = omp_get_thread_num();
  if (me == 0)
    return;
  const int mine = progress[me].planes.load(std::memory_order_relaxed);
  for (int tries = 0; progress[me - 1].planes.load(std::memory_order_acquire) <= mine; tries++)
    if (tries > 2000)
      std::this_thread::yield();
}

static void announce() {
  std::atomic<int> &mine = progress[omp_get_thread_num()].planes;
  mine.store(mine.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}
#else
static void resetProgress() {}
static void awaitNeighbour() {}
static void announce() {}
#endif

static void allocate() {
  frct = new double[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5]();
  rho_i = new double[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1]();
  qs = new double[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1]();
}

/// Computes the rate at which \c u would change: the forcing less the divergence of the fluxes.
static void rhs() {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int k = 0; k < nz; k++)
      for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) {
          for (int m = 0; m < 5; m++)
            rsd[k][j][i][m] = frct[k][j][i][m];
          const double r = 1.0 / u[k][j][i][0];
          rho_i[k][j][i] = r;
          qs[k][j][i] = 0.5 * r *
                        (u[k][j][i][1] * u[k][j][i][1] + u[k][j][i][2] * u[k][j][i][2] +
                         u[k][j][i][3] * u[k][j][i][3]);
        }

    // Along x.
#pragma omp for schedule(static) nowait
    for (int k = kst; k < kend; k++)
      for (int j = jst; j < jend; j++) {
        for (int i = 0; i < nx; i++) {
          const double u21 = u[k][j][i][1] * rho_i[k][j][i];
          const double p = c2 * (u[k][j][i][4] - qs[k][j][i]);
          flux[i][0] = u[k][j][i][1];
          flux[i][1] = u[k][j][i][1] * u21 + p;
          flux[i][2] = u[k][j][i][2] * u21;
          flux[i][3] = u[k][j][i][3] * u21;
          flux[i][4] = (u[k][j][i][4] + p) * u21;
        }
        for (int i = ist; i < iend; i++)
          for (int m = 0; m < 5; m++)
            rsd[k][j][i][m] -= tx2 * (flux[i + 1][m] - flux[i - 1][m]);
        for (int i = ist; i < nx; i++) {
          const double r = rho_i[k][j][i], rm = rho_i[k][j][i - 1];
          const double u2 = r * u[k][j][i][1], u2m = rm * u[k][j][i - 1][1];
          const double u3 = r * u[k][j][i][2], u3m = rm * u[k][j][i - 1][2];
          const double u4 = r * u[k][j][i][3], u4m = rm * u[k][j][i - 1][3];
          const double u5 = r * u[k][j][i][4], u5m = rm * u[k][j][i - 1][4];
          flux[i][1] = r43 * tx3 * (u2 - u2m);
          flux[i][2] = tx3 * (u3 - u3m);
          flux[i][3] = tx3 * (u4 - u4m);
          flux[i][4] = 0.5 * (1.0 - ck) * tx3 *
                           ((u2 * u2 + u3 * u3 + u4 * u4) - (u2m * u2m + u3m * u3m + u4m * u4m)) +
                       (1.0 / 6.0) * tx3 * (u2 * u2 - u2m * u2m) + ck * tx3 * (u5 - u5m);
        }
        for (int i = ist; i < iend; i++) {
          rsd[k][j][i][0] +=
              dx1 * tx1 * (u[k][j][i - 1][0] - 2.0 * u[k][j][i][0] + u[k][j][i + 1][0]);
          rsd[k][j][i][1] +=
              tx3 * c34 * (flux[i + 1][1] - flux[i][1]) +
              dx2 * tx1 * (u[k][j][i - 1][1] - 2.0 * u[k][j][i][1] + u[k][j][i + 1][1]);
          rsd[k][j][i][2] +=
              tx3 * c34 * (flux[i + 1][2] - flux[i][2]) +
              dx3 * tx1 * (u[k][j][i - 1][2] - 2.0 * u[k][j][i][2] + u[k][j][i + 1][2]);
          rsd[k][j][i][3] +=
              tx3 * c34 * (flux[i + 1][3] - flux[i][3]) +
              dx4 * tx1 * (u[k][j][i - 1][3] - 2.0 * u[k][j][i][3] + u[k][j][i + 1][3]);
          rsd[k][j][i][4] +=
              tx3 * c34 * (flux[i + 1][4] - flux[i][4]) +
              dx5 * tx1 * (u[k][j][i - 1][4] - 2.0 * u[k][j][i][4] + u[k][j][i + 1][4]);
        }
        for (int m = 0; m < 5; m++) {
          rsd[k][j][1][m] -= dssp * (5.0 * u[k][j][1][m] - 4.0 * u[k][j][2][m] + u[k][j][3][m]);
          rsd[k][j][2][m] -= dssp * (-4.0 * u[k][j][1][m] + 6.0 * u[k][j][2][m] -
                                     4.0 * u[k][j][3][m] + u[k][j][4][m]);
        }
        for (int i = 3; i < nx - 3; i++)
          for (int m = 0; m < 5; m++)
            rsd[k][j][i][m] -=
                dssp * (u[k][j][i - 2][m] - 4.0 * u[k][j][i - 1][m] + 6.0 * u[k][j][i][m] -
                        4.0 * u[k][j][i + 1][m] + u[k][j][i + 2][m]);
        for (int m = 0; m < 5; m++) {
          rsd[k][j][nx - 3][m] -= dssp * (u[k][j][nx - 5][m] - 4.0 * u[k][j][nx - 4][m] +
                                          6.0 * u[k][j][nx - 3][m] - 4.0 * u[k][j][nx - 2][m]);
          rsd[k][j][nx - 2][m] -=
              dssp * (u[k][j][nx - 4][m] - 4.0 * u[k][j][nx - 3][m] + 5.0 * u[k][j][nx - 2][m]);
        }
      }

    // Along y.
#pragma omp for schedule(static)
    for (int k = kst; k < kend; k++) {
      for (int i = ist; i < iend; i++) {
        for (int j = 0; j < ny; j++) {
          const double u31 = u[k][j][i][2] * rho_i[k][j][i];
          const double p = c2 * (u[k][j][i][4] - qs[k][j][i]);
          flux[j][0] = u[k][j][i][2];
          flux[j][1] = u[k][j][i][1] * u31;
          flux[j][2] = u[k][j][i][2] * u31 + p;
          flux[j][3] = u[k][j][i][3] * u31;
          flux[j][4] = (u[k][j][i][4] + p) * u31;
        }
        for (int j = jst; j < jend; j++)
          for (int m = 0; m < 5; m++)
            rsd[k][j][i][m] -= ty2 * (flux[j + 1][m] - flux[j - 1][m]);
        for (int j = jst; j < ny; j++) {
          const double r = rho_i[k][j][i], rm = rho_i[k][j - 1][i];
          const double u2 = r * u[k][j][i][1], u2m = rm * u[k][j - 1][i][1];
          const double u3 = r * u[k][j][i][2], u3m = rm * u[k][j - 1][i][2];
          const double u4 = r * u[k][j][i][3], u4m = rm * u[k][j - 1][i][3];
          const double u5 = r * u[k][j][i][4], u5m = rm * u[k][j - 1][i][4];
          flux[j][1] = ty3 * (u2 - u2m);
          flux[j][2] = r43 * ty3 * (u3 - u3m);
          flux[j][3] = ty3 * (u4 - u4m);
          flux[j][4] = 0.5 * (1.0 - ck) * ty3 *
                           ((u2 * u2 + u3 * u3 + u4 * u4) - (u2m * u2m + u3m * u3m + u4m * u4m)) +
                       (1.0 / 6.0) * ty3 * (u3 * u3 - u3m * u3m) + ck * ty3 * (u5 - u5m);
        }
        for (int j = jst; j < jend; j++) {
          rsd[k][j][i][0] +=
              dy1 * ty1 * (u[k][j - 1][i][0] - 2.0 * u[k][j][i][0] + u[k][j + 1][i][0]);
          rsd[k][j][i][1] +=
              ty3 * c34 * (flux[j + 1][1] - flux[j][1]) +
              dy2 * ty1 * (u[k][j - 1][i][1] - 2.0 * u[k][j][i][1] + u[k][j + 1][i][1]);
          rsd[k][j][i][2] +=
              ty3 * c34 * (flux[j + 1][2] - flux[j][2]) +
              dy3 * ty1 * (u[k][j - 1][i][2] - 2.0 * u[k][j][i][2] + u[k][j + 1][i][2]);
          rsd[k][j][i][3] +=
              ty3 * c34 * (flux[j + 1][3] - flux[j][3]) +
              dy4 * ty1 * (u[k][j - 1][i][3] - 2.0 * u[k][j][i][3] + u[k][j + 1][i][3]);
          rsd[k][j][i][4] +=
              ty3 * c34 * (flux[j + 1][4] - flux[j][4]) +
              dy5 * ty1 * (u[k][j - 1][i][4] - 2.0 * u[k][j][i][4] + u[k][j + 1][i][4]);
        }
      }
      for (int i = ist; i < iend; i++)
        for (int m = 0; m < 5; m++) {
          rsd[k][1][i][m] -= dssp * (5.0 * u[k][1][i][m] - 4.0 * u[k][2][i][m] + u[k][3][i][m]);
          rsd[k][2][i][m] -= dssp * (-4.0 * u[k][1][i][m] + 6.0 * u[k][2][i][m] -
                                     4.0 * u[k][3][i][m] + u[k][4][i][m]);
        }
      for (int j = 3; j < ny - 3; j++)
        for (int i = ist; i < iend; i++)
          for (int m = 0; m < 5; m++)
            rsd[k][j][i][m] -=
                dssp * (u[k][j - 2][i][m] - 4.0 * u[k][j - 1][i][m] + 6.0 * u[k][j][i][m] -
                        4.0 * u[k][j + 1][i][m] + u[k][j + 2][i][m]);
      for (int i = ist; i < iend; i++)
        for (int m = 0; m < 5; m++) {
          rsd[k][ny - 3][i][m] -= dssp * (u[k][ny - 5][i][m] - 4.0 * u[k][ny - 4][i][m] +
                                          6.0 * u[k][ny - 3][i][m] - 4.0 * u[k][ny - 2][i][m]);
          rsd[k][ny - 2][i][m] -=
              dssp * (u[k][ny - 4][i][m] - 4.0 * u[k][ny - 3][i][m] + 5.0 * u[k][ny - 2][i][m]);
        }
    }

    // Along z, where a line is copied first: zline holds the state, and 1 / density last.
#pragma omp for schedule(static)
    for (int j = jst; j < jend; j++)
      for (int i = ist; i < iend; i++) {
        for (int k = 0; k < nz; k++) {
          for (int m = 0; m < 5; m++)
            zline[k][m] = u[k][j][i][m];
          zline[k][5] = rho_i[k][j][i];
        }
        for (int k = 0; k < nz; k++) {
          const double u41 = zline[k][3] * zline[k][5];
          const double p = c2 * (zline[k][4] - qs[k][j][i]);
          flux[k][0] = zline[k][3];
          flux[k][1] = zline[k][1] * u41;
          flux[k][2] = zline[k][2] * u41;
          flux[k][3] = zline[k][3] * u41 + p;
          flux[k][4] = (zline[k][4] + p) * u41;
        }
        for (int k = kst; k < kend; k++)
          for (int m = 0; m < 5; m++)
            zrsd[k][m] = rsd[k][j][i][m] - tz2 * (flux[k + 1][m] - flux[k - 1][m]);
        for (int k = kst; k < nz; k++) {
          const double r = zline[k][5], rm = zline[k - 1][5];
          const double u2 = r * zline[k][1], u2m = rm * zline[k - 1][1];
          const double u3 = r * zline[k][2], u3m = rm * zline[k - 1][2];
          const double u4 = r * zline[k][3], u4m = rm * zline[k - 1][3];
          const double u5 = r * zline[k][4], u5m = rm * zline[k - 1][4];
          flux[k][1] = tz3 * (u2 - u2m);
          flux[k][2] = tz3 * (u3 - u3m);
          flux[k][3] = r43 * tz3 * (u4 - u4m);
          flux[k][4] = 0.5 * (1.0 - ck) * tz3 *
                           ((u2 * u2 + u3 * u3 + u4 * u4) - (u2m * u2m + u3m * u3m + u4m * u4m)) +
                       (1.0 / 6.0) * tz3 * (u4 * u4 - u4m * u4m) + ck * tz3 * (u5 - u5m);
        }
        for (int k = kst; k < kend; k++) {
          zrsd[k][0] += dz1 * tz1 * (zline[k - 1][0] - 2.0 * zline[k][0] + zline[k + 1][0]);
          zrsd[k][1] += tz3 * c34 * (flux[k + 1][1] - flux[k][1]) +
                        dz2 * tz1 * (zline[k - 1][1] - 2.0 * zline[k][1] + zline[k + 1][1]);
          zrsd[k][2] += tz3 * c34 * (flux[k + 1][2] - flux[k][2]) +
                        dz3 * tz1 * (zline[k - 1][2] - 2.0 * zline[k][2] + zline[k + 1][2]);
          zrsd[k][3] += tz3 * c34 * (flux[k + 1][3] - flux[k][3]) +
                        dz4 * tz1 * (zline[k - 1][3] - 2.0 * zline[k][3] + zline[k + 1][3]);
          zrsd[k][4] += tz3 * c34 * (flux[k + 1][4] - flux[k][4]) +
                        dz5 * tz1 * (zline[k - 1][4] - 2.0 * zline[k][4] + zline[k + 1][4]);
        }
        for (int m = 0; m < 5; m++) {
          rsd[1][j][i][m] =
              zrsd[1][m] - dssp * (5.0 * zline[1][m] - 4.0 * zline[2][m] + zline[3][m]);
          rsd[2][j][i][m] = zrsd[2][m] - dssp * (-4.0 * zline[1][m] + 6.0 * zline[2][m] -
                                                 4.0 * zline[3][m] + zline[4][m]);
        }
        for (int k = 3; k < nz - 3; k++)
          for (int m = 0; m < 5; m++)
            rsd[k][j][i][m] =
                zrsd[k][m] - dssp * (zline[k - 2][m] - 4.0 * zline[k - 1][m] + 6.0 * zline[k][m] -
                                     4.0 * zline[k + 1][m] + zline[k + 2][m]);
        for (int m = 0; m < 5; m++) {
          rsd[nz - 3][j][i][m] =
              zrsd[nz - 3][m] - dssp * (zline[nz - 5][m] - 4.0 * zline[nz - 4][m] +
                                        6.0 * zline[nz - 3][m] - 4.0 * zline[nz - 2][m]);
          rsd[nz - 2][j][i][m] =
              zrsd[nz - 2][m] -
              dssp * (zline[nz - 4][m] - 4.0 * zline[nz - 3][m] + 5.0 * zline[nz - 2][m]);
        }
      }
  }
}

/// Solves the lower triangular system in plane \p k of \p v.
static void blts(int k, double v[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5]) {
  double tmat[5][5], tv[5], tmp;
  awaitNeighbour();
#pragma omp for schedule(static) nowait
  for (int j = jst; j < jend; j++) {
    for (int i = ist; i < iend; i++)
      for (int m = 0; m < 5; m++)
        v[k][j][i][m] -=
            omega * (a[j][i][0][m] * v[k - 1][j][i][0] + a[j][i][1][m] * v[k - 1][j][i][1] +
                     a[j][i][2][m] * v[k - 1][j][i][2] + a[j][i][3][m] * v[k - 1][j][i][3] +
                     a[j][i][4][m] * v[k - 1][j][i][4]);
    for (int i = ist; i < iend; i++) {
      for (int m = 0; m < 5; m++)
        tv[m] = v[k][j][i][m] -
                omega * (b[j][i][0][m] * v[k][j - 1][i][0] + c[j][i][0][m] * v[k][j][i - 1][0] +
                         b[j][i][1][m] * v[k][j - 1][i][1] + c[j][i][1][m] * v[k][j][i - 1][1] +
                         b[j][i][2][m] * v[k][j - 1][i][2] + c[j][i][2][m] * v[k][j][i - 1][2] +
                         b[j][i][3][m] * v[k][j - 1][i][3] + c[j][i][3][m] * v[k][j][i - 1][3] +
                         b[j][i][4][m] * v[k][j - 1][i][4] + c[j][i][4][m] * v[k][j][i - 1][4]);
      for (int m = 0; m < 5; m++)
        for (int n = 0; n < 5; n++)
          tmat[m][n] = d[j][i][n][m];
      tmp = 1.0 / tmat[0][0];
      for (int m = 1; m < 5; m++) {
        const double f = tmp * tmat[m][0];
        for (int n = 1; n < 5; n++)
          tmat[m][n] -= f * tmat[0][n];
        tv[m] -= f * tv[0];
      }
      tmp = 1.0 / tmat[1][1];
      for (int m = 2; m < 5; m++) {
        const double f = tmp * tmat[m][1];
        for (int n = 2; n < 5; n++)
          tmat[m][n] -= f * tmat[1][n];
        tv[m] -= f * tv[1];
      }
      tmp = 1.0 / tmat[2][2];
      for (int m = 3; m < 5; m++) {
        const double f = tmp * tmat[m][2];
        for (int n = 3; n < 5; n++)
          tmat[m][n] -= f * tmat[2][n];
        tv[m] -= f * tv[2];
      }
      tmp = tmat[4][3] / tmat[3][3];
      tmat[4][4] -= tmp * tmat[3][4];
      tv[4] -= tmp * tv[3];
      tv[4] = tv[4] / tmat[4][4];
      tv[3] = (tv[3] - tmat[3][4] * tv[4]) / tmat[3][3];
      tv[2] = (tv[2] - tmat[2][3] * tv[3] - tmat[2][4] * tv[4]) / tmat[2][2];
      tv[1] = (tv[1] - tmat[1][2] * tv[2] - tmat[1][3] * tv[3] - tmat[1][4] * tv[4]) / tmat[1][1];
      tv[0] = (tv[0] - tmat[0][1] * tv[1] - tmat[0][2] * tv[2] - tmat[0][3] * tv[3] -
               tmat[0][4] * tv[4]) /
              tmat[0][0];
      for (int m = 0; m < 5; m++)
        v[k][j][i][m] = tv[m];
    }
  }
  announce();
}

/// Solves the upper triangular system in plane \p k of \p v.
static void buts(int k, double v[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5]) {
  double tmat[5][5], tv[IMAX / 2 * 2 + 1][5], tmp;
  awaitNeighbour();
#pragma omp for schedule(static) nowait
  for (int j = jend - 1; j >= jst; j--) {
    for (int i = iend - 1; i >= ist; i--)
      for (int m = 0; m < 5; m++)
        tv[i][m] = omega * (a[j][i][0][m] * v[k + 1][j][i][0] + a[j][i][1][m] * v[k + 1][j][i][1] +
                            a[j][i][2][m] * v[k + 1][j][i][2] + a[j][i][3][m] * v[k + 1][j][i][3] +
                            a[j][i][4][m] * v[k + 1][j][i][4]);
    for (int i = iend - 1; i >= ist; i--) {
      for (int m = 0; m < 5; m++)
        tv[i][m] += omega * (b[j][i][0][m] * v[k][j + 1][i][0] + c[j][i][0][m] * v[k][j][i + 1][0] +
                             b[j][i][1][m] * v[k][j + 1][i][1] + c[j][i][1][m] * v[k][j][i + 1][1] +
                             b[j][i][2][m] * v[k][j + 1][i][2] + c[j][i][2][m] * v[k][j][i + 1][2] +
                             b[j][i][3][m] * v[k][j + 1][i][3] + c[j][i][3][m] * v[k][j][i + 1][3] +
                             b[j][i][4][m] * v[k][j + 1][i][4] + c[j][i][4][m] * v[k][j][i + 1][4]);
      for (int m = 0; m < 5; m++)
        for (int n = 0; n < 5; n++)
          tmat[m][n] = d[j][i][n][m];
      tmp = 1.0 / tmat[0][0];
      for (int m = 1; m < 5; m++) {
        const double f = tmp * tmat[m][0];
        for (int n = 1; n < 5; n++)
          tmat[m][n] -= f * tmat[0][n];
        tv[i][m] -= f * tv[i][0];
      }
      tmp = 1.0 / tmat[1][1];
      for (int m = 2; m < 5; m++) {
        const double f = tmp * tmat[m][1];
        for (int n = 2; n < 5; n++)
          tmat[m][n] -= f * tmat[1][n];
        tv[i][m] -= f * tv[i][1];
      }
      tmp = 1.0 / tmat[2][2];
      for (int m = 3; m < 5; m++) {
        const double f = tmp * tmat[m][2];
        for (int n = 3; n < 5; n++)
          tmat[m][n] -= f * tmat[2][n];
        tv[i][m] -= f * tv[i][2];
      }
      tmp = tmat[4][3] / tmat[3][3];
      tmat[4][4] -= tmp * tmat[3][4];
      tv[i][4] -= tmp * tv[i][3];
      tv[i][4] = tv[i][4] / tmat[4][4];
      tv[i][3] = (tv[i][3] - tmat[3][4] * tv[i][4]) / tmat[3][3];
      tv[i][2] = (tv[i][2] - tmat[2][3] * tv[i][3] - tmat[2][4] * tv[i][4]) / tmat[2][2];
      tv[i][1] =
          (tv[i][1] - tmat[1][2] * tv[i][2] - tmat[1][3] * tv[i][3] - tmat[1][4] * tv[i][4]) /
          tmat[1][1];
      tv[i][0] = (tv[i][0] - tmat[0][1] * tv[i][1] - tmat[0][2] * tv[i][2] - tmat[0][3] * tv[i][3] -
                  tmat[0][4] * tv[i][4]) /
                 tmat[0][0];
      for (int m = 0; m < 5; m++)
        v[k][j][i][m] -= tv[i][m];
    }
  }
  announce();
}

static void ssor() {
  const double tmp = 1.0 / (omega * (2.0 - omega));
  for (int istep = 1; istep <= itmax; istep++) {
    resetProgress();
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int k = kst; k < kend; k++)
        for (int j = jst; j < jend; j++)
          for (int i = ist; i < iend; i++)
            for (int m = 0; m < 5; m++)
              rsd[k][j][i][m] *= dt;
      for (int k = kst; k < kend; k++) {
        jacld(k);
        blts(k, rsd);
      }
#pragma omp barrier
      for (int k = kend - 1; k >= kst; k--) {
        jacu(k);
        buts(k, rsd);
      }
#pragma omp barrier
#pragma omp for schedule(static)
      for (int k = kst; k < kend; k++)
        for (int j = jst; j < jend; j++)
          for (int i = ist; i < iend; i++)
            for (int m = 0; m < 5; m++)
              u[k][j][i][m] += tmp * rsd[k][j][i][m];
    }
    rhs();
    l2norm(rsd, rsdnm);
  }
}

/// Returns whether residuals and errors fell as expected for the number of steps and the grid.
static bool verify() {
  const int n = std::max({nx, ny, nz});
  const double rate = 1.0 - 1.0 / (1.0 + n * n / 50.0);
  const double bound = std::max(std::pow(rate, itmax), 1e-10);
  bool good = true;
  for (int m = 0; m < 5; m++)
    if (!(rsdnm[m] < bound * rsdnm0[m] && errnm[m] < bound * errnm0[m])) {
      std::fprintf(stderr, "error: component %d: residual from %g to %g, error from %g to %g\n", m,
                   rsdnm0[m], rsdnm[m], errnm0[m], errnm[m]);
      good = false;
    }
  // The exact flow must be steady.
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++)
        exact(k, j, i, u[k][j][i]);
  rhs();
  l2norm(rsd, rsdnm);
  for (int m = 0; m < 5; m++)
    if (!(rsdnm[m] < 1e-10 * rsdnm0[m])) {
      std::fprintf(stderr, "error: component %d: the exact flow has residual %g\n", m, rsdnm[m]);
      good = false;
    }
  return good;
}

int main(int Argc, char **Argv) {
  nx = static_cast<int>(bench::argument(Argc, Argv, 1, 40));
  itmax = static_cast<int>(bench::argument(Argc, Argv, 2, 60));
  ny = static_cast<int>(bench::argument(Argc, Argv, 3, nx));
  nz = static_cast<int>(bench::argument(Argc, Argv, 4, nx));
  if (std::min({nx, ny, nz}) < 8 || std::max({nx, ny, nz}) > LINE) {
    std::fprintf(stderr, "error: each size must be from 8 to %d\n", LINE);
    return 2;
  }
#ifdef _OPENMP
  omp_set_num_threads(std::min(omp_get_max_threads(), JMAX));
#endif
  setcoeff();
  allocate();
  setforcing();
  setbv_setiv();
  error(errnm0);
  rhs();
  l2norm(rsd, rsdnm0);
  bench::Stopwatch Time;
  ssor();
  Time.stop();
  error(errnm);
  Time.print(bench::checksum(&u[0][0][0][0], sizeof u / sizeof(double)));
  return verify() ? 0 : 1;
}
