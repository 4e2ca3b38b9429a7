//===- examples/matrix_market.h - reading a sparse matrix from a Matrix Market file ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads "matrix coordinate real|integer|pattern general|symmetric" into compressed sparse rows.
// Every line is checked; an error names the file and the line.
#ifndef SPECRT_EXAMPLES_MATRIX_MARKET_H
#define SPECRT_EXAMPLES_MATRIX_MARKET_H

#include "support.h"
#include <algorithm>
#include <sstream>

namespace example {

/// Row I holds the entries RowStart[I] .. RowStart[I + 1] - 1, by ascending column.
struct CsrMatrix {
  long Rows = 0, Columns = 0;
  std::vector<int> RowStart, Column;
  std::vector<double> Value;
};

class MatrixMarketReader {
public:
  explicit MatrixMarketReader(std::string Path) : Path(std::move(Path)), In(this->Path) {}

  /// Ends the program with a message when the file is missing or malformed.
  CsrMatrix read() {
    if (!In)
      fail("cannot read '" + Path + "': " + std::strerror(errno));
    readBanner();
    readSize();
    for (long I = 0; I < NumEntries; ++I)
      readEntry();
    if (nextLine())
      failHere("more entries than the " + std::to_string(NumEntries) + " announced");
    return compress();
  }

private:
  struct Entry {
    long Row, Column;
    double Value;
  };

  [[noreturn]] void failHere(const std::string &Message) const {
    fail(Path + ":" + std::to_string(LineNumber) + ": " + Message);
  }

  // Moves to the next line that is neither blank nor a comment.
  bool nextLine() {
    while (std::getline(In, Line)) {
      ++LineNumber;
      if (Line.find_first_not_of(" \t\r") != Line.npos && Line[0] != '%')
        return true;
    }
    return false;
  }

  void readBanner() {
    if (!std::getline(In, Line))
      fail("'" + Path + "' is empty");
    ++LineNumber;
    std::transform(Line.begin(), Line.end(), Line.begin(),
                   [](unsigned char C) { return std::tolower(C); });
    std::istringstream Words(Line);
    std::string Magic, Object, Format, Field, Shape;
    Words >> Magic >> Object >> Format >> Field >> Shape;
    if (Magic != "%%matrixmarket")
      failHere("not a Matrix Market file: the first line must start with %%MatrixMarket");
    if (Object != "matrix" || Format != "coordinate")
      failHere("only 'matrix coordinate' is supported, not '" + Object + " " + Format + "'");
    if (Field != "real" && Field != "integer" && Field != "pattern")
      failHere("only real, integer and pattern entries are supported, not '" + Field + "'");
    if (Shape != "general" && Shape != "symmetric")
      failHere("only general and symmetric matrices are supported, not '" + Shape + "'");
    Pattern = Field == "pattern";
    Symmetric = Shape == "symmetric";
  }

  void readSize() {
    std::istringstream Words(nextLine() ? Line : "");
    std::string Rest;
    if (!(Words >> Rows >> Columns >> NumEntries) || Words >> Rest || Rows < 1 || Columns < 1 ||
        NumEntries < 0 || Rows > 100000000 || Columns > 100000000 || NumEntries > 1000000000)
      failHere("expected a line 'rows columns entries' with positive sizes");
  }

  void readEntry() {
    if (!nextLine())
      failHere("the file ends after " + std::to_string(Entries.size()) + " of " +
               std::to_string(NumEntries) + " entries");
    std::istringstream Words(Line);
    std::string Rest;
    Entry E{0, 0, 1.0};
    bool Complete = (Words >> E.Row >> E.Column) && (Pattern || (Words >> E.Value));
    if (!Complete || Words >> Rest)
      failHere("expected 'row column" + std::string(Pattern ? "'" : " value'"));
    if (E.Row < 1 || E.Row > Rows || E.Column < 1 || E.Column > Columns)
      failHere("entry (" + std::to_string(E.Row) + ", " + std::to_string(E.Column) +
               ") lies outside the " + std::to_string(Rows) + " x " + std::to_string(Columns) +
               " matrix");
    if (Symmetric && E.Column > E.Row)
      failHere("a symmetric matrix stores only its lower triangle");
    --E.Row;
    --E.Column;
    Entries.push_back(E);
  }

  CsrMatrix compress() {
    if (Symmetric)
      for (size_t I = 0, End = Entries.size(); I < End; ++I)
        if (Entries[I].Row != Entries[I].Column)
          Entries.push_back({Entries[I].Column, Entries[I].Row, Entries[I].Value});
    std::sort(Entries.begin(), Entries.end(), [](const Entry &A, const Entry &B) {
      return A.Row != B.Row ? A.Row < B.Row : A.Column < B.Column;
    });
    CsrMatrix Matrix;
    Matrix.Rows = Rows;
    Matrix.Columns = Columns;
    Matrix.RowStart.assign(Rows + 1, 0);
    for (const Entry &E : Entries) {
      ++Matrix.RowStart[E.Row + 1];
      Matrix.Column.push_back(static_cast<int>(E.Column));
      Matrix.Value.push_back(E.Value);
    }
    for (long I = 0; I < Rows; ++I)
      Matrix.RowStart[I + 1] += Matrix.RowStart[I];
    return Matrix;
  }

  std::string Path;
  std::ifstream In;
  std::string Line;
  long LineNumber = 0;
  long Rows = 0, Columns = 0, NumEntries = 0;
  bool Pattern = false, Symmetric = false;
  std::vector<Entry> Entries;
};

} // namespace example

#endif
