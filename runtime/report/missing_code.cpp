//===- runtime/report/missing_code.cpp - functions without code, in words -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/report/missing_code.h"
#include "guards/words.h"
#include "runtime/base/reasons.h"
#include "runtime/compile/loaded_object.h"

namespace specrt {
namespace {

/// Returns the file name of the shared library that contains \p Function; "" when it is the one
/// that contains the region, or the program itself.
std::string libraryOf(const void *Function, const specrt_region &Region) {
  const link_map *Image = Function ? loadedObjectAt(Function) : nullptr;
  if (!Image || Image == loadedObjectAt(Region.slot))
    return "";
  const std::string Path = Image->l_name ? Image->l_name : "";
  return Path.substr(Path.rfind('/') + 1);
}

} // namespace

MissingCodeWords describe(const MissingCode &Missing, const specrt_region &Region) {
  std::string Text = words(Reason::CodeElsewhere);
  const char *Advice = adviceForReason(Text);
  const std::string Function = demangled(Missing.Symbol);
  switch (Missing.Why) {
  case MissingCode::Cause::NotKnown: {
    const std::string Library = libraryOf(Missing.Address, Region);
    if (Library.empty())
      return {Text + ": " + Function, Advice};
    return {Text + ": " + Function + " of " + Library,
            "Libraries that were not compiled with specrt-clang come without code. Call the "
            "function before the loop and keep what it gives in an array, or write what it does "
            "into the loop."};
  }
  case MissingCode::Cause::CallsItself:
    return {Text + ": " + Function + " leads back to itself",
            "Functions that call themselves in the end stay calls. Move the call out of the loop."};
  case MissingCode::Cause::TooMany:
    return {Text + ": with " + Function + " there would be too many of them",
            "A region takes over a few small functions of other files. Put the small ones into a "
            "header, or split the loop into loops that call fewer."};
  case MissingCode::Cause::Ambiguous:
    return {Text + ": two names in them stand for one place",
            "Two names of one function or variable (an alias, or functions that the linker has "
            "folded) cannot be told apart. Use one name, or link without --icf=all."};
  }
  return {Text, Advice};
}

} // namespace specrt
