/* specrt/wrap.h - functions that were not compiled with specrt-clang.
 *
 * A function from a library built by gcc, or from a plug-in, can take part when its LLVM bitcode is
 * at hand, made from the same source:
 *
 *   clang-22 -O1 -Xclang -disable-llvm-passes -g -emit-llvm -c kernel.c -o kernel.bc
 *
 *   double (*dot)(const double *, const double *, long) = dlsym(plugin, "dot");
 *   void *wrapped = specrt_wrap((void *)dot, "f64 dot(ptr, ptr, i64)", bitcode, size);
 *   if (wrapped)
 *     dot = (double (*)(const double *, const double *, long))wrapped;
 *
 * Calls through the callable are observed and specialised as those of an instrumented region;
 * until then, and whenever no version fits, they run the function itself. The function appears in
 * reports and in specrt_for_each_region under the name in its signature.
 *
 * Signatures: result, name and arguments, "f64 norm({f64, f64} point, i32 power)". The name is that
 * of the function in the bitcode, as the linker knows it (mangled in C++). Types:
 *   void bool i8 u8 i16 u16 i32 u32 i64 u64 f32 f64 ptr   and structs {type, ...}, nested up to 8
 * deep An array in a struct is written as its elements. Up to 32 arguments, each with or without a
 * name; structs of up to 4096 bytes.
 *
 * All functions are thread-safe and never throw. They are not async-signal-safe; callables are as
 * safe as the function itself.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_WRAP_H
#define SPECRT_WRAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum specrt_wrap_code {
  SPECRT_WRAP_OK = 0,
  SPECRT_WRAP_INVALID = 1,     /* a null pointer, or a callable that is none (any more) */
  SPECRT_WRAP_SIGNATURE = 2,   /* the signature cannot be read; the message gives the position */
  SPECRT_WRAP_BITCODE = 3,     /* no bitcode, damaged, or it does not define the function */
  SPECRT_WRAP_MISMATCH = 4,    /* the function in the bitcode has another type */
  SPECRT_WRAP_UNSUPPORTED = 5, /* no version of this function can be made; it runs as it is */
  SPECRT_WRAP_MEMORY = 6,      /* no memory, or none that may hold code */
  /* compiling is off, or specrt-server, libspecrt-jit.so or LLVM cannot be used */
  SPECRT_WRAP_NO_COMPILER = 7,
  SPECRT_WRAP_TIMEOUT = 8
};

enum { SPECRT_WRAP_MAX_ARGUMENTS = 32 };

/* Returns a callable of the same C signature, or null; then specrt_wrap_error tells why. With
 * SPECRT_DISABLE that callable is the function itself.
 *
 * The signature and the bitcode are copied; the library or plug-in that holds the function stays
 * loaded until specrt_unwrap. The bitcode must be that of the function: what it computes cannot be
 * compared, only its type. The compile server reads it when the function has become hot; what is
 * wrong with it then shows as the region's reason. specrt_wrap_verify asks earlier.
 *
 * Exceptions and longjmp may leave the function through a callable if they may leave the function,
 * but functions that handle exceptions themselves are not specialised. */
void *specrt_wrap(void *function, const char *signature, const void *bitcode, size_t size);

/* Ends what specrt_wrap began and frees the callable, which no thread may be running or call again.
 * Without it a callable lives until the process ends. The library that holds the function is
 * released now, on this thread; if its bitcode is being read just then, by the next call of a
 * function of this header or of specrt_wait_idle. Returns SPECRT_WRAP_OK or SPECRT_WRAP_INVALID. */
int specrt_unwrap(void *callable);

/* Has the compile server read the bitcode now, starting it if need be, and waits for the answer at
 * most timeout_ms milliseconds: for tests, and for programs that would rather know. Returns
 * SPECRT_WRAP_OK when versions can be made, or a code as above; the callable works in any case. */
int specrt_wrap_verify(void *callable, uint32_t timeout_ms);

/* The code of this thread's last call of a function above. message, unless it is null, receives one
 * sentence, "" without an error, which is valid until the thread calls one of them again. */
int specrt_wrap_error(const char **message);

#ifdef __cplusplus
}
#endif
#endif
