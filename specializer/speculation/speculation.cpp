//===- specializer/speculation/speculation.cpp - knowledge to be guarded ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/speculation/speculation.h"

namespace specrt {

std::string baseName(const specrt_base &Base, const specrt_region &Region) {
  if (Base.kind == SPECRT_BASE_SYMBOL)
    return std::string("the global ") +
           (Base.index < Region.num_symbols ? Region.symbols[Base.index].name : "?");
  std::string Name = "argument " + std::to_string(Base.index);
  if (Base.index < Region.num_args && Region.arg_names && Region.arg_names[Base.index] &&
      *Region.arg_names[Base.index])
    Name = Region.arg_names[Base.index];
  if (Base.kind == SPECRT_BASE_LOADED)
    return "the pointer at " + Name + "+" + std::to_string(Base.offset);
  return Name;
}

} // namespace specrt
