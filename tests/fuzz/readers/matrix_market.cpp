//===- tests/fuzz/readers/matrix_market.cpp - matrices in files -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/matrix_market.h"
#include "tests/fuzz/readers/reader.h"
#include "tools/command_error.h"
#include "tools/propagate/matrix_file.h"

using namespace specrt;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const FileOfBytes File(viewOf(Data, Size));
  for (const bool NeedsValues : {false, true})
    try {
      const MatrixMarketFile Read = readMatrixMarket(File.path(), NeedsValues);
      for (const MatrixMarketEntry &E : Read.Entries)
        demand(E.Row >= 0 && E.Row < Read.Rows && E.Column >= 0 && E.Column < Read.Columns,
               "entries are in the matrix");
      demand(!Read.Symmetric || Read.Rows == Read.Columns, "symmetric ones are square");
    } catch (const MatrixMarketError &) {
    }
  try {
    tools::loadPattern(File.path());
  } catch (const tools::CommandError &) {
  }
  return 0;
}

std::vector<std::string> seeds() {
  const std::string Head = "%%MatrixMarket matrix coordinate ";
  return {Head + "real general\n% of nothing\n3 4 3\n1 1 1.5\n3 4 -2e3\n2 2 1e999\n",
          Head + "pattern symmetric\n3 3 2\n1 1\n3 2\n",
          Head + "complex hermitian\n2 2 1\n2 1 1 -1\n",
          Head + "integer skew-symmetric\n5 5 1\n5 4 7\n",
          Head + "pattern general\n100000000 100000000 1\n1 1\n"};
}
