//===- tools/propagate/matrix_file.cpp - patterns of Matrix Market files ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/propagate/matrix_file.h"
#include "structure/matrix_market.h"
#include "tools/command_error.h"
#include "tools/terminal.h"

#include <new>

namespace specrt::tools {

static LoadedPattern load(const std::string &File) {
  const MatrixMarketFile Read = readMatrixMarket(File, /*NeedsValues=*/false);
  std::vector<int64_t> Start(static_cast<size_t>(Read.Rows) + 1), Column(Read.Entries.size());
  for (const MatrixMarketEntry &E : Read.Entries)
    ++Start[static_cast<size_t>(E.Row) + 1];
  for (size_t I = 1; I < Start.size(); ++I)
    Start[I] += Start[I - 1];
  std::vector<int64_t> Next(Start.begin(), Start.end() - 1);
  for (const MatrixMarketEntry &E : Read.Entries)
    Column[static_cast<size_t>(Next[static_cast<size_t>(E.Row)]++)] = E.Column;
  LoadedPattern Result{sortedPattern(Read.Columns, Start, Column), Read.Symmetric};
  Result.Repeated = Column.size() - Result.Pattern.entries();
  return Result;
}

LoadedPattern loadPattern(const std::string &File) {
  try {
    return load(File);
  } catch (const MatrixMarketError &Error) {
    throw CommandError(ExitUsage, printable(Error.what()));
  } catch (const std::bad_alloc &) {
    throw CommandError(ExitUsage, printable(File) + ": there is not enough memory");
  }
}

} // namespace specrt::tools
