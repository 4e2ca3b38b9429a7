//===- specializer/polyhedral/polly_options.cpp - set Polly's global options for a while
//--------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "specializer/polyhedral/polly_options.h"

using namespace llvm;

namespace specrt {

bool PollyOptionScope::set(StringRef Name, StringRef Value) {
  auto &Registered = cl::getRegisteredOptions();
  auto It = Registered.find(Name);
  if (It == Registered.end())
    return false;
  cl::Option *Option = It->second;
  // An option that may occur once counts its occurrences; reset() forgets earlier ones.
  Option->reset();
  Changed.push_back(Option);
  return !Option->addOccurrence(0, Name, Value);
}

PollyOptionScope::~PollyOptionScope() {
  for (cl::Option *Option : Changed)
    Option->reset();
}

} // namespace specrt
