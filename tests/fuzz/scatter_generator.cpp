//===- tests/fuzz/scatter_generator.cpp - random loops with scattered updates ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/scatter_generator.h"
#include "tests/fuzz/kernel_dice.h"

namespace specrt::fuzz {
namespace {

class ScatterWriter : KernelDice {
public:
  explicit ScatterWriter(std::mt19937 &Random) : KernelDice(Random) {}

  GeneratedKernel write(const std::string &Name) {
    Text = "static double *at_" + Name + "[4];\n__attribute__((noinline)) void " + Name +
           "(double *A, double *B, double *C, int n, int m, int p) {\n" + "double **at = at_" +
           Name + ";\nat[0] = A; at[1] = B; at[2] = C; at[3] = C + " + pick({"8", "40", "200"}) +
           ";\n";
    Text += "double *D = at[(m + p) & 3];\n";
    Text += "double *E = at[(n + m + " + pick({"0", "1", "2"}) + ") & 3];\n";
    Text += "double s = 1, most = 0; int count = 0, last = -1;\n";
    if (HasSteps = chance(4); HasSteps)
      Text += "for (int t = 0; t < 3; ++t) {\n";
    Text += pick({"for (int i = 0; i < n; ++i) {\n", "for (int i = n - 1; i >= 0; --i) {\n",
                  "for (int i = 1; i < n; i += 2) {\n"});
    compute("x");
    if (HasSecond = chance(3); HasSecond)
      compute("y");
    Text += "const int c = (int)(x * " + pick({"8", "50", "-20"}) + ") & " +
            pick({"3", "15", "31"}) + ";\n";
    for (unsigned N = 1 + below(4); N > 0; --N)
      update();
    Text += HasSteps ? "}\n" : "";
    if (HasSteps)
      Text += element() + " += 0.5;\n";
    Text += "}\nB[0] += s; B[1] += most; C[0] += count; C[1] += last;\n}\n";
    return {"double", Text};
  }

private:
  /// An element that a computation reads: seldom one that updates write.
  std::string read() {
    return pick({"A", "A", "A", "B", "D", "E", "C"}) +
           pick({"[i]", "[i]", "[i + 1]", "[k]", "[i * 3 + k]", "[(int)(A[i] * 9) & 15]"});
  }

  void compute(const std::string &Into) {
    Text +=
        "double " + Into + " = 0.5;\n{ const int k = 2; " + Into + " += 0.25 * " + read() + "; }\n";
    const bool IsGuarded = chance(3);
    if (IsGuarded)
      Text += "if (A[i] > " + pick({"0", "0.5", "1"}) + ")\n";
    Text += "for (int k = 0; k < " + pick({"m", "p", "7", "20"}) + "; ++k)\n";
    Text += Into + " = " + Into + " / (1.0 + " + Into + " * " + Into + ")";
    if (chance(2))
      Text += " + 0.125 * " + read();
    Text += ";\n";
  }

  std::string element() {
    const std::string Array = pick({"C", "C", "C", "D", "E", "B"});
    const std::string Row = HasSteps && Text.ends_with("}\n") ? "3" : pick({"c", "c", "i", "0"});
    const std::string Further = pick({"", "", " + 1", " + 33"});
    return Array + "[" + Row + Further + "]";
  }

  void update() {
    const std::string Value = HasSecond ? pick({"x", "y", "x * y", "x"}) : "x";
    if (chance(3))
      Text += "if (" + Value + " > " + pick({"0.3", "0.6", "A[i]", "s"}) + ") ";
    switch (below(7)) {
    case 0:
      Text += "s = 0.5 * s + " + Value + ";\n";
      break;
    case 1:
      Text += "count += " + Value + " > 0.5;\n";
      break;
    case 2:
      Text += "if (" + Value + " > most) { most = " + Value + "; last = i; }\n";
      break;
    case 3: {
      Text += "for (int j = 0; j < " + pick({"m", "3"}) + "; ++j) ";
      const std::string Array = pick({"C", "D"});
      Text += Array + "[c + j] -= " + Value + " * " + pick({"A[j]", "j", "0.5"}) + ";\n";
      break;
    }
    default: {
      Text += element();
      const std::string How = pick({" += ", " = ", " -= "});
      Text += How + Value + ";\n";
    }
    }
  }

  std::string Text;
  bool HasSteps = false, HasSecond = false;
};

} // namespace

GeneratedKernel generateScatter(std::mt19937 &Random, const std::string &Name, unsigned) {
  return ScatterWriter(Random).write(Name);
}

} // namespace specrt::fuzz
