//===- specializer/dump.cpp - files for SPECRT_DUMP -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/dump.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace specrt {

void dumpTo(const char *Directory, StringRef RegionName, StringRef Stage,
            function_ref<void(raw_ostream &)> Print) {
  if (!Directory || !*Directory)
    return;
  std::string Safe = RegionName.substr(0, 100).str();
  for (char &C : Safe)
    if (!isAlnum(C) && C != '_' && C != '-')
      C = '_';
  SmallString<256> Path(Directory);
  if (sys::fs::create_directories(Path))
    return;
  sys::path::append(Path, Safe + "." + Stage);
  std::error_code Problem;
  raw_fd_ostream Stream(Path, Problem, sys::fs::OF_Text);
  if (Problem)
    return;
  Print(Stream);
  Stream.close();
  // An unreported error would end the process in the stream's destructor.
  Stream.clear_error();
}

} // namespace specrt
