//===- tests/fuzz/nest_generator.cpp - random loop nests ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/nest_generator.h"
#include "tests/fuzz/kernel_dice.h"
#include <vector>

namespace specrt::fuzz {
namespace {

class KernelWriter : KernelDice {
public:
  KernelWriter(std::mt19937 &Random, unsigned Pitch)
      : KernelDice(Random), Pitch(std::to_string(Pitch)) {}

  GeneratedKernel write(const std::string &Name) {
    Type = pick({"double", "double", "float", "uint32_t", "uint64_t"});
    Floating = Type == "double" || Type == "float";
    Text = "__attribute__((noinline)) void " + Name + "(" + Type + " *A, " + Type + " *B, " + Type +
           " *C, int n, int m, int p) {\n";
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
    return {Type, Text};
  }

private:
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
        Text += indent() + "s = (" + Type + ")(" + "s + " + element() + ");\n";
      else
        assign();
    }
  }

  void assign() {
    std::string To = element(), From = expression(2);
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
      return Array + "[" + C + " * " + pick({"n", "m", "p", Pitch}) + " + " + D + "]";
    }
  }

  std::string expression(unsigned Depth) {
    if (Depth == 0 || chance(5))
      return chance(4) ? counter() : element();
    std::string L = expression(Depth - 1), R = expression(Depth - 1);
    if (Floating)
      switch (below(8)) {
      case 0:
        return "sqrt(fabs((double)(" + L + ")))";
      case 1:
        return "(" + L + ") / (1 + fabs((double)(" + R + ")))";
      case 2:
        return "((" + L + ") < (" + R + ") ? " + L + " : " + R + ")";
      default:
        return "(" + L + ")" + pick({" + ", " - ", " * "}) + "(" + R + ")";
      }
    return "(" + L + ")" + pick({" + ", " - ", " * ", " ^ ", " & "}) + "(" + R + ")";
  }

  std::string Pitch, Type, Text;
  bool Floating = false, HasScalar = false;
  std::vector<std::string> Counters;
};

/// Iterations that write a row of B before they read it, or nearly so: some begin at the second
/// element, write fewer from row to row, only under a condition, or read what lies beside.
class WorkArrayWriter : KernelDice {
public:
  WorkArrayWriter(std::mt19937 &Random, unsigned Pitch)
      : KernelDice(Random), Pitch(std::to_string(Pitch)) {}

  GeneratedKernel write(const std::string &Name) {
    Text = "__attribute__((noinline)) void " + Name +
           "(double *A, double *B, double *C, int n, int m, int p) {\n";
    const unsigned Nests = 1 + below(2);
    for (unsigned I = 0; I < Nests; ++I)
      outermostLoop();
    Text += "}\n";
    return {"double", Text};
  }

private:
  void outermostLoop() {
    const std::string Bound = pick({"n", "m"}), Begin = chance(6) ? "1" : "0";
    Text += "  for (int i = " + Begin + "; i < " + Bound + "; ++i) {\n";
    const std::string Low = chance(8) ? "1" : "0";
    const std::string High = chance(8) ? "p - i" : "p";
    if (chance(10))
      read(High);
    fill(Low, High);
    if (chance(3))
      Text += "    for (int j = 1; j < " + High + "; ++j)\n      B[j] = B[j] + 0.5 * B[j - 1];\n";
    for (unsigned N = 1 + below(3); N > 0; --N)
      chance(4) ? fill(Low, High) : read(High);
    Text += "  }\n";
  }

  void fill(const std::string &Low, const std::string &High) {
    const std::string From = pick({"A", "A", "C"});
    Text += "    for (int j = " + Low + "; j < " + High + "; ++j)\n      ";
    if (chance(10))
      Text += "if (" + From + "[i] > 3) ";
    Text += pick({"B[j]", "B[j]", "B[j]", "B[2 * j]"}) + " = " + From + "[i * " + Pitch +
            " + j] * 1.5 + " + pick({"j", "i", "1"}) + ";\n";
  }

  void read(const std::string &High) {
    const std::string Place = pick({"j", "j", "j - 1", "j + 1"});
    Text += "    for (int j = 1; j < " + High + "; ++j)\n      C[i * " + Pitch + " + j] " +
            pick({"=", "+=", "-="}) + " B[" + Place + "] * " + pick({"A[j]", "2.0", "B[j]"}) +
            ";\n";
  }

  std::string Pitch, Text;
};

} // namespace

GeneratedKernel generateWorkArray(std::mt19937 &Random, const std::string &Name, unsigned Pitch) {
  return WorkArrayWriter(Random, Pitch).write(Name);
}

GeneratedKernel generateNest(std::mt19937 &Random, const std::string &Name, unsigned Pitch) {
  return KernelWriter(Random, Pitch).write(Name);
}

} // namespace specrt::fuzz
