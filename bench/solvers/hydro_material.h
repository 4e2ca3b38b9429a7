//===- bench/solvers/hydro_material.h - the equation of state of hydro.cpp ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An ideal gas: the energy at the end of a step in three stages, with the pressure and the
// artificial viscosity of each. The elements of a region are gathered into work arrays, on which
// all loops are direct, and the results are scattered at the end. The functions get the arrays as
// pointers that may overlap as far as the compiler knows.
#ifndef SPECRT_BENCH_SOLVERS_HYDRO_MATERIAL_H
#define SPECRT_BENCH_SOLVERS_HYDRO_MATERIAL_H

#include "hydro.h"

// Constants of the material: adiabatic exponent, density, bounds, and what counts as zero.
static double gammaMinusOne, refdens, pmin, emin, eosvmin, eosvmax, e_cut, p_cut, q_cut;

// Work arrays of the equation of state, for the elements of one region.
static std::vector<double> e_old, delvc, p_old, q_old, qq_old, ql_old, compression, compHalfStep;
static std::vector<double> work, p_new, e_new, q_new, bvc, pbvc, pHalfStep, vnewc;

static void initialiseMaterial(double adiabaticExponent, size_t elements) {
  gammaMinusOne = adiabaticExponent - 1.0;
  refdens = 1.0;
  eosvmin = 1.0e-9;
  eosvmax = 1.0e9;
  emin = -1.0e15;
  pmin = 0.0;
  e_cut = p_cut = q_cut = 1.0e-7;
  for (auto *of : {&e_old, &delvc, &p_old, &q_old, &qq_old, &ql_old, &compression, &compHalfStep,
                   &work, &p_new, &e_new, &q_new, &bvc, &pbvc, &pHalfStep, &vnewc})
    of->resize(elements);
}

// The loops of the equation of state share one partition among the threads, so that they need not
// wait for each other. Without a parallel region around them they are serial loops.

static void calcPressure(double *p, double *bvc, double *pbvc, const double *e,
                         const double *compression, const double *vnewc, int length) {
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i) {
    bvc[i] = gammaMinusOne * (compression[i] + 1.0);
    pbvc[i] = gammaMinusOne;
  }
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i) {
    p[i] = bvc[i] * e[i];
    if (std::fabs(p[i]) < p_cut)
      p[i] = 0.0;
    if (vnewc[i] >= eosvmax)
      p[i] = 0.0;
    if (p[i] < pmin)
      p[i] = pmin;
  }
}

static inline double soundSpeed(double pbvc, double e, double v, double bvc, double p) {
  const double square = (pbvc * e + v * v * bvc * p) / refdens;
  return square <= 1.111111e-36 ? 3.333333e-18 : std::sqrt(square);
}

static inline double cutEnergy(double e) {
  if (std::fabs(e) < e_cut)
    e = 0.0;
  return e < emin ? emin : e;
}

/// Executes half a step with the old pressure, a whole one with the middle one, and a correction.
static void calcEnergy(int length) {
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i) {
    e_new[i] = e_old[i] - 0.5 * delvc[i] * (p_old[i] + q_old[i]) + 0.5 * work[i];
    if (e_new[i] < emin)
      e_new[i] = emin;
  }
  calcPressure(pHalfStep.data(), bvc.data(), pbvc.data(), e_new.data(), compHalfStep.data(),
               vnewc.data(), length);
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i) {
    const double vhalf = 1.0 / (1.0 + compHalfStep[i]);
    if (delvc[i] > 0.0)
      q_new[i] = 0.0;
    else
      q_new[i] = soundSpeed(pbvc[i], e_new[i], vhalf, bvc[i], pHalfStep[i]) * ql_old[i] + qq_old[i];
    e_new[i] =
        e_new[i] + 0.5 * delvc[i] * (3.0 * (p_old[i] + q_old[i]) - 4.0 * (pHalfStep[i] + q_new[i]));
  }
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i)
    e_new[i] = cutEnergy(e_new[i] + 0.5 * work[i]);
  calcPressure(p_new.data(), bvc.data(), pbvc.data(), e_new.data(), compression.data(),
               vnewc.data(), length);
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i) {
    double q_tilde = 0.0;
    if (delvc[i] <= 0.0)
      q_tilde = soundSpeed(pbvc[i], e_new[i], vnewc[i], bvc[i], p_new[i]) * ql_old[i] + qq_old[i];
    e_new[i] = cutEnergy(e_new[i] - (7.0 * (p_old[i] + q_old[i]) - 8.0 * (pHalfStep[i] + q_new[i]) +
                                     (p_new[i] + q_tilde)) *
                                        delvc[i] * (1.0 / 6.0));
  }
  calcPressure(p_new.data(), bvc.data(), pbvc.data(), e_new.data(), compression.data(),
               vnewc.data(), length);
#pragma omp for schedule(static) nowait
  for (int i = 0; i < length; ++i)
    if (delvc[i] <= 0.0) {
      q_new[i] = soundSpeed(pbvc[i], e_new[i], vnewc[i], bvc[i], p_new[i]) * ql_old[i] + qq_old[i];
      if (std::fabs(q_new[i]) < q_cut)
        q_new[i] = 0.0;
    }
}

/// Evaluates the equation of state of one region: gathers, computes and scatters its elements.
static void evalEOS(Domain &domain, int r) {
  const int length = domain.regSize(r);
  const int *elems = domain.regElems(r);
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; ++i) {
      const int k = elems[i];
      e_old[i] = domain.e(k);
      delvc[i] = domain.delv(k);
      p_old[i] = domain.p(k);
      q_old[i] = domain.q(k);
      qq_old[i] = domain.qq(k);
      ql_old[i] = domain.ql(k);
      vnewc[i] = std::clamp(domain.vnew(k), eosvmin, eosvmax);
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; ++i) {
      compression[i] = 1.0 / vnewc[i] - 1.0;
      const double vchalf = vnewc[i] - 0.5 * delvc[i];
      compHalfStep[i] = 1.0 / vchalf - 1.0;
      work[i] = 0.0;
    }
    calcEnergy(length);
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; ++i) {
      domain.p(elems[i]) = p_new[i];
      domain.e(elems[i]) = e_new[i];
      domain.q(elems[i]) = q_new[i];
    }
#pragma omp for schedule(static) nowait
    for (int i = 0; i < length; ++i)
      domain.ss(elems[i]) = soundSpeed(pbvc[i], e_new[i], vnewc[i], bvc[i], p_new[i]);
  }
}

#endif
