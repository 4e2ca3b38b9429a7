//===- arch/x86_64/region_calls.cpp - calls of regions of any signature ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arch/x86_64/region_calls.h"

#include <cstddef>

namespace specrt {

/// Clears the upper bits of a narrow integer, which callers leave undefined.
static uint64_t narrowed(uint64_t Word, uint8_t Kind) {
  switch (Kind) {
  case SPECRT_KIND_I1:
    return Word & 1;
  case SPECRT_KIND_I8:
    return static_cast<uint8_t>(Word);
  case SPECRT_KIND_I16:
    return static_cast<uint16_t>(Word);
  case SPECRT_KIND_I32:
  case SPECRT_KIND_F32:
    return static_cast<uint32_t>(Word);
  default:
    return Word;
  }
}

uint64_t ArgumentReader::next(uint8_t Kind) {
  if (Kind == SPECRT_KIND_F32 || Kind == SPECRT_KIND_F64)
    return narrowed(InVector < 8 ? Saved.Vector[InVector++] : Stack[OnStack++], Kind);
  return narrowed(InGeneral < 6 ? Saved.General[InGeneral++] : Stack[OnStack++], Kind);
}

} // namespace specrt

// The frame of both functions, below the saved rbp: the record, room for a result, SavedArguments,
// specrt_call, and the packed arguments, whose number is the region's.
static constexpr int FrameBytes = 16 + sizeof(specrt::SavedArguments) + sizeof(specrt_call);
static_assert(FrameBytes == 192 && sizeof(specrt::SavedArguments) == 112);

// rax holds the region. Unwinders find the frame by rbp.
#define SPECRT_SAVE_ARGUMENTS                                                                      \
  "push %%rbp\n\t"                                                                                 \
  ".cfi_def_cfa_offset 16\n\t"                                                                     \
  ".cfi_offset %%rbp, -16\n\t"                                                                     \
  "mov %%rsp, %%rbp\n\t"                                                                           \
  ".cfi_def_cfa_register %%rbp\n\t"                                                                \
  "sub $192, %%rsp\n\t"                                                                            \
  "mov %%r10, -8(%%rbp)\n\t"                                                                       \
  "mov %%rdi, -128(%%rbp)\n\t"                                                                     \
  "mov %%rsi, -120(%%rbp)\n\t"                                                                     \
  "mov %%rdx, -112(%%rbp)\n\t"                                                                     \
  "mov %%rcx, -104(%%rbp)\n\t"                                                                     \
  "mov %%r8, -96(%%rbp)\n\t"                                                                       \
  "mov %%r9, -88(%%rbp)\n\t"                                                                       \
  "movlps %%xmm0, -80(%%rbp)\n\t"                                                                  \
  "movlps %%xmm1, -72(%%rbp)\n\t"                                                                  \
  "movlps %%xmm2, -64(%%rbp)\n\t"                                                                  \
  "movlps %%xmm3, -56(%%rbp)\n\t"                                                                  \
  "movlps %%xmm4, -48(%%rbp)\n\t"                                                                  \
  "movlps %%xmm5, -40(%%rbp)\n\t"                                                                  \
  "movlps %%xmm6, -32(%%rbp)\n\t"                                                                  \
  "movlps %%xmm7, -24(%%rbp)\n\t"                                                                  \
  "mov %c[args](%%rax), %%eax\n\t"                                                                 \
  "lea 8(,%%rax,8), %%rax\n\t"                                                                     \
  "and $-16, %%rax\n\t"                                                                            \
  "sub %%rax, %%rsp\n\t"                                                                           \
  "mov %%r10, %%rdi\n\t"                                                                           \
  "lea -128(%%rbp), %%rsi\n\t"                                                                     \
  "lea 16(%%rbp), %%rdx\n\t"                                                                       \
  "mov %%rsp, %%rcx\n\t"

#define SPECRT_LEAVE_FRAME                                                                         \
  ".cfi_remember_state\n\t"                                                                        \
  "leave\n\t"                                                                                      \
  ".cfi_def_cfa %%rsp, 8\n\t"                                                                      \
  "ret\n\t"                                                                                        \
  ".cfi_restore_state\n\t"

/// Runs the nest in place when the region is no longer registered.
extern "C" __attribute__((naked)) void regionThunk(void) {
  __asm__("endbr64\n\t"
          // This decrement is not atomic. Two threads may count as one: the number of calls is
          // approximate.
          "mov %c[pass_by](%%r10), %%rax\n\t"
          "test %%rax, %%rax\n\t"
          "jne 5f\n\t"
          "mov %c[region](%%r10), %%rax\n\t"
          "test %%rax, %%rax\n\t"
          "je 6f\n\t" SPECRT_SAVE_ARGUMENTS "lea -192(%%rbp), %%r8\n\t"
          "call enterFromThunk\n\t"
          "test %%rax, %%rax\n\t"
          "je 4f\n\t"
          // The target expects the same stack contents that this function received.
          "mov %%rax, %%r11\n\t"
          "lea 8(,%%rdx,8), %%rax\n\t"
          "and $-16, %%rax\n\t"
          "sub %%rax, %%rsp\n\t"
          "jmp 3f\n"
          "2:\n\t"
          "mov 8(%%rbp,%%rdx,8), %%rax\n\t"
          "mov %%rax, -8(%%rsp,%%rdx,8)\n\t"
          "dec %%rdx\n"
          "3:\n\t"
          "test %%rdx, %%rdx\n\t"
          "jne 2b\n\t"
          "mov -8(%%rbp), %%r10\n\t"
          "mov -128(%%rbp), %%rdi\n\t"
          "mov -120(%%rbp), %%rsi\n\t"
          "mov -112(%%rbp), %%rdx\n\t"
          "mov -104(%%rbp), %%rcx\n\t"
          "mov -96(%%rbp), %%r8\n\t"
          "mov -88(%%rbp), %%r9\n\t"
          "movsd -80(%%rbp), %%xmm0\n\t"
          "movsd -72(%%rbp), %%xmm1\n\t"
          "movsd -64(%%rbp), %%xmm2\n\t"
          "movsd -56(%%rbp), %%xmm3\n\t"
          "movsd -48(%%rbp), %%xmm4\n\t"
          "movsd -40(%%rbp), %%xmm5\n\t"
          "movsd -32(%%rbp), %%xmm6\n\t"
          "movsd -24(%%rbp), %%xmm7\n\t"
          "call *%%r11\n\t"
          "mov %%eax, -16(%%rbp)\n\t"
          "mov -8(%%rbp), %%rdi\n\t"
          "lea -192(%%rbp), %%rsi\n\t"
          "call leaveFromThunk\n\t"
          "mov -16(%%rbp), %%eax\n\t" SPECRT_LEAVE_FRAME "4:\n\t"
          "mov -192(%%rbp), %%eax\n\t"
          "leave\n\t"
          ".cfi_def_cfa %%rsp, 8\n\t"
          "ret\n"
          "5:\n\t"
          "dec %%rax\n\t"
          "mov %%rax, %c[pass_by](%%r10)\n"
          "6:\n\t"
          "xor %%eax, %%eax\n\t"
          "ret"
          :
          : [pass_by] "i"(offsetof(specrt_record, pass_by)),
            [region] "i"(offsetof(specrt_record, region)),
            [args] "i"(offsetof(specrt_region, num_args)));
}

/// Nests call this with LLVM's preserve_most convention: all general registers are preserved except
/// those of the result and r11.
extern "C" __attribute__((naked, visibility("default"))) void specrt_poll_nest(void) {
  __asm__("endbr64\n\t"
          "mov %c[region](%%r10), %%rax\n\t"
          "test %%rax, %%rax\n\t"
          "je 2f\n\t" SPECRT_SAVE_ARGUMENTS "call pollFromNest\n\t"
          "mov -128(%%rbp), %%rdi\n\t"
          "mov -120(%%rbp), %%rsi\n\t"
          "mov -104(%%rbp), %%rcx\n\t"
          "mov -96(%%rbp), %%r8\n\t"
          "mov -88(%%rbp), %%r9\n\t"
          "mov -8(%%rbp), %%r10\n\t" SPECRT_LEAVE_FRAME ".cfi_def_cfa %%rsp, 8\n"
          "2:\n\t"
          "xor %%edx, %%edx\n\t"
          "ret"
          :
          : [region] "i"(offsetof(specrt_record, region)), [args] "i"(
                                                               offsetof(specrt_region, num_args)));
}
