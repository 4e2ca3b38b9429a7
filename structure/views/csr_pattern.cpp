//===- structure/views/csr_pattern.cpp - patterns as compressed rows ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/views/csr_pattern.h"

#include <algorithm>

namespace specrt {

bool CsrPattern::contains(int64_t Row, uint32_t ColumnOfRow) const {
  const std::span<const uint32_t> All = row(Row);
  return std::binary_search(All.begin(), All.end(), ColumnOfRow);
}

size_t CsrPattern::bytes() const {
  return Start.size() * sizeof(Start[0]) + Column.size() * sizeof(Column[0]);
}

CsrPattern sortedPattern(int64_t Columns, std::span<const int64_t> Starts,
                         std::span<const int64_t> ColumnsOfRows) {
  CsrPattern Result;
  Result.Columns = Columns;
  Result.Column.reserve(ColumnsOfRows.size());
  for (size_t Row = 0; Row + 1 < Starts.size(); ++Row) {
    const auto From = static_cast<std::ptrdiff_t>(Result.Column.size());
    for (int64_t K = Starts[Row]; K < Starts[Row + 1]; ++K)
      Result.Column.push_back(static_cast<uint32_t>(ColumnsOfRows[static_cast<size_t>(K)]));
    const auto Begin = Result.Column.begin() + From;
    if (!std::is_sorted(Begin, Result.Column.end()))
      std::sort(Begin, Result.Column.end());
    Result.Column.erase(std::unique(Begin, Result.Column.end()), Result.Column.end());
    Result.endRow();
  }
  return Result;
}

CsrPattern transposed(const CsrPattern &Of) {
  CsrPattern Result;
  Result.Columns = Of.rows();
  Result.Start.assign(static_cast<size_t>(Of.Columns) + 1, 0);
  for (uint32_t Column : Of.Column)
    ++Result.Start[size_t{Column} + 1];
  for (size_t I = 1; I < Result.Start.size(); ++I)
    Result.Start[I] += Result.Start[I - 1];
  Result.Column.resize(Of.entries());
  std::vector<uint64_t> Next(Result.Start.begin(), Result.Start.end() - 1);
  for (int64_t Row = 0; Row < Of.rows(); ++Row)
    for (uint32_t Column : Of.row(Row))
      Result.Column[Next[Column]++] = static_cast<uint32_t>(Row);
  return Result;
}

} // namespace specrt
