//===- arch/x86_64/processor_identity.cpp - tells processor models apart ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arch/x86_64/processor_identity.h"

#include <cpuid.h>
#include <cstdio>

namespace specrt {

std::string processorIdentity() {
  struct Leaf {
    unsigned Number, Sub;
    unsigned Mask[4]; // of eax, ebx, ecx, edx
  };
  constexpr unsigned All = ~0u;
  // The mask of leaf 1 clears the core's APIC number in ebx and keeps OSXSAVE in ecx.
  static constexpr Leaf Leaves[] = {
      {0, 0, {0, All, All, All}},     {1, 0, {All, 0, All, All}}, {7, 0, {0, All, All, All}},
      {7, 1, {All, 0, 0, All}},       {0xd, 1, {All, 0, 0, 0}},   {0x14, 0, {0, All, 0, 0}},
      {0x19, 0, {0, All, 0, 0}},      {0x24, 0, {0, All, 0, 0}},  {0x80000001, 0, {0, 0, All, All}},
      {0x80000008, 0, {0, All, 0, 0}}};
  constexpr unsigned Extended = 0x80000000;
  const unsigned Highest[] = {__get_cpuid_max(0, nullptr), __get_cpuid_max(Extended, nullptr)};
  std::string Text;
  char Word[16];
  for (const Leaf &L : Leaves) {
    unsigned Registers[4] = {0, 0, 0, 0};
    if (L.Number <= Highest[L.Number >= Extended])
      __cpuid_count(L.Number, L.Sub, Registers[0], Registers[1], Registers[2], Registers[3]);
    for (int I = 0; I < 4; ++I)
      if (L.Mask[I]) {
        std::snprintf(Word, sizeof(Word), "%x.", Registers[I] & L.Mask[I]);
        Text += Word;
      }
  }
  unsigned A, B, C, D;
  if (__get_cpuid(1, &A, &B, &C, &D) && (C & bit_OSXSAVE)) {
    unsigned Low, High;
    __asm__ volatile("xgetbv" : "=a"(Low), "=d"(High) : "c"(0));
    std::snprintf(Word, sizeof(Word), "%x", Low);
    Text += Word;
  }
  return Text;
}

} // namespace specrt
