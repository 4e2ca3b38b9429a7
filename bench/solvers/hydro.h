//===- bench/solvers/hydro.h - the mesh of hydro.cpp and the fields on it ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cube of hexahedra that is addressed as an unstructured mesh: each element has a list of its
// eight nodes and the numbers of its six neighbours, each node a list of the element corners that
// meet in it, and the elements are distributed over regions (materials) with index lists. All
// fields are vectors of a class and are reached through accessor functions. At the end are small
// functions for the geometry of one hexahedron: volume, derivatives of shape functions, normals.
#ifndef SPECRT_BENCH_SOLVERS_HYDRO_H
#define SPECRT_BENCH_SOLVERS_HYDRO_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

/// Marks the functions of one element, so that the loops over elements contain no calls of them.
#define HYDRO_INLINE inline __attribute__((always_inline))

/// The boundary conditions of an element, one bit for each of its faces that no other element
/// touches. A face without a bit has a neighbour.
enum Boundary : int {
  XiMinusSymmetric = 1,
  XiPlusFree = 2,
  EtaMinusSymmetric = 4,
  EtaPlusFree = 8,
  ZetaMinusSymmetric = 16,
  ZetaPlusFree = 32,
};

class Domain {
public:
  /// A cube with \p N elements per edge, whose edge has length \p Side, in \p Regions regions.
  Domain(int N, int Regions, double Side);

  int numNode() const { return NumNode; }
  int numElem() const { return NumElem; }
  int edgeElems() const { return EdgeElems; }

  // Nodes: position, velocity, acceleration, force, mass.
  double &x(int i) { return X[i]; }
  double &y(int i) { return Y[i]; }
  double &z(int i) { return Z[i]; }
  double &xd(int i) { return Xd[i]; }
  double &yd(int i) { return Yd[i]; }
  double &zd(int i) { return Zd[i]; }
  double &xdd(int i) { return Xdd[i]; }
  double &ydd(int i) { return Ydd[i]; }
  double &zdd(int i) { return Zdd[i]; }
  double &fx(int i) { return Fx[i]; }
  double &fy(int i) { return Fy[i]; }
  double &fz(int i) { return Fz[i]; }
  double &nodalMass(int i) { return NodalMass[i]; }

  // The nodes in the three planes of symmetry.
  int symmSize() const { return static_cast<int>(SymmX.size()); }
  int symmX(int i) const { return SymmX[i]; }
  int symmY(int i) const { return SymmY[i]; }
  int symmZ(int i) const { return SymmZ[i]; }

  // The corners that meet in a node, each as 8 * element + corner.
  int cornerCount(int i) const { return CornerStart[i + 1] - CornerStart[i]; }
  const int *corners(int i) const { return &CornerList[CornerStart[i]]; }

  // Elements: nodes, neighbours, what bounds them, regions.
  const int *nodelist(int e) const { return &Nodelist[8 * e]; }
  int lxim(int e) const { return Lxim[e]; }
  int lxip(int e) const { return Lxip[e]; }
  int letam(int e) const { return Letam[e]; }
  int letap(int e) const { return Letap[e]; }
  int lzetam(int e) const { return Lzetam[e]; }
  int lzetap(int e) const { return Lzetap[e]; }
  int elemBC(int e) const { return ElemBC[e]; }
  int numReg() const { return static_cast<int>(RegElems.size()); }
  int regSize(int r) const { return static_cast<int>(RegElems[r].size()); }
  const int *regElems(int r) const { return RegElems[r].data(); }

  // Elements: energy, pressure, artificial viscosity with its linear and its quadratic part,
  // relative volume now and at the end of the step, their difference, its rate, the volume and the
  // mass at the beginning, a characteristic length, the speed of sound.
  double &e(int i) { return E[i]; }
  double &p(int i) { return P[i]; }
  double &q(int i) { return Q[i]; }
  double &ql(int i) { return Ql[i]; }
  double &qq(int i) { return Qq[i]; }
  double &v(int i) { return V[i]; }
  double &vnew(int i) { return Vnew[i]; }
  double &delv(int i) { return Delv[i]; }
  double &vdov(int i) { return Vdov[i]; }
  double &volo(int i) { return Volo[i]; }
  double &elemMass(int i) { return ElemMass[i]; }
  double &arealg(int i) { return Arealg[i]; }
  double &ss(int i) { return Ss[i]; }

  // Elements: principal strain rates, gradients of velocity and extents in the three directions.
  double &dxx(int i) { return Dxx[i]; }
  double &dyy(int i) { return Dyy[i]; }
  double &dzz(int i) { return Dzz[i]; }
  double &delv_xi(int i) { return DelvXi[i]; }
  double &delv_eta(int i) { return DelvEta[i]; }
  double &delv_zeta(int i) { return DelvZeta[i]; }
  double &delx_xi(int i) { return DelxXi[i]; }
  double &delx_eta(int i) { return DelxEta[i]; }
  double &delx_zeta(int i) { return DelxZeta[i]; }

  // Time.
  double time = 0.0, deltatime = 0.0, dtcourant = 1.0e20, dthydro = 1.0e20;

  const std::vector<double> &energies() const { return E; }
  const std::vector<double> &positions() const { return X; }

private:
  void buildNodes(double Side);
  void buildElements();
  void buildCorners();
  void buildRegions(int Regions);

  int EdgeElems, EdgeNodes, NumElem, NumNode;
  std::vector<double> X, Y, Z, Xd, Yd, Zd, Xdd, Ydd, Zdd, Fx, Fy, Fz, NodalMass;
  std::vector<int> SymmX, SymmY, SymmZ, CornerStart, CornerList, Nodelist;
  std::vector<int> Lxim, Lxip, Letam, Letap, Lzetam, Lzetap, ElemBC;
  std::vector<std::vector<int>> RegElems;
  std::vector<double> E, P, Q, Ql, Qq, V, Vnew, Delv, Vdov, Volo, ElemMass, Arealg, Ss;
  std::vector<double> Dxx, Dyy, Dzz, DelvXi, DelvEta, DelvZeta, DelxXi, DelxEta, DelxZeta;
};

inline Domain::Domain(int N, int Regions, double Side)
    : EdgeElems(N), EdgeNodes(N + 1), NumElem(N * N * N), NumNode((N + 1) * (N + 1) * (N + 1)) {
  for (auto *Of : {&X, &Y, &Z, &Xd, &Yd, &Zd, &Xdd, &Ydd, &Zdd, &Fx, &Fy, &Fz, &NodalMass})
    Of->resize(NumNode);
  for (auto *Of : {&Lxim, &Lxip, &Letam, &Letap, &Lzetam, &Lzetap, &ElemBC})
    Of->resize(NumElem);
  for (auto *Of :
       {&E,  &P,   &Q,   &Ql,  &Qq,     &Delv,    &Vdov,     &Volo,   &ElemMass, &Arealg,
        &Ss, &Dxx, &Dyy, &Dzz, &DelvXi, &DelvEta, &DelvZeta, &DelxXi, &DelxEta,  &DelxZeta})
    Of->resize(NumElem);
  V.assign(NumElem, 1.0);
  Vnew.assign(NumElem, 1.0);
  buildNodes(Side);
  buildElements();
  buildCorners();
  buildRegions(Regions);
}

inline void Domain::buildNodes(double Side) {
  for (int k = 0, node = 0; k < EdgeNodes; ++k)
    for (int j = 0; j < EdgeNodes; ++j)
      for (int i = 0; i < EdgeNodes; ++i, ++node) {
        X[node] = Side * i / EdgeElems;
        Y[node] = Side * j / EdgeElems;
        Z[node] = Side * k / EdgeElems;
        if (i == 0)
          SymmX.push_back(node);
        if (j == 0)
          SymmY.push_back(node);
        if (k == 0)
          SymmZ.push_back(node);
      }
}

inline void Domain::buildElements() {
  const int N = EdgeElems, Row = EdgeNodes, Plane = EdgeNodes * EdgeNodes;
  Nodelist.reserve(8 * static_cast<size_t>(NumElem));
  for (int k = 0, e = 0; k < N; ++k)
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i, ++e) {
        const int First = k * Plane + j * Row + i;
        for (int Node : {0, 1, Row + 1, Row, Plane, Plane + 1, Plane + Row + 1, Plane + Row})
          Nodelist.push_back(First + Node);
        Lxim[e] = i > 0 ? e - 1 : e;
        Lxip[e] = i < N - 1 ? e + 1 : e;
        Letam[e] = j > 0 ? e - N : e;
        Letap[e] = j < N - 1 ? e + N : e;
        Lzetam[e] = k > 0 ? e - N * N : e;
        Lzetap[e] = k < N - 1 ? e + N * N : e;
        ElemBC[e] = (i == 0 ? XiMinusSymmetric : 0) | (i == N - 1 ? XiPlusFree : 0) |
                    (j == 0 ? EtaMinusSymmetric : 0) | (j == N - 1 ? EtaPlusFree : 0) |
                    (k == 0 ? ZetaMinusSymmetric : 0) | (k == N - 1 ? ZetaPlusFree : 0);
      }
}

inline void Domain::buildCorners() {
  CornerStart.assign(NumNode + 1, 0);
  for (int Node : Nodelist)
    ++CornerStart[Node + 1];
  for (int i = 0; i < NumNode; ++i)
    CornerStart[i + 1] += CornerStart[i];
  CornerList.resize(Nodelist.size());
  std::vector<int> Next(CornerStart.begin(), CornerStart.end() - 1);
  for (int Corner = 0; Corner < 8 * NumElem; ++Corner)
    CornerList[Next[Nodelist[Corner]]++] = Corner;
}

/// Assigns runs of elements of random length to one region after the other.
inline void Domain::buildRegions(int Regions) {
  RegElems.resize(Regions);
  uint64_t State = 12345;
  for (int e = 0, r = 0; e < NumElem; r = (r + 1) % Regions) {
    State = State * 6364136223846793005u + 1442695040888963407u;
    for (int Left = 1 + static_cast<int>(State >> 33) % 128; Left > 0 && e < NumElem; --Left)
      RegElems[r].push_back(e++);
  }
}

HYDRO_INLINE void collectNodes(Domain &domain, const int *nodes, double x[8], double y[8],
                               double z[8]) {
  for (int c = 0; c < 8; ++c) {
    x[c] = domain.x(nodes[c]);
    y[c] = domain.y(nodes[c]);
    z[c] = domain.z(nodes[c]);
  }
}

HYDRO_INLINE void collectVelocities(Domain &domain, const int *nodes, double x[8], double y[8],
                                    double z[8]) {
  for (int c = 0; c < 8; ++c) {
    x[c] = domain.xd(nodes[c]);
    y[c] = domain.yd(nodes[c]);
    z[c] = domain.zd(nodes[c]);
  }
}

HYDRO_INLINE double tripleProduct(double ax, double ay, double az, double bx, double by, double bz,
                                  double cx, double cy, double cz) {
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/// Returns the volume by Grandy's three determinants, exact for faces that are not plane.
HYDRO_INLINE double elemVolume(const double x[8], const double y[8], const double z[8]) {
  const double x61 = x[6] - x[1], y61 = y[6] - y[1], z61 = z[6] - z[1];
  const double x70 = x[7] - x[0], y70 = y[7] - y[0], z70 = z[7] - z[0];
  const double x63 = x[6] - x[3], y63 = y[6] - y[3], z63 = z[6] - z[3];
  const double x20 = x[2] - x[0], y20 = y[2] - y[0], z20 = z[2] - z[0];
  const double x50 = x[5] - x[0], y50 = y[5] - y[0], z50 = z[5] - z[0];
  const double x64 = x[6] - x[4], y64 = y[6] - y[4], z64 = z[6] - z[4];
  const double sum = tripleProduct(x61 + x70, y61 + y70, z61 + z70, x63, y63, z63, x20, y20, z20) +
                     tripleProduct(x70, y70, z70, x63 + x50, y63 + y50, z63 + z50, x64, y64, z64) +
                     tripleProduct(x61, y61, z61, x50, y50, z50, x64 + x20, y64 + y20, z64 + z20);
  return sum * (1.0 / 12.0);
}

/// The derivatives of the shape functions at the centre, times the volume, for the corners 0 to 3;
/// those of the opposite corners 6, 7, 4, 5 have the other sign. Returns the volume.
HYDRO_INLINE double shapeDerivatives(const double x[8], const double y[8], const double z[8],
                                     double b[3][4]) {
  const double *coordinates[3] = {x, y, z};
  double xi[3], eta[3], zeta[3];
  for (int a = 0; a < 3; ++a) {
    const double *of = coordinates[a];
    const double d60 = of[6] - of[0], d53 = of[5] - of[3], d71 = of[7] - of[1], d42 = of[4] - of[2];
    xi[a] = 0.125 * (d60 + d53 - d71 - d42);
    eta[a] = 0.125 * (d60 - d53 + d71 - d42);
    zeta[a] = 0.125 * (d60 + d53 + d71 + d42);
  }
  double volume = 0.0;
  for (int a = 0; a < 3; ++a) {
    const int n = (a + 1) % 3, m = (a + 2) % 3;
    const double cxi = eta[n] * zeta[m] - eta[m] * zeta[n];
    const double ceta = zeta[n] * xi[m] - zeta[m] * xi[n];
    const double czeta = xi[n] * eta[m] - xi[m] * eta[n];
    b[a][0] = -cxi - ceta - czeta;
    b[a][1] = cxi - ceta - czeta;
    b[a][2] = cxi + ceta - czeta;
    b[a][3] = -cxi + ceta - czeta;
    volume += 8.0 * xi[a] * cxi;
  }
  return volume;
}

/// Returns the distance between the middles of two opposite faces, in one coordinate.
HYDRO_INLINE double betweenXi(const double x[8]) {
  return 0.25 * ((x[1] + x[2] + x[6] + x[5]) - (x[0] + x[3] + x[7] + x[4]));
}
HYDRO_INLINE double betweenEta(const double x[8]) {
  return 0.25 * ((x[3] + x[2] + x[6] + x[7]) - (x[0] + x[1] + x[5] + x[4]));
}
HYDRO_INLINE double betweenZeta(const double x[8]) {
  return 0.25 * ((x[4] + x[5] + x[6] + x[7]) - (x[0] + x[1] + x[2] + x[3]));
}

HYDRO_INLINE void cross(const double a[3], const double b[3], double result[3]) {
  result[0] = a[1] * b[2] - a[2] * b[1];
  result[1] = a[2] * b[0] - a[0] * b[2];
  result[2] = a[0] * b[1] - a[1] * b[0];
}

/// Returns the square of the area of a face, computed from its diagonals.
HYDRO_INLINE double squaredArea(const double x[8], const double y[8], const double z[8], int c0,
                                int c1, int c2, int c3) {
  const double a[3] = {x[c2] - x[c0], y[c2] - y[c0], z[c2] - z[c0]};
  const double b[3] = {x[c3] - x[c1], y[c3] - y[c1], z[c3] - z[c1]};
  double n[3];
  cross(a, b, n);
  return 0.25 * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

HYDRO_INLINE double characteristicLength(const double x[8], const double y[8], const double z[8],
                                         double volume) {
  double largest = squaredArea(x, y, z, 0, 1, 2, 3);
  largest = std::max(largest, squaredArea(x, y, z, 4, 5, 6, 7));
  largest = std::max(largest, squaredArea(x, y, z, 0, 1, 5, 4));
  largest = std::max(largest, squaredArea(x, y, z, 1, 2, 6, 5));
  largest = std::max(largest, squaredArea(x, y, z, 2, 3, 7, 6));
  largest = std::max(largest, squaredArea(x, y, z, 3, 0, 4, 7));
  return volume / std::sqrt(largest);
}

/// Adds a quarter of the area vector of a face to each of its corners.
HYDRO_INLINE void addFaceNormal(const double x[8], const double y[8], const double z[8],
                                double b[3][8], int c0, int c1, int c2, int c3) {
  const double ax = x[c2] - x[c0], ay = y[c2] - y[c0], az = z[c2] - z[c0];
  const double bx = x[c3] - x[c1], by = y[c3] - y[c1], bz = z[c3] - z[c1];
  const double nx = 0.125 * (ay * bz - az * by);
  const double ny = 0.125 * (az * bx - ax * bz);
  const double nz = 0.125 * (ax * by - ay * bx);
  for (int c : {c0, c1, c2, c3}) {
    b[0][c] += nx;
    b[1][c] += ny;
    b[2][c] += nz;
  }
}

HYDRO_INLINE void nodeNormals(const double x[8], const double y[8], const double z[8],
                              double b[3][8]) {
  for (int c = 0; c < 8; ++c)
    b[0][c] = b[1][c] = b[2][c] = 0.0;
  addFaceNormal(x, y, z, b, 0, 3, 2, 1);
  addFaceNormal(x, y, z, b, 4, 5, 6, 7);
  addFaceNormal(x, y, z, b, 0, 1, 5, 4);
  addFaceNormal(x, y, z, b, 1, 2, 6, 5);
  addFaceNormal(x, y, z, b, 2, 3, 7, 6);
  addFaceNormal(x, y, z, b, 3, 0, 4, 7);
}

/// The derivative of the volume by one coordinate of a corner, from the other two coordinates of
/// the three corners of its edges (a, c, d) and of the others of its faces (b, e, f).
HYDRO_INLINE double volumeDerivative(const double y[8], const double z[8], int a, int b, int c,
                                     int d, int e, int f) {
  return (y[a] * ((z[e] - z[b]) - (z[c] - z[d])) + y[b] * (z[a] - z[c]) +
          y[c] * ((z[b] - z[f]) - (z[d] - z[a])) + y[d] * ((z[f] - z[e]) - (z[a] - z[c])) +
          y[e] * (z[d] - z[a]) + y[f] * (z[c] - z[d])) *
         (1.0 / 12.0);
}

HYDRO_INLINE void volumeDerivatives(double *dv, const double y[8], const double z[8]) {
  dv[0] = volumeDerivative(y, z, 1, 2, 3, 4, 5, 7);
  dv[1] = volumeDerivative(y, z, 2, 3, 0, 5, 6, 4);
  dv[2] = volumeDerivative(y, z, 3, 0, 1, 6, 7, 5);
  dv[3] = volumeDerivative(y, z, 0, 1, 2, 7, 4, 6);
  dv[4] = volumeDerivative(y, z, 7, 6, 5, 0, 3, 1);
  dv[5] = volumeDerivative(y, z, 4, 7, 6, 1, 0, 2);
  dv[6] = volumeDerivative(y, z, 5, 4, 7, 2, 1, 3);
  dv[7] = volumeDerivative(y, z, 6, 5, 4, 3, 2, 0);
}

inline const double hourglassMode[4][8] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                           {1, -1, -1, 1, -1, 1, 1, -1},
                                           {1, -1, 1, -1, 1, -1, 1, -1},
                                           {-1, 1, -1, 1, 1, -1, 1, -1}};

/// Computes the force against the motion of the corners in the four modes, in one coordinate.
HYDRO_INLINE void hourglassForce(const double *velocity, const double hourgam[8][4],
                                 double coefficient, double *force) {
  double h[4] = {0.0, 0.0, 0.0, 0.0};
  for (int c = 0; c < 8; ++c)
    for (int m = 0; m < 4; ++m)
      h[m] += hourgam[c][m] * velocity[c];
  for (int c = 0; c < 8; ++c)
    force[c] = coefficient * (hourgam[c][0] * h[0] + hourgam[c][1] * h[1] + hourgam[c][2] * h[2] +
                              hourgam[c][3] * h[3]);
}

/// Returns the sum of internal and kinetic energy.
inline double totalEnergy(Domain &domain) {
  double sum = 0.0;
  for (int k = 0; k < domain.numElem(); ++k)
    sum += domain.e(k) * domain.volo(k);
  for (int i = 0; i < domain.numNode(); ++i)
    sum +=
        0.5 * domain.nodalMass(i) *
        (domain.xd(i) * domain.xd(i) + domain.yd(i) * domain.yd(i) + domain.zd(i) * domain.zd(i));
  return sum;
}

#endif
