//===- jit/allocation_points.cpp - where another thread can stop a compile ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/allocation_points.h"
#include "jit/code/llvm_imports.h"
#include "jit/containment.h"
#include "specializer/module/budget.h"
#include "specializer/polyhedral/model/isl_work.h"

#include <cstdint>
#include <cstdlib>
#include <new>

extern "C" void __register_frame_info(const void *Begin, void *Object);

namespace specrt {
namespace {

/// Null only for the program's own use of libLLVM.
void *given(void *Memory, size_t Bytes) {
  if (!Memory && Bytes != 0)
    giveUpWithoutMemory();
  return Memory;
}

void *allocate(size_t Bytes) {
  CompileControl::checkpointOfThisThread();
  obeyInterruptOfIsl();
  return given(std::malloc(Bytes), Bytes);
}

void *allocateZeroed(size_t Count, size_t Bytes) {
  return given(std::calloc(Count, Bytes), Count * Bytes);
}

/// As libgcc's __register_frame, which does not look whether it got memory.
void registerFrames(const void *Begin) {
  constexpr size_t ObjectBytes = 8 * sizeof(void *); // what libgcc promises to need
  if (*static_cast<const uint32_t *>(Begin) == 0)
    return;
  if (void *Object = given(std::malloc(ObjectBytes), ObjectBytes))
    __register_frame_info(Begin, Object);
}

void *reallocate(void *Memory, size_t Bytes) { return given(std::realloc(Memory, Bytes), Bytes); }

void release(void *Memory) {
  CompileControl::checkpointOfThisThread();
  std::free(Memory);
}

void *newObject(size_t Bytes) {
  CompileControl::checkpointOfThisThread();
  if (void *Memory = ::operator new(Bytes, std::nothrow))
    return Memory;
  // Not by an exception: on its way through functions of the C library these would load libgcc.
  giveUpWithoutMemory();
  return ::operator new(Bytes);
}

void deleteObject(void *Object) {
  CompileControl::checkpointOfThisThread();
  ::operator delete(Object);
}

void deleteSized(void *Object, size_t Bytes) {
  CompileControl::checkpointOfThisThread();
  ::operator delete(Object, Bytes);
}

} // namespace

bool stopCompilesWhereTheyAllocate() {
  // The others are called seldom enough to do without. C code in libLLVM that finds no memory then
  // may crash.
  (void)replaceImportOfLLVM("calloc", reinterpret_cast<void *>(&allocateZeroed));
  (void)replaceImportOfLLVM("realloc", reinterpret_cast<void *>(&reallocate));
  (void)replaceImportOfLLVM("__register_frame", reinterpret_cast<void *>(&registerFrames));
  (void)replaceImportOfLLVM("free", reinterpret_cast<void *>(&release));
  (void)replaceImportOfLLVM("_ZdlPv", reinterpret_cast<void *>(&deleteObject));
  (void)replaceImportOfLLVM("_ZdlPvm", reinterpret_cast<void *>(&deleteSized));
  return replaceImportOfLLVM("_Znwm", reinterpret_cast<void *>(&newObject)) &&
         replaceImportOfLLVM("malloc", reinterpret_cast<void *>(&allocate));
}

} // namespace specrt
