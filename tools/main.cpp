//===- tools/main.cpp - the program `specrt` ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/commands.h"

int main(int Argc, char **Argv) { return specrt::tools::runCommandLine(Argc, Argv); }
