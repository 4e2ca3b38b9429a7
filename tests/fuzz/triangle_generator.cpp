//===- tests/fuzz/triangle_generator.cpp - random nests of rows that differ in length ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/triangle_generator.h"
#include "tests/fuzz/kernel_dice.h"

namespace specrt::fuzz {
namespace {

class TriangleWriter : KernelDice {
public:
  TriangleWriter(std::mt19937 &Random, unsigned Pitch)
      : KernelDice(Random), Pitch(std::to_string(Pitch)) {}

  GeneratedKernel write(const std::string &Name) {
    HasCount = chance(4);
    HasScale = chance(3);
    HasInner = chance(3);
    Text = "__attribute__((noinline)) void " + Name +
           "(double *A, double *B, double *C, int n, int m, int p) {\n";
    if (HasCount)
      Text += "long count = 3;\n";
    openLoop("i", pick({"0", "0", "0", "1", "-3"}), pick({"n", "n", "n", "3", "n - 3"}));
    row();
    Text += "}\n";
    if (HasCount)
      Text += "B[0] = (double)count;\n";
    Text += "}\n";
    return {"double", Text};
  }

private:
  void openLoop(const std::string &Counter, const std::string &Begin, const std::string &End) {
    if (chance(6))
      Text += "for (int " + Counter + " = (" + End + ") - 1; " + Counter + " >= " + Begin + "; --" +
              Counter + ") {\n";
    else
      Text += "for (int " + Counter + " = " + Begin + "; " + Counter + " < " + End + "; " +
              Counter + (chance(12) ? " += 2" : "++") + ") {\n";
  }

  /// Rows are numbered from -3 on.
  std::string rowStart() const { return (HasInner ? "(i + 3) * 2 * " : "(i + 3) * ") + Pitch; }

  void row() {
    if (HasScale)
      Text += "const double scale = " +
              pick({"B[i + 3]", "B[i + 3]", "A[" + rowStart() + "]", "C[" + rowStart() + "]"}) +
              ";\n";
    aroundElements();
    if (chance(8))
      Text += "if (" + pick({"i > 2", "B[i + 3] > 0"}) + ")\n";
    openLoop("j", pick({"0", "0", "i", "i + 1", "1"}),
             pick({"i", "i + 1", "n", "m", "n - i", "m - 2 * i", "2 * i"}));
    if (HasInner)
      openLoop("k", "0", "p % 3");
    for (unsigned N = 1 + below(2); N > 0; --N)
      statement();
    if (HasInner)
      Text += "}\n";
    Text += "}\n";
    aroundElements();
  }

  /// Code that keeps rows whole, now and then.
  void aroundElements() {
    if (chance(12))
      Text += pick({"B[i + 3 + 2 * " + Pitch + "] += 1;\n", "C[" + rowStart() + "] += 0.5;\n",
                    "C[" + rowStart() + " + " + Pitch + " - 1] = i;\n"});
    if (HasCount && chance(6))
      Text += "count += i;\n";
  }

  void statement() {
    if (chance(6))
      Text += "if (A[" + rowStart() + "] > B[j + 3]) ";
    const std::string Element = rowStart() + (HasInner ? " + 2 * j + k" : " + j");
    const std::string Other = chance(10) ? " - 1" : chance(10) ? " - 5" : chance(10) ? " + 1" : "";
    Text += "C[" + Element + "]" + pick({" = ", " += ", " -= "}) + "0.5 * A[" + Element +
            "] + 0.25 * " +
            pick({"B[j + 3]", "B[i + 3]", "A[" + rowStart() + "]", "C[" + Element + Other + "]"}) +
            (HasScale ? " * scale" : "") + ";\n";
    if (HasCount && chance(2))
      Text += "if (A[" + Element + "] > 1) count += j;\n";
  }

  std::string Pitch, Text;
  bool HasCount = false, HasScale = false, HasInner = false;
};

} // namespace

GeneratedKernel generateTriangle(std::mt19937 &Random, const std::string &Name, unsigned Pitch) {
  return TriangleWriter(Random, Pitch).write(Name);
}

} // namespace specrt::fuzz
