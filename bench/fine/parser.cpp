//===- bench/fine/parser.cpp - tables of numbers read from text ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading a number takes ten to thirty nanoseconds, as does the statistics of a line.
#include "outcome.h"
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

namespace {

/// Numbers in each line of the text.
constexpr int Columns = 7;

std::string makeText(long Lines) {
  const std::vector<double> Values = bench::numbers(Lines * Columns, 1);
  constexpr std::array Separators = {",", " , ", "  "};
  std::string Text;
  std::array<char, 32> Word;
  for (long I = 0; I < Lines * Columns; ++I) {
    const int Digits = static_cast<int>(I % 9);
    std::snprintf(Word.data(), Word.size(), I % 5 ? "%.*f" : "%.*e", Digits, 1000.0 * Values[I]);
    Text += Word.data();
    Text += (I + 1) % Columns ? Separators[I % Separators.size()] : "\n";
  }
  return Text;
}

bool isDigit(char C) { return C >= '0' && C <= '9'; }

class Parser {
public:
  explicit Parser(const std::string &Text) : At(Text.data()), End(At + Text.size()) {}

  bool atEnd() const { return At == End; }

  BENCH_KERNEL double number() {
    skipBlanks();
    const bool IsNegative = *At == '-';
    At += IsNegative;
    double Value = digits(), Scale = 1;
    if (*At == '.') {
      for (++At; isDigit(*At); ++At) {
        Scale *= 10;
        Value = 10 * Value + (*At - '0');
      }
    }
    Value /= Scale;
    if (*At == 'e') {
      ++At;
      const bool Divides = *At++ == '-';
      const double Power = powerOfTen(static_cast<int>(digits()));
      Value = Divides ? Value / Power : Value * Power;
    }
    return IsNegative ? -Value : Value;
  }

  void skipLine() {
    At = std::find(At, End, '\n');
    At += At != End;
  }

private:
  void skipBlanks() {
    while (*At == ' ' || *At == ',')
      ++At;
  }

  double digits() {
    double Value = 0;
    for (; isDigit(*At); ++At)
      Value = 10 * Value + (*At - '0');
    return Value;
  }

  static double powerOfTen(int Exponent) {
    double Power = 1;
    for (int I = 0; I < Exponent; ++I)
      Power *= 10;
    return Power;
  }

  const char *At, *End;
};

/// Updates the mean and the squared deviations of each column.
BENCH_KERNEL void addLine(const std::array<double, Columns> &Line, double Lines, double *Mean,
                          double *Scatter) {
  for (int I = 0; I < Columns; ++I) {
    const double Off = Line[I] - Mean[I];
    Mean[I] += Off / Lines;
    Scatter[I] += Off * (Line[I] - Mean[I]);
  }
}

} // namespace

int main(int Argc, char **Argv) {
  const long Lines = bench::argument(Argc, Argv, 1, 20000),
             Calls = bench::argument(Argc, Argv, 2, 150);
  const std::string Text = makeText(Lines);
  std::vector<double> Moments(2 * Columns);
  std::array<double, Columns> Line;
  double Number = 0;
  bench::Stopwatch Time;
  for (long Call = 0; Call < Calls; ++Call)
    for (Parser From(Text); !From.atEnd(); From.skipLine()) {
      for (double &Value : Line)
        Value = From.number();
      addLine(Line, ++Number, Moments.data(), Moments.data() + Columns);
    }
  Time.stop();
  Time.print(bench::checksum(Moments));
}
