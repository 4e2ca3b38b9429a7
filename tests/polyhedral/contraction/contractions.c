// tests/polyhedral/contraction/contractions.c - contractions of (n, m, p, A, B, C) on dense arrays
// contraction_cases.cpp tells how many elements each array has; no nest touches others.
#include <math.h>
#include <stdint.h>

#define NEST(NAME, T)                                                                              \
  void NAME(long n, long m, long p, T *restrict A, T *restrict B, T *restrict C)
#define FOR(I, BEGIN, END) for (long I = (BEGIN); I < (END); I++)

// Products in all orders of the loops.
#define PRODUCT C[i * m + j] += A[i * p + k] * B[k * m + j]
NEST(order_ijk, double) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) PRODUCT; }
NEST(order_ikj, double) { FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) PRODUCT; }
NEST(order_jik, double) { FOR(j, 0, m) FOR(i, 0, n) FOR(k, 0, p) PRODUCT; }
NEST(order_jki, double) { FOR(j, 0, m) FOR(k, 0, p) FOR(i, 0, n) PRODUCT; }
NEST(order_kij, double) { FOR(k, 0, p) FOR(i, 0, n) FOR(j, 0, m) PRODUCT; }
NEST(order_kji, double) { FOR(k, 0, p) FOR(j, 0, m) FOR(i, 0, n) PRODUCT; }

// Transposed operands.
NEST(transposed_a, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[k * n + i] * B[k * m + j];
}
NEST(transposed_b, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[i * m + j] += A[i * p + k] * B[j * p + k];
}
NEST(transposed_both, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[i * m + j] += A[k * n + i] * B[j * p + k];
}
NEST(transposed_result, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[j * n + i] += A[i * p + k] * B[k * m + j];
}

// Scaled, subtracted, two at once, of other types.
NEST(alpha_left, double) {
  FOR(i, 0, n) {
    FOR(j, 0, m) C[i * m + j] *= 0.75;
    FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += 1.5 * A[i * p + k] * B[k * m + j];
  }
}
// A factor that is known before the nest, and one that is computed between two nests.
void scaled_between(long n, long m, long p, double *restrict A, double *restrict B,
                    double *restrict C, double alpha) {
  FOR(i, 0, n) FOR(j, 0, m) C[i * m + j] *= alpha;
  double beta = alpha * alpha + 1;
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += beta * A[i * p + k] * B[k * m + j];
}
void scaled_both(long n, long m, long p, double *restrict A, double *restrict B,
                 double *restrict C, double alpha) {
  FOR(i, 0, n) FOR(j, 0, m) C[i * m + j] *= alpha;
  double beta = alpha * alpha + 1;
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += beta * (A[i * p + k] * B[k * m + j]);
}
NEST(alpha_right, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[i * p + k] * (B[k * m + j] * 1.5);
}
NEST(alpha_of_both, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += 1.5 * (A[i * p + k] * B[k * m + j]);
}
NEST(subtracted, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[i * m + j] -= A[i * p + k] * B[k * m + j];
}
NEST(reversed_subtraction, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p)
    C[i * m + j] = A[i * p + k] * B[k * m + j] - C[i * m + j];
}
NEST(horner, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[i * m + j] = C[i * m + j] * A[i * p + k] + B[k * m + j];
}
NEST(two_products, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, n)
    C[i * n + j] += A[j * p + k] * 1.5 * B[i * p + k] + B[j * p + k] * 1.5 * A[i * p + k];
}
NEST(two_layouts, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, n)
    C[i * n + j] += A[i * p + k] * B[j * p + k] + B[i * p + k] * (1.5 * A[k * n + j]);
}
NEST(single, float) { FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) PRODUCT; }
NEST(single_transposed, float) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[i * m + j] += A[i * p + k] * B[j * p + k];
}
NEST(wrapping_int32, uint32_t) { FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) PRODUCT; }
NEST(wrapping_int64, uint64_t) { FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) PRODUCT; }
NEST(transposed_int32, uint32_t) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) C[i * m + j] += A[i * p + k] * B[j * p + k];
}
NEST(min_plus, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) {
    double Way = A[i * p + k] + B[k * m + j];
    C[i * m + j] = Way < C[i * m + j] ? Way : C[i * m + j];
  }
}
NEST(max_plus_int32, int32_t) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) {
    int32_t Sum = (int32_t)((uint32_t)A[i * p + k] + (uint32_t)B[k * m + j]);
    C[i * m + j] = Sum > C[i * m + j] ? Sum : C[i * m + j];
  }
}
NEST(min_max_int64, int64_t) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) {
    int64_t Narrow = A[i * p + k] < B[k * m + j] ? A[i * p + k] : B[k * m + j];
    C[i * m + j] = Narrow > C[i * m + j] ? Narrow : C[i * m + j];
  }
}

// Results that form a triangle, a band, or that are visited backwards.
NEST(lower, double) {
  FOR(i, 0, n) FOR(j, 0, i + 1) FOR(k, 0, p) C[i * n + j] += A[i * p + k] * A[j * p + k];
}
NEST(lower_inner, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, i + 1) C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(strictly_lower, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, i) C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(upper, double) {
  FOR(i, 0, n) FOR(j, i, n) FOR(k, 0, p) C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(strictly_upper, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, i + 1, n) C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(against_the_diagonal, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, n - i) C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(backwards, double) {
  for (long i = n - 1; i >= 0; i--)
    for (long j = i; j >= 0; j--)
      FOR(k, 0, p) C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(backwards_reduction, double) {
  FOR(i, 0, n) FOR(j, 0, m) for (long k = p - 1; k >= 0; k--) PRODUCT;
}
NEST(band, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, i < 5 ? 0 : i - 5, i + 9 < n ? i + 9 : n)
    C[i * n + j] += A[i * p + k] * B[k * n + j];
}
NEST(two_bounds, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, i < m ? i : m) C[i * m + j] += A[i * p + k] * B[k * m + j];
}

// Other places of the operands.
NEST(stride_two, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[i * 2 * p + 2 * k] * B[2 * k * m + j];
}
NEST(step_two, double) {
  for (long i = 0; i < n; i += 2)
    for (long k = 0; k < p; k += 2)
      FOR(j, 0, m) PRODUCT;
}
NEST(columns_two_apart, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[i * p + k] * B[k * 2 * m + 2 * j];
}
NEST(columns_backwards, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[i * m + j] += A[i * p + p - 1 - k] * B[(p - 1 - k) * m + m - 1 - j];
}
NEST(rows_backwards, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[(n - 1 - i) * m + j] += A[i * p + k] * B[k * m + j];
}
NEST(results_backwards, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[i * m + m - 1 - j] += A[i * p + k] * B[k * m + j];
}
NEST(offset, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[(i + 1) * (m + 3) + j + 2] += A[(i + 2) * (p + 1) + k + 1] * B[(k + 1) * (m + 2) + j + 1];
}
NEST(toeplitz, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[i * p + k] * B[k + j];
}
NEST(polynomials, double) {
  FOR(i, 0, n) FOR(j, 0, m) C[i + j] += A[i] * B[j];
}
// Rows of results overlap: only the free order of integer sums lets rows change places at all.
NEST(overlapping_rows, uint32_t) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[2 * i + j] += A[i * p + k] * B[k * m + j];
}
NEST(holes_in_the_reduction, double) {
  FOR(i, 0, n) FOR(k, 0, p) if (k % 3 != 1) FOR(j, 0, m) PRODUCT;
}
NEST(holes_in_the_result, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) if ((i + j) % 4 != 1) PRODUCT;
}
NEST(halved_subscript, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[i * p + k / 2] * B[k * m + j / 2];
}
NEST(of_own_rows, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m) C[i * m + j] += A[i * p + k] * C[(n + k) * m + j];
}
NEST(of_own_result, double) {
  // Reads what it writes: the kernel may take only what does not depend on it.
  FOR(i, 0, n) FOR(k, 0, n) FOR(j, 0, n) C[i * n + j] += C[i * n + k] * C[k * n + j];
}

// Fewer and more dimensions.
NEST(matrix_vector, double) { FOR(i, 0, n) FOR(k, 0, p) C[i] += A[i * p + k] * B[k]; }
NEST(transposed_matrix_vector, double) { FOR(i, 0, n) FOR(k, 0, p) C[k] += A[i * p + k] * B[i]; }
NEST(scaled_matrix_vector, double) {
  FOR(i, 0, n) FOR(k, 0, p) C[k] += 1.5 * A[i * p + k] * B[i];
}
NEST(batched, double) {
  FOR(b, 0, 4) FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[(b * n + i) * m + j] += A[(b * n + i) * p + k] * B[(b * p + k) * m + j];
}
// LLVM makes a condition of the loop over b, and Polly a parameter of b.
NEST(batch_of_two, double) {
  FOR(b, 0, 2) FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[(b * n + i) * m + j] += A[(b * n + i) * p + k] * B[(b * p + k) * m + j];
}
NEST(two_reductions, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(l, 0, 5) FOR(k, 0, p)
    C[i * m + j] += A[(i * 5 + l) * p + k] * B[(l * p + k) * m + j];
}
NEST(convolution, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p) FOR(x, 0, 3)
    C[i * m + j] += A[i * p + k] * B[k * (m + 2) + j + x];
}
NEST(chain, double) {
  FOR(i, 0, n) FOR(j, 0, m) {
    C[i * m + j] = 0;
    FOR(k, 0, p) C[i * m + j] += A[i * p + k] * B[k * m + j];
  }
  FOR(i, 0, n) FOR(j, 0, n) FOR(k, 0, m) C[n * m + i * n + j] += C[i * m + k] * C[j * m + k];
}
NEST(copied_result, double) {
  FOR(i, 0, n) FOR(j, 0, m) {
    double Sum = 0;
    FOR(k, 0, p) Sum += A[i * p + k] * B[k * m + j];
    C[i * m + j] = Sum;
  }
}

// One of the operands is the result itself, halfway.
NEST(sum_of_rows, double) {
  if (n > 7)
    FOR(k, 0, n) FOR(j, 0, m) C[7 * m + j] += A[k] * C[k * m + j];
}
NEST(last_row_of_sums, double) {
  FOR(j, 0, m) FOR(k, 0, n) C[(n - 1) * m + j] += A[k] * C[k * m + j];
}
NEST(batched_row_of_sums, double) {
  FOR(b, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[(b * p + p / 2) * m + j] += A[b * p + k] * C[(b * p + k) * m + j];
}

// Linear algebra.
NEST(trmm, double) {
  FOR(i, 0, n) FOR(j, 0, m) {
    FOR(k, i + 1, n) C[i * m + j] += A[k * n + i] * C[k * m + j];
    C[i * m + j] = 1.5 * C[i * m + j];
  }
}
NEST(symm, double) {
  FOR(i, 0, n) FOR(j, 0, m) {
    double Sum = 0;
    FOR(k, 0, i) {
      C[k * m + j] += 1.5 * B[i * m + j] * A[i * n + k];
      Sum += B[k * m + j] * A[i * n + k];
    }
    C[i * m + j] = 1.2 * C[i * m + j] + 1.5 * B[i * m + j] * A[i * n + i] + 1.5 * Sum;
  }
}
NEST(lu, double) {
  FOR(i, 0, n) {
    FOR(j, 0, i) {
      FOR(k, 0, j) C[i * n + j] -= C[i * n + k] * C[k * n + j];
      C[i * n + j] /= C[j * n + j];
    }
    FOR(j, i, n) FOR(k, 0, i) C[i * n + j] -= C[i * n + k] * C[k * n + j];
  }
}
NEST(cholesky, double) {
  FOR(i, 0, n) {
    FOR(j, 0, i) {
      FOR(k, 0, j) C[i * n + j] -= C[i * n + k] * C[j * n + k];
      C[i * n + j] /= C[j * n + j];
    }
    FOR(k, 0, i) C[i * n + i] -= C[i * n + k] * C[i * n + k];
    C[i * n + i] = sqrt(C[i * n + i]);
  }
}
NEST(ludcmp, double) {
  FOR(i, 0, n) {
    FOR(j, 0, i) {
      double w = C[i * n + j];
      FOR(k, 0, j) w -= C[i * n + k] * C[k * n + j];
      C[i * n + j] = w / C[j * n + j];
    }
    FOR(j, i, n) {
      double w = C[i * n + j];
      FOR(k, 0, i) w -= C[i * n + k] * C[k * n + j];
      C[i * n + j] = w;
    }
  }
}
// B is a row of sums for every row of the product. (Without the factor it would be copied by memcpy.)
NEST(doitgen, double) {
  FOR(r, 0, n) FOR(q, 0, m) {
    FOR(j, 0, p) {
      B[j] = 0;
      FOR(s, 0, p) B[j] += C[(r * m + q) * p + s] * A[s * p + j];
    }
    FOR(j, 0, p) C[(r * m + q) * p + j] = 0.5 * B[j];
  }
}
NEST(row_of_sums, double) {
  FOR(r, 0, n) FOR(q, 0, m) {
    FOR(j, 0, p) B[j] = 1;
    FOR(s, 0, p) FOR(j, 0, p) B[j] += C[(r * m + q) * p + s] * A[s * p + j];
    FOR(j, 0, p) C[(r * m + q) * p + j] = 0.5 * B[j];
  }
}
// A recurrence along each row of sums.
NEST(smoothed_row, double) {
  FOR(r, 0, n) FOR(q, 0, m) {
    FOR(j, 0, p) B[j] = 1;
    FOR(s, 0, p) FOR(j, 0, p) B[j] += C[(r * m + q) * p + s] * A[s * p + j];
    FOR(j, 1, p) B[j] += 0.5 * B[j - 1];
    FOR(j, 0, p) C[(r * m + q) * p + j] = 0.5 * B[j];
  }
}
// As in row_of_sums, but later iterations use less and less of the row.
NEST(shrinking_row, double) {
  FOR(r, 0, n) FOR(q, 0, m) {
    FOR(j, 0, p - r) B[j] = 1;
    FOR(s, 0, p) FOR(j, 0, p - r) B[j] += C[(r * m + q) * p + s] * A[s * p + j];
    FOR(j, 0, p - r) C[(r * m + q) * p + j] = 0.5 * B[j];
  }
}
// The sums of one iteration go into the next.
NEST(carried_row, double) {
  FOR(r, 0, n) FOR(q, 0, m) {
    FOR(s, 0, p) FOR(j, 0, p) B[j] += C[(r * m + q) * p + s] * A[s * p + j];
    FOR(j, 0, p) C[(r * m + q) * p + j] = 0.5 * B[j];
  }
}
// The first half of the row is set anew, the second comes from before.
NEST(half_a_row, double) {
  FOR(r, 0, n) FOR(q, 0, m) {
    FOR(j, 0, p / 2) B[j] = 1;
    FOR(s, 0, p) FOR(j, 0, p) B[j] += C[(r * m + q) * p + s] * A[s * p + j];
    FOR(j, 0, p) C[(r * m + q) * p + j] = 0.5 * B[j];
  }
}
NEST(triangular_solve, double) {
  FOR(i, 0, n) FOR(j, 0, m) {
    FOR(k, 0, i) C[i * m + j] -= A[i * n + k] * C[k * m + j];
    C[i * m + j] /= A[i * n + i];
  }
}
// The columns of C become orthogonal to each other; the kernel is inside of a serial loop.
NEST(gram_schmidt, double) {
  FOR(k, 0, m) {
    double norm = 0;
    FOR(i, 0, n) norm += C[i * m + k] * C[i * m + k];
    B[k * m + k] = norm + 1;
    FOR(i, 0, n) C[i * m + k] /= B[k * m + k];
    FOR(j, k + 1, m) {
      B[k * m + j] = 0;
      FOR(i, 0, n) B[k * m + j] += C[i * m + k] * C[i * m + j];
      FOR(i, 0, n) C[i * m + j] -= C[i * m + k] * B[k * m + j];
    }
  }
}
NEST(covariance, double) {
  FOR(i, 0, m) FOR(j, i, m) {
    C[i * m + j] = 0;
    FOR(k, 0, p) C[i * m + j] += A[k * m + i] * A[k * m + j];
    C[i * m + j] /= 7;
    C[j * m + i] = C[i * m + j];
  }
}
// A place and its neighbours get the same value.
NEST(syrk, double) {
  FOR(i, 0, n) {
    FOR(j, 0, i + 1) C[i * n + j] *= 1.2;
    FOR(k, 0, p) FOR(j, 0, i + 1) C[i * n + j] += 1.5 * A[i * p + k] * A[j * p + k];
  }
}

// Operands are results of the same contraction, whose updates may change places.
#define MAX(X, Y) ((X) > (Y) ? (X) : (Y))
#define MIN(X, Y) ((X) < (Y) ? (X) : (Y))
static int32_t wrapped(int32_t X, int32_t Y) { return (int32_t)((uint32_t)X + (uint32_t)Y); }
NEST(folding, int32_t) {
  for (long i = n - 1; i >= 0; i--)
    FOR(j, i + 1, n) {
      int32_t Pair = i < j - 1 && wrapped(A[i], A[j]) % 4 == 3;
      C[i * n + j] = MAX(C[i * n + j], C[i * n + j - 1]);
      C[i * n + j] = MAX(C[i * n + j], C[(i + 1) * n + j]);
      C[i * n + j] = MAX(C[i * n + j], wrapped(C[(i + 1) * n + j - 1], Pair));
      FOR(k, i + 1, j)
        C[i * n + j] = MAX(C[i * n + j], wrapped(C[i * n + k], C[(k + 1) * n + j]));
    }
}
NEST(folding_xor, uint64_t) {
  for (long i = n - 1; i >= 0; i--)
    FOR(j, i + 1, n) {
      C[i * n + j] ^= C[i * n + j - 1] + 5 * C[(i + 1) * n + j];
      FOR(k, i + 1, j) C[i * n + j] ^= C[i * n + k] * C[(k + 1) * n + j];
    }
}
NEST(folding_sum, uint32_t) {
  for (long i = n - 1; i >= 0; i--)
    FOR(j, i + 1, n) {
      C[i * n + j] += A[i] * A[j];
      FOR(k, i + 1, j) C[i * n + j] += C[i * n + k] * C[k * n + j];
    }
}
NEST(matrix_chain, int64_t) {
  for (long i = n - 2; i >= 0; i--)
    FOR(j, i + 1, n) FOR(k, i, j) {
      uint64_t Left = (uint64_t)C[i * n + k], Right = (uint64_t)C[(k + 1) * n + j];
      int64_t Sum = (int64_t)(Left + Right + (uint64_t)A[k]);
      C[i * n + j] = MIN(C[i * n + j], Sum);
    }
}
NEST(folding_single, float) {
  // Which of two zeros the maximum is depends on the order.
  for (long i = n - 1; i >= 0; i--)
    FOR(j, i + 1, n) FOR(k, i + 1, j) {
      float Sum = C[i * n + k] + C[(k + 1) * n + j];
      C[i * n + j] = Sum > C[i * n + j] ? Sum : C[i * n + j];
    }
}

// Updates, and what looks like some; see commuting_updates_test.cpp.
NEST(sum_of_columns, int32_t) { FOR(k, 0, p) FOR(i, 0, n) C[i] += A[k * n + i]; }
NEST(difference, int32_t) { FOR(k, 0, p) FOR(i, 0, n) C[i] -= A[k * n + i]; }
NEST(union_of_columns, uint64_t) { FOR(k, 0, p) FOR(i, 0, n) C[i] |= A[k * n + i]; }
NEST(subtracted_from, uint32_t) { FOR(k, 0, p) FOR(i, 0, n) C[i] = A[k * n + i] - C[i]; }
NEST(double_sum, double) { FOR(k, 0, p) FOR(i, 0, n) C[i] += A[k * n + i]; }
NEST(intermediate_values, int32_t) {
  FOR(k, 0, p) FOR(i, 0, n) B[k * n + i] = C[i] = MAX(C[i], A[k * n + i]);
}
NEST(used_twice, uint32_t) { FOR(k, 0, p) FOR(i, 0, n) C[i] = MAX(C[i], C[i] / 2 + A[k * n + i]); }
NEST(two_operations_at_once, int32_t) {
  FOR(k, 0, p) FOR(i, 0, n) C[i] = MIN(MAX(C[i], A[k * n + i]), B[k * n + i]);
}
NEST(two_operations, int32_t) {
  FOR(k, 0, p) {
    FOR(i, 0, n) C[i] = MAX(C[i], A[k * n + i]);
    FOR(i, 0, n) C[i] = MIN(C[i], B[k * n + i]);
  }
}
NEST(read_in_between, int32_t) {
  FOR(k, 0, p) FOR(i, 0, n) C[i] = MAX(C[i], A[k * n + i]);
  FOR(i, 0, n) B[i] = C[i] ^ 1;
  FOR(k, 0, p) FOR(i, 0, n) C[i] = MAX(C[i], A[k * n + n - 1 - i]);
}
NEST(written_in_between, int32_t) {
  FOR(k, 0, p) {
    FOR(i, 0, n) C[i] = MAX(C[i], A[k * n + i]);
    FOR(i, 0, n) C[n - 1 - i] = B[k * n + i];
  }
}
NEST(operand_is_result, int32_t) {
  FOR(k, 0, n) FOR(i, 0, n) FOR(j, 0, n)
    C[i * n + j] = MAX(C[i * n + j], wrapped(C[i * n + k], C[k * n + j]));
}

// Every row of every array ends where a page ends, and the next page is no memory.
enum { Pitch = 1024 };
NEST(row_ends, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, m)
    C[i * Pitch + j] += A[i * Pitch + k] * B[k * Pitch + j];
}
NEST(row_ends_transposed, double) {
  FOR(i, 0, n) FOR(j, 0, m) FOR(k, 0, p)
    C[i * Pitch + j] += A[k * Pitch + i] * B[j * Pitch + k];
}
NEST(row_ends_lower, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, 0, i + 1)
    C[i * (Pitch - 1) + j] += A[i * Pitch + k] * B[k * Pitch + j];
}
NEST(row_begins_upper, double) {
  FOR(i, 0, n) FOR(k, 0, p) FOR(j, i, n)
    C[i * (Pitch - 1) + j] += A[i * Pitch + k] * B[k * Pitch + j];
}
