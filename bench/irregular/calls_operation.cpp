//===- bench/irregular/calls_operation.cpp - the operation of calls.cpp ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

double combine(double A, double B) { return A + B; }
