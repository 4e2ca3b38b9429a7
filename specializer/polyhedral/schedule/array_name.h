//===- specializer/polyhedral/schedule/array_name.h - how explanations name arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_ARRAY_NAME_H
#define SPECRT_SPECIALIZER_POLYHEDRAL_SCHEDULE_ARRAY_NAME_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace llvm {
class Value;
}

namespace specrt {

/// Returns the name that the source has for the array which begins at a value, "" if it has none.
/// A null function stands for the names of the model.
using NameOfArray = llvm::function_ref<std::string(const llvm::Value &)>;

} // namespace specrt

#endif
