//===- examples/sparse_matrices.h - sparse matrices made by name, or read from a file ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patterns are common ones: grids, finite elements, bands, graphs. All are symmetric, have a
// full diagonal and ascending columns, and are positive definite: an element off the diagonal is
// minus a weight of its two unknowns, the diagonal is slightly more than the sum of these weights.
#ifndef SPECRT_EXAMPLES_SPARSE_MATRICES_H
#define SPECRT_EXAMPLES_SPARSE_MATRICES_H

#include "matrix_market.h"
#include <cmath>
#include <numeric>

namespace example {

/// Returns a weight in [0.5, 1.5), the same for (I, J) and (J, I).
inline double weight(long I, long J) {
  uint64_t Hash = static_cast<uint64_t>(std::min(I, J)) * 0x9e3779b97f4a7c15u +
                  static_cast<uint64_t>(std::max(I, J)) * 0xc2b2ae3d27d4eb4fu;
  Hash = (Hash ^ (Hash >> 31)) * 0xbf58476d1ce4e5b9u;
  return 0.5 + static_cast<double>(Hash >> 11) * 0x1p-53;
}

inline void setValues(CsrMatrix &A) {
  A.Value.resize(A.Column.size());
  for (long I = 0; I < A.Rows; ++I) {
    double Sum = 0.0;
    int Diagonal = A.RowStart[I];
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K) {
      if (A.Column[K] == I)
        Diagonal = K;
      else
        Sum += -(A.Value[K] = -weight(I, A.Column[K]));
    }
    A.Value[Diagonal] = 1.001 * Sum + 0.001;
  }
}

/// Builds a matrix. \p ColumnsOf(I, Columns) appends the columns of row I in ascending order.
template <typename F> CsrMatrix fromRows(long Rows, const F &ColumnsOf) {
  CsrMatrix A;
  A.Rows = A.Columns = Rows;
  A.RowStart.push_back(0);
  for (long I = 0; I < Rows; ++I) {
    ColumnsOf(I, A.Column);
    A.RowStart.push_back(static_cast<int>(A.Column.size()));
  }
  setValues(A);
  return A;
}

/// Returns the matrix of five points on an N x N grid.
inline CsrMatrix grid2d(long N) {
  return fromRows(N * N, [N](long I, std::vector<int> &Columns) {
    const long Y = I / N, X = I % N;
    for (auto [Inside, J] : {std::pair(Y > 0, I - N),
                             {X > 0, I - 1},
                             {true, I},
                             {X < N - 1, I + 1},
                             {Y < N - 1, I + N}})
      if (Inside)
        Columns.push_back(static_cast<int>(J));
  });
}

/// Returns the matrix of seven points on an N x N x N grid.
inline CsrMatrix grid3d(long N) {
  return fromRows(N * N * N, [N](long I, std::vector<int> &Columns) {
    const long Z = I / (N * N), Y = I / N % N, X = I % N;
    for (auto [Inside, J] : {std::pair(Z > 0, I - N * N),
                             {Y > 0, I - N},
                             {X > 0, I - 1},
                             {true, I},
                             {X < N - 1, I + 1},
                             {Y < N - 1, I + N},
                             {Z < N - 1, I + N * N}})
      if (Inside)
        Columns.push_back(static_cast<int>(J));
  });
}

/// Returns the matrix of 27 points on an N x N x N grid, as from finite elements of first order:
/// each point is coupled with all its neighbours.
inline CsrMatrix cubes(long N) {
  return fromRows(N * N * N, [N](long I, std::vector<int> &Columns) {
    const auto Near = [N](long P) {
      return std::pair(std::max(P - 1, 0L), std::min(P + 1, N - 1));
    };
    const auto [FirstZ, LastZ] = Near(I / (N * N));
    const auto [FirstY, LastY] = Near(I / N % N);
    const auto [FirstX, LastX] = Near(I % N);
    for (long Z = FirstZ; Z <= LastZ; ++Z)
      for (long Y = FirstY; Y <= LastY; ++Y)
        for (long X = FirstX; X <= LastX; ++X)
          Columns.push_back(static_cast<int>((Z * N + Y) * N + X));
  });
}

/// Returns the matrix of finite elements on N x N nodes with dense blocks of \p Block unknowns.
inline CsrMatrix elements(long N, long Block) {
  return fromRows(N * N * Block, [=](long I, std::vector<int> &Columns) {
    const long Node = I / Block, Y = Node / N, X = Node % N;
    for (long NextY = std::max(Y - 1, 0L); NextY <= std::min(Y + 1, N - 1); ++NextY)
      for (long NextX = std::max(X - 1, 0L); NextX <= std::min(X + 1, N - 1); ++NextX)
        for (long B = 0; B < Block; ++B)
          Columns.push_back(static_cast<int>((NextY * N + NextX) * Block + B));
  });
}

/// Returns the matrix of N x N finite elements of second order: nodes at corners, on edges and in
/// the middle have rows of different lengths.
inline CsrMatrix quadratic(long N) {
  const long Side = 2 * N + 1;
  auto Reach = [Side](long P) { // the nodes that share an element with node P of a line
    const long Radius = P % 2 == 0 ? 2 : 1;
    return std::pair(std::max(P - Radius, 0L), std::min(P + Radius, Side - 1));
  };
  return fromRows(Side * Side, [=](long I, std::vector<int> &Columns) {
    const auto [FirstY, LastY] = Reach(I / Side);
    const auto [FirstX, LastX] = Reach(I % Side);
    for (long Y = FirstY; Y <= LastY; ++Y)
      for (long X = FirstX; X <= LastX; ++X)
        Columns.push_back(static_cast<int>(Y * Side + X));
  });
}

/// Returns a matrix with all entries at most \p Width from the diagonal.
inline CsrMatrix band(long N, long Width) {
  return fromRows(N, [=](long I, std::vector<int> &Columns) {
    for (long J = std::max(I - Width, 0L); J <= std::min(I + Width, N - 1); ++J)
      Columns.push_back(static_cast<int>(J));
  });
}

/// Returns a matrix with a diagonal, the last row and the last column.
inline CsrMatrix arrow(long N) {
  return fromRows(N, [N](long I, std::vector<int> &Columns) {
    if (I < N - 1) {
      Columns.push_back(static_cast<int>(I));
      Columns.push_back(static_cast<int>(N - 1));
    } else {
      for (long J = 0; J < N; ++J)
        Columns.push_back(static_cast<int>(J));
    }
  });
}

/// Returns the matrix of a graph with \p Edges, without loops and double edges.
inline CsrMatrix fromEdges(long N, const std::vector<std::pair<int, int>> &Edges) {
  std::vector<std::vector<int>> Neighbours(N);
  for (long I = 0; I < N; ++I)
    Neighbours[I].push_back(static_cast<int>(I));
  for (const auto &[I, J] : Edges) {
    Neighbours[I].push_back(J);
    Neighbours[J].push_back(I);
  }
  return fromRows(N, [&](long I, std::vector<int> &Columns) {
    std::vector<int> &Row = Neighbours[I];
    std::sort(Row.begin(), Row.end());
    Columns.insert(Columns.end(), Row.begin(), std::unique(Row.begin(), Row.end()));
  });
}

/// Returns the matrix of a graph with \p Degree edges from every node to random other nodes.
inline CsrMatrix randomGraph(long N, long Degree) {
  Random Numbers(7);
  std::vector<std::pair<int, int>> Edges;
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < Degree; ++K)
      Edges.emplace_back(I, static_cast<int>((Numbers.next() + 1) / 2 * static_cast<double>(N)));
  return fromEdges(N, Edges);
}

/// Returns the matrix of a graph in which few nodes have many edges, by a power law.
inline CsrMatrix powerLaw(long N, long Degree) {
  Random Numbers(11);
  std::vector<std::pair<int, int>> Edges;
  for (long I = 0; I < N; ++I)
    for (long K = 0; K < Degree; ++K) {
      const double Where = (Numbers.next() + 1) / 2;
      Edges.emplace_back(I, static_cast<int>(Where * Where * Where * static_cast<double>(N)));
    }
  return fromEdges(N, Edges);
}

/// Returns \p A with its rows and columns in a random order.
inline CsrMatrix permuted(const CsrMatrix &A) {
  std::vector<int> Old(A.Rows), New(A.Rows);
  std::iota(Old.begin(), Old.end(), 0);
  Random Numbers(13);
  for (long I = A.Rows - 1; I > 0; --I)
    std::swap(Old[I],
              Old[static_cast<long>((Numbers.next() + 1) / 2 * static_cast<double>(I + 1))]);
  for (long I = 0; I < A.Rows; ++I)
    New[Old[I]] = static_cast<int>(I);
  return fromRows(A.Rows, [&](long I, std::vector<int> &Columns) {
    const long First = static_cast<long>(Columns.size());
    for (int K = A.RowStart[Old[I]]; K < A.RowStart[Old[I] + 1]; ++K)
      Columns.push_back(New[A.Column[K]]);
    std::sort(Columns.begin() + First, Columns.end());
  });
}

/// The arguments of namedMatrix(), for the help of programs.
inline constexpr const char *MatrixHelp =
    "a Matrix Market file, or grid2d:N, grid3d:N, cubes:N, elements3:N, elements6:N, quadratic:N, "
    "band:N, chain:N, arrow:N, random:N, powerlaw:N, permuted:NAME:N";

/// Returns the matrix that \p Text names as in MatrixHelp. Ends the program with a message if none.
inline CsrMatrix namedMatrix(const std::string &Text) {
  const size_t Colon = Text.find(':');
  const std::string Name = Text.substr(0, Colon);
  if (Colon == Text.npos)
    return MatrixMarketReader(Text).read();
  const std::string Rest = Text.substr(Colon + 1);
  if (Name == "permuted")
    return permuted(namedMatrix(Rest));
  struct Maker {
    const char *Name;
    CsrMatrix (*Make)(long);
    long Most; // so that an int can count the entries
  };
  static constexpr Maker Makers[] = {
      {"grid2d", grid2d, 10000},
      {"grid3d", grid3d, 600},
      {"cubes", cubes, 400},
      {"elements3", [](long N) { return elements(N, 3); }, 4000},
      {"elements6", [](long N) { return elements(N, 6); }, 2000},
      {"quadratic", quadratic, 4000},
      {"band", [](long N) { return band(N, 5); }, 100000000},
      {"chain", [](long N) { return band(N, 1); }, 100000000},
      {"arrow", arrow, 100000000},
      {"random", [](long N) { return randomGraph(N, 8); }, 50000000},
      {"powerlaw", [](long N) { return powerLaw(N, 8); }, 50000000},
  };
  for (const Maker &M : Makers) {
    if (Name != M.Name)
      continue;
    long N = 0;
    auto [End, Error] = std::from_chars(Rest.data(), Rest.data() + Rest.size(), N);
    if (Error != std::errc() || End != Rest.data() + Rest.size() || N < 2 || N > M.Most)
      fail("the size of '" + Text + "' must be an integer from 2 to " + std::to_string(M.Most));
    return M.Make(N);
  }
  return MatrixMarketReader(Text).read(); // a file may have a colon in its name
}

/// Does the same, and ends the program if the matrix is not square.
inline CsrMatrix squareMatrix(const std::string &Text) {
  CsrMatrix A = namedMatrix(Text);
  if (A.Rows != A.Columns)
    fail("'" + Text + "' is not square: " + std::to_string(A.Rows) + " x " +
         std::to_string(A.Columns));
  return A;
}

/// Does the same, and ends the program if the matrix is not symmetric.
inline CsrMatrix symmetricMatrix(const std::string &Text) {
  CsrMatrix A = squareMatrix(Text);
  auto ValueAt = [&A](long Row, long Column) {
    const auto Begin = A.Column.begin() + A.RowStart[Row];
    const auto End = A.Column.begin() + A.RowStart[Row + 1];
    const auto At = std::lower_bound(Begin, End, Column);
    return At != End && *At == Column ? A.Value[At - A.Column.begin()] : 0.0;
  };
  for (long I = 0; I < A.Rows; ++I)
    for (int K = A.RowStart[I]; K < A.RowStart[I + 1]; ++K)
      if (ValueAt(A.Column[K], I) != ValueAt(I, A.Column[K]))
        fail("'" + Text + "' is not symmetric: see entry (" + std::to_string(I + 1) + ", " +
             std::to_string(A.Column[K] + 1) + ")");
  return A;
}

} // namespace example

#endif
