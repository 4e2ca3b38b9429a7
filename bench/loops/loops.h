//===- bench/loops/loops.h - the arrays of the loops, and the list of loops ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is a function. It works on the global arrays below, whose sizes every file knows, or on
// arrays that it gets as pointers. LOOP lists it for the driver. Names of loops are unique, because
// all files are also compiled as one.
#ifndef SPECRT_BENCH_LOOPS_LOOPS_H
#define SPECRT_BENCH_LOOPS_LOOPS_H

#include <tuple>
#include <type_traits>

namespace loops {

constexpr long Length = 8000, Rows = 80, Columns = 100;

// Before the first call of a loop all elements are in [-1, 1).
extern double A[Length], B[Length], C[Length], D[Length], E[Length];
extern double M[Rows][Columns], P[Rows][Columns], Q[Rows][Columns];
extern float R[Length], S[Length], T[Length], U[Length], V[Length];
extern float F[Rows][Columns], G[Rows][Columns], H[Rows][Columns];

extern int Order[Length]; ///< A permutation of 0, 1, ..., Length - 1.
extern int Place[Length]; ///< Numbers from 0 to Length - 1, some of them several times.
extern int Kind[Length];  ///< Numbers from 0 to 3.

// The driver sets these at run time: 3, and half of Length.
extern long Few, Middle;

// Defined in elsewhere.cpp, which has no loops.
double damp(double X);
float mix(float X, float Y);
double weight(long Index);
void exchange(double &X, double &Y);
bool isAccepted(float X);

/// The shape of a matrix behind a pointer: Rows by Columns, but not known to compilers.
struct Shape {
  long Height, Width;
};

/// Supplies the arguments of loops with parameters, in their order. Every pointer is a different
/// array; the first long is Length and later ones are Few; a floating-point number is a factor.
struct Operands {
  static constexpr int Arrays = 4; ///< the most of one type that a loop has
  double *Doubles[Arrays];
  float *Floats[Arrays];
  const int *Indices;

  template <class Type> Type next() {
    using Value = std::remove_cv_t<std::remove_pointer_t<Type>>;
    if constexpr (std::is_same_v<Type, Shape>)
      return {Rows, Columns};
    else if constexpr (std::is_same_v<Type, long>)
      return NextLong++ ? Few : Length;
    else if constexpr (!std::is_pointer_v<Type>)
      return Type(0.75);
    else if constexpr (std::is_same_v<Value, double>)
      return Doubles[NextDouble++];
    else if constexpr (std::is_same_v<Value, float>)
      return Floats[NextFloat++];
    else
      return Indices;
  }

private:
  int NextDouble = 0, NextFloat = 0, NextLong = 0;
};

/// A loop as the driver calls it.
class Loop {
public:
  explicit constexpr Loop(const char *Name) : Name(Name) {}
  /// Runs the loop once. Returns its result, 0 for void.
  virtual double call(Operands Given) const = 0;

  const char *const Name;

protected:
  ~Loop() = default;
};

template <class Result, class... Types> class LoopOf final : public Loop {
public:
  constexpr LoopOf(const char *Name, Result (*Function)(Types...))
      : Loop(Name), Function(Function) {}

  double call(Operands Given) const override {
    const std::tuple<Types...> Arguments{Given.next<Types>()...}; // braces evaluate in order
    if constexpr (std::is_void_v<Result>) {
      std::apply(Function, Arguments);
      return 0;
    } else {
      return static_cast<double>(std::apply(Function, Arguments));
    }
  }

private:
  Result (*Function)(Types...);
};

} // namespace loops

/// Lists a function. The linker joins the pointers of all files into one table.
#define LOOP(Function)                                                                             \
  static constexpr LoopOf Function##Loop(#Function, Function);                                     \
  __attribute__((section("bench_loops"), used)) static const Loop *const Function##Entry =         \
      &Function##Loop

#endif
