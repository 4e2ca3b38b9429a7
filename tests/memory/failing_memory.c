//===- tests/memory/failing_memory.c - lets allocations of a process fail ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To be preloaded. Counts the allocations of the main thread (FAIL_WHO=program) or of all others
// (FAIL_WHO=threads), from this library's constructor to the end, and lets FAIL_COUNT of them fail
// from the one with the number FAIL_FIRST on. An allocation is a call of malloc and its like, of
// mmap, or of pthread_create. How many there were, and how many of them failed, is in the file
// FAIL_FIGURES as two 64-bit numbers, also after a crash. A process that hangs is ended by SIGALRM.
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

struct figures {
  atomic_ulong Asked, Failed;
};

static struct figures *Figures;
static unsigned long First, Count;
static int FailsProgram;
static __thread int IsMainThread __attribute__((tls_model("initial-exec")));

static unsigned long number(const char *Name) {
  const char *Text = getenv(Name);
  return Text ? strtoul(Text, NULL, 10) : 0;
}

static void *map(void *Where, size_t Bytes, long Protection, long Flags, long File, off_t Offset) {
  return (void *)syscall(SYS_mmap, Where, Bytes, Protection, Flags, File, Offset);
}

__attribute__((constructor(101))) static void begin(void) {
  enum { HangSeconds = 60 };
  const char *Who = getenv("FAIL_WHO"), *Path = getenv("FAIL_FIGURES");
  const int File = Path ? open(Path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;
  if (!Who || File < 0 || ftruncate(File, sizeof(struct figures)) != 0)
    return;
  First = number("FAIL_FIRST");
  Count = number("FAIL_COUNT");
  FailsProgram = strcmp(Who, "program") == 0;
  IsMainThread = 1;
  alarm(HangSeconds);
  void *Shared = map(NULL, sizeof(struct figures), PROT_READ | PROT_WRITE, MAP_SHARED, File, 0);
  close(File);
  if (Shared != MAP_FAILED)
    Figures = Shared;
}

/// The C library itself ends the process where there is no memory to remember the destructor of a
/// thread-local object, or where its dynamic linker has none for thread-local variables of a library
/// that was loaded late. Only the main thread needs this: it uses libstdc++ that was loaded after it
/// began. Once another allocation has failed, libspecrt must know that there may be none for this.
static int maySucceedOnly(const void *Caller) {
  Dl_info Info;
  if (!dladdr(Caller, &Info))
    return 0;
  return (Info.dli_sname && strcmp(Info.dli_sname, "__cxa_thread_atexit_impl") == 0) ||
         (FailsProgram && atomic_load(&Figures->Failed) == 0 && Info.dli_fname && strstr(Info.dli_fname, "/ld-linux"));
}

__attribute__((always_inline)) static inline int fails(void) {
  if (!Figures || IsMainThread != FailsProgram)
    return 0;
  const unsigned long Number = atomic_fetch_add(&Figures->Asked, 1) + 1;
  if (Number < First || Number >= First + Count ||
      maySucceedOnly(__builtin_return_address(0)))
    return 0;
  atomic_fetch_add(&Figures->Failed, 1);
  errno = ENOMEM;
  return 1;
}

void *malloc(size_t Bytes) { return fails() ? NULL : __libc_malloc(Bytes); }
void *calloc(size_t Number, size_t Bytes) { return fails() ? NULL : __libc_calloc(Number, Bytes); }
void *realloc(void *Old, size_t Bytes) {
  return Bytes && fails() ? NULL : __libc_realloc(Old, Bytes);
}
void *memalign(size_t Alignment, size_t Bytes) {
  return fails() ? NULL : __libc_memalign(Alignment, Bytes);
}
void *aligned_alloc(size_t Alignment, size_t Bytes) {
  return fails() ? NULL : __libc_memalign(Alignment, Bytes);
}
int posix_memalign(void **Result, size_t Alignment, size_t Bytes) {
  void *Memory = fails() ? NULL : __libc_memalign(Alignment, Bytes);
  if (Memory)
    *Result = Memory;
  return Memory ? 0 : ENOMEM;
}
void *mmap(void *Where, size_t Bytes, int Protection, int Flags, int File, off_t Offset) {
  if (fails())
    return MAP_FAILED;
  return map(Where, Bytes, Protection, Flags, File, Offset);
}
void *mmap64(void *Where, size_t Bytes, int Protection, int Flags, int File, off_t Offset) {
  return mmap(Where, Bytes, Protection, Flags, File, Offset);
}

int pthread_create(pthread_t *Thread, const pthread_attr_t *Attributes, void *(*Main)(void *),
                   void *Argument) {
  static int (*Real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
  if (fails())
    return EAGAIN;
  if (!Real)
    Real = (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
        RTLD_NEXT, "pthread_create");
  return Real(Thread, Attributes, Main, Argument);
}
