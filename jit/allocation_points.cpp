//===- jit/allocation_points.cpp - where another thread can stop a compile ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/allocation_points.h"
#include "jit/code/llvm_imports.h"
#include "specializer/module/budget.h"
#include "specializer/polyhedral/model/isl_work.h"

#include <cstdlib>
#include <new>

namespace specrt {
namespace {

void *allocate(size_t Bytes) {
  CompileControl::checkpointOfThisThread();
  obeyInterruptOfIsl();
  return std::malloc(Bytes);
}

void release(void *Memory) {
  CompileControl::checkpointOfThisThread();
  std::free(Memory);
}

void *newObject(size_t Bytes) {
  CompileControl::checkpointOfThisThread();
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
  // The others are called seldom enough to do without.
  (void)replaceImportOfLLVM("free", reinterpret_cast<void *>(&release));
  (void)replaceImportOfLLVM("_ZdlPv", reinterpret_cast<void *>(&deleteObject));
  (void)replaceImportOfLLVM("_ZdlPvm", reinterpret_cast<void *>(&deleteSized));
  return replaceImportOfLLVM("_Znwm", reinterpret_cast<void *>(&newObject)) &&
         replaceImportOfLLVM("malloc", reinterpret_cast<void *>(&allocate));
}

} // namespace specrt
