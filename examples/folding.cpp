//===- examples/folding.cpp - affine functions of the accesses of a nest ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints tables 1 to 4 of the paper behind specrt/folding.h for the kernel of backprop with n2 = 16
// and n1 = 42. The kernel is instrumented by hand: instructions I1 to I6 record the value that they
// computed or the address that they read, and the iteration that wrote their operands.
//
//   for (j = 1; j <= n2; j++) {        // I6: j = j + 1
//     sum = 0.0;
//     for (k = 0; k <= n1; k++)        // I5: k = k + 1
//       sum += conn[k][j] * l1[k];     // I1: load conn[k], I2: load conn[k][j], I3: load l1[k], I4
//     l2[j] = squash(sum);
//   }
//
// Pointers and numbers take one byte, as in the paper's figure 2.
//
//===----------------------------------------------------------------------===//
#include "specrt/folding.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

using Vector = std::vector<int64_t>;

const std::vector<std::string> &iterators() {
  static const std::vector<std::string> Names = {"cj", "ck"};
  return Names;
}

/// A stream of points and labels, which is printed in part and folded.
class Stream {
public:
  Stream(std::string Name, unsigned Iterators, unsigned Labels)
      : Name(std::move(Name)), Labels(Labels), Folder(Iterators, Labels) {}

  void add(const Vector &Point, const Vector &Label) {
    Folder.add(Point.data(), Label.data());
    if (isShown(Point))
      Shown += "  " + text(Point) + " " + (Labels ? text(Label) : "N/A");
  }
  void printInput() const { std::printf("%-6s%s\n", Name.c_str(), Shown.c_str()); }

  /// Prints one line per piece, with the text that \p Describe returns.
  template <typename Fn> void printFolded(Fn Describe) {
    for (const specrt::FoldedPiece &Piece : Folder.finish().Pieces)
      std::printf("%-8s%-32s%s\n", Name.c_str(), Piece.domainText(iterators()).c_str(),
                  Labels ? Describe(Piece).c_str() : "N/A");
  }

private:
  static bool isShown(const Vector &Point) {
    const int64_t Inner = Point.size() > 1 ? Point[1] : 0;
    return (Point[0] == 0 && Inner == 42) || (Point[0] <= 1 && Inner <= 1);
  }
  static std::string text(const Vector &V) {
    std::string Text;
    for (int64_t Value : V)
      Text += (Text.empty() ? "" : ",") + std::to_string(Value);
    return V.size() > 1 ? "(" + Text + ")" : Text;
  }

  std::string Name, Shown;
  unsigned Labels;
  specrt::Folder Folder;
};

constexpr int64_t N2 = 16, N1 = 42;
constexpr int64_t ConnAddress = 12, L1Address = 407;

/// Returns the address of row k of conn: rows lie one after the other, with four gaps.
int64_t rowAddress(int64_t K) { return 67 + 4 * K + 2 * ((K > 1) + (K > 8) + (K > 16) + (K > 29)); }

} // namespace

int main() {
  Stream I1("I1", 2, 1), I2("I2", 2, 1), I3("I3", 2, 1), I4("I4", 2, 0), I5("I5", 2, 1),
      I6("I6", 1, 1);
  Stream I1ToI2("I1->I2", 2, 2), I2ToI4("I2->I4", 2, 2), I4ToI4("I4->I4", 2, 2);

  int64_t J = 1;
  for (int64_t CJ = 0; CJ < N2; ++CJ) {
    Vector SumWriter; // none of these instructions sets it to 0
    int64_t K = 0;
    for (int64_t CK = 0; CK <= N1; ++CK) {
      const Vector Now = {CJ, CK};
      I1.add(Now, {ConnAddress + K});
      const Vector &RowWriter = Now;
      I2.add(Now, {rowAddress(K) + J - 1});
      I1ToI2.add(Now, RowWriter);
      const Vector &WeightWriter = Now;
      I3.add(Now, {L1Address + K});
      I4.add(Now, {}); // a floating-point number, of which only the iteration matters
      I2ToI4.add(Now, WeightWriter);
      if (!SumWriter.empty())
        I4ToI4.add(Now, SumWriter);
      SumWriter = Now;
      I5.add(Now, {++K});
    }
    I6.add({CJ}, {++J});
  }

  std::puts("Table 1: instructions, (cj,ck) and the value or address");
  for (Stream *S : {&I1, &I2, &I3, &I4, &I5, &I6})
    S->printInput();
  std::puts("\nTable 2: dependences, (cj,ck) and (cj',ck') of the source");
  for (Stream *S : {&I1ToI2, &I2ToI4, &I4ToI4})
    S->printInput();
  std::puts("\nTable 3: instructions folded; T is top");
  for (Stream *S : {&I1, &I2, &I3, &I4, &I5, &I6})
    S->printFolded([](const specrt::FoldedPiece &P) { return P.functionText(0, iterators()); });
  std::puts("\nTable 4: dependences folded");
  for (Stream *S : {&I1ToI2, &I2ToI4, &I4ToI4})
    S->printFolded([](const specrt::FoldedPiece &P) { return P.dependenceText(iterators()); });
}
