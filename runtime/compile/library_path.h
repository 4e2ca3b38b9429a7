//===- runtime/compile/library_path.h - what lies beside libspecrt.so -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_COMPILE_LIBRARY_PATH_H
#define SPECRT_RUNTIME_COMPILE_LIBRARY_PATH_H

#include <string>

namespace specrt {

/// The file that libspecrt.so was loaded from; "" when unknown. Found while it is loaded, because
/// the loader's lock must not be waited for later on.
const char *libraryPath();

/// For a program that is not libspecrt.so but belongs to the one at \p Path, as a server does. To
/// be called before anybody asks; \p Path stays.
void setLibraryPath(const char *Path);

/// The folder of libraryPath(), without a slash at the end; "" when unknown.
std::string libraryDirectory();

} // namespace specrt

#endif
