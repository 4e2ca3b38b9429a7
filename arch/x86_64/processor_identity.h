//===- arch/x86_64/processor_identity.h - tells processor models apart ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_ARCH_X86_64_PROCESSOR_IDENTITY_H
#define SPECRT_ARCH_X86_64_PROCESSOR_IDENTITY_H

#include <string>

namespace specrt {

constexpr const char *TargetName = "x86_64-linux-gnu";

/// Returns the brand, family and model of the processor and every feature leaf of CPUID that the
/// compiler looks at, with the part of the state that the operating system saves: code made where
/// the text is equal runs here. Words that differ between the cores of one machine (APIC numbers,
/// topology) are left out.
std::string processorIdentity();

} // namespace specrt

#endif
