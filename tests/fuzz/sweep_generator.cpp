//===- tests/fuzz/sweep_generator.cpp - random sweeps over grids ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/fuzz/sweep_generator.h"
#include "tests/fuzz/kernel_dice.h"

namespace specrt::fuzz {
namespace {

class SweepWriter : KernelDice {
public:
  SweepWriter(std::mt19937 &Random, unsigned Pitch)
      : KernelDice(Random), Pitch(std::to_string(Pitch)) {}

  GeneratedKernel write(const std::string &Name) {
    Plane = pick({Pitch, Pitch, Pitch, "2 * m", "m", "3"});
    Row = pick({"1", "1", "2", "4"});
    PlanesGoDown = chance(3);
    RowsGoDown = chance(3);
    Text = "__attribute__((noinline)) void " + Name +
           "(double *A, double *B, double *C, int n, int m, int p) {\n";
    openLoop("k", "n", PlanesGoDown);
    for (unsigned N = 1 + below(3); N > 0; --N)
      rows();
    Text += "  }\n}\n";
    return {"double", Text};
  }

private:
  void openLoop(const std::string &Counter, const std::string &Size, bool Down) {
    Text += Down ? "for (int " + Counter + " = " + Size + " - 2; " + Counter + " >= 1; --" +
                       Counter + ") {\n"
                 : "for (int " + Counter + " = 1; " + Counter + " < " + Size + " - 1; ++" +
                       Counter + ") {\n";
  }

  void rows() {
    openLoop("j", chance(8) ? "(m - 1)" : "m", chance(8) != RowsGoDown);
    HasColumns = Row != "1" && chance(2);
    if (HasColumns)
      Text += "for (int i = 0; i < " + Row + "; ++i) {\n";
    for (unsigned N = 1 + below(2); N > 0; --N)
      statement();
    Text += HasColumns ? "}}\n" : "}\n";
  }

  void statement() {
    if (chance(6))
      Text += "if (A[j] > 3) ";
    const std::string To = pick({"C", "C", "C", "B"});
    Text += element(To, 0) + pick({" = ", " += ", " -= "});
    for (unsigned N = 1 + below(3); N > 0; --N) {
      const std::string From = pick({"C", "C", "B", "A"});
      Text += "0.25 * " + element(From, chance(12) ? -1 : 1) + " + ";
    }
    Text += pick({"1.5", "k", "j"}) + ";\n";
  }

  /// An element here; 1: or one that the loops have met before; -1: or one that they will meet.
  std::string element(const std::string &Of, int Before) {
    const bool Forwards = Before > 0;
    const std::string PlaneSign = Forwards == PlanesGoDown ? " + " : " - ";
    const std::string RowSign = Forwards == RowsGoDown ? " + " : " - ";
    std::string At;
    if (Of != "B" || chance(3))
      At = (Before != 0 && chance(2) ? "(k" + PlaneSign + "1)" : "k") + " * " + Plane + " + ";
    At += (Before != 0 && chance(2) ? "(j" + RowSign + "1)" : "j") + " * " + Row;
    if (HasColumns)
      At += Before != 0 && chance(3) ? " + i" + pick({" + 1", " - 1"}) : " + i";
    return Of + "[" + At + "]";
  }

  std::string Pitch, Plane, Row, Text;
  bool PlanesGoDown = false, RowsGoDown = false, HasColumns = false;
};

} // namespace

GeneratedKernel generateSweep(std::mt19937 &Random, const std::string &Name, unsigned Pitch) {
  return SweepWriter(Random, Pitch).write(Name);
}

} // namespace specrt::fuzz
