//===- profiler/observations/cell_values.cpp - reads a region's cells -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "profiler/observations/cell_values.h"

#include "support/memory/peek_memory.h"
#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

namespace specrt {
namespace {

uint64_t addressOf(const specrt_cell &Cell, const specrt_region &Region, const uint64_t *Packed) {
  uint64_t Base = Cell.base.kind == SPECRT_BASE_SYMBOL
                      ? reinterpret_cast<uint64_t>(Region.symbols[Cell.base.index].address)
                      : Packed[Cell.base.index];
  return Base + static_cast<uint64_t>(int64_t{Cell.begin});
}

/// Loads a value. Little-endian targets only: the low bytes are the first in memory.
uint64_t load(uint64_t Address, unsigned Width) {
  uint64_t Value = 0;
  std::memcpy(&Value, reinterpret_cast<const void *>(Address), Width);
  return Value;
}

/// Returns whether the bytes are on a page from which the call reads others.
bool isOnReadPage(uint64_t Address, unsigned Width, const specrt_region &Region,
                  const uint64_t *Packed) {
  auto Page = [](uint64_t A) { return A / 4096; }; // the smallest page size
  return Page(Address) == Page(Address + Width - 1) &&
         std::any_of(Region.cells, Region.cells + Region.num_cells, [&](const specrt_cell &Cell) {
           return Cell.certain && Page(addressOf(Cell, Region, Packed)) == Page(Address);
         });
}

} // namespace

CellValues readCells(const specrt_region &Region, const uint64_t *Packed) {
  CellValues Values{};
  for (uint32_t I = 0; I < Region.num_cells; ++I) {
    const specrt_cell &Cell = Region.cells[I];
    uint64_t Address = addressOf(Cell, Region, Packed);
    if (Cell.certain || isOnReadPage(Address, Cell.width, Region, Packed))
      Values[I] = load(Address, Cell.width);
    else
      Values[I] = peekMemory(Address, Cell.width).value_or(0);
  }
  return Values;
}

CellValues peekCells(const specrt_region &Region, const uint64_t *Packed) {
  CellValues Values{};
  for (uint32_t I = 0; I < Region.num_cells; ++I) {
    const specrt_cell &Cell = Region.cells[I];
    Values[I] = peekMemory(addressOf(Cell, Region, Packed), Cell.width).value_or(0);
  }
  return Values;
}

uint8_t kindOf(const specrt_cell &Cell) {
  // I8 = 2 for one byte, I64 = 5 for eight.
  return static_cast<uint8_t>(SPECRT_KIND_I8 + std::countr_zero(unsigned{Cell.width}));
}

std::vector<uint8_t> inputKinds(const specrt_region &Region) {
  std::vector<uint8_t> Kinds(Region.arg_kinds, Region.arg_kinds + Region.num_args);
  std::transform(Region.cells, Region.cells + Region.num_cells, std::back_inserter(Kinds), kindOf);
  return Kinds;
}

} // namespace specrt
