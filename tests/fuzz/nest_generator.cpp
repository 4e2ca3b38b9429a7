//===- tests/fuzz/nest_generator.cpp - random loop nests as C source
//----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tests/fuzz/nest_generator.h"
#include "tests/fuzz/contraction_generator.h"
#include <random>
#include <vector>

namespace specrt::fuzz {
namespace {

// Counters and sizes stay below 24, so that subscripts stay below 24 * 24 + 24 and above -Margin.
constexpr const char *Prologue = R"(#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { Elements = 4096, Margin = 64, CALLS = 40 };

)";

/// No expression asks for two random choices: see contraction_generator.cpp.
class KernelWriter {
public:
  KernelWriter(std::mt19937 &Random, unsigned Number) : Random(Random), Number(Number) {}

  std::string write() {
    Type = pick({"double", "float", "int32_t", "int64_t", "uint8_t"});
    Floating = Type == "double" || Type == "float";
    Text = "__attribute__((noinline)) static void kernel" + std::to_string(Number) + "(" + Type +
           " *A, " + Type + " *B, " + Type + " *C, int n, int m, int p) {\n";
    bool Scalar = chance(3);
    if (Scalar)
      Text += "  " + Type + " s = A[0];\n";
    HasScalar = Scalar;
    unsigned Nests = 1 + below(2);
    for (unsigned I = 0; I < Nests; ++I)
      loop(1, 1 + below(4));
    if (Scalar)
      Text += "  B[1] = s;\n";
    Text += "}\n";
    return Text;
  }

  const std::string &type() const { return Type; }

private:
  unsigned below(unsigned Bound) { return Random() % Bound; }
  bool chance(unsigned OneIn) { return below(OneIn) == 0; }
  std::string pick(std::vector<std::string> Choices) { return Choices[below(Choices.size())]; }
  std::string indent() const { return std::string(2 * (Counters.size() + 1), ' '); }

  /// A loop over counter i<depth>, its body and perhaps a statement before and after it.
  void loop(unsigned Depth, unsigned MaxDepth) {
    std::string I = "i" + std::to_string(Depth);
    std::string Low = "0", High = pick({"n", "m", "p", "n", "12", "n - 1"});
    if (!Counters.empty() && chance(3))
      (chance(2) ? Low : High) = Counters[below(Counters.size())];
    else if (chance(4))
      Low = "1";
    Text += indent();
    switch (below(6)) {
    case 0:
      Text += "for (int " + I + " = (" + High + ") - 1; " + I + " >= " + Low + "; --" + I + ") {\n";
      break;
    case 1:
      Text += "for (int " + I + " = " + Low + "; " + I + " < " + High + "; " + I + " += 2) {\n";
      break;
    default:
      Text += "for (int " + I + " = " + Low + "; " + I + " < " + High + "; ++" + I + ") {\n";
    }
    Counters.push_back(I);
    bool Innermost = Depth == MaxDepth;
    if (Innermost || chance(3))
      statements();
    if (!Innermost)
      loop(Depth + 1, MaxDepth);
    if (!Innermost && chance(4))
      statements();
    if (Innermost && chance(12))
      Text += indent() + "if (" + element() + " > 90) break;\n";
    Counters.pop_back();
    Text += indent() + "}\n";
  }

  void statements() {
    for (unsigned N = 1 + below(2); N > 0; --N) {
      if (chance(4)) {
        Text += indent() + "if (" + condition() + ")\n  ";
      }
      if (HasScalar && chance(3))
        Text += indent() + "s = (" + Type + ")(" + bounded("s + " + element()) + ");\n";
      else
        assign();
    }
  }

  void assign() {
    std::string To = element(), From = bounded(expression(2));
    Text += indent() + To + " = (" + Type + ")(" + From + ");\n";
  }

  std::string condition() {
    switch (below(3)) {
    case 0: {
      std::string First = counter(), Second = counter();
      return "(" + First + " + " + Second + ") % 3 == 0";
    }
    case 1: {
      std::string Counter = counter(), Bound = pick({"n / 2", "m - 2", "p"});
      return Counter + " < " + Bound;
    }
    default:
      return element() + " > 3";
    }
  }

  std::string counter() { return Counters[below(Counters.size())]; }

  /// An array element with a subscript that is in bounds for counters below 24 and sizes below 24.
  std::string element() {
    std::string Array = pick({"A", "B", "C"}), C = counter(), D = counter();
    switch (below(8)) {
    case 0:
      return Array + "[" + C + "]";
    case 1:
      return Array + "[" + C + " + " + std::to_string(below(9)) + "]";
    case 2:
      return Array + "[" + C + " - " + std::to_string(below(9)) + "]";
    case 3:
      return Array + "[" + C + " * " + D + "]";
    case 4:
      return Array + "[2 * " + C + " + " + D + "]";
    default:
      return Array + "[" + C + " * " + pick({"n", "m", "p", "24"}) + " + " + D + "]";
    }
  }

  std::string expression(unsigned Depth) {
    if (Depth == 0 || chance(5))
      return chance(4) ? counter() : element();
    std::string L = expression(Depth - 1), R = expression(Depth - 1);
    if (Floating)
      switch (below(9)) {
      case 0:
        return "sqrt(fabs((double)(" + L + ")))";
      case 1:
        return "(" + L + ") / (1 + fabs((double)(" + R + ")))";
      case 2:
        return "((" + L + ") < (" + R + ") ? " + L + " : " + R + ")";
      case 3:
        return "pow(fabs((double)(" + L + ")), n % 3)";
      default:
        return "(" + L + ")" + pick({" + ", " - ", " * "}) + "(" + R + ")";
      }
    return "(" + L + ")" + pick({" + ", " - ", " * ", " ^ ", " & "}) + "(" + R + ")";
  }

  /// Integers are folded back so that nothing overflows; floating point grows without harm.
  std::string bounded(const std::string &E) const { return Floating ? E : "(" + E + ") % 100"; }

  std::mt19937 &Random;
  unsigned Number;
  std::string Type, Text;
  bool Floating = false, HasScalar = false;
  std::vector<std::string> Counters;
};

constexpr const char *Driver = R"(
static void *memory;
static uint64_t checksum(size_t bytes) {
  uint64_t hash = 1469598103934665603u;
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ ((unsigned char *)memory)[i]) * 1099511628211u;
  return hash;
}
#define RUN(T, K)                                                                                  \
  do {                                                                                             \
    static const int sizes[][3] = {{20, 17, 23}, {8, 8, 8}, {1, 2, 3}, {0, 5, -1}};                \
    static const int places[][3] = {{0, Elements, 2 * Elements}, {0, 0, 2 * Elements},             \
                                    {0, 3, 2 * Elements}, {0, Elements, 1200}};                    \
    for (int place = 0; place < 4; ++place)                                                        \
      for (int size = 0; size < 4; ++size) {                                                       \
        T *base = memory;                                                                          \
        for (int i = 0; i < 3 * Elements + 2 * Margin; ++i)                                        \
          base[i] = (T)(i * 7 % 13);                                                               \
        for (int call = 0; call < CALLS; ++call)                                                   \
          K(base + Margin + places[place][0], base + Margin + places[place][1],                    \
            base + Margin + places[place][2], sizes[size][0], sizes[size][1], sizes[size][2]);     \
        /* The payload and the sign of a NaN are not promised. */                                  \
        for (int i = 0; i < 3 * Elements + 2 * Margin; ++i)                                        \
          if (base[i] != base[i])                                                                  \
            base[i] = 0;                                                                           \
        printf(#K " place %d size %d %016llx\n", place, size,                                      \
               (unsigned long long)checksum(sizeof(T) * (3 * Elements + 2 * Margin)));             \
      }                                                                                            \
  } while (0)
)";

} // namespace

std::string generateProgram(unsigned Seed, unsigned NumKernels) {
  std::mt19937 Random(Seed);
  std::string Kernels, Calls;
  for (unsigned K = 0; K < NumKernels; ++K) {
    if (Random() % 4 == 0) {
      GeneratedKernel Kernel = generateContraction(Random, "kernel" + std::to_string(K), 24);
      Kernels += "static " + Kernel.Text + "\n";
      Calls += "  RUN(" + Kernel.Type + ", kernel" + std::to_string(K) + ");\n";
      continue;
    }
    KernelWriter Writer(Random, K);
    Kernels += Writer.write() + "\n";
    Calls += "  RUN(" + Writer.type() + ", kernel" + std::to_string(K) + ");\n";
  }
  return Prologue + Kernels + Driver +
         "\nint main(void) {\n  memory = malloc(8 * (3 * Elements + 2 * Margin));\n" + Calls +
         "  return 0;\n}\n";
}

} // namespace specrt::fuzz
