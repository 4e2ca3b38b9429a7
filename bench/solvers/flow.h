//===- bench/solvers/flow.h - a compressible flow on a box and its explicit side ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Density, three momenta and energy with convection, viscosity, heat conduction and fourth-order
// dissipation, by central differences on a regular grid. A forcing term makes a given polynomial
// the steady state of the discrete equations, so that both the residual and the error have to
// vanish. The functions with `omp for` lines are called by all threads of a team; all their loops
// over planes have the same static schedule where one does not wait for the one before.
#ifndef SPECRT_BENCH_SOLVERS_FLOW_H
#define SPECRT_BENCH_SOLVERS_FLOW_H

#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

constexpr int MAX = 64;       // points per direction
constexpr int MAXP = MAX + 1; // and one more, so that planes do not collide in the cache

static int grid_points[3];
static int nx2, ny2, nz2; // the last inner point in each direction

static double (*u)[MAXP][MAXP][5];
static double (*rhs)[MAXP][MAXP][5];
static double (*forcing)[MAXP][MAXP][5];
static double us[MAX][MAXP][MAXP], vs[MAX][MAXP][MAXP], ws[MAX][MAXP][MAXP];
static double qs[MAX][MAXP][MAXP], rho_i[MAX][MAXP][MAXP], square[MAX][MAXP][MAXP];

// The gas: c1 and c2 belong to the law of state, c3c4 is the viscosity, c5 the conduction.
static double c1, c2, c3c4, c1c5, con43, con16;
static double dt, dssp;
static double hx, hy, hz, tx1, tx2, ty1, ty2, tz1, tz2;
// Second-order dissipation of each component, alone and over the square of the distance.
static double dx1, dx2, dx3, dx4, dx5, dx1tx1, dx2tx1, dx3tx1, dx4tx1, dx5tx1;
static double dy1, dy2, dy3, dy4, dy5, dy1ty1, dy2ty1, dy3ty1, dy4ty1, dy5ty1;
static double dz1, dz2, dz3, dz4, dz5, dz1tz1, dz2tz1, dz3tz1, dz4tz1, dz5tz1;
// Viscosity along the direction and across it, and the three parts of the flux of energy.
static double xcon_along, xcon_across, xcon_kinetic, xcon_normal, xcon_heat;
static double ycon_along, ycon_across, ycon_kinetic, ycon_normal, ycon_heat;
static double zcon_along, zcon_across, zcon_kinetic, zcon_normal, zcon_heat;

/// The value at the origin, then the coefficients of the powers of x, of y, of z, and of x y z.
static double ce[5][14] = {
    {2.0, 0.2, -0.3, 0.1, 0.2, 0.0, 0.4, -0.2, 0.1, 0.3, 0.1, -0.2, 0.1, 0.2},
    {0.8, 0.3, 0.2, -0.4, 0.1, 0.2, -0.3, 0.2, 0.1, 0.1, 0.2, 0.3, -0.4, 0.1},
    {0.6, -0.2, 0.4, 0.1, -0.1, 0.5, 0.1, -0.3, 0.2, 0.2, -0.1, 0.1, 0.1, -0.2},
    {0.7, 0.1, 0.1, 0.2, -0.3, -0.1, 0.3, 0.2, -0.2, 0.4, -0.2, 0.2, 0.1, 0.3},
    {6.0, 0.4, 0.3, -0.5, 0.6, 0.3, 0.2, 0.4, -0.3, 0.5, -0.4, 0.6, 0.2, 0.4}};

static inline double quartic(const double *c, double x) {
  return x * (c[0] + x * (c[1] + x * (c[2] + x * c[3])));
}

static inline void exact_solution(double x, double y, double z, double value[5]) {
  for (int m = 0; m < 5; m++)
    value[m] = ce[m][0] + quartic(&ce[m][1], x) + quartic(&ce[m][5], y) + quartic(&ce[m][9], z) +
               ce[m][13] * x * y * z;
}

static inline double second(double below, double here, double above) {
  return below - 2.0 * here + above;
}

/// Adds convection and viscosity, without the dissipation of fourth order.
static void compute_fluxes() {
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        const double *um = u[k][j][i - 1], *uc = u[k][j][i], *up = u[k][j][i + 1];
        double *r = rhs[k][j][i];
        const double vm = us[k][j][i - 1], vc = us[k][j][i], vp = us[k][j][i + 1];
        r[0] += dx1tx1 * second(um[0], uc[0], up[0]) - tx2 * (up[1] - um[1]);
        r[1] += dx2tx1 * second(um[1], uc[1], up[1]) + xcon_along * second(vm, vc, vp) -
                tx2 * (up[1] * vp - um[1] * vm +
                       c2 * (up[4] - square[k][j][i + 1] - um[4] + square[k][j][i - 1]));
        r[2] += dx3tx1 * second(um[2], uc[2], up[2]) +
                xcon_across * second(vs[k][j][i - 1], vs[k][j][i], vs[k][j][i + 1]) -
                tx2 * (up[2] * vp - um[2] * vm);
        r[3] += dx4tx1 * second(um[3], uc[3], up[3]) +
                xcon_across * second(ws[k][j][i - 1], ws[k][j][i], ws[k][j][i + 1]) -
                tx2 * (up[3] * vp - um[3] * vm);
        r[4] += dx5tx1 * second(um[4], uc[4], up[4]) +
                xcon_kinetic * second(qs[k][j][i - 1], qs[k][j][i], qs[k][j][i + 1]) +
                xcon_normal * second(vm * vm, vc * vc, vp * vp) +
                xcon_heat * second(um[4] * rho_i[k][j][i - 1], uc[4] * rho_i[k][j][i],
                                   up[4] * rho_i[k][j][i + 1]) -
                tx2 * ((c1 * up[4] - c2 * square[k][j][i + 1]) * vp -
                       (c1 * um[4] - c2 * square[k][j][i - 1]) * vm);
      }

#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        const double *um = u[k][j - 1][i], *uc = u[k][j][i], *up = u[k][j + 1][i];
        double *r = rhs[k][j][i];
        const double vm = vs[k][j - 1][i], vc = vs[k][j][i], vp = vs[k][j + 1][i];
        r[0] += dy1ty1 * second(um[0], uc[0], up[0]) - ty2 * (up[2] - um[2]);
        r[1] += dy2ty1 * second(um[1], uc[1], up[1]) +
                ycon_across * second(us[k][j - 1][i], us[k][j][i], us[k][j + 1][i]) -
                ty2 * (up[1] * vp - um[1] * vm);
        r[2] += dy3ty1 * second(um[2], uc[2], up[2]) + ycon_along * second(vm, vc, vp) -
                ty2 * (up[2] * vp - um[2] * vm +
                       c2 * (up[4] - square[k][j + 1][i] - um[4] + square[k][j - 1][i]));
        r[3] += dy4ty1 * second(um[3], uc[3], up[3]) +
                ycon_across * second(ws[k][j - 1][i], ws[k][j][i], ws[k][j + 1][i]) -
                ty2 * (up[3] * vp - um[3] * vm);
        r[4] += dy5ty1 * second(um[4], uc[4], up[4]) +
                ycon_kinetic * second(qs[k][j - 1][i], qs[k][j][i], qs[k][j + 1][i]) +
                ycon_normal * second(vm * vm, vc * vc, vp * vp) +
                ycon_heat * second(um[4] * rho_i[k][j - 1][i], uc[4] * rho_i[k][j][i],
                                   up[4] * rho_i[k][j + 1][i]) -
                ty2 * ((c1 * up[4] - c2 * square[k][j + 1][i]) * vp -
                       (c1 * um[4] - c2 * square[k][j - 1][i]) * vm);
      }

#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        const double *um = u[k - 1][j][i], *uc = u[k][j][i], *up = u[k + 1][j][i];
        double *r = rhs[k][j][i];
        const double vm = ws[k - 1][j][i], vc = ws[k][j][i], vp = ws[k + 1][j][i];
        r[0] += dz1tz1 * second(um[0], uc[0], up[0]) - tz2 * (up[3] - um[3]);
        r[1] += dz2tz1 * second(um[1], uc[1], up[1]) +
                zcon_across * second(us[k - 1][j][i], us[k][j][i], us[k + 1][j][i]) -
                tz2 * (up[1] * vp - um[1] * vm);
        r[2] += dz3tz1 * second(um[2], uc[2], up[2]) +
                zcon_across * second(vs[k - 1][j][i], vs[k][j][i], vs[k + 1][j][i]) -
                tz2 * (up[2] * vp - um[2] * vm);
        r[3] += dz4tz1 * second(um[3], uc[3], up[3]) + zcon_along * second(vm, vc, vp) -
                tz2 * (up[3] * vp - um[3] * vm +
                       c2 * (up[4] - square[k + 1][j][i] - um[4] + square[k - 1][j][i]));
        r[4] += dz5tz1 * second(um[4], uc[4], up[4]) +
                zcon_kinetic * second(qs[k - 1][j][i], qs[k][j][i], qs[k + 1][j][i]) +
                zcon_normal * second(vm * vm, vc * vc, vp * vp) +
                zcon_heat * second(um[4] * rho_i[k - 1][j][i], uc[4] * rho_i[k][j][i],
                                   up[4] * rho_i[k + 1][j][i]) -
                tz2 * ((c1 * up[4] - c2 * square[k + 1][j][i]) * vp -
                       (c1 * um[4] - c2 * square[k - 1][j][i]) * vm);
      }
}

/// Subtracts fourth differences along each direction; the stencil is cut off next to the borders.
static void dissipate() {
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++) {
      double (*r)[5] = rhs[k][j];
      const double (*v)[5] = u[k][j];
      for (int m = 0; m < 5; m++) {
        r[1][m] -= dssp * (5.0 * v[1][m] - 4.0 * v[2][m] + v[3][m]);
        r[2][m] -= dssp * (-4.0 * v[1][m] + 6.0 * v[2][m] - 4.0 * v[3][m] + v[4][m]);
      }
      for (int i = 3; i <= nx2 - 2; i++)
        for (int m = 0; m < 5; m++)
          r[i][m] -= dssp * (v[i - 2][m] - 4.0 * v[i - 1][m] + 6.0 * v[i][m] - 4.0 * v[i + 1][m] +
                             v[i + 2][m]);
      for (int m = 0; m < 5; m++) {
        const int i = nx2;
        r[i - 1][m] -= dssp * (v[i - 3][m] - 4.0 * v[i - 2][m] + 6.0 * v[i - 1][m] - 4.0 * v[i][m]);
        r[i][m] -= dssp * (v[i - 2][m] - 4.0 * v[i - 1][m] + 5.0 * v[i][m]);
      }
    }

#pragma omp for schedule(static)
  for (int k = 1; k <= nz2; k++) {
    for (int i = 1; i <= nx2; i++)
      for (int m = 0; m < 5; m++)
        rhs[k][1][i][m] -= dssp * (5.0 * u[k][1][i][m] - 4.0 * u[k][2][i][m] + u[k][3][i][m]);
    for (int i = 1; i <= nx2; i++)
      for (int m = 0; m < 5; m++)
        rhs[k][2][i][m] -= dssp * (-4.0 * u[k][1][i][m] + 6.0 * u[k][2][i][m] -
                                   4.0 * u[k][3][i][m] + u[k][4][i][m]);
    for (int j = 3; j <= ny2 - 2; j++)
      for (int i = 1; i <= nx2; i++)
        for (int m = 0; m < 5; m++)
          rhs[k][j][i][m] -=
              dssp * (u[k][j - 2][i][m] - 4.0 * u[k][j - 1][i][m] + 6.0 * u[k][j][i][m] -
                      4.0 * u[k][j + 1][i][m] + u[k][j + 2][i][m]);
    const int j = ny2;
    for (int i = 1; i <= nx2; i++)
      for (int m = 0; m < 5; m++)
        rhs[k][j - 1][i][m] -= dssp * (u[k][j - 3][i][m] - 4.0 * u[k][j - 2][i][m] +
                                       6.0 * u[k][j - 1][i][m] - 4.0 * u[k][j][i][m]);
    for (int i = 1; i <= nx2; i++)
      for (int m = 0; m < 5; m++)
        rhs[k][j][i][m] -=
            dssp * (u[k][j - 2][i][m] - 4.0 * u[k][j - 1][i][m] + 5.0 * u[k][j][i][m]);
  }

#pragma omp for schedule(static) nowait
  for (int j = 1; j <= ny2; j++)
    for (int i = 1; i <= nx2; i++)
      for (int m = 0; m < 5; m++) {
        rhs[1][j][i][m] -= dssp * (5.0 * u[1][j][i][m] - 4.0 * u[2][j][i][m] + u[3][j][i][m]);
        rhs[2][j][i][m] -= dssp * (-4.0 * u[1][j][i][m] + 6.0 * u[2][j][i][m] -
                                   4.0 * u[3][j][i][m] + u[4][j][i][m]);
      }
#pragma omp for schedule(static) nowait
  for (int k = 3; k <= nz2 - 2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++)
        for (int m = 0; m < 5; m++)
          rhs[k][j][i][m] -=
              dssp * (u[k - 2][j][i][m] - 4.0 * u[k - 1][j][i][m] + 6.0 * u[k][j][i][m] -
                      4.0 * u[k + 1][j][i][m] + u[k + 2][j][i][m]);
#pragma omp for schedule(static)
  for (int j = 1; j <= ny2; j++) {
    const int k = nz2;
    for (int i = 1; i <= nx2; i++)
      for (int m = 0; m < 5; m++) {
        rhs[k - 1][j][i][m] -= dssp * (u[k - 3][j][i][m] - 4.0 * u[k - 2][j][i][m] +
                                       6.0 * u[k - 1][j][i][m] - 4.0 * u[k][j][i][m]);
        rhs[k][j][i][m] -=
            dssp * (u[k - 2][j][i][m] - 4.0 * u[k - 1][j][i][m] + 5.0 * u[k][j][i][m]);
      }
  }
}

/// Computes the change in one step of the explicit scheme, which is zero on the borders.
static void compute_rhs() {
#pragma omp for schedule(static) nowait
  for (int k = 0; k < grid_points[2]; k++)
    for (int j = 0; j < grid_points[1]; j++)
      for (int i = 0; i < grid_points[0]; i++) {
        const double inverse = 1.0 / u[k][j][i][0];
        rho_i[k][j][i] = inverse;
        us[k][j][i] = u[k][j][i][1] * inverse;
        vs[k][j][i] = u[k][j][i][2] * inverse;
        ws[k][j][i] = u[k][j][i][3] * inverse;
        square[k][j][i] = 0.5 * inverse *
                          (u[k][j][i][1] * u[k][j][i][1] + u[k][j][i][2] * u[k][j][i][2] +
                           u[k][j][i][3] * u[k][j][i][3]);
        qs[k][j][i] = square[k][j][i] * inverse;
      }

#pragma omp for schedule(static)
  for (int k = 0; k < grid_points[2]; k++)
    for (int j = 0; j < grid_points[1]; j++)
      for (int i = 0; i < grid_points[0]; i++)
        for (int m = 0; m < 5; m++)
          rhs[k][j][i][m] = forcing[k][j][i][m];

  compute_fluxes();
  dissipate();

#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++)
        for (int m = 0; m < 5; m++)
          rhs[k][j][i][m] *= dt;
}

static void add() {
#pragma omp for schedule(static)
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++)
        for (int m = 0; m < 5; m++)
          u[k][j][i][m] += rhs[k][j][i][m];
}

static void set_grid(long nx, long ny, long nz) {
  if (std::min({nx, ny, nz}) < 8 || std::max({nx, ny, nz}) > MAX) {
    std::fprintf(stderr, "error: the grid must have 8 to %d points per direction\n", MAX);
    std::exit(2);
  }
  grid_points[0] = static_cast<int>(nx);
  grid_points[1] = static_cast<int>(ny);
  grid_points[2] = static_cast<int>(nz);
  nx2 = grid_points[0] - 2;
  ny2 = grid_points[1] - 2;
  nz2 = grid_points[2] - 2;
  u = new double[nz][MAXP][MAXP][5];
  rhs = new double[nz][MAXP][MAXP][5];
  forcing = new double[nz][MAXP][MAXP][5];
}

static void set_constants() {
  c1 = 1.4;
  c2 = 0.4;
  c3c4 = 0.1;
  c1c5 = c1 * 1.4;
  con43 = 4.0 / 3.0;
  con16 = 1.0 / 6.0;
  hx = 1.0 / (grid_points[0] - 1);
  hy = 1.0 / (grid_points[1] - 1);
  hz = 1.0 / (grid_points[2] - 1);
  dt = 0.2 * std::min({hx, hy, hz});
  tx1 = 1.0 / (hx * hx);
  ty1 = 1.0 / (hy * hy);
  tz1 = 1.0 / (hz * hz);
  tx2 = 0.5 / hx;
  ty2 = 0.5 / hy;
  tz2 = 0.5 / hz;
  dx1 = dx2 = dx3 = dx4 = dx5 = 0.7;
  dy1 = dy2 = dy3 = dy4 = dy5 = 0.8;
  dz1 = dz2 = dz3 = dz4 = dz5 = 0.9;
  dssp = 0.25 * std::max({dx1, dy1, dz1});
  dx1tx1 = dx1 * tx1, dx2tx1 = dx2 * tx1, dx3tx1 = dx3 * tx1, dx4tx1 = dx4 * tx1;
  dy1ty1 = dy1 * ty1, dy2ty1 = dy2 * ty1, dy3ty1 = dy3 * ty1, dy4ty1 = dy4 * ty1;
  dz1tz1 = dz1 * tz1, dz2tz1 = dz2 * tz1, dz3tz1 = dz3 * tz1, dz4tz1 = dz4 * tz1;
  dx5tx1 = dx5 * tx1, dy5ty1 = dy5 * ty1, dz5tz1 = dz5 * tz1;
  xcon_across = c3c4 * tx1, ycon_across = c3c4 * ty1, zcon_across = c3c4 * tz1;
  xcon_along = con43 * xcon_across;
  ycon_along = con43 * ycon_across;
  zcon_along = con43 * zcon_across;
  xcon_kinetic = (1.0 - c1c5) * xcon_across;
  ycon_kinetic = (1.0 - c1c5) * ycon_across;
  zcon_kinetic = (1.0 - c1c5) * zcon_across;
  xcon_normal = con16 * xcon_across;
  ycon_normal = con16 * ycon_across;
  zcon_normal = con16 * zcon_across;
  xcon_heat = c1c5 * xcon_across;
  ycon_heat = c1c5 * ycon_across;
  zcon_heat = c1c5 * zcon_across;
}

/// Sets the exact solution; inside, adds up to the part \p amplitude of its values.
static void initialize(double amplitude) {
#pragma omp parallel for schedule(static)
  for (int k = 0; k < grid_points[2]; k++)
    for (int j = 0; j < grid_points[1]; j++)
      for (int i = 0; i < grid_points[0]; i++) {
        const double x = i * hx, y = j * hy, z = k * hz;
        const double bubble = 64.0 * x * (1.0 - x) * y * (1.0 - y) * z * (1.0 - z);
        const bool inner = i > 0 && i <= nx2 && j > 0 && j <= ny2 && k > 0 && k <= nz2;
        double value[5];
        exact_solution(x, y, z, value);
        for (int m = 0; m < 5; m++) {
          u[k][j][i][m] =
              inner ? value[m] * (1.0 + (1.0 - 0.1 * m) * amplitude * bubble) : value[m];
          rhs[k][j][i][m] = 0.0;
        }
      }
}

/// Sets the forcing term to the negated rest of the right-hand side for the exact solution.
static void set_forcing() {
  std::fill_n(&forcing[0][0][0][0], static_cast<size_t>(grid_points[2]) * MAXP * MAXP * 5, 0.0);
  initialize(0.0);
  compute_rhs();
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++)
        for (int m = 0; m < 5; m++)
          forcing[k][j][i][m] = -rhs[k][j][i][m] / dt;
}

/// Root mean squares over all points and components.
struct Norms {
  double residual, error;
};

static Norms norms() {
  compute_rhs();
  double residual = 0.0, error = 0.0;
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        double value[5];
        exact_solution(i * hx, j * hy, k * hz, value);
        for (int m = 0; m < 5; m++) {
          const double difference = u[k][j][i][m] - value[m];
          residual += rhs[k][j][i][m] * rhs[k][j][i][m];
          error += difference * difference;
        }
      }
  const double count = 5.0 * nx2 * ny2 * nz2;
  return {std::sqrt(residual / count) / dt, std::sqrt(error / count)};
}

/// Checks that both norms fall like exp(-10 t) until they are small. Then the stiffest parts of the
/// change, for which the factorisation is worst, remain and fall more slowly.
static void verify(const Norms &before, const Norms &after, long steps) {
  const double allowed = std::max(std::exp(-10.0 * dt * static_cast<double>(steps)), 2e-6);
  if (!(after.residual <= allowed * before.residual && after.error <= allowed * before.error)) {
    std::fprintf(stderr, "error: the residual is %g of %g, the deviation %g of %g\n",
                 after.residual, before.residual, after.error, before.error);
    std::exit(1);
  }
}

static uint64_t checksum_of_solution() {
  uint64_t result = 0;
  for (int k = 0; k < grid_points[2]; k++)
    for (int j = 0; j < grid_points[1]; j++)
      result = 31 * result + bench::checksum(&u[k][j][0][0], 5 * static_cast<size_t>(nx2 + 2));
  return result;
}

/// Solves the flow on a grid of \p n points per edge, or of the sizes in the arguments 1, 3 and 4,
/// with as many calls of \p step as argument 2 says, else \p steps. Calls \p prepare once the
/// constants are set. Checks and prints the result.
static void solve(int argc, char **argv, long n, long steps, void (*prepare)(), void (*step)()) {
  n = bench::argument(argc, argv, 1, n);
  steps = bench::argument(argc, argv, 2, steps);
  set_grid(n, bench::argument(argc, argv, 3, n), bench::argument(argc, argv, 4, n));
  set_constants();
  prepare();
  set_forcing();
  initialize(0.2);
  const Norms before = norms();
  bench::Stopwatch time;
  for (long done = 0; done < steps; done++)
    step();
  time.stop();
  verify(before, norms(), steps);
  time.print(checksum_of_solution());
}

#endif
