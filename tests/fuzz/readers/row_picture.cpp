//===- tests/fuzz/readers/row_picture.cpp - pictures in persistent plans ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "structure/summary/row_picture.h"
#include "tests/fuzz/readers/reader.h"

#include <cstring>

using namespace specrt;

int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  std::vector<int64_t> Numbers(Size / sizeof(int64_t));
  if (!Numbers.empty())
    std::memcpy(Numbers.data(), Data, Numbers.size() * sizeof(int64_t));
  const std::shared_ptr<const RowPicture> Read = RowPicture::of(Numbers);
  if (!Read)
    return 0;
  demand(RowPicture::of(Read->numbers()) != nullptr, "what was read can be written and read");
  const RowCells Cells = Read->cells();
  demand(Cells.Width <= RowPicture::MaxCells && Cells.Lines.size() <= RowPicture::MaxCells,
         "no picture is larger");
  for (const std::vector<uint32_t> &Line : Cells.Lines)
    for (const uint32_t Cell : Line)
      demand(Cell < Cells.Width, "cells are in the picture");
  return 0;
}

std::vector<std::string> seeds() {
  RowPicture Picture(3, 100);
  for (const std::vector<uint32_t> &Row : {std::vector<uint32_t>{1, 50}, {}, {99}})
    Picture.showRow(Row);
  Picture.setClasses({0, 1, 0});
  const std::vector<int64_t> Numbers = Picture.numbers();
  return {{reinterpret_cast<const char *>(Numbers.data()), Numbers.size() * sizeof(int64_t)}};
}
