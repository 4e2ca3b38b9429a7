/* specrt/annotations.h - marks in the source for specrt-clang.
 *
 * Both macros stand before a function definition, in C and C++, and mean nothing to other
 * compilers: SPECRT_REGION void gemm(...) { ... } A marked function is not inlined: after inlining
 * its loops would belong to the caller.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_ANNOTATIONS_H
#define SPECRT_ANNOTATIONS_H

#if defined(__clang__)
/* The function's loops become regions even under -specrt-annotated-only, a filter, or a small trip
 * count. */
#define SPECRT_REGION __attribute__((annotate("specrt_region"), noinline))
/* The function's loops stay as they are. */
#define SPECRT_NOINSTRUMENT __attribute__((annotate("specrt_noinstrument"), noinline))
#else
#define SPECRT_REGION
#define SPECRT_NOINSTRUMENT
#endif

#endif
