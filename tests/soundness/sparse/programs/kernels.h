//===- tests/soundness/sparse/programs/kernels.h - loops over sparse matrices ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included again for each KERNEL, which says how the functions are compiled, and in its own
// namespace.

/// y = A x
KERNEL void multiply(long n, const int *start, const int *column, const double *value,
                     const double *x, double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum += value[k] * x[column[k]];
    y[i] = sum;
  }
}

/// The same of vectors, and added to y.
KERNEL void addProduct(long n, const std::vector<int> &start, const std::vector<int> &column,
                       const std::vector<double> &value, const std::vector<double> &x,
                       std::vector<double> &y) {
  for (long i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      y[i] += value[k] * x[column[k]];
}

/// y += A' x
KERNEL void scatter(long n, const int *start, const int *column, const double *value,
                    const double *x, double *y) {
  for (long i = 0; i < n; ++i)
    for (int k = start[i]; k < start[i + 1]; ++k)
      y[column[k]] += value[k] * x[i];
}

/// Y = A X for so many columns
KERNEL void multiplyMany(long n, long columns, const int *start, const int *column,
                         const double *value, const double *x, double *y) {
  for (long i = 0; i < n; ++i) {
    for (long c = 0; c < columns; ++c)
      y[i * columns + c] = 0.0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      for (long c = 0; c < columns; ++c)
        y[i * columns + c] += value[k] * x[column[k] * columns + c];
  }
}

/// What is stored on and above the diagonal is passed over, and the solution comes into x.
KERNEL void solveLower(long n, const int *start, const int *column, const double *value,
                       const double *b, double *x) {
  for (long i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = start[i]; k < start[i + 1]; ++k)
      if (column[k] < i)
        sum -= value[k] * x[column[k]];
    x[i] = sum * 0.125;
  }
}

/// Of a lower triangle whose rows end with their diagonal.
KERNEL void solveTriangle(long n, const int *start, const int *column, const double *value,
                          const double *b, double *x) {
  for (long i = 0; i < n; ++i) {
    double sum = b[i];
    const int diagonal = start[i + 1] - 1;
    for (int k = start[i]; k < diagonal; ++k)
      sum -= value[k] * x[column[k]];
    x[i] = sum / value[diagonal];
  }
}

/// With the transposed of the same, by columns: x is b at first.
KERNEL void solveTransposed(long n, const int *start, const int *column, const double *value,
                            double *x) {
  for (long i = n - 1; i >= 0; --i) {
    const int diagonal = start[i + 1] - 1;
    x[i] /= value[diagonal];
    for (int k = start[i]; k < diagonal; ++k)
      x[column[k]] -= value[k] * x[i];
  }
}

/// One sweep of Gauss and Seidel up and one down, in place.
KERNEL void sweep(long n, const int *start, const int *column, const double *value, const double *b,
                  double *x) {
  for (long i = 0; i < n; ++i) {
    double sum = b[i];
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum -= value[k] * x[column[k]];
    x[i] += sum * 0.0625;
  }
  for (long i = n - 1; i >= 0; --i) {
    double sum = b[i];
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum -= value[k] * x[column[k]];
    x[i] += sum * 0.0625;
  }
}

/// The same product of entries with their rows and columns.
KERNEL void multiplyEntries(long entries, const int *row, const int *column, const double *value,
                            const double *x, double *y) {
  for (long k = 0; k < entries; ++k)
    y[row[k]] += value[k] * x[column[k]];
}

/// The same of rows with their own arrays.
KERNEL void multiplyPointers(long n, const int *length, int *const *column, double *const *value,
                             const double *x, double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int k = 0; k < length[i]; ++k)
      sum += value[i][k] * x[column[i][k]];
    y[i] = sum;
  }
}

/// Where a row and those that it names have the same columns: as many as there are if all ascend.
KERNEL void multiplyCommon(long n, const int *start, const int *column, const double *value,
                           double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 0.0;
    for (int p = start[i]; p < start[i + 1]; ++p) {
      const int other = column[p];
      int q = start[i], r = start[other];
      while (q < start[i + 1] && r < start[other + 1]) {
        if (column[q] == column[r])
          sum += value[q++] * value[r++];
        else if (column[q] < column[r])
          ++q;
        else
          ++r;
      }
    }
    y[i] = sum;
  }
}

/// Each row waits for those that it names, and takes a root.
KERNEL void takeRoots(long n, const int *start, const int *column, const double *value, double *y) {
  for (long i = 0; i < n; ++i) {
    double sum = 1.0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      sum += value[k] * y[column[k]] * y[column[k]];
    y[i] = std::sqrt(sum < 0.0 ? -sum : sum);
  }
}

/// Values of a product whose pattern is known; sums is zero everywhere, before and after.
KERNEL void multiplyMatrices(long n, const int *start, const int *column, const double *value,
                             const int *cStart, const int *cColumn, double *cValue, double *sums) {
  for (long i = 0; i < n; ++i) {
    for (int k = start[i]; k < start[i + 1]; ++k)
      for (int l = start[column[k]]; l < start[column[k] + 1]; ++l)
        sums[column[l]] += value[k] * value[l];
    for (int k = cStart[i]; k < cStart[i + 1]; ++k) {
      cValue[k] = sums[cColumn[k]];
      sums[cColumn[k]] = 0.0;
    }
  }
}

/// Incomplete LU in place; where is -1 everywhere, before and after, and diagonals are not zero.
KERNEL void factor(long n, const int *start, const int *column, const int *diagonal, int *where,
                   double *lu) {
  for (long i = 0; i < n; ++i) {
    for (int p = start[i]; p < start[i + 1]; ++p)
      where[column[p]] = p;
    for (int p = start[i]; p < diagonal[i]; ++p) {
      const int k = column[p];
      lu[p] /= lu[diagonal[k]];
      for (int q = diagonal[k] + 1; q < start[k + 1]; ++q)
        if (where[column[q]] >= 0)
          lu[where[column[q]]] -= lu[p] * lu[q];
    }
    for (int p = start[i]; p < start[i + 1]; ++p)
      where[column[p]] = -1;
  }
}
