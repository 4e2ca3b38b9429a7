//===- runtime/base/export.h - marks the functions that libspecrt.so exports ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_BASE_EXPORT_H
#define SPECRT_RUNTIME_BASE_EXPORT_H

/// Marks definitions only, because the public headers are also compiled into programs.
#define SPECRT_EXPORT extern "C" __attribute__((visibility("default")))

#endif
