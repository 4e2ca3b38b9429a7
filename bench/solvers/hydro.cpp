//===- bench/solvers/hydro.cpp - Lagrangian shock hydrodynamics of a Sedov blast ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The equations of an ideal gas in the frame of the moving material, on hexahedra with forces and
// velocities at the nodes and energies at the centres: stress and Flanagan-Belytschko hourglass
// forces, explicit steps in time, a monotone artificial viscosity that compares the neighbours and
// an equation of state with predictor and correctors. The program has some thirty loops over
// elements and nodes, most with indirect accesses, through accessors of vectors in a class.
#include "hydro.h"
#include "hydro_material.h"
#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

// Constants of the scheme.
static double hgcoef, qstop, monoq_limiter_mult, monoq_max_slope, qlc_monoq, qqc_monoq, qqc2;
static double ptiny, dvovmax, u_cut, v_cut, dtmultlb, dtmultub, dtmax;

// Work arrays: stresses, volumes, forces at the corners, derivatives of the volumes and coordinates
// of the corners.
static std::vector<double> sigxx, sigyy, sigzz, determ, fx_elem, fy_elem, fz_elem;
static std::vector<double> dvdx, dvdy, dvdz, x8n, y8n, z8n;

static void fail(const char *what) {
  std::fprintf(stderr, "error: %s\n", what);
  std::exit(1);
}

static void initialise(Domain &domain) {
  initialiseMaterial(5.0 / 3.0, domain.numElem());
  hgcoef = 3.0;
  qstop = 1.0e12;
  monoq_limiter_mult = 2.0;
  monoq_max_slope = 1.0;
  qlc_monoq = 0.5;
  qqc_monoq = 2.0 / 3.0;
  const double qqc = 2.0;
  qqc2 = 64.0 * qqc * qqc;
  ptiny = 1.0e-36;
  dvovmax = 0.1;
  u_cut = 1.0e-7;
  v_cut = 1.0e-10;
  dtmultlb = 1.1;
  dtmultub = 1.2;
  dtmax = 1.0e-2;
  const size_t n = domain.numElem();
  for (auto *of : {&sigxx, &sigyy, &sigzz, &determ})
    of->resize(n);
  for (auto *of : {&fx_elem, &fy_elem, &fz_elem, &dvdx, &dvdy, &dvdz, &x8n, &y8n, &z8n})
    of->resize(8 * n);
}

static void initStress(Domain &domain) {
#pragma omp parallel for
  for (int i = 0; i < domain.numElem(); ++i)
    sigxx[i] = sigyy[i] = sigzz[i] = -domain.p(i) - domain.q(i);
}

/// Computes the force at each node as the sum of those at the corners that meet there.
static void sumCorners(Domain &domain) {
  const int numNode = domain.numNode();
#pragma omp parallel for
  for (int n = 0; n < numNode; ++n) {
    const int count = domain.cornerCount(n);
    const int *corners = domain.corners(n);
    double fx = 0.0, fy = 0.0, fz = 0.0;
    for (int i = 0; i < count; ++i) {
      const int corner = corners[i];
      fx += fx_elem[corner];
      fy += fy_elem[corner];
      fz += fz_elem[corner];
    }
    domain.fx(n) += fx;
    domain.fy(n) += fy;
    domain.fz(n) += fz;
  }
}

static void integrateStress(Domain &domain) {
  const int numElem = domain.numElem();
#pragma omp parallel for
  for (int k = 0; k < numElem; ++k) {
    double x[8], y[8], z[8], b[3][8], b4[3][4];
    collectNodes(domain, domain.nodelist(k), x, y, z);
    determ[k] = shapeDerivatives(x, y, z, b4);
    nodeNormals(x, y, z, b);
    for (int c = 0; c < 8; ++c) {
      fx_elem[8 * k + c] = -sigxx[k] * b[0][c];
      fy_elem[8 * k + c] = -sigyy[k] * b[1][c];
      fz_elem[8 * k + c] = -sigzz[k] * b[2][c];
    }
  }
  sumCorners(domain);
}

static void hourglassForces(Domain &domain) {
  const int numElem = domain.numElem();
#pragma omp parallel for
  for (int k = 0; k < numElem; ++k) {
    const int first = 8 * k;
    const double inverse = 1.0 / determ[k];
    double hourgam[8][4], xd[8], yd[8], zd[8];
    for (int m = 0; m < 4; ++m) {
      double mx = 0.0, my = 0.0, mz = 0.0;
      for (int c = 0; c < 8; ++c) {
        mx += x8n[first + c] * hourglassMode[m][c];
        my += y8n[first + c] * hourglassMode[m][c];
        mz += z8n[first + c] * hourglassMode[m][c];
      }
      for (int c = 0; c < 8; ++c)
        hourgam[c][m] =
            hourglassMode[m][c] -
            inverse * (dvdx[first + c] * mx + dvdy[first + c] * my + dvdz[first + c] * mz);
    }
    collectVelocities(domain, domain.nodelist(k), xd, yd, zd);
    const double coefficient =
        -hgcoef * 0.01 * domain.ss(k) * domain.elemMass(k) / std::cbrt(determ[k]);
    hourglassForce(xd, hourgam, coefficient, &fx_elem[first]);
    hourglassForce(yd, hourgam, coefficient, &fy_elem[first]);
    hourglassForce(zd, hourgam, coefficient, &fz_elem[first]);
  }
  sumCorners(domain);
}

static void hourglassControl(Domain &domain) {
  const int numElem = domain.numElem();
#pragma omp parallel for
  for (int k = 0; k < numElem; ++k) {
    double x[8], y[8], z[8];
    collectNodes(domain, domain.nodelist(k), x, y, z);
    volumeDerivatives(&dvdx[8 * k], y, z);
    volumeDerivatives(&dvdy[8 * k], z, x);
    volumeDerivatives(&dvdz[8 * k], x, y);
    for (int c = 0; c < 8; ++c) {
      x8n[8 * k + c] = x[c];
      y8n[8 * k + c] = y[c];
      z8n[8 * k + c] = z[c];
    }
    determ[k] = domain.volo(k) * domain.v(k);
  }
  if (hgcoef > 0.0)
    hourglassForces(domain);
}

static void calcForces(Domain &domain) {
#pragma omp parallel for
  for (int i = 0; i < domain.numNode(); ++i) {
    domain.fx(i) = 0.0;
    domain.fy(i) = 0.0;
    domain.fz(i) = 0.0;
  }
  initStress(domain);
  integrateStress(domain);
  hourglassControl(domain);
}

static void calcAcceleration(Domain &domain) {
  const int numNode = domain.numNode(), symmSize = domain.symmSize();
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < numNode; ++i) {
      domain.xdd(i) = domain.fx(i) / domain.nodalMass(i);
      domain.ydd(i) = domain.fy(i) / domain.nodalMass(i);
      domain.zdd(i) = domain.fz(i) / domain.nodalMass(i);
    }
#pragma omp for nowait
    for (int i = 0; i < symmSize; ++i)
      domain.xdd(domain.symmX(i)) = 0.0;
#pragma omp for nowait
    for (int i = 0; i < symmSize; ++i)
      domain.ydd(domain.symmY(i)) = 0.0;
#pragma omp for nowait
    for (int i = 0; i < symmSize; ++i)
      domain.zdd(domain.symmZ(i)) = 0.0;
  }
}

static void calcVelocity(Domain &domain, double dt, double cut) {
  const int numNode = domain.numNode();
#pragma omp parallel for
  for (int i = 0; i < numNode; ++i) {
    double xd = domain.xd(i) + domain.xdd(i) * dt;
    if (std::fabs(xd) < cut)
      xd = 0.0;
    domain.xd(i) = xd;
    double yd = domain.yd(i) + domain.ydd(i) * dt;
    if (std::fabs(yd) < cut)
      yd = 0.0;
    domain.yd(i) = yd;
    double zd = domain.zd(i) + domain.zdd(i) * dt;
    if (std::fabs(zd) < cut)
      zd = 0.0;
    domain.zd(i) = zd;
  }
}

static void calcPosition(Domain &domain, double dt) {
  const int numNode = domain.numNode();
#pragma omp parallel for
  for (int i = 0; i < numNode; ++i) {
    domain.x(i) += domain.xd(i) * dt;
    domain.y(i) += domain.yd(i) * dt;
    domain.z(i) += domain.zd(i) * dt;
  }
}

static void lagrangeNodal(Domain &domain) {
  calcForces(domain);
  calcAcceleration(domain);
  calcVelocity(domain, domain.deltatime, u_cut);
  calcPosition(domain, domain.deltatime);
}

/// Computes volumes at the end of the step and velocity gradients in its middle.
static void calcKinematics(Domain &domain, double dt) {
  const int numElem = domain.numElem();
#pragma omp parallel for
  for (int k = 0; k < numElem; ++k) {
    const int *nodes = domain.nodelist(k);
    double x[8], y[8], z[8], xd[8], yd[8], zd[8], b[3][4];
    collectNodes(domain, nodes, x, y, z);
    const double volume = elemVolume(x, y, z), relative = volume / domain.volo(k);
    domain.vnew(k) = relative;
    domain.delv(k) = relative - domain.v(k);
    domain.arealg(k) = characteristicLength(x, y, z, volume);
    collectVelocities(domain, nodes, xd, yd, zd);
    const double half = 0.5 * dt;
    for (int c = 0; c < 8; ++c) {
      x[c] -= half * xd[c];
      y[c] -= half * yd[c];
      z[c] -= half * zd[c];
    }
    const double inverse = 1.0 / shapeDerivatives(x, y, z, b);
    domain.dxx(k) = inverse * (b[0][0] * (xd[0] - xd[6]) + b[0][1] * (xd[1] - xd[7]) +
                               b[0][2] * (xd[2] - xd[4]) + b[0][3] * (xd[3] - xd[5]));
    domain.dyy(k) = inverse * (b[1][0] * (yd[0] - yd[6]) + b[1][1] * (yd[1] - yd[7]) +
                               b[1][2] * (yd[2] - yd[4]) + b[1][3] * (yd[3] - yd[5]));
    domain.dzz(k) = inverse * (b[2][0] * (zd[0] - zd[6]) + b[2][1] * (zd[1] - zd[7]) +
                               b[2][2] * (zd[2] - zd[4]) + b[2][3] * (zd[3] - zd[5]));
  }
}

static void calcLagrangeElements(Domain &domain) {
  const int numElem = domain.numElem();
  calcKinematics(domain, domain.deltatime);
  int bad = 0;
#pragma omp parallel for reduction(+ : bad)
  for (int k = 0; k < numElem; ++k) {
    const double vdov = domain.dxx(k) + domain.dyy(k) + domain.dzz(k), third = vdov / 3.0;
    domain.vdov(k) = vdov;
    domain.dxx(k) -= third;
    domain.dyy(k) -= third;
    domain.dzz(k) -= third;
    if (domain.vnew(k) <= 0.0)
      ++bad;
  }
  if (bad)
    fail("an element has no volume left");
}

/// Computes extents and velocity gradients of elements in the directions between opposite faces.
static void calcMonotonicQGradients(Domain &domain) {
  const int numElem = domain.numElem();
#pragma omp parallel for
  for (int k = 0; k < numElem; ++k) {
    double x[8], y[8], z[8], xd[8], yd[8], zd[8];
    collectNodes(domain, domain.nodelist(k), x, y, z);
    collectVelocities(domain, domain.nodelist(k), xd, yd, zd);
    const double vol = domain.volo(k) * domain.vnew(k), norm = 1.0 / (vol + ptiny);
    const double xi[3] = {betweenXi(x), betweenXi(y), betweenXi(z)};
    const double eta[3] = {betweenEta(x), betweenEta(y), betweenEta(z)};
    const double zeta[3] = {betweenZeta(x), betweenZeta(y), betweenZeta(z)};
    double a[3];
    cross(xi, eta, a);
    domain.delx_zeta(k) = vol / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + ptiny);
    domain.delv_zeta(k) =
        norm * (a[0] * betweenZeta(xd) + a[1] * betweenZeta(yd) + a[2] * betweenZeta(zd));
    cross(eta, zeta, a);
    domain.delx_xi(k) = vol / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + ptiny);
    domain.delv_xi(k) = norm * (a[0] * betweenXi(xd) + a[1] * betweenXi(yd) + a[2] * betweenXi(zd));
    cross(zeta, xi, a);
    domain.delx_eta(k) = vol / std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] + ptiny);
    domain.delv_eta(k) =
        norm * (a[0] * betweenEta(xd) + a[1] * betweenEta(yd) + a[2] * betweenEta(zd));
  }
}

/// Returns the smoothness of the velocity: 1 where it is linear, 0 where its gradient changes sign.
static inline double limiter(double own, double minus, double plus) {
  const double norm = 1.0 / (own + ptiny);
  minus *= norm;
  plus *= norm;
  double phi = 0.5 * (minus + plus);
  minus *= monoq_limiter_mult;
  plus *= monoq_limiter_mult;
  if (minus < phi)
    phi = minus;
  if (plus < phi)
    phi = plus;
  if (phi < 0.0)
    phi = 0.0;
  if (phi > monoq_max_slope)
    phi = monoq_max_slope;
  return phi;
}

static void calcMonotonicQRegion(Domain &domain, int r) {
  const int size = domain.regSize(r);
  const int *elems = domain.regElems(r);
#pragma omp parallel for
  for (int i = 0; i < size; ++i) {
    const int k = elems[i], bc = domain.elemBC(k);
    const double xi = domain.delv_xi(k), eta = domain.delv_eta(k), zeta = domain.delv_zeta(k);
    double minus = bc & XiMinusSymmetric ? xi : domain.delv_xi(domain.lxim(k));
    double plus = bc & XiPlusFree ? 0.0 : domain.delv_xi(domain.lxip(k));
    const double phixi = limiter(xi, minus, plus);
    minus = bc & EtaMinusSymmetric ? eta : domain.delv_eta(domain.letam(k));
    plus = bc & EtaPlusFree ? 0.0 : domain.delv_eta(domain.letap(k));
    const double phieta = limiter(eta, minus, plus);
    minus = bc & ZetaMinusSymmetric ? zeta : domain.delv_zeta(domain.lzetam(k));
    plus = bc & ZetaPlusFree ? 0.0 : domain.delv_zeta(domain.lzetap(k));
    const double phizeta = limiter(zeta, minus, plus);
    double qlin = 0.0, qquad = 0.0;
    if (domain.vdov(k) <= 0.0) {
      const double dxi = std::min(xi * domain.delx_xi(k), 0.0);
      const double deta = std::min(eta * domain.delx_eta(k), 0.0);
      const double dzeta = std::min(zeta * domain.delx_zeta(k), 0.0);
      const double rho = domain.elemMass(k) / (domain.volo(k) * domain.vnew(k));
      qlin = -qlc_monoq * rho *
             (dxi * (1.0 - phixi) + deta * (1.0 - phieta) + dzeta * (1.0 - phizeta));
      qquad = qqc_monoq * rho *
              (dxi * dxi * (1.0 - phixi * phixi) + deta * deta * (1.0 - phieta * phieta) +
               dzeta * dzeta * (1.0 - phizeta * phizeta));
    }
    domain.qq(k) = qquad;
    domain.ql(k) = qlin;
  }
}

static void calcQ(Domain &domain) {
  calcMonotonicQGradients(domain);
  for (int r = 0; r < domain.numReg(); ++r)
    calcMonotonicQRegion(domain, r);
  int bad = 0;
#pragma omp parallel for reduction(+ : bad)
  for (int i = 0; i < domain.numElem(); ++i)
    if (domain.q(i) > qstop)
      ++bad;
  if (bad)
    fail("the artificial viscosity is out of bounds");
}

static void updateVolumes(Domain &domain) {
#pragma omp parallel for
  for (int i = 0; i < domain.numElem(); ++i) {
    double v = domain.vnew(i);
    if (std::fabs(v - 1.0) < v_cut)
      v = 1.0;
    domain.v(i) = v;
  }
}

static void lagrangeElements(Domain &domain) {
  calcLagrangeElements(domain);
  calcQ(domain);
  for (int r = 0; r < domain.numReg(); ++r)
    evalEOS(domain, r);
  updateVolumes(domain);
}

/// Returns the least time that sound needs through an element; compression shortens it.
static double courantConstraint(Domain &domain, const int *elems, int size) {
  double dtcourant = 1.0e20;
#pragma omp parallel for reduction(min : dtcourant)
  for (int i = 0; i < size; ++i) {
    const int k = elems[i];
    double square = domain.ss(k) * domain.ss(k);
    if (domain.vdov(k) < 0.0)
      square += qqc2 * domain.arealg(k) * domain.arealg(k) * domain.vdov(k) * domain.vdov(k);
    const double dt = domain.arealg(k) / std::sqrt(square);
    if (domain.vdov(k) != 0.0 && dt < dtcourant)
      dtcourant = dt;
  }
  return dtcourant;
}

/// Returns the least time in which the volume of an element may change by a given part.
static double hydroConstraint(Domain &domain, const int *elems, int size) {
  double dthydro = 1.0e20;
#pragma omp parallel for reduction(min : dthydro)
  for (int i = 0; i < size; ++i) {
    const int k = elems[i];
    if (domain.vdov(k) != 0.0) {
      const double dt = dvovmax / (std::fabs(domain.vdov(k)) + 1.0e-20);
      if (dt < dthydro)
        dthydro = dt;
    }
  }
  return dthydro;
}

static void timeConstraints(Domain &domain) {
  domain.dtcourant = domain.dthydro = 1.0e20;
  for (int r = 0; r < domain.numReg(); ++r) {
    const int *elems = domain.regElems(r);
    const int size = domain.regSize(r);
    domain.dtcourant = std::min(domain.dtcourant, courantConstraint(domain, elems, size));
    domain.dthydro = std::min(domain.dthydro, hydroConstraint(domain, elems, size));
  }
}

static void timeIncrement(Domain &domain) {
  const double old = domain.deltatime;
  if (domain.time > 0.0) {
    double next = std::min(0.5 * domain.dtcourant, domain.dthydro * 2.0 / 3.0);
    if (next >= old && next < old * dtmultlb)
      next = old;
    domain.deltatime = std::min({next, old * dtmultub, dtmax});
  }
  domain.time += domain.deltatime;
}

/// Sets up a cube of cold gas at rest, with the energy of the blast in the element at the origin.
static void startBlast(Domain &domain, double energy) {
  for (int k = 0; k < domain.numElem(); ++k) {
    double x[8], y[8], z[8];
    collectNodes(domain, domain.nodelist(k), x, y, z);
    const double volume = elemVolume(x, y, z);
    domain.volo(k) = volume;
    domain.elemMass(k) = refdens * volume;
    for (int c = 0; c < 8; ++c)
      domain.nodalMass(domain.nodelist(k)[c]) += 0.125 * refdens * volume;
  }
  domain.e(0) = energy / domain.volo(0);
  domain.deltatime = 0.5 * std::cbrt(domain.volo(0)) / std::sqrt(2.0 * domain.e(0));
}

/// Checks that the solution is symmetric and positive, keeps its energy, and has a correct shock.
static void verify(Domain &domain, double energy) {
  const int n = domain.edgeElems();
  double largest = 0.0, difference = 0.0, peak = 0.0;
  int front = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int at = (k * n + j) * n + i;
        const double e = domain.e(at);
        if (!(e >= 0.0 && domain.p(at) >= 0.0 && domain.q(at) >= 0.0 && domain.v(at) > 0.0))
          fail("an element has a negative energy, pressure, viscosity or volume");
        largest = std::max(largest, e);
        difference = std::max({difference, std::fabs(e - domain.e((k * n + i) * n + j)),
                               std::fabs(e - domain.e((i * n + j) * n + k))});
      }
  for (int i = 0; i < n; ++i)
    if (domain.p(i) > peak) {
      peak = domain.p(i);
      front = i;
    }
  const double left = totalEnergy(domain) / energy, width = 1.0 / n;
  const double shock = domain.x(domain.nodelist(front)[1]), expected = std::pow(domain.time, 0.4);
  if (!(difference <= 1.0e-9 * largest))
    fail("the energies are not symmetric");
  if (!(left > 0.7 && left < 1.001))
    fail("the energy of the blast is not what it should be");
  if (expected < 1.0 && !(std::fabs(shock - expected) < 2.0 * width))
    fail("the shock is not where it should be");
}

int main(int Argc, char **Argv) {
  const int n = static_cast<int>(bench::argument(Argc, Argv, 1, 30));
  const long steps = bench::argument(Argc, Argv, 2, 120);
  const int regions = static_cast<int>(bench::argument(Argc, Argv, 3, 5));
  const double energy = 0.4936 / 8.0;
  const auto owner = std::make_unique<Domain>(n, regions, 1.0);
  Domain &domain = *owner;
  initialise(domain);
  startBlast(domain, energy);
  bench::Stopwatch Time;
  for (long step = 0; step < steps; ++step) {
    timeIncrement(domain);
    lagrangeNodal(domain);
    lagrangeElements(domain);
    timeConstraints(domain);
  }
  Time.stop();
  verify(domain, energy);
  Time.print(bench::checksum(domain.energies()) ^ bench::checksum(domain.positions()));
}
