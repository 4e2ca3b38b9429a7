//===- bench/solvers/block_lines.cpp - approximate factorisation with blocks of 5 x 5 ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flow of flow.h, by the implicit scheme of Beam and Warming: each step solves, along every
// line of each direction in turn, a block-tridiagonal system for the change of the five components.
// Each line computes the Jacobian matrices of the convective and of the viscous flux at its points,
// and from them its matrix, in static work arrays that the next line overwrites, and eliminates
// without pivoting by small functions for 5 x 5 blocks.
#include "flow.h"

enum { AA, BB, CC }; // the blocks below the diagonal, on it and above it

static double fjac[MAX + 1][5][5], njac[MAX + 1][5][5];
static double lhs[MAX + 1][3][5][5];
#pragma omp threadprivate(fjac, njac, lhs)

static inline void set_row(double row[5], double a, double b, double c, double d, double e) {
  row[0] = a;
  row[1] = b;
  row[2] = c;
  row[3] = d;
  row[4] = e;
}

/// Computes b -= a v.
static inline void matvec_sub(const double a[5][5], const double v[5], double b[5]) {
  for (int m = 0; m < 5; m++)
    for (int n = 0; n < 5; n++)
      b[m] -= a[m][n] * v[n];
}

/// Computes c -= a b.
static inline void matmul_sub(const double a[5][5], const double b[5][5], double c[5][5]) {
  for (int m = 0; m < 5; m++)
    for (int n = 0; n < 5; n++)
      for (int l = 0; l < 5; l++)
        c[m][n] -= a[m][l] * b[l][n];
}

/// Multiplies c and r with the inverse of a; a is lost.
static inline void binvcrhs(double a[5][5], double c[5][5], double r[5]) {
  for (int p = 0; p < 5; p++) {
    const double pivot = 1.0 / a[p][p];
    for (int n = p + 1; n < 5; n++)
      a[p][n] *= pivot;
    for (int n = 0; n < 5; n++)
      c[p][n] *= pivot;
    r[p] *= pivot;
    for (int m = 0; m < 5; m++)
      if (m != p) {
        const double factor = a[m][p];
        for (int n = p + 1; n < 5; n++)
          a[m][n] -= factor * a[p][n];
        for (int n = 0; n < 5; n++)
          c[m][n] -= factor * c[p][n];
        r[m] -= factor * r[p];
      }
  }
}

/// Multiplies r with the inverse of a; a is lost.
static inline void binvrhs(double a[5][5], double r[5]) {
  for (int p = 0; p < 5; p++) {
    const double pivot = 1.0 / a[p][p];
    for (int n = p + 1; n < 5; n++)
      a[p][n] *= pivot;
    r[p] *= pivot;
    for (int m = 0; m < 5; m++)
      if (m != p) {
        const double factor = a[m][p];
        for (int n = p + 1; n < 5; n++)
          a[m][n] -= factor * a[p][n];
        r[m] -= factor * r[p];
      }
  }
}

/// Sets the first and the last row of blocks to the identity, because the borders do not change.
static inline void lhsinit(int size) {
  for (int i = 0; i <= size; i += size)
    for (int b = 0; b < 3; b++)
      for (int m = 0; m < 5; m++)
        for (int n = 0; n < 5; n++)
          lhs[i][b][m][n] = b == BB && m == n ? 1.0 : 0.0;
}

static void x_solve() {
  const int isize = grid_points[0] - 1;
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++) {
      for (int i = 0; i <= isize; i++) {
        const double r = rho_i[k][j][i], q = qs[k][j][i], e = c1 * u[k][j][i][4] * r;
        const double a = us[k][j][i], b = vs[k][j][i], c = ws[k][j][i];
        set_row(fjac[i][0], 0.0, 1.0, 0.0, 0.0, 0.0);
        set_row(fjac[i][1], c2 * q - a * a, (2.0 - c2) * a, -c2 * b, -c2 * c, c2);
        set_row(fjac[i][2], -a * b, b, a, 0.0, 0.0);
        set_row(fjac[i][3], -a * c, c, 0.0, a, 0.0);
        set_row(fjac[i][4], (2.0 * c2 * q - e) * a, e - c2 * (q + a * a), -c2 * a * b, -c2 * a * c,
                c1 * a);
        const double nu = c3c4 * r, heat = c1c5 * nu;
        set_row(njac[i][0], 0.0, 0.0, 0.0, 0.0, 0.0);
        set_row(njac[i][1], -con43 * nu * a, con43 * nu, 0.0, 0.0, 0.0);
        set_row(njac[i][2], -nu * b, 0.0, nu, 0.0, 0.0);
        set_row(njac[i][3], -nu * c, 0.0, 0.0, nu, 0.0);
        set_row(njac[i][4],
                (heat - con43 * nu) * a * a + (heat - nu) * (b * b + c * c) -
                    heat * u[k][j][i][4] * r,
                (con43 * nu - heat) * a, (nu - heat) * b, (nu - heat) * c, heat);
      }

      lhsinit(isize);
      const double t1 = dt * tx1, t2 = dt * tx2;
      for (int i = 1; i <= isize - 1; i++) {
        for (int m = 0; m < 5; m++)
          for (int n = 0; n < 5; n++) {
            lhs[i][AA][m][n] = -t2 * fjac[i - 1][m][n] - t1 * njac[i - 1][m][n];
            lhs[i][BB][m][n] = 2.0 * t1 * njac[i][m][n];
            lhs[i][CC][m][n] = t2 * fjac[i + 1][m][n] - t1 * njac[i + 1][m][n];
          }
        const double d[5] = {dx1, dx2, dx3, dx4, dx5};
        for (int m = 0; m < 5; m++) {
          lhs[i][AA][m][m] -= t1 * d[m];
          lhs[i][BB][m][m] += 1.0 + 2.0 * t1 * d[m];
          lhs[i][CC][m][m] -= t1 * d[m];
        }
      }

      binvcrhs(lhs[0][BB], lhs[0][CC], rhs[k][j][0]);
      for (int i = 1; i <= isize - 1; i++) {
        matvec_sub(lhs[i][AA], rhs[k][j][i - 1], rhs[k][j][i]);
        matmul_sub(lhs[i][AA], lhs[i - 1][CC], lhs[i][BB]);
        binvcrhs(lhs[i][BB], lhs[i][CC], rhs[k][j][i]);
      }
      matvec_sub(lhs[isize][AA], rhs[k][j][isize - 1], rhs[k][j][isize]);
      matmul_sub(lhs[isize][AA], lhs[isize - 1][CC], lhs[isize][BB]);
      binvrhs(lhs[isize][BB], rhs[k][j][isize]);
      for (int i = isize - 1; i >= 0; i--)
        for (int m = 0; m < 5; m++)
          for (int n = 0; n < 5; n++)
            rhs[k][j][i][m] -= lhs[i][CC][m][n] * rhs[k][j][i + 1][n];
    }
}

static void y_solve() {
  const int jsize = grid_points[1] - 1;
#pragma omp for schedule(static)
  for (int k = 1; k <= nz2; k++)
    for (int i = 1; i <= nx2; i++) {
      for (int j = 0; j <= jsize; j++) {
        const double r = rho_i[k][j][i], q = qs[k][j][i], e = c1 * u[k][j][i][4] * r;
        const double a = us[k][j][i], b = vs[k][j][i], c = ws[k][j][i];
        set_row(fjac[j][0], 0.0, 0.0, 1.0, 0.0, 0.0);
        set_row(fjac[j][1], -a * b, b, a, 0.0, 0.0);
        set_row(fjac[j][2], c2 * q - b * b, -c2 * a, (2.0 - c2) * b, -c2 * c, c2);
        set_row(fjac[j][3], -b * c, 0.0, c, b, 0.0);
        set_row(fjac[j][4], (2.0 * c2 * q - e) * b, -c2 * a * b, e - c2 * (q + b * b), -c2 * b * c,
                c1 * b);
        const double nu = c3c4 * r, heat = c1c5 * nu;
        set_row(njac[j][0], 0.0, 0.0, 0.0, 0.0, 0.0);
        set_row(njac[j][1], -nu * a, nu, 0.0, 0.0, 0.0);
        set_row(njac[j][2], -con43 * nu * b, 0.0, con43 * nu, 0.0, 0.0);
        set_row(njac[j][3], -nu * c, 0.0, 0.0, nu, 0.0);
        set_row(njac[j][4],
                (heat - con43 * nu) * b * b + (heat - nu) * (a * a + c * c) -
                    heat * u[k][j][i][4] * r,
                (nu - heat) * a, (con43 * nu - heat) * b, (nu - heat) * c, heat);
      }

      lhsinit(jsize);
      const double t1 = dt * ty1, t2 = dt * ty2;
      for (int j = 1; j <= jsize - 1; j++) {
        for (int m = 0; m < 5; m++)
          for (int n = 0; n < 5; n++) {
            lhs[j][AA][m][n] = -t2 * fjac[j - 1][m][n] - t1 * njac[j - 1][m][n];
            lhs[j][BB][m][n] = 2.0 * t1 * njac[j][m][n];
            lhs[j][CC][m][n] = t2 * fjac[j + 1][m][n] - t1 * njac[j + 1][m][n];
          }
        const double d[5] = {dy1, dy2, dy3, dy4, dy5};
        for (int m = 0; m < 5; m++) {
          lhs[j][AA][m][m] -= t1 * d[m];
          lhs[j][BB][m][m] += 1.0 + 2.0 * t1 * d[m];
          lhs[j][CC][m][m] -= t1 * d[m];
        }
      }

      binvcrhs(lhs[0][BB], lhs[0][CC], rhs[k][0][i]);
      for (int j = 1; j <= jsize - 1; j++) {
        matvec_sub(lhs[j][AA], rhs[k][j - 1][i], rhs[k][j][i]);
        matmul_sub(lhs[j][AA], lhs[j - 1][CC], lhs[j][BB]);
        binvcrhs(lhs[j][BB], lhs[j][CC], rhs[k][j][i]);
      }
      matvec_sub(lhs[jsize][AA], rhs[k][jsize - 1][i], rhs[k][jsize][i]);
      matmul_sub(lhs[jsize][AA], lhs[jsize - 1][CC], lhs[jsize][BB]);
      binvrhs(lhs[jsize][BB], rhs[k][jsize][i]);
      for (int j = jsize - 1; j >= 0; j--)
        for (int m = 0; m < 5; m++)
          for (int n = 0; n < 5; n++)
            rhs[k][j][i][m] -= lhs[j][CC][m][n] * rhs[k][j + 1][i][n];
    }
}

static void z_solve() {
  const int ksize = grid_points[2] - 1;
#pragma omp for schedule(static)
  for (int j = 1; j <= ny2; j++)
    for (int i = 1; i <= nx2; i++) {
      for (int k = 0; k <= ksize; k++) {
        const double r = rho_i[k][j][i], q = qs[k][j][i], e = c1 * u[k][j][i][4] * r;
        const double a = us[k][j][i], b = vs[k][j][i], c = ws[k][j][i];
        set_row(fjac[k][0], 0.0, 0.0, 0.0, 1.0, 0.0);
        set_row(fjac[k][1], -a * c, c, 0.0, a, 0.0);
        set_row(fjac[k][2], -b * c, 0.0, c, b, 0.0);
        set_row(fjac[k][3], c2 * q - c * c, -c2 * a, -c2 * b, (2.0 - c2) * c, c2);
        set_row(fjac[k][4], (2.0 * c2 * q - e) * c, -c2 * a * c, -c2 * b * c, e - c2 * (q + c * c),
                c1 * c);
        const double nu = c3c4 * r, heat = c1c5 * nu;
        set_row(njac[k][0], 0.0, 0.0, 0.0, 0.0, 0.0);
        set_row(njac[k][1], -nu * a, nu, 0.0, 0.0, 0.0);
        set_row(njac[k][2], -nu * b, 0.0, nu, 0.0, 0.0);
        set_row(njac[k][3], -con43 * nu * c, 0.0, 0.0, con43 * nu, 0.0);
        set_row(njac[k][4],
                (heat - con43 * nu) * c * c + (heat - nu) * (a * a + b * b) -
                    heat * u[k][j][i][4] * r,
                (nu - heat) * a, (nu - heat) * b, (con43 * nu - heat) * c, heat);
      }

      lhsinit(ksize);
      const double t1 = dt * tz1, t2 = dt * tz2;
      for (int k = 1; k <= ksize - 1; k++) {
        for (int m = 0; m < 5; m++)
          for (int n = 0; n < 5; n++) {
            lhs[k][AA][m][n] = -t2 * fjac[k - 1][m][n] - t1 * njac[k - 1][m][n];
            lhs[k][BB][m][n] = 2.0 * t1 * njac[k][m][n];
            lhs[k][CC][m][n] = t2 * fjac[k + 1][m][n] - t1 * njac[k + 1][m][n];
          }
        const double d[5] = {dz1, dz2, dz3, dz4, dz5};
        for (int m = 0; m < 5; m++) {
          lhs[k][AA][m][m] -= t1 * d[m];
          lhs[k][BB][m][m] += 1.0 + 2.0 * t1 * d[m];
          lhs[k][CC][m][m] -= t1 * d[m];
        }
      }

      binvcrhs(lhs[0][BB], lhs[0][CC], rhs[0][j][i]);
      for (int k = 1; k <= ksize - 1; k++) {
        matvec_sub(lhs[k][AA], rhs[k - 1][j][i], rhs[k][j][i]);
        matmul_sub(lhs[k][AA], lhs[k - 1][CC], lhs[k][BB]);
        binvcrhs(lhs[k][BB], lhs[k][CC], rhs[k][j][i]);
      }
      matvec_sub(lhs[ksize][AA], rhs[ksize - 1][j][i], rhs[ksize][j][i]);
      matmul_sub(lhs[ksize][AA], lhs[ksize - 1][CC], lhs[ksize][BB]);
      binvrhs(lhs[ksize][BB], rhs[ksize][j][i]);
      for (int k = ksize - 1; k >= 0; k--)
        for (int m = 0; m < 5; m++)
          for (int n = 0; n < 5; n++)
            rhs[k][j][i][m] -= lhs[k][CC][m][n] * rhs[k + 1][j][i][n];
    }
}

static void adi() {
#pragma omp parallel
  {
    compute_rhs();
    x_solve();
    y_solve();
    z_solve();
    add();
  }
}

int main(int argc, char **argv) {
  solve(argc, argv, 34, 80, [] {}, adi);
}
