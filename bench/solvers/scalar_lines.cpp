//===- bench/solvers/scalar_lines.cpp - approximate factorisation with scalar lines ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flow of flow.h, by the diagonal form of the implicit scheme of Beam and Warming that Pulliam
// and Chaussee gave: the eigenvectors of the convective Jacobian matrix of a direction decouple the
// five components, so that each line of each direction needs scalar pentadiagonal systems only, and
// between the directions the components are multiplied with matrices of 5 x 5. The matrices of the
// lines are in static planes and line buffers that the next plane overwrites.
#include "flow.h"

static double speed[MAX][MAXP][MAXP];
// The matrices for the eigenvalues u (three times), u + c and u - c, one row after the other.
static double lhs[MAX][MAXP][5], lhsp[MAX][MAXP][5], lhsm[MAX][MAXP][5];
static double cv[MAX], rhon[MAX];
#pragma omp threadprivate(lhs, lhsp, lhsm, cv, rhon)

// The factors of the scheme.
static double bt, comz1, comz4, comz5, comz6;
static double dttx1, dttx2, c2dttx1, dtty1, dtty2, c2dtty1, dttz1, dttz2, c2dttz1;
static double dxmax, dymax, dzmax;

static void set_line_constants() {
  bt = std::sqrt(0.5);
  comz1 = dt * dssp;
  comz4 = 4.0 * comz1;
  comz5 = 5.0 * comz1;
  comz6 = 6.0 * comz1;
  dttx1 = dt * tx1, dttx2 = dt * tx2, c2dttx1 = 2.0 * dttx1;
  dtty1 = dt * ty1, dtty2 = dt * ty2, c2dtty1 = 2.0 * dtty1;
  dttz1 = dt * tz1, dttz2 = dt * tz2, c2dttz1 = 2.0 * dttz1;
  dxmax = std::max(dx3, dx4);
  dymax = std::max(dy2, dy4);
  dzmax = std::max(dz2, dz3);
}

static void compute_speed() {
#pragma omp for schedule(static)
  for (int k = 0; k < grid_points[2]; k++)
    for (int j = 0; j < grid_points[1]; j++)
      for (int i = 0; i < grid_points[0]; i++)
        speed[k][j][i] = std::sqrt(c1 * c2 * rho_i[k][j][i] * (u[k][j][i][4] - square[k][j][i]));
}

/// Transforms from the conserved variables to the eigenvectors along x.
static void txinvr() {
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i];
        const double inverse = rho_i[k][j][i], c = speed[k][j][i];
        const double du = (r[1] - us[k][j][i] * r[0]) * inverse;
        const double dv = (r[2] - vs[k][j][i] * r[0]) * inverse;
        const double dw = (r[3] - ws[k][j][i] * r[0]) * inverse;
        const double dp = c2 * (qs[k][j][i] * r[0] - us[k][j][i] * r[1] - vs[k][j][i] * r[2] -
                                ws[k][j][i] * r[3] + r[4]);
        const double sound = bt * dp * inverse / c;
        r[0] -= dp / (c * c);
        r[1] = dw;
        r[2] = -dv;
        r[3] = sound + bt * du;
        r[4] = sound - bt * du;
      }
}

/// Transforms from the eigenvectors along x to those along y.
static void ninvr() {
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i];
        const double entropy = r[0], dw = r[1], dv = -r[2];
        const double du = bt * (r[3] - r[4]), half = 0.5 * (r[3] + r[4]);
        r[0] = -dw;
        r[1] = entropy;
        r[2] = du;
        r[3] = half + bt * dv;
        r[4] = half - bt * dv;
      }
}

/// Transforms from the eigenvectors along y to those along z.
static void pinvr() {
#pragma omp for schedule(static)
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i];
        const double dw = -r[0], entropy = r[1], du = r[2];
        const double dv = bt * (r[3] - r[4]), half = 0.5 * (r[3] + r[4]);
        r[0] = dv;
        r[1] = -du;
        r[2] = entropy;
        r[3] = half + bt * dw;
        r[4] = half - bt * dw;
      }
}

/// Transforms from the eigenvectors along z to the conserved variables.
static void tzetar() {
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++)
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i];
        const double rho = u[k][j][i][0], c = speed[k][j][i];
        const double sound = bt * rho / c * (r[3] + r[4]);
        const double dv = r[0], du = -r[1], dw = bt * (r[3] - r[4]), drho = r[2] + sound;
        r[0] = drho;
        r[1] = us[k][j][i] * drho + rho * du;
        r[2] = vs[k][j][i] * drho + rho * dv;
        r[3] = ws[k][j][i] * drho + rho * dw;
        r[4] = qs[k][j][i] * drho + u[k][j][i][1] * du + u[k][j][i][2] * dv + u[k][j][i][3] * dw +
               c * c / c2 * sound;
      }
}

/// Sets a row of all three matrices to the identity, because the borders do not change.
static inline void identity(int line, int point) {
  for (int n = 0; n < 5; n++)
    lhs[line][point][n] = lhsp[line][point][n] = lhsm[line][point][n] = n == 2 ? 1.0 : 0.0;
}

/// Computes the rows for u + c and u - c from that for u, with the speeds before and after.
static inline void acoustic(int line, int point, double before, double after) {
  double *row = lhs[line][point], *plus = lhsp[line][point], *minus = lhsm[line][point];
  plus[0] = minus[0] = row[0];
  plus[1] = row[1] - before;
  minus[1] = row[1] + before;
  plus[2] = minus[2] = row[2];
  plus[3] = row[3] + after;
  minus[3] = row[3] - after;
  plus[4] = minus[4] = row[4];
}

/// Divides row p by its diagonal and subtracts it from row q.
static inline void eliminate_next(double p[5], double q[5], double *rp, double *rq, int first,
                                  int last) {
  const double inverse = 1.0 / p[2];
  p[3] *= inverse;
  p[4] *= inverse;
  for (int m = first; m <= last; m++)
    rp[m] *= inverse;
  q[2] -= q[1] * p[3];
  q[3] -= q[1] * p[4];
  for (int m = first; m <= last; m++)
    rq[m] -= q[1] * rp[m];
}

/// Does the same for both rows, q and s, that have the unknown of row p.
static inline void eliminate(double p[5], double q[5], double s[5], double *rp, double *rq,
                             double *rs, int first, int last) {
  eliminate_next(p, q, rp, rq, first, last);
  s[1] -= s[0] * p[3];
  s[2] -= s[0] * p[4];
  for (int m = first; m <= last; m++)
    rs[m] -= s[0] * rp[m];
}

static void x_solve() {
  const int isize = grid_points[0] - 1;
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++) {
    for (int j = 1; j <= ny2; j++) {
      identity(j, 0);
      identity(j, isize);
      for (int i = 0; i <= isize; i++) {
        const double nu = c3c4 * rho_i[k][j][i];
        cv[i] = us[k][j][i];
        rhon[i] = std::max({dx2 + con43 * nu, dx5 + c1c5 * nu, dxmax + nu, dx1});
      }
      for (int i = 1; i <= nx2; i++) {
        lhs[j][i][0] = 0.0;
        lhs[j][i][1] = -dttx2 * cv[i - 1] - dttx1 * rhon[i - 1];
        lhs[j][i][2] = 1.0 + c2dttx1 * rhon[i];
        lhs[j][i][3] = dttx2 * cv[i + 1] - dttx1 * rhon[i + 1];
        lhs[j][i][4] = 0.0;
      }
    }

    for (int j = 1; j <= ny2; j++) {
      lhs[j][1][2] += comz5;
      lhs[j][1][3] -= comz4;
      lhs[j][1][4] += comz1;
      lhs[j][2][1] -= comz4;
      lhs[j][2][2] += comz6;
      lhs[j][2][3] -= comz4;
      lhs[j][2][4] += comz1;
      for (int i = 3; i <= nx2 - 2; i++) {
        lhs[j][i][0] += comz1;
        lhs[j][i][1] -= comz4;
        lhs[j][i][2] += comz6;
        lhs[j][i][3] -= comz4;
        lhs[j][i][4] += comz1;
      }
      lhs[j][nx2 - 1][0] += comz1;
      lhs[j][nx2 - 1][1] -= comz4;
      lhs[j][nx2 - 1][2] += comz6;
      lhs[j][nx2 - 1][3] -= comz4;
      lhs[j][nx2][0] += comz1;
      lhs[j][nx2][1] -= comz4;
      lhs[j][nx2][2] += comz5;
    }
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++)
        acoustic(j, i, dttx2 * speed[k][j][i - 1], dttx2 * speed[k][j][i + 1]);

    for (int j = 1; j <= ny2; j++) {
      double (*r)[5] = rhs[k][j];
      for (int i = 0; i <= isize - 2; i++)
        eliminate(lhs[j][i], lhs[j][i + 1], lhs[j][i + 2], r[i], r[i + 1], r[i + 2], 0, 2);
      eliminate_next(lhs[j][isize - 1], lhs[j][isize], r[isize - 1], r[isize], 0, 2);
      for (int m = 0; m < 3; m++)
        r[isize][m] /= lhs[j][isize][2];
    }
    for (int j = 1; j <= ny2; j++) {
      double (*r)[5] = rhs[k][j];
      for (int i = 0; i <= isize - 2; i++) {
        eliminate(lhsp[j][i], lhsp[j][i + 1], lhsp[j][i + 2], r[i], r[i + 1], r[i + 2], 3, 3);
        eliminate(lhsm[j][i], lhsm[j][i + 1], lhsm[j][i + 2], r[i], r[i + 1], r[i + 2], 4, 4);
      }
      eliminate_next(lhsp[j][isize - 1], lhsp[j][isize], r[isize - 1], r[isize], 3, 3);
      eliminate_next(lhsm[j][isize - 1], lhsm[j][isize], r[isize - 1], r[isize], 4, 4);
      r[isize][3] /= lhsp[j][isize][2];
      r[isize][4] /= lhsm[j][isize][2];
    }

    for (int j = 1; j <= ny2; j++) {
      double (*r)[5] = rhs[k][j];
      for (int m = 0; m < 3; m++)
        r[isize - 1][m] -= lhs[j][isize - 1][3] * r[isize][m];
      r[isize - 1][3] -= lhsp[j][isize - 1][3] * r[isize][3];
      r[isize - 1][4] -= lhsm[j][isize - 1][3] * r[isize][4];
      for (int i = isize - 2; i >= 0; i--) {
        for (int m = 0; m < 3; m++)
          r[i][m] -= lhs[j][i][3] * r[i + 1][m] + lhs[j][i][4] * r[i + 2][m];
        r[i][3] -= lhsp[j][i][3] * r[i + 1][3] + lhsp[j][i][4] * r[i + 2][3];
        r[i][4] -= lhsm[j][i][3] * r[i + 1][4] + lhsm[j][i][4] * r[i + 2][4];
      }
    }
  }
  ninvr();
}

static void y_solve() {
  const int jsize = grid_points[1] - 1;
#pragma omp for schedule(static) nowait
  for (int k = 1; k <= nz2; k++) {
    for (int i = 1; i <= nx2; i++) {
      identity(0, i);
      identity(jsize, i);
      for (int j = 0; j <= jsize; j++) {
        const double nu = c3c4 * rho_i[k][j][i];
        cv[j] = vs[k][j][i];
        rhon[j] = std::max({dy3 + con43 * nu, dy5 + c1c5 * nu, dymax + nu, dy1});
      }
      for (int j = 1; j <= ny2; j++) {
        lhs[j][i][0] = 0.0;
        lhs[j][i][1] = -dtty2 * cv[j - 1] - dtty1 * rhon[j - 1];
        lhs[j][i][2] = 1.0 + c2dtty1 * rhon[j];
        lhs[j][i][3] = dtty2 * cv[j + 1] - dtty1 * rhon[j + 1];
        lhs[j][i][4] = 0.0;
      }
    }

    for (int i = 1; i <= nx2; i++) {
      lhs[1][i][2] += comz5;
      lhs[1][i][3] -= comz4;
      lhs[1][i][4] += comz1;
      lhs[2][i][1] -= comz4;
      lhs[2][i][2] += comz6;
      lhs[2][i][3] -= comz4;
      lhs[2][i][4] += comz1;
    }
    for (int j = 3; j <= ny2 - 2; j++)
      for (int i = 1; i <= nx2; i++) {
        lhs[j][i][0] += comz1;
        lhs[j][i][1] -= comz4;
        lhs[j][i][2] += comz6;
        lhs[j][i][3] -= comz4;
        lhs[j][i][4] += comz1;
      }
    for (int i = 1; i <= nx2; i++) {
      lhs[ny2 - 1][i][0] += comz1;
      lhs[ny2 - 1][i][1] -= comz4;
      lhs[ny2 - 1][i][2] += comz6;
      lhs[ny2 - 1][i][3] -= comz4;
      lhs[ny2][i][0] += comz1;
      lhs[ny2][i][1] -= comz4;
      lhs[ny2][i][2] += comz5;
    }
    for (int j = 1; j <= ny2; j++)
      for (int i = 1; i <= nx2; i++)
        acoustic(j, i, dtty2 * speed[k][j - 1][i], dtty2 * speed[k][j + 1][i]);

    for (int j = 0; j <= jsize - 2; j++)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i], *r1 = rhs[k][j + 1][i], *r2 = rhs[k][j + 2][i];
        eliminate(lhs[j][i], lhs[j + 1][i], lhs[j + 2][i], r, r1, r2, 0, 2);
        eliminate(lhsp[j][i], lhsp[j + 1][i], lhsp[j + 2][i], r, r1, r2, 3, 3);
        eliminate(lhsm[j][i], lhsm[j + 1][i], lhsm[j + 2][i], r, r1, r2, 4, 4);
      }
    for (int i = 1; i <= nx2; i++) {
      const int j = jsize - 1;
      double *r = rhs[k][j][i], *r1 = rhs[k][jsize][i];
      eliminate_next(lhs[j][i], lhs[jsize][i], r, r1, 0, 2);
      eliminate_next(lhsp[j][i], lhsp[jsize][i], r, r1, 3, 3);
      eliminate_next(lhsm[j][i], lhsm[jsize][i], r, r1, 4, 4);
      for (int m = 0; m < 3; m++) {
        r1[m] /= lhs[jsize][i][2];
        r[m] -= lhs[j][i][3] * r1[m];
      }
      r1[3] /= lhsp[jsize][i][2];
      r1[4] /= lhsm[jsize][i][2];
      r[3] -= lhsp[j][i][3] * r1[3];
      r[4] -= lhsm[j][i][3] * r1[4];
    }
    for (int j = jsize - 2; j >= 0; j--)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i], *r1 = rhs[k][j + 1][i], *r2 = rhs[k][j + 2][i];
        for (int m = 0; m < 3; m++)
          r[m] -= lhs[j][i][3] * r1[m] + lhs[j][i][4] * r2[m];
        r[3] -= lhsp[j][i][3] * r1[3] + lhsp[j][i][4] * r2[3];
        r[4] -= lhsm[j][i][3] * r1[4] + lhsm[j][i][4] * r2[4];
      }
  }
  pinvr();
}

static void z_solve() {
  const int ksize = grid_points[2] - 1;
#pragma omp for schedule(static)
  for (int j = 1; j <= ny2; j++) {
    for (int i = 1; i <= nx2; i++) {
      identity(0, i);
      identity(ksize, i);
      for (int k = 0; k <= ksize; k++) {
        const double nu = c3c4 * rho_i[k][j][i];
        cv[k] = ws[k][j][i];
        rhon[k] = std::max({dz4 + con43 * nu, dz5 + c1c5 * nu, dzmax + nu, dz1});
      }
      for (int k = 1; k <= nz2; k++) {
        lhs[k][i][0] = 0.0;
        lhs[k][i][1] = -dttz2 * cv[k - 1] - dttz1 * rhon[k - 1];
        lhs[k][i][2] = 1.0 + c2dttz1 * rhon[k];
        lhs[k][i][3] = dttz2 * cv[k + 1] - dttz1 * rhon[k + 1];
        lhs[k][i][4] = 0.0;
      }
    }

    for (int i = 1; i <= nx2; i++) {
      lhs[1][i][2] += comz5;
      lhs[1][i][3] -= comz4;
      lhs[1][i][4] += comz1;
      lhs[2][i][1] -= comz4;
      lhs[2][i][2] += comz6;
      lhs[2][i][3] -= comz4;
      lhs[2][i][4] += comz1;
    }
    for (int k = 3; k <= nz2 - 2; k++)
      for (int i = 1; i <= nx2; i++) {
        lhs[k][i][0] += comz1;
        lhs[k][i][1] -= comz4;
        lhs[k][i][2] += comz6;
        lhs[k][i][3] -= comz4;
        lhs[k][i][4] += comz1;
      }
    for (int i = 1; i <= nx2; i++) {
      lhs[nz2 - 1][i][0] += comz1;
      lhs[nz2 - 1][i][1] -= comz4;
      lhs[nz2 - 1][i][2] += comz6;
      lhs[nz2 - 1][i][3] -= comz4;
      lhs[nz2][i][0] += comz1;
      lhs[nz2][i][1] -= comz4;
      lhs[nz2][i][2] += comz5;
    }
    for (int k = 1; k <= nz2; k++)
      for (int i = 1; i <= nx2; i++)
        acoustic(k, i, dttz2 * speed[k - 1][j][i], dttz2 * speed[k + 1][j][i]);

    for (int k = 0; k <= ksize - 2; k++)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i], *r1 = rhs[k + 1][j][i], *r2 = rhs[k + 2][j][i];
        eliminate(lhs[k][i], lhs[k + 1][i], lhs[k + 2][i], r, r1, r2, 0, 2);
        eliminate(lhsp[k][i], lhsp[k + 1][i], lhsp[k + 2][i], r, r1, r2, 3, 3);
        eliminate(lhsm[k][i], lhsm[k + 1][i], lhsm[k + 2][i], r, r1, r2, 4, 4);
      }
    for (int i = 1; i <= nx2; i++) {
      const int k = ksize - 1;
      double *r = rhs[k][j][i], *r1 = rhs[ksize][j][i];
      eliminate_next(lhs[k][i], lhs[ksize][i], r, r1, 0, 2);
      eliminate_next(lhsp[k][i], lhsp[ksize][i], r, r1, 3, 3);
      eliminate_next(lhsm[k][i], lhsm[ksize][i], r, r1, 4, 4);
      for (int m = 0; m < 3; m++) {
        r1[m] /= lhs[ksize][i][2];
        r[m] -= lhs[k][i][3] * r1[m];
      }
      r1[3] /= lhsp[ksize][i][2];
      r1[4] /= lhsm[ksize][i][2];
      r[3] -= lhsp[k][i][3] * r1[3];
      r[4] -= lhsm[k][i][3] * r1[4];
    }
    for (int k = ksize - 2; k >= 0; k--)
      for (int i = 1; i <= nx2; i++) {
        double *r = rhs[k][j][i], *r1 = rhs[k + 1][j][i], *r2 = rhs[k + 2][j][i];
        for (int m = 0; m < 3; m++)
          r[m] -= lhs[k][i][3] * r1[m] + lhs[k][i][4] * r2[m];
        r[3] -= lhsp[k][i][3] * r1[3] + lhsp[k][i][4] * r2[3];
        r[4] -= lhsm[k][i][3] * r1[4] + lhsm[k][i][4] * r2[4];
      }
  }
  tzetar();
}

static void adi() {
#pragma omp parallel
  {
    compute_rhs();
    compute_speed();
    txinvr();
    x_solve();
    y_solve();
    z_solve();
    add();
  }
}

int main(int argc, char **argv) { solve(argc, argv, 50, 64, set_line_constants, adi); }
