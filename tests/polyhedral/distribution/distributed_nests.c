// tests/polyhedral/distribution/distributed_nests.c - nests for distributed_loops_test.cpp
/* Each point is added to the sums of the nearest of p centres. */
void nearest_centre(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    long best = 0;
    double least = 1e300;
    for (long c = 0; c < p; c++) {
      double distance = 0;
      for (long d = 0; d < m; d++)
        distance += (A[i * m + d] - B[c * m + d]) * (A[i * m + d] - B[c * m + d]);
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    for (long d = 0; d < m; d++)
      C[best * m + d] += A[i * m + d];
  }
}
/* A sum in a register, a maximum with its place, and a number of elements. */
void sums_of_series(long n, long m, long p, double *A, double *B, double *C) {
  double sum = 0.25, most = -1e300;
  long place = -1, count = 0;
  for (long i = 0; i < n; i++) {
    double term = A[i];
    for (long k = 1; k < m; k++)
      term = 0.5 * term + 1.0 / (term * term + (double)k);
    if (term > 0.5) {
      sum += term;
      count++;
    }
    if (term * sum > most) {
      most = term * sum;
      place = i;
    }
  }
  C[0] = sum;
  C[1] = most;
  C[2] = (double)place;
  C[3] = (double)count;
}
/* Values of several types, some of them computed in some iterations only. */
void kinds_of_values(long n, long m, long p, double *A, double *B, double *C) {
  float narrow = 0;
  unsigned char bits = 0;
  for (long i = 0; i < n; i++) {
    double x = A[i];
    if (B[i] > 0) {
      for (long k = 0; k < m; k++)
        x = x / (1.0 + x * x);
      const float f = (float)x;
      double y = x;
      for (long k = 0; k < p; k++)
        y = 1.0 / (0.5 + y * y);
      narrow = narrow * 0.5f + f;
      bits = (unsigned char)(3 * bits + (y > 0.75));
      C[(long)(y * 10) & 15] -= y;
    } else {
      C[16] += x;
    }
  }
  C[17] = narrow;
  C[18] = bits;
}
/* Each iteration uses what the one before has written. */
void chained(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 1; i < n; i++) {
    double x = C[i - 1];
    for (long k = 0; k < m; k++)
      x = x / (1.0 + x * x) + A[i];
    C[i] = x;
  }
}
/* Steps use what earlier ones have written; only the loop inside can be split. */
void scattered_steps(long n, long m, long p, double *A, double *B, double *C) {
  for (long t = 0; t < 4; t++) {
    const double scale = C[t];
    for (long i = 0; i < n; i++) {
      double x = A[i] * 0.125;
      for (long k = 0; k < m; k++)
        x = x / (1.0 + x * x);
      B[(long)(x * 64) & 7] += x;
    }
    C[t + 1] = scale * 0.5 + B[t];
  }
}
/* Blocks of memory are set and copied between the scattered sums. */
void scattered_blocks(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    double x = A[i];
    for (long k = 0; k < m; k++)
      x = x / (1.0 + x * x);
    const long at = (long)(x * 64) & 7;
    __builtin_memcpy(C + 4 * at, B + 4 * (i & 7), 4 * sizeof(double));
    C[4 * at + 1] += x;
  }
}
/* Where the arrays lie is known at run time only. The nodes that are written are apart from those
   that are read, or the same. */
static double room[2][512];
double *forces = room[0], *places = room[1], *moved = room[1];
static double force(double a, double b, long m) {
  double x = a - b;
  for (long k = 0; k < m; k++)
    x = x / (1.0 + x * x);
  return x;
}
static inline void update_pairs(double *to, long n, long m, double *A, double *B, double *C) {
  const unsigned *nodes = (const unsigned *)B;
  for (long i = 0; i < 512; i++)
    room[0][i] = 0, room[1][i] = A[i % n];
  for (long i = 0; i < n; i++) {
    const unsigned a = nodes[2 * i] % 512, b = nodes[2 * i + 1] % 512;
    const double f = force(places[a], places[b], m);
    to[a] += f;
    to[b] -= f;
  }
  for (long i = 0; i < n; i++)
    C[i] = room[0][i % 512] + room[1][i % 512];
}
void forces_of_pairs(long n, long m, long p, double *A, double *B, double *C) {
  update_pairs(forces, n, m, A, B, C);
}
void moves_of_pairs(long n, long m, long p, double *A, double *B, double *C) {
  update_pairs(moved, n, m, A, B, C);
}
/* The best centre so far is compared with each next one: data choose what is read again. Or they
   choose what is read in no other way, or which centre is the first. */
static double weight_of(const double *a, const double *b) {
  return (a[0] - b[0]) / (1.0 + b[1] * b[1]) + a[1] / (2.0 + b[0] * b[0]);
}
static inline void update_best(long beyond, int hasFirst, long n, long p, double *A, double *B,
                               double *C) {
  for (long i = 0; i < 512; i++)
    room[0][i] = 0, room[1][i] = B[i % n];
  for (long i = 0; i < n; i++) {
    const double *x = A + 2 * i;
    long best = hasFirst ? (long)(places[i % 64] * 99) & 127 : 0;
    for (long c = 1; c < p; c++)
      if (places[2 * c] + places[2 * c + 1] > weight_of(x, places + 2 * best + beyond))
        best = c;
    forces[2 * best] += x[0];
    forces[2 * best + 1] += x[1];
  }
  for (long i = 0; i < n; i++)
    C[i] = room[0][i % 512];
}
void best_so_far(long n, long m, long p, double *A, double *B, double *C) {
  update_best(0, 0, n, p, A, B, C);
}
void first_is_chosen(long n, long m, long p, double *A, double *B, double *C) {
  update_best(0, 1, n, p, A, B, C);
}
void next_of_chosen(long n, long m, long p, double *A, double *B, double *C) {
  update_best(400, 0, n, p, A, B, C);
}
/* Too little is left for the first loop. */
void cheap_terms(long n, long m, long p, double *A, double *B, double *C) {
  double sum = 0;
  for (long i = 0; i < n; i++)
    sum += A[i] * B[i];
  C[0] = sum;
}
/* Forces on both particles of each pair of a list; pairs far apart have none. */
void forces_of_lists(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    double sum = 0;
    const long pairs = (i * 7) % (m + 1);
    for (long k = 0; k < pairs; k++) {
      const long j = (i * 5 + k * k + 1) % n;
      const double d = A[i] - A[j], r = d * d + 0.25;
      if (r < B[k]) {
        const double force = d / (r * r * r) - d / r;
        sum += force;
        C[j] -= force;
      }
    }
    C[i] += sum;
  }
}
/* All pairs of different elements: a histogram of their distances, and a sum in order. */
void distances_of_pairs(long n, long m, long p, double *A, double *B, double *C) {
  double energy = 0;
  for (long i = 0; i < n; i++)
    for (long j = i + 1; j < n; j++) {
      const double d = A[i] - A[j], r = __builtin_sqrt(d * d + 1.0);
      C[(long)(r * 3.0) & 15] += 1.0 / r;
      energy += 1.0 / (r * r * r);
    }
  C[16] = energy;
}
/* Particles of cells, and those of their neighbours; values in two depths, and of an iteration. */
void forces_of_cells(long n, long m, long p, double *A, double *B, double *C) {
  for (long c = 0; c < n; c++) {
    double mass = B[c];
    for (long k = 1; k < 5; k++)
      mass = mass / (1.0 + mass * mass);
    for (long o = 0; o < 3; o++) {
      const long other = (c + o) % n;
      double scale = B[other];
      for (long k = 0; k < 4; k++)
        scale = 1.0 / (scale * scale + 1.0);
      if (scale < 0.25)
        continue;
      C[other] += scale;
      for (long k = 0; k < (c + o) % (m + 1); k++) {
        const double d = A[c] - A[(other + k) % n], f = d / (1.0 + d * d * scale);
        C[c] += f * mass;
        C[(other + k) % n] -= f / (1.0 + f * f);
      }
    }
  }
}
/* Inner loops of any length, whose values are kept for both particles. */
void forces_of_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < p; k++) {
      const double d = A[i] - B[k & 7], force = d / ((d * d + 0.5) * (d * d + 0.25));
      C[(long)(B[k & 3] * 1e3) & 7] += force;
      C[8 + i] -= force;
    }
}
struct particle {
  double x, mass, force, moment;
};
/* Members of structures that data select: forces on both particles of a pair. */
void members_of_pairs(long n, long m, long p, double *A, double *B, double *C) {
  struct particle *P = (struct particle *)C;
  for (long i = 0; i < n; i++)
    for (long k = 0; k < m; k++) {
      const long j = (long)(B[i + k] * B[i + k] * 1e6) % n;
      const double d = P[i].x - P[j].x, r = __builtin_sqrt(d * d + 0.5);
      const double force = P[j].mass * d / (r * r * r);
      P[i].force += force;
      P[j].force -= force;
      P[j].moment += force * r;
    }
}
/* Each particle sums over others: no iteration writes what another one reads. */
void members_of_others(long n, long m, long p, double *A, double *B, double *C) {
  struct particle *P = (struct particle *)C;
  for (long i = 0; i < n; i++) {
    double force = 0;
    for (long k = 0; k < m; k++) {
      const double d = P[i].x - P[(int)(B[i + k] * B[i + k] * 1e6) % (int)n].x;
      force += d / (d * d + 0.5);
    }
    P[i].force = force;
  }
}
/* Every second and every third element: some are both read and written. */
void members_that_meet(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    double x = C[2 * i];
    for (long k = 0; k < m; k++)
      x = x / (1.0 + x * x);
    C[3 * ((int)(B[i] * B[i] * 1e6) % (int)n) + 1] += x;
  }
}
/* Branches that have effects of their own decide how long a row is. */
void rows_of_branches(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++) {
    long length = m;
    if (i + 3 < m) {
      length = i + 3;
      C[20 + (i & 7)] += 0.5;
    }
    for (long k = 0; k < length; k++) {
      const double d = A[i] - B[k], force = d / ((d * d + 0.5) * (d * d + 0.25));
      C[(k * 5 + i) & 7] += force;
      C[(k + i) & 15] -= force * d;
    }
  }
}
/* A sum in order, whose terms LLVM can compute in vectors. */
void energy_of_points(long n, long m, long p, double *A, double *B, double *C) {
  double energy = C[0];
  for (long i = 0; i < n; i++)
    energy += B[i] / __builtin_sqrt(A[i] * A[i] + 0.75);
  C[0] = energy;
}
/* Rows of different lengths. */
void energy_of_rows(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < (i * 5) % (m + 3); k++)
      C[0] += B[i + k] / __builtin_sqrt(A[k] * A[k] + 0.75);
}
/* LLVM uses vectors as it is. */
void without_order(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    C[i] = B[i] / __builtin_sqrt(A[i] * A[i] + 0.75);
}
/* Each term depends on the one before. */
void chain_of_terms(long n, long m, long p, double *A, double *B, double *C) {
  double x = C[0];
  for (long i = 0; i < n; i++)
    x = B[i] / __builtin_sqrt(x * x + 0.75);
  C[0] = x;
}
/* Each step needs the one before, and only a short loop inside can be shared. */
void short_steps(long n, long m, long p, double *A, double *B, double *C) {
  for (long i = 0; i < n; i++)
    for (long k = 0; k < 16; k++)
      C[k] = C[k] / (1.0 + A[k] * A[k]) + B[k];
}
