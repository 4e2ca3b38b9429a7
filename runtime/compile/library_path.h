//===- runtime/compile/library_path.h - finds files beside libspecrt.so ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_LIBRARY_PATH_H
#define SPECRT_RUNTIME_COMPILE_LIBRARY_PATH_H

#include <string>

namespace specrt {

/// Returns the file that libspecrt.so was loaded from; "" when unknown. It is looked up when the
/// library is loaded, because waiting for the loader's lock later could deadlock.
const char *libraryPath();

/// Sets libraryPath() in a server, which contains the code of libspecrt.so but was not loaded from
/// that file. Must be called before the other functions. \p Path must stay valid.
void setLibraryPath(const char *Path);

/// Returns the folder of libraryPath(), without a slash at the end; "" when unknown.
std::string libraryDirectory();

} // namespace specrt

#endif
