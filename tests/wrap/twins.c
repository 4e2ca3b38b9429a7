/* tests/wrap/twins.c - the first of a library's two files: names that mean something else outside
 *
 * The bitcode is that of the first file alone. The library is made here from one source, too, so
 * what the second file defines stands where clang does not look.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

/* A function of the library's own under a name that the C library has, too. */
double cosh(double x);
double callsItsOwnCosh(double x) { return cosh(x) + 1; }

/* Other names for what this file defines, which the second file gives to variables and functions
 * that everybody sees. */
int aliasTarget = 7;
int add(int n) { return n + aliasTarget; }
#ifdef __clang__
static int twin __attribute__((alias("aliasTarget")));
static int twinOf(int n) __attribute__((alias("add")));
#define FIRST(NAME) NAME
#else
static int firsttwin __attribute__((alias("aliasTarget")));
static int firsttwinOf(int n) __attribute__((alias("add")));
#define FIRST(NAME) first##NAME
__attribute__((visibility("hidden"))) double ownCosh(double x) __asm__("cosh");
double ownCosh(double x) { return x + 1000; }
int twin = 9;
int twinOf(int n) { return n + twin; }
#endif
int usesStaticAlias(int n) { return n + FIRST(twin); }
int callsStaticAlias(int n) { return FIRST(twinOf)(n); }
