//===- bench/solvers/ssor.h - the set-up and the Jacobians of ssor.cpp ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid, the constants and the fields of ssor.cpp, their initial values and norms, and the
// blocks of its linear system: jacld() and jacu() fill static arrays of 5x5 blocks of one plane,
// a[j][i][column][row] and the like, in straight-line code of a hundred assignments per point. They
// are derivatives of the central differences in rhs(), without the dissipation of fourth order.
#ifndef SPECRT_BENCH_SOLVERS_SSOR_H
#define SPECRT_BENCH_SOLVERS_SSOR_H

#include <algorithm>
#include <cmath>

constexpr int IMAX = 64, JMAX = 64, KMAX = 64;
constexpr int LINE = 64; // the longest line in any direction

/// A field of five components, and one of one.
using Vectors = double (*)[JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5];
using Scalars = double (*)[JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1];

// The grid, and the ranges of its inner points.
static int nx, ny, nz;
static int ist, iend, jst, jend, kst, kend;

// Grid spacings and their combinations: 1 / h^2, 1 / 2h and 1 / h of each direction.
static double dxi, deta, dzeta;
static double tx1, tx2, tx3, ty1, ty2, ty3, tz1, tz2, tz3;

// Diffusion of each component in each direction, and the dissipation of fourth order.
static double dx1, dx2, dx3, dx4, dx5;
static double dy1, dy2, dy3, dy4, dy5;
static double dz1, dz2, dz3, dz4, dz5;
static double dssp;

// The gas: ratio of specific heats and that less one, viscosity, and the heat conduction in units
// of it.
static double c1, c2, c34, ck, r43;

// Diagonal terms: artificial diffusion (diff), viscosity (wx, wy, wz), heat conduction (ws).
static double diff[5], wx, wy, wz, ws;

// Pseudo-time step and relaxation.
static double dt, omega;
static int itmax;

// The solution (density, momenta, energy), and the right-hand side, later the correction from it.
static double u[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5];
static double rsd[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5];
// Allocated by allocate(): the forcing, 1 / density, and the kinetic energy per volume.
static Vectors frct;
static Scalars rho_i, qs;

// The blocks of one plane.
static double a[JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5][5];
static double b[JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5][5];
static double c[JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5][5];
static double d[JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5][5];

static void setcoeff() {
  dxi = 1.0 / (nx - 1);
  deta = 1.0 / (ny - 1);
  dzeta = 1.0 / (nz - 1);
  tx1 = 1.0 / (dxi * dxi);
  tx2 = 1.0 / (2.0 * dxi);
  tx3 = 1.0 / dxi;
  ty1 = 1.0 / (deta * deta);
  ty2 = 1.0 / (2.0 * deta);
  ty3 = 1.0 / deta;
  tz1 = 1.0 / (dzeta * dzeta);
  tz2 = 1.0 / (2.0 * dzeta);
  tz3 = 1.0 / dzeta;

  dx1 = dx2 = dx3 = dx4 = dx5 = 0.75;
  dy1 = dy2 = dy3 = dy4 = dy5 = 0.75;
  dz1 = dz2 = dz3 = dz4 = dz5 = 1.0;
  dssp = 0.25 * std::max({dx1, dy1, dz1});

  c1 = 1.4;
  c2 = c1 - 1.0;
  c34 = 0.1;
  ck = 1.4 * c1;
  r43 = 4.0 / 3.0;

  ist = jst = kst = 1;
  iend = nx - 1;
  jend = ny - 1;
  kend = nz - 1;

  omega = 1.4;
  dt = 2.0;

  diff[0] = 2.0 * dt * (tx1 * dx1 + ty1 * dy1 + tz1 * dz1);
  diff[1] = 2.0 * dt * (tx1 * dx2 + ty1 * dy2 + tz1 * dz2);
  diff[2] = 2.0 * dt * (tx1 * dx3 + ty1 * dy3 + tz1 * dz3);
  diff[3] = 2.0 * dt * (tx1 * dx4 + ty1 * dy4 + tz1 * dz4);
  diff[4] = 2.0 * dt * (tx1 * dx5 + ty1 * dy5 + tz1 * dz5);
  wx = r43 * tx1 + ty1 + tz1;
  wy = tx1 + r43 * ty1 + tz1;
  wz = tx1 + ty1 + r43 * tz1;
  ws = ck * (tx1 + ty1 + tz1);
}

static void exact(int k, int j, int i, double value[5]) {
  const double xi = i * dxi, eta = j * deta, zeta = k * dzeta;
  value[0] = 1.0 + 0.2 * std::sin(2.0 * xi + eta) + 0.1 * zeta * zeta;
  value[1] = 0.5 + 0.3 * std::cos(xi + 2.0 * zeta) - 0.2 * eta * xi * xi;
  value[2] = 0.2 + 0.3 * std::sin(2.0 * eta - zeta) + 0.1 * xi * eta * zeta;
  value[3] = -0.3 + 0.2 * std::cos(3.0 * zeta + xi) + 0.2 * eta * eta;
  value[4] = 5.0 + std::sin(xi + eta + zeta) + 0.5 * xi * eta * eta - 0.4 * zeta * zeta * zeta;
}

/// The exact flow on the boundary, and between its faces the mean of three linear interpolations.
static void setbv_setiv() {
  double low[5], high[5], ue[5];
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        if (k == 0 || k == nz - 1 || j == 0 || j == ny - 1 || i == 0 || i == nx - 1) {
          exact(k, j, i, u[k][j][i]);
          continue;
        }
        const double xi = i * dxi, eta = j * deta, zeta = k * dzeta;
        exact(k, j, 0, low);
        exact(k, j, nx - 1, high);
        for (int m = 0; m < 5; m++)
          ue[m] = (1.0 - xi) * low[m] + xi * high[m];
        exact(k, 0, i, low);
        exact(k, ny - 1, i, high);
        for (int m = 0; m < 5; m++)
          ue[m] += (1.0 - eta) * low[m] + eta * high[m];
        exact(0, j, i, low);
        exact(nz - 1, j, i, high);
        for (int m = 0; m < 5; m++)
          u[k][j][i][m] = (ue[m] + (1.0 - zeta) * low[m] + zeta * high[m]) / 3.0;
      }
}

/// The rate of change of the exact flow by the same differences as in rhs(), point by point: the
/// forcing cancels it.
static void setforcing() {
  const double t1[3] = {tx1, ty1, tz1}, t2[3] = {tx2, ty2, tz2};
  const double weight[5] = {1.0, -4.0, 6.0, -4.0, 1.0};
  const double dif[3][5] = {
      {dx1, dx2, dx3, dx4, dx5}, {dy1, dy2, dy3, dy4, dy5}, {dz1, dz2, dz3, dz4, dz5}};
  double q[5][5], f[5][5], g[5][5];
  for (int k = kst; k < kend; k++)
    for (int j = jst; j < jend; j++)
      for (int i = ist; i < iend; i++)
        for (int l = 0; l < 3; l++) {
          const int at = l == 0 ? i : l == 1 ? j : k, last = (l == 0 ? nx : l == 1 ? ny : nz) - 2;
          for (int s = 0; s < 5; s++) {
            exact(k + (l == 2) * (s - 2), j + (l == 1) * (s - 2), i + (l == 0) * (s - 2), q[s]);
            const double r = 1.0 / q[s][0], w = q[s][l + 1] * r, e = q[s][4] * r;
            const double kin =
                0.5 * r * r * (q[s][1] * q[s][1] + q[s][2] * q[s][2] + q[s][3] * q[s][3]);
            const double p = c2 * (e - kin) * q[s][0];
            for (int m = 0; m < 5; m++) {
              f[s][m] = q[s][m] * w + (m == l + 1 ? p : m == 4 ? p * w : 0.0);
              g[s][m] = m == 0 ? 0.0 : q[s][m] * r * (m == l + 1 ? r43 : 1.0);
            }
            g[s][4] = (1.0 - ck) * kin + w * w / 6.0 + ck * e;
          }
          for (int m = 0; m < 5; m++) {
            double rate = t1[l] * (c34 * (g[1][m] - 2.0 * g[2][m] + g[3][m]) +
                                   dif[l][m] * (q[1][m] - 2.0 * q[2][m] + q[3][m])) -
                          t2[l] * (f[3][m] - f[1][m]);
            for (int s = 0; s < 5; s++)
              if (at + s > 2 && at + s - 2 <= last)
                rate -= dssp * q[s][m] * (s == 2 && (at == 1 || at == last) ? 5.0 : weight[s]);
            frct[k][j][i][m] -= rate;
          }
        }
}

/// Computes the root of the mean square of each component of \p v.
static void l2norm(double v[KMAX][JMAX / 2 * 2 + 1][IMAX / 2 * 2 + 1][5], double norm[5]) {
  double sum[5];
  for (int m = 0; m < 5; m++)
    sum[m] = 0.0;
#pragma omp parallel for schedule(static) reduction(+ : sum[ : 5])
  for (int k = kst; k < kend; k++)
    for (int j = jst; j < jend; j++)
      for (int i = ist; i < iend; i++)
        for (int m = 0; m < 5; m++)
          sum[m] += v[k][j][i][m] * v[k][j][i][m];
  for (int m = 0; m < 5; m++)
    norm[m] = std::sqrt(sum[m] / (static_cast<double>(nx - 2) * (ny - 2) * (nz - 2)));
}

/// Computes the same norm of the distance from the exact flow.
static void error(double norm[5]) {
  double ue[5];
  for (int m = 0; m < 5; m++)
    norm[m] = 0.0;
  for (int k = kst; k < kend; k++)
    for (int j = jst; j < jend; j++)
      for (int i = ist; i < iend; i++) {
        exact(k, j, i, ue);
        for (int m = 0; m < 5; m++)
          norm[m] += (ue[m] - u[k][j][i][m]) * (ue[m] - u[k][j][i][m]);
      }
  for (int m = 0; m < 5; m++)
    norm[m] = std::sqrt(norm[m] / (static_cast<double>(nx - 2) * (ny - 2) * (nz - 2)));
}

/// Fills the diagonal blocks of plane \p k and those that couple it with the points before.
static void jacld(int k) {
  const double sx = dt * tx2, sy = dt * ty2, sz = dt * tz2;
#pragma omp for schedule(static) nowait
  for (int j = jst; j < jend; j++) {
    for (int i = ist; i < iend; i++) {
      // The block of the point itself.
      double r = rho_i[k][j][i];
      double x = u[k][j][i][1] * r;
      double y = u[k][j][i][2] * r;
      double z = u[k][j][i][3] * r;
      double e = u[k][j][i][4] * r;
      double v = 2.0 * dt * c34 * r;
      d[j][i][0][0] = 1.0 + diff[0];
      d[j][i][1][0] = 0.0;
      d[j][i][2][0] = 0.0;
      d[j][i][3][0] = 0.0;
      d[j][i][4][0] = 0.0;
      d[j][i][0][1] = -v * wx * x;
      d[j][i][1][1] = 1.0 + diff[1] + v * wx;
      d[j][i][2][1] = 0.0;
      d[j][i][3][1] = 0.0;
      d[j][i][4][1] = 0.0;
      d[j][i][0][2] = -v * wy * y;
      d[j][i][1][2] = 0.0;
      d[j][i][2][2] = 1.0 + diff[2] + v * wy;
      d[j][i][3][2] = 0.0;
      d[j][i][4][2] = 0.0;
      d[j][i][0][3] = -v * wz * z;
      d[j][i][1][3] = 0.0;
      d[j][i][2][3] = 0.0;
      d[j][i][3][3] = 1.0 + diff[3] + v * wz;
      d[j][i][4][3] = 0.0;
      d[j][i][0][4] = -v * ((wx - ws) * x * x + (wy - ws) * y * y + (wz - ws) * z * z + ws * e);
      d[j][i][1][4] = v * (wx - ws) * x;
      d[j][i][2][4] = v * (wy - ws) * y;
      d[j][i][3][4] = v * (wz - ws) * z;
      d[j][i][4][4] = 1.0 + diff[4] + v * ws;

      // The block of the point before it in z.
      r = rho_i[k - 1][j][i];
      x = u[k - 1][j][i][1] * r;
      y = u[k - 1][j][i][2] * r;
      z = u[k - 1][j][i][3] * r;
      e = u[k - 1][j][i][4] * r;
      double q = qs[k - 1][j][i] * r;
      v = dt * tz1 * c34 * r;
      a[j][i][0][0] = -dt * tz1 * dz1;
      a[j][i][1][0] = 0.0;
      a[j][i][2][0] = 0.0;
      a[j][i][3][0] = -sz;
      a[j][i][4][0] = 0.0;
      a[j][i][0][1] = sz * z * x + v * x;
      a[j][i][1][1] = -sz * z - v - dt * tz1 * dz2;
      a[j][i][2][1] = 0.0;
      a[j][i][3][1] = -sz * x;
      a[j][i][4][1] = 0.0;
      a[j][i][0][2] = sz * z * y + v * y;
      a[j][i][1][2] = 0.0;
      a[j][i][2][2] = -sz * z - v - dt * tz1 * dz3;
      a[j][i][3][2] = -sz * y;
      a[j][i][4][2] = 0.0;
      a[j][i][0][3] = -sz * (c2 * q - z * z) + v * r43 * z;
      a[j][i][1][3] = sz * c2 * x;
      a[j][i][2][3] = sz * c2 * y;
      a[j][i][3][3] = -sz * (2.0 - c2) * z - v * r43 - dt * tz1 * dz4;
      a[j][i][4][3] = -sz * c2;
      a[j][i][0][4] = -sz * z * (2.0 * c2 * q - c1 * e) +
                      v * ((1.0 - ck) * x * x + (1.0 - ck) * y * y + (r43 - ck) * z * z + ck * e);
      a[j][i][1][4] = sz * c2 * z * x - v * (1.0 - ck) * x;
      a[j][i][2][4] = sz * c2 * z * y - v * (1.0 - ck) * y;
      a[j][i][3][4] = -sz * (c1 * e - c2 * (q + z * z)) - v * (r43 - ck) * z;
      a[j][i][4][4] = -sz * c1 * z - v * ck - dt * tz1 * dz5;

      // The block of the point before it in y.
      r = rho_i[k][j - 1][i];
      x = u[k][j - 1][i][1] * r;
      y = u[k][j - 1][i][2] * r;
      z = u[k][j - 1][i][3] * r;
      e = u[k][j - 1][i][4] * r;
      q = qs[k][j - 1][i] * r;
      v = dt * ty1 * c34 * r;
      b[j][i][0][0] = -dt * ty1 * dy1;
      b[j][i][1][0] = 0.0;
      b[j][i][2][0] = -sy;
      b[j][i][3][0] = 0.0;
      b[j][i][4][0] = 0.0;
      b[j][i][0][1] = sy * y * x + v * x;
      b[j][i][1][1] = -sy * y - v - dt * ty1 * dy2;
      b[j][i][2][1] = -sy * x;
      b[j][i][3][1] = 0.0;
      b[j][i][4][1] = 0.0;
      b[j][i][0][2] = -sy * (c2 * q - y * y) + v * r43 * y;
      b[j][i][1][2] = sy * c2 * x;
      b[j][i][2][2] = -sy * (2.0 - c2) * y - v * r43 - dt * ty1 * dy3;
      b[j][i][3][2] = sy * c2 * z;
      b[j][i][4][2] = -sy * c2;
      b[j][i][0][3] = sy * y * z + v * z;
      b[j][i][1][3] = 0.0;
      b[j][i][2][3] = -sy * z;
      b[j][i][3][3] = -sy * y - v - dt * ty1 * dy4;
      b[j][i][4][3] = 0.0;
      b[j][i][0][4] = -sy * y * (2.0 * c2 * q - c1 * e) +
                      v * ((1.0 - ck) * x * x + (r43 - ck) * y * y + (1.0 - ck) * z * z + ck * e);
      b[j][i][1][4] = sy * c2 * y * x - v * (1.0 - ck) * x;
      b[j][i][2][4] = -sy * (c1 * e - c2 * (q + y * y)) - v * (r43 - ck) * y;
      b[j][i][3][4] = sy * c2 * y * z - v * (1.0 - ck) * z;
      b[j][i][4][4] = -sy * c1 * y - v * ck - dt * ty1 * dy5;

      // The block of the point before it in x.
      r = rho_i[k][j][i - 1];
      x = u[k][j][i - 1][1] * r;
      y = u[k][j][i - 1][2] * r;
      z = u[k][j][i - 1][3] * r;
      e = u[k][j][i - 1][4] * r;
      q = qs[k][j][i - 1] * r;
      v = dt * tx1 * c34 * r;
      c[j][i][0][0] = -dt * tx1 * dx1;
      c[j][i][1][0] = -sx;
      c[j][i][2][0] = 0.0;
      c[j][i][3][0] = 0.0;
      c[j][i][4][0] = 0.0;
      c[j][i][0][1] = -sx * (c2 * q - x * x) + v * r43 * x;
      c[j][i][1][1] = -sx * (2.0 - c2) * x - v * r43 - dt * tx1 * dx2;
      c[j][i][2][1] = sx * c2 * y;
      c[j][i][3][1] = sx * c2 * z;
      c[j][i][4][1] = -sx * c2;
      c[j][i][0][2] = sx * x * y + v * y;
      c[j][i][1][2] = -sx * y;
      c[j][i][2][2] = -sx * x - v - dt * tx1 * dx3;
      c[j][i][3][2] = 0.0;
      c[j][i][4][2] = 0.0;
      c[j][i][0][3] = sx * x * z + v * z;
      c[j][i][1][3] = -sx * z;
      c[j][i][2][3] = 0.0;
      c[j][i][3][3] = -sx * x - v - dt * tx1 * dx4;
      c[j][i][4][3] = 0.0;
      c[j][i][0][4] = -sx * x * (2.0 * c2 * q - c1 * e) +
                      v * ((r43 - ck) * x * x + (1.0 - ck) * y * y + (1.0 - ck) * z * z + ck * e);
      c[j][i][1][4] = -sx * (c1 * e - c2 * (q + x * x)) - v * (r43 - ck) * x;
      c[j][i][2][4] = sx * c2 * x * y - v * (1.0 - ck) * y;
      c[j][i][3][4] = sx * c2 * x * z - v * (1.0 - ck) * z;
      c[j][i][4][4] = -sx * c1 * x - v * ck - dt * tx1 * dx5;
    }
  }
}

/// Fills the diagonal blocks of plane \p k and those that couple it with the points after.
static void jacu(int k) {
  const double sx = dt * tx2, sy = dt * ty2, sz = dt * tz2;
#pragma omp for schedule(static) nowait
  for (int j = jend - 1; j >= jst; j--) {
    for (int i = iend - 1; i >= ist; i--) {
      // The block of the point itself.
      double r = rho_i[k][j][i];
      double x = u[k][j][i][1] * r;
      double y = u[k][j][i][2] * r;
      double z = u[k][j][i][3] * r;
      double e = u[k][j][i][4] * r;
      double v = 2.0 * dt * c34 * r;
      d[j][i][0][0] = 1.0 + diff[0];
      d[j][i][1][0] = 0.0;
      d[j][i][2][0] = 0.0;
      d[j][i][3][0] = 0.0;
      d[j][i][4][0] = 0.0;
      d[j][i][0][1] = -v * wx * x;
      d[j][i][1][1] = 1.0 + diff[1] + v * wx;
      d[j][i][2][1] = 0.0;
      d[j][i][3][1] = 0.0;
      d[j][i][4][1] = 0.0;
      d[j][i][0][2] = -v * wy * y;
      d[j][i][1][2] = 0.0;
      d[j][i][2][2] = 1.0 + diff[2] + v * wy;
      d[j][i][3][2] = 0.0;
      d[j][i][4][2] = 0.0;
      d[j][i][0][3] = -v * wz * z;
      d[j][i][1][3] = 0.0;
      d[j][i][2][3] = 0.0;
      d[j][i][3][3] = 1.0 + diff[3] + v * wz;
      d[j][i][4][3] = 0.0;
      d[j][i][0][4] = -v * ((wx - ws) * x * x + (wy - ws) * y * y + (wz - ws) * z * z + ws * e);
      d[j][i][1][4] = v * (wx - ws) * x;
      d[j][i][2][4] = v * (wy - ws) * y;
      d[j][i][3][4] = v * (wz - ws) * z;
      d[j][i][4][4] = 1.0 + diff[4] + v * ws;

      // The block of the point after it in z.
      r = rho_i[k + 1][j][i];
      x = u[k + 1][j][i][1] * r;
      y = u[k + 1][j][i][2] * r;
      z = u[k + 1][j][i][3] * r;
      e = u[k + 1][j][i][4] * r;
      double q = qs[k + 1][j][i] * r;
      v = dt * tz1 * c34 * r;
      a[j][i][0][0] = -dt * tz1 * dz1;
      a[j][i][1][0] = 0.0;
      a[j][i][2][0] = 0.0;
      a[j][i][3][0] = sz;
      a[j][i][4][0] = 0.0;
      a[j][i][0][1] = -sz * z * x + v * x;
      a[j][i][1][1] = sz * z - v - dt * tz1 * dz2;
      a[j][i][2][1] = 0.0;
      a[j][i][3][1] = sz * x;
      a[j][i][4][1] = 0.0;
      a[j][i][0][2] = -sz * z * y + v * y;
      a[j][i][1][2] = 0.0;
      a[j][i][2][2] = sz * z - v - dt * tz1 * dz3;
      a[j][i][3][2] = sz * y;
      a[j][i][4][2] = 0.0;
      a[j][i][0][3] = sz * (c2 * q - z * z) + v * r43 * z;
      a[j][i][1][3] = -sz * c2 * x;
      a[j][i][2][3] = -sz * c2 * y;
      a[j][i][3][3] = sz * (2.0 - c2) * z - v * r43 - dt * tz1 * dz4;
      a[j][i][4][3] = sz * c2;
      a[j][i][0][4] = sz * z * (2.0 * c2 * q - c1 * e) +
                      v * ((1.0 - ck) * x * x + (1.0 - ck) * y * y + (r43 - ck) * z * z + ck * e);
      a[j][i][1][4] = -sz * c2 * z * x - v * (1.0 - ck) * x;
      a[j][i][2][4] = -sz * c2 * z * y - v * (1.0 - ck) * y;
      a[j][i][3][4] = sz * (c1 * e - c2 * (q + z * z)) - v * (r43 - ck) * z;
      a[j][i][4][4] = sz * c1 * z - v * ck - dt * tz1 * dz5;

      // The block of the point after it in y.
      r = rho_i[k][j + 1][i];
      x = u[k][j + 1][i][1] * r;
      y = u[k][j + 1][i][2] * r;
      z = u[k][j + 1][i][3] * r;
      e = u[k][j + 1][i][4] * r;
      q = qs[k][j + 1][i] * r;
      v = dt * ty1 * c34 * r;
      b[j][i][0][0] = -dt * ty1 * dy1;
      b[j][i][1][0] = 0.0;
      b[j][i][2][0] = sy;
      b[j][i][3][0] = 0.0;
      b[j][i][4][0] = 0.0;
      b[j][i][0][1] = -sy * y * x + v * x;
      b[j][i][1][1] = sy * y - v - dt * ty1 * dy2;
      b[j][i][2][1] = sy * x;
      b[j][i][3][1] = 0.0;
      b[j][i][4][1] = 0.0;
      b[j][i][0][2] = sy * (c2 * q - y * y) + v * r43 * y;
      b[j][i][1][2] = -sy * c2 * x;
      b[j][i][2][2] = sy * (2.0 - c2) * y - v * r43 - dt * ty1 * dy3;
      b[j][i][3][2] = -sy * c2 * z;
      b[j][i][4][2] = sy * c2;
      b[j][i][0][3] = -sy * y * z + v * z;
      b[j][i][1][3] = 0.0;
      b[j][i][2][3] = sy * z;
      b[j][i][3][3] = sy * y - v - dt * ty1 * dy4;
      b[j][i][4][3] = 0.0;
      b[j][i][0][4] = sy * y * (2.0 * c2 * q - c1 * e) +
                      v * ((1.0 - ck) * x * x + (r43 - ck) * y * y + (1.0 - ck) * z * z + ck * e);
      b[j][i][1][4] = -sy * c2 * y * x - v * (1.0 - ck) * x;
      b[j][i][2][4] = sy * (c1 * e - c2 * (q + y * y)) - v * (r43 - ck) * y;
      b[j][i][3][4] = -sy * c2 * y * z - v * (1.0 - ck) * z;
      b[j][i][4][4] = sy * c1 * y - v * ck - dt * ty1 * dy5;

      // The block of the point after it in x.
      r = rho_i[k][j][i + 1];
      x = u[k][j][i + 1][1] * r;
      y = u[k][j][i + 1][2] * r;
      z = u[k][j][i + 1][3] * r;
      e = u[k][j][i + 1][4] * r;
      q = qs[k][j][i + 1] * r;
      v = dt * tx1 * c34 * r;
      c[j][i][0][0] = -dt * tx1 * dx1;
      c[j][i][1][0] = sx;
      c[j][i][2][0] = 0.0;
      c[j][i][3][0] = 0.0;
      c[j][i][4][0] = 0.0;
      c[j][i][0][1] = sx * (c2 * q - x * x) + v * r43 * x;
      c[j][i][1][1] = sx * (2.0 - c2) * x - v * r43 - dt * tx1 * dx2;
      c[j][i][2][1] = -sx * c2 * y;
      c[j][i][3][1] = -sx * c2 * z;
      c[j][i][4][1] = sx * c2;
      c[j][i][0][2] = -sx * x * y + v * y;
      c[j][i][1][2] = sx * y;
      c[j][i][2][2] = sx * x - v - dt * tx1 * dx3;
      c[j][i][3][2] = 0.0;
      c[j][i][4][2] = 0.0;
      c[j][i][0][3] = -sx * x * z + v * z;
      c[j][i][1][3] = sx * z;
      c[j][i][2][3] = 0.0;
      c[j][i][3][3] = sx * x - v - dt * tx1 * dx4;
      c[j][i][4][3] = 0.0;
      c[j][i][0][4] = sx * x * (2.0 * c2 * q - c1 * e) +
                      v * ((r43 - ck) * x * x + (1.0 - ck) * y * y + (1.0 - ck) * z * z + ck * e);
      c[j][i][1][4] = sx * (c1 * e - c2 * (q + x * x)) - v * (r43 - ck) * x;
      c[j][i][2][4] = -sx * c2 * x * y - v * (1.0 - ck) * y;
      c[j][i][3][4] = -sx * c2 * x * z - v * (1.0 - ck) * z;
      c[j][i][4][4] = sx * c1 * x - v * ck - dt * tx1 * dx5;
    }
  }
}

#endif
