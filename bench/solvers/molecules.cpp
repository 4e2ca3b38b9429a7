//===- bench/solvers/molecules.cpp - molecular dynamics with cells in a periodic box ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Particles with a Lennard-Jones potential that is cut off and shifted, moved by the velocity
// Verlet scheme. The box is divided into cells that hold their atoms in arrays of a fixed capacity;
// a layer of halo cells around the box holds shifted copies of those at the opposite side. The
// force loops run over the atoms of a cell and of its 27 neighbours, whose counts change when atoms
// are redistributed, and do their work behind a branch on the distance.
#include "outcome.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

static constexpr int capacity = 80;

// The box and its cells: first those in the box, then those of the halo.
static int cells[3], numLocal, numTotal, numAtoms;
static double length[3], inverseWidth[3];
static int *nAtoms, *boxAt, *haloSource;
static double (*haloShift)[3];
static int (*neighbours)[27];

// The atoms: number, position, velocity, force, energy.
static int (*gid)[capacity];
static double (*r)[capacity][3], (*v)[capacity][3], (*f)[capacity][3], (*e)[capacity];

// The potential, the step in time, and the sums over all atoms.
static double epsilon, sigma6, rcut2, eshift, skin, dt;
static double ePotential, eKinetic;

static void fail(const char *what) {
  std::fprintf(stderr, "error: %s\n", what);
  std::exit(1);
}

/// Returns the cell at a position on the grid of cells, whose halo is at -1 and cells[d].
static inline int &boxIndex(int ix, int iy, int iz) {
  return boxAt[((iz + 1) * (cells[1] + 2) + iy + 1) * (cells[0] + 2) + ix + 1];
}

static void initCells() {
  const double cutoff = std::sqrt(rcut2);
  for (int d = 0; d < 3; ++d) {
    cells[d] = static_cast<int>(length[d] / (cutoff + skin));
    if (cells[d] < 2)
      fail("the box is too small");
    inverseWidth[d] = cells[d] / length[d];
  }
  const int nx = cells[0], ny = cells[1], nz = cells[2];
  numLocal = nx * ny * nz;
  numTotal = (nx + 2) * (ny + 2) * (nz + 2);
  nAtoms = new int[numTotal]();
  boxAt = new int[numTotal];
  haloSource = new int[numTotal]();
  haloShift = new double[numTotal][3]();
  neighbours = new int[numLocal][27];
  gid = new int[numTotal][capacity];
  r = new double[numTotal][capacity][3];
  v = new double[numLocal][capacity][3];
  f = new double[numLocal][capacity][3];
  e = new double[numLocal][capacity];
  for (int iz = 0, box = 0; iz < nz; ++iz)
    for (int iy = 0; iy < ny; ++iy)
      for (int ix = 0; ix < nx; ++ix)
        boxIndex(ix, iy, iz) = box++;
  for (int iz = -1, halo = numLocal; iz <= nz; ++iz)
    for (int iy = -1; iy <= ny; ++iy)
      for (int ix = -1; ix <= nx; ++ix) {
        const int at[3] = {ix, iy, iz};
        int inside[3], shift[3];
        for (int d = 0; d < 3; ++d) {
          shift[d] = at[d] < 0 ? -1 : at[d] >= cells[d] ? 1 : 0;
          inside[d] = at[d] - shift[d] * cells[d];
        }
        if (shift[0] == 0 && shift[1] == 0 && shift[2] == 0)
          continue;
        haloSource[halo] = boxIndex(inside[0], inside[1], inside[2]);
        for (int d = 0; d < 3; ++d)
          haloShift[halo][d] = shift[d] * length[d];
        boxIndex(ix, iy, iz) = halo++;
      }
  for (int iz = 0, box = 0; iz < nz; ++iz)
    for (int iy = 0; iy < ny; ++iy)
      for (int ix = 0; ix < nx; ++ix, ++box)
        for (int j = 0; j < 27; ++j)
          neighbours[box][j] = boxIndex(ix + j % 3 - 1, iy + j / 3 % 3 - 1, iz + j / 9 - 1);
}

static inline int boxFromPosition(const double *position) {
  int at[3];
  for (int d = 0; d < 3; ++d)
    at[d] = std::clamp(static_cast<int>(position[d] * inverseWidth[d]), 0, cells[d] - 1);
  return boxIndex(at[0], at[1], at[2]);
}

/// Creates a lattice with four atoms in each of n * n * n cubes.
static void initAtoms(int n, double edge) {
  static const double basis[4][3] = {
      {0.25, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.75, 0.25, 0.75}, {0.75, 0.75, 0.25}};
  numAtoms = 0;
  for (int iz = 0; iz < n; ++iz)
    for (int iy = 0; iy < n; ++iy)
      for (int ix = 0; ix < n; ++ix)
        for (const double *at : basis) {
          const double position[3] = {(ix + at[0]) * edge, (iy + at[1]) * edge,
                                      (iz + at[2]) * edge};
          const int box = boxFromPosition(position), i = nAtoms[box]++;
          if (i >= capacity)
            fail("a cell has too many atoms");
          for (int d = 0; d < 3; ++d)
            r[box][i][d] = position[d];
          gid[box][i] = numAtoms++;
        }
}

/// Sets random velocities without a total momentum at the given temperature.
static void initVelocities(double temperature) {
  const std::vector<double> random = bench::numbers(3 * static_cast<size_t>(numAtoms), 1);
  double mean[3] = {0.0, 0.0, 0.0}, square = 0.0;
  for (int i = 0; i < numAtoms; ++i)
    for (int d = 0; d < 3; ++d)
      mean[d] += random[3 * i + d] / numAtoms;
  for (int i = 0; i < numAtoms; ++i)
    for (int d = 0; d < 3; ++d)
      square += (random[3 * i + d] - mean[d]) * (random[3 * i + d] - mean[d]);
  const double scale = std::sqrt(3.0 * numAtoms * temperature / square);
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i)
      for (int d = 0; d < 3; ++d)
        v[box][i][d] = scale * (random[3 * gid[box][i] + d] - mean[d]);
}

static inline void moveAtom(int from, int i, int to) {
  const int last = --nAtoms[from], j = nAtoms[to]++;
  if (j >= capacity)
    fail("a cell has too many atoms");
  gid[to][j] = gid[from][i];
  gid[from][i] = gid[from][last];
  for (int d = 0; d < 3; ++d) {
    r[to][j][d] = r[from][i][d];
    v[to][j][d] = v[from][i][d];
    f[to][j][d] = f[from][i][d];
    r[from][i][d] = r[from][last][d];
    v[from][i][d] = v[from][last][d];
    f[from][i][d] = f[from][last][d];
  }
}

/// Moves atoms that have left the box to its other side, and atoms that have left their cell to
/// their new cell.
static void redistributeAtoms() {
#pragma omp parallel for
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i)
      for (int d = 0; d < 3; ++d) {
        if (r[box][i][d] < 0.0)
          r[box][i][d] += length[d];
        else if (r[box][i][d] >= length[d])
          r[box][i][d] -= length[d];
      }
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box];) {
      const int to = boxFromPosition(r[box][i]);
      if (to != box)
        moveAtom(box, i, to);
      else
        ++i;
    }
}

static void updateHalo() {
#pragma omp parallel for
  for (int halo = numLocal; halo < numTotal; ++halo) {
    const int source = haloSource[halo], count = nAtoms[source];
    nAtoms[halo] = count;
    for (int i = 0; i < count; ++i)
      for (int d = 0; d < 3; ++d)
        r[halo][i][d] = r[source][i][d] + haloShift[halo][d];
  }
}

static void advanceVelocity(double step) {
#pragma omp parallel for
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i)
      for (int d = 0; d < 3; ++d)
        v[box][i][d] += step * f[box][i][d];
}

static void advancePosition(double step) {
#pragma omp parallel for
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i)
      for (int d = 0; d < 3; ++d)
        r[box][i][d] += step * v[box][i][d];
}

/// Each atom sums the forces of all others in reach, so that no two cells write to the same atom.
static void computeForce() {
  double sum = 0.0;
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sum)
  for (int box = 0; box < numLocal; ++box) {
    const int count = nAtoms[box];
    for (int i = 0; i < count; ++i) {
      f[box][i][0] = f[box][i][1] = f[box][i][2] = 0.0;
      e[box][i] = 0.0;
    }
    for (int j = 0; j < 27; ++j) {
      const int other = neighbours[box][j];
      for (int i = 0; i < count; ++i)
        for (int k = 0; k < nAtoms[other]; ++k) {
          double dr[3], r2 = 0.0;
          for (int d = 0; d < 3; ++d) {
            dr[d] = r[box][i][d] - r[other][k][d];
            r2 += dr[d] * dr[d];
          }
          if (r2 < rcut2 && r2 > 0.0) {
            const double inverse2 = 1.0 / r2;
            const double s6 = sigma6 * inverse2 * inverse2 * inverse2;
            e[box][i] += 0.5 * (4.0 * epsilon * s6 * (s6 - 1.0) - eshift);
            const double force = 24.0 * epsilon * s6 * (2.0 * s6 - 1.0) * inverse2;
            for (int d = 0; d < 3; ++d)
              f[box][i][d] += force * dr[d];
          }
        }
    }
    for (int i = 0; i < count; ++i)
      sum += e[box][i];
  }
  ePotential = sum;
}

static void kineticEnergy() {
  double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i)
      sum += 0.5 * (v[box][i][0] * v[box][i][0] + v[box][i][1] * v[box][i][1] +
                    v[box][i][2] * v[box][i][2]);
  eKinetic = sum;
}

/// Executes steps of the velocity Verlet scheme.
static void timestep(long steps, int interval) {
  for (long step = 1; step <= steps; ++step) {
    advanceVelocity(0.5 * dt);
    advancePosition(dt);
    if (step % interval == 0)
      redistributeAtoms();
    updateHalo();
    computeForce();
    advanceVelocity(0.5 * dt);
  }
  kineticEnergy();
}

/// Compares the forces of some atoms with sums over all others, and the sums of energy and momentum
/// with those at the beginning.
static void verify(double energy, const std::vector<double> &atR) {
  double momentum[3] = {0.0, 0.0, 0.0};
  int count = 0;
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i) {
      ++count;
      for (int d = 0; d < 3; ++d)
        momentum[d] += v[box][i][d];
      if (gid[box][i] % 16 != 0)
        continue;
      double force[3] = {0.0, 0.0, 0.0}, size = 1.0;
      for (int k = 0; k < numAtoms; ++k) {
        double dr[3], r2 = 0.0;
        for (int d = 0; d < 3; ++d) {
          dr[d] = r[box][i][d] - atR[3 * static_cast<size_t>(k) + d];
          dr[d] -= length[d] * std::round(dr[d] / length[d]);
          r2 += dr[d] * dr[d];
        }
        if (k == gid[box][i] || r2 >= rcut2)
          continue;
        const double s6 = sigma6 / (r2 * r2 * r2);
        for (int d = 0; d < 3; ++d)
          force[d] += 24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / r2 * dr[d];
        size += std::fabs(24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / r2);
      }
      for (int d = 0; d < 3; ++d)
        if (!(std::fabs(force[d] - f[box][i][d]) < 1.0e-10 * size))
          fail("a force is not the sum over all pairs");
    }
  if (count != numAtoms)
    fail("atoms were lost");
  for (double sum : momentum)
    if (!(std::fabs(sum) < 1.0e-11 * numAtoms))
      fail("the momentum is not conserved");
  const double now = ePotential + eKinetic;
  if (!(std::fabs(now - energy) < 1.0e-4 * std::fabs(energy)))
    fail("the energy is not conserved");
}

int main(int Argc, char **Argv) {
  const int n = static_cast<int>(bench::argument(Argc, Argv, 1, 12));
  const long steps = bench::argument(Argc, Argv, 2, 134);
  const int interval = static_cast<int>(bench::argument(Argc, Argv, 3, 5));
  const double density = 0.8442, edge = std::cbrt(4.0 / density);
  epsilon = 1.0;
  sigma6 = 1.0;
  rcut2 = 2.5 * 2.5;
  const double cut6 = sigma6 / (rcut2 * rcut2 * rcut2);
  eshift = 4.0 * epsilon * cut6 * (cut6 - 1.0);
  skin = 0.3;
  dt = 0.004;
  length[0] = length[1] = length[2] = n * edge;
  initCells();
  initAtoms(n, edge);
  initVelocities(1.44);
  updateHalo();
  computeForce();
  kineticEnergy();
  const double energy = ePotential + eKinetic;
  bench::Stopwatch Time;
  timestep(steps, interval);
  Time.stop();
  std::vector<double> atR(3 * static_cast<size_t>(numAtoms)), atV(atR);
  for (int box = 0; box < numLocal; ++box)
    for (int i = 0; i < nAtoms[box]; ++i)
      for (int d = 0; d < 3; ++d) {
        atR[3 * static_cast<size_t>(gid[box][i]) + d] = r[box][i][d];
        atV[3 * static_cast<size_t>(gid[box][i]) + d] = v[box][i][d];
      }
  verify(energy, atR);
  Time.print(bench::checksum(atR) ^ bench::checksum(atV));
}
