//===- tests/fuzz/contraction_generator.cpp - random products of matrices -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/contraction_generator.h"
#include "tests/fuzz/kernel_dice.h"
#include <algorithm>
#include <vector>

namespace specrt::fuzz {
namespace {

class Writer : KernelDice {
public:
  Writer(std::mt19937 &Random, unsigned Pitch) : KernelDice(Random), Pitch(Pitch) {}

  GeneratedKernel write(const std::string &Name) {
    Type = pick({"double", "double", "double", "float", "uint32_t", "uint64_t"});
    Text = "__attribute__((noinline)) void " + Name + "(" + Type + " *A, " + Type + " *B, " + Type +
           " *C, int n, int m, int p) {\n";
    for (unsigned N = chance(4) ? 2 : 1; N > 0; --N)
      nest();
    Text += "}\n";
    return {Type, Text};
  }

private:
  std::string indent() const { return std::string(2 * (Open.size() + 1), ' '); }

  void nest() {
    std::vector<std::string> Order = {"i", "j", "k"};
    if (chance(6))
      Order.push_back("l");
    if (chance(8))
      Order.erase(Order.begin());
    std::shuffle(Order.begin(), Order.end(), Random);
    Extra = std::find(Order.begin(), Order.end(), "l") != Order.end();
    HasRows = std::find(Order.begin(), Order.end(), "i") != Order.end();
    Result = element("C", HasRows ? "i" : "0", "j");
    bool KIsInnermost = Order.back() == "k";
    bool HasSum = KIsInnermost && chance(3);
    for (const std::string &Counter : Order) {
      bool IsLast = &Counter == &Order.back();
      if (IsLast && KIsInnermost && (HasSum || chance(4)))
        before(HasSum);
      open(Counter);
    }
    update(HasSum);
    while (!Open.empty()) {
      bool WasInnermost = Open.size() == Order.size();
      Open.pop_back();
      Text += indent() + "}\n";
      if (WasInnermost && KIsInnermost && (HasSum || chance(4)))
        after(HasSum);
    }
  }

  void open(const std::string &I) {
    std::string High = I == "i" ? "n" : I == "j" ? "m" : I == "k" ? "p" : "3", Low = "0";
    if (I != "l" && !Open.empty() && chance(4)) {
      std::string Outer = Open[below(Open.size())];
      Outer += pick({"", "", " + 1", " - 2", " + 5"});
      if (chance(2)) {
        Low = "(" + Outer + " > 0 ? " + Outer + " : 0)";
      } else {
        High = "(" + Outer + " < " + High + " ? " + Outer + " : " + High + ")";
      }
    } else if (chance(6)) {
      Low = pick({"1", "2", "5"});
    }
    if (chance(16))
      Text += indent() + "for (int " + I + " = " + High + " - 1; " + I + " >= " + Low + "; --" + I;
    else
      Text += indent() + "for (int " + I + " = " + Low + "; " + I + " < " + High + "; " + I +
              (chance(16) ? " += 2" : "++");
    Text += ") {\n";
    Open.push_back(I);
  }

  /// Element (X + a, Y + b) of a matrix.
  std::string element(const std::string &Array, const std::string &X, const std::string &Y) {
    std::string P = chance(4) ? pick({"n", "m", "p"}) : std::to_string(Pitch);
    std::string Row = place(X), Column = place(Y);
    return Array + "[" + Row + " * " + P + " + " + Column + "]";
  }

  std::string place(const std::string &X) {
    if (chance(24))
      return "(" + std::to_string(Pitch - 1) + " - " + X + ")";
    if (chance(20))
      return "2 * " + X;
    if (chance(4))
      return "(" + X + " + " + std::to_string(below(4)) + ")";
    return X;
  }

  std::string operand(const std::string &Free) {
    std::string Array =
        pick(chance(8) ? std::vector<std::string>{"C"} : std::vector<std::string>{"A", "B"});
    std::string X = Free, Y = Extra && chance(2) ? "l" : "k";
    if (chance(2))
      std::swap(X, Y);
    return element(Array, X, Y);
  }

  std::string rowOperand() { return operand(HasRows ? "i" : "0"); }
  std::string scaled(const std::string &E) {
    return chance(4) ? "(" + Type + ")" + pick({"3", "1.5", "0.25"}) + " * " + E : E;
  }

  std::string term() {
    std::string L = scaled(rowOperand()), R = scaled(operand("j"));
    if (chance(2))
      std::swap(L, R);
    if (chance(6))
      return "(" + L + " + " + R + ")";
    std::string Product = L + " * " + R;
    if (chance(5)) {
      std::string Sign = pick({" + ", " - "}), Row = rowOperand(), Column = operand("j");
      Product += Sign + Row + " * " + Column;
    }
    return "(" + Product + ")";
  }

  void update(bool HasSum) {
    std::string Target = HasSum ? "sum" : Result;
    switch (below(8)) {
    case 0:
      Text += indent() + Target + " -= " + term() + ";\n";
      break;
    case 1: {
      std::string Value = term(), Comparison = pick({"<", ">"});
      Text += indent() + "{ " + Type + " t = " + Value + "; " + Target + " = t " + Comparison +
              " " + Target + " ? t : " + Target + "; }\n";
      break;
    }
    default:
      Text += indent() + Target + " += " + term() + ";\n";
    }
  }

  void before(bool HasSum) {
    if (HasSum)
      Text += indent() + Type + " sum = " + pick({"0", Result}) + ";\n";
    else
      Text += indent() + Result + " = " + pick({"0", Result + " * (" + Type + ")0.5"}) + ";\n";
  }

  void after(bool HasSum) {
    if (HasSum)
      Text += indent() + Result + " = " +
              pick({"sum", "sum * (" + Type + ")2", Result + " + sum"}) + ";\n";
    else
      Text += indent() + Result + " = " + Result + " * (" + Type + ")0.75;\n";
  }

  unsigned Pitch;
  std::string Type, Text, Result;
  bool Extra = false, HasRows = true;
  std::vector<std::string> Open;
};

} // namespace

GeneratedKernel generateContraction(std::mt19937 &Random, const std::string &Name, unsigned Pitch) {
  return Writer(Random, Pitch).write(Name);
}

} // namespace specrt::fuzz
