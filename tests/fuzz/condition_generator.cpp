//===- tests/fuzz/condition_generator.cpp - random work arrays under conditions ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/condition_generator.h"
#include "tests/fuzz/kernel_dice.h"

namespace specrt::fuzz {
namespace {

class ConditionWriter : KernelDice {
public:
  ConditionWriter(std::mt19937 &Random, unsigned Pitch)
      : KernelDice(Random), Pitch(std::to_string(Pitch)) {}

  GeneratedKernel write(const std::string &Name) {
    Flag = result("A[i]");
    OtherFlag = result("A[" + Pitch + " + i]");
    Mask = result("A[i * " + Pitch + " + j]");
    ColumnMask = result("A[j]");
    HasVariable = chance(2);
    HasStack = chance(3);
    Text = "__attribute__((noinline)) void " + Name +
           "(double *A, double *B, double *C, int n, int m, int p) {\n";
    if (HasVariable)
      Text += "  double s = A[1];\n";
    if (HasStack)
      Text += "  double mine[64] = {1, 2, 3};\n";
    // The loop may begin again with other flags, and find in the arrays what it has left there.
    const bool IsRepeated = chance(3);
    if (IsRepeated)
      Text += "  for (int t = 0; t < 3; ++t) {\n";
    Text += "  for (int i = 0; i < n; ++i) {\n";
    if (chance(5))
      Text += "    if (" + rowCondition() + ")\n      continue;\n";
    if (chance(12))
      read();
    write();
    for (unsigned N = 1 + below(3); N > 0; --N)
      chance(2) ? write() : read();
    read();
    Text += "  }\n";
    if (IsRepeated)
      Text += "  for (int j = 0; j < m; j += 2) {\n    C[0] = C[0] * 0.5 + B[j];\n"
              "    A[j] = C[0] > 0 ? -A[j] : A[j] - 3;\n  }\n  }\n";
    if (HasVariable && !chance(3))
      Text += "  C[0] += s;\n";
    if (HasStack && chance(4))
      Text += "  for (int j = 0; j < m; ++j)\n    C[j] += mine[j];\n";
    return {"double", Text + "}\n"};
  }

private:
  /// A condition that all, most or no values of a test meet.
  std::string result(const std::string &Element) {
    return Element + pick({" > ", " > ", " >= "}) +
           pick({"-1e9", "-1e9", "-1e9", "-90", "0", "1e9"});
  }
  std::string rowCondition() {
    switch (below(6)) {
    case 0:
      return Flag + " && " + OtherFlag;
    case 1:
      return Flag + " || " + OtherFlag;
    case 2:
      return "!(" + Flag + ")";
    case 3:
      return OtherFlag;
    default:
      return Flag;
    }
  }
  std::string elementCondition() {
    switch (below(6)) {
    case 0:
      return Mask + " && " + Flag;
    case 1:
      return ColumnMask;
    case 2:
      return "!(" + Mask + ")";
    default:
      return Mask;
    }
  }
  std::string place() {
    return HasStack && chance(2) ? "mine[j]" : pick({"B[j]", "B[j]", "B[2 * j]"});
  }
  std::string value() {
    std::string Sum = "A[i * " + Pitch + " + j] * 1.5 + " + pick({"j", "i", "1"});
    if (HasVariable && chance(3))
      Sum += " + s";
    return Sum;
  }

  void write() {
    if (HasVariable && chance(3)) {
      if (!chance(4))
        Text += "    if (" + rowCondition() + ")\n  ";
      Text += "    s = A[i] * 0.5 + " + pick({"2", "i"}) + ";\n";
      return;
    }
    const bool InRows = chance(3);
    if (InRows)
      Text += "    if (" + rowCondition() + ")\n  ";
    Text += "    for (int j = 0; j < m; ++j) {\n";
    const std::string To = place();
    if (chance(2)) {
      Text += "      if (" + elementCondition() + ")\n        " + To + " = " + value() + ";\n";
      if (chance(2))
        Text += "      else\n        " + (chance(4) ? place() : To) + " = " + value() + ";\n";
    } else {
      Text += "      " + To + " = " + value() + ";\n";
    }
    if (chance(4))
      Text += "      C[i * " + Pitch + " + j] = " + To + ";\n";
    Text += "    }\n";
    if (InRows && chance(3))
      Text += "    else\n      for (int j = 0; j < m; ++j)\n        " + To + " = 3;\n";
  }

  void read() {
    if (chance(4))
      Text += "    if (" + rowCondition() + ")\n  ";
    Text += "    for (int j = 1; j < m - 1; ++j)\n";
    if (chance(2))
      Text += "      if (" + elementCondition() + ")\n  ";
    std::string From = place();
    if (From == "B[j]")
      From = pick({"B[j]", "B[j]", "B[j - 1]", "B[j + 1]"});
    Text += "      C[i * " + Pitch + " + j] " + pick({"=", "+=", "-="}) + " " + From + " * " +
            pick({"A[j]", "2.0"}) + (HasVariable && chance(2) ? " + s" : "") + ";\n";
  }

  std::string Pitch, Text, Flag, OtherFlag, Mask, ColumnMask;
  bool HasVariable = false, HasStack = false;
};

} // namespace

GeneratedKernel generateConditions(std::mt19937 &Random, const std::string &Name, unsigned Pitch) {
  return ConditionWriter(Random, Pitch).write(Name);
}

} // namespace specrt::fuzz
