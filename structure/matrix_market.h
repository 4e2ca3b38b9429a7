//===- structure/matrix_market.h - reads Matrix Market files --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads "matrix coordinate" files of any field and symmetry, and adds entries that symmetry
// implies. Every line is checked; errors name the file and the line. Entries must lie in the
// matrix, and the number of rows and columns is limited by a million plus some for each byte of the
// file. This header does not depend on other parts of the project, so that examples can use it.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_STRUCTURE_MATRIX_MARKET_H
#define SPECRT_STRUCTURE_MATRIX_MARKET_H

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace specrt {

class MatrixMarketError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct MatrixMarketEntry {
  long Row, Column; ///< from 0
  double Value;     ///< 1 in files with the field "pattern"
};

struct MatrixMarketFile {
  long Rows = 0, Columns = 0;
  bool Symmetric = false;                 ///< any kind of symmetry: the file stores only the lower
                                          ///< triangle
  std::vector<MatrixMarketEntry> Entries; ///< in the file's order, then the implied ones
};

class MatrixMarketParser {
public:
  /// \p NeedsValues: complex values are an error; otherwise values are ignored.
  MatrixMarketParser(std::string Path, bool NeedsValues)
      : Path(std::move(Path)), NeedsValues(NeedsValues), In(this->Path) {}

  /// Throws MatrixMarketError if the file is missing or malformed.
  MatrixMarketFile read() {
    if (!In)
      failToRead();
    readBanner();
    readSize();
    for (long I = 0; I < NumEntries; ++I)
      readEntry();
    if (nextLine())
      fail("more entries than the " + std::to_string(NumEntries) + " announced");
    // Users allocate memory per row and column, so a small file must not declare huge sizes.
    if (std::max(File.Rows, File.Columns) > MostEmptyRows + MostRowsOfByte * NumBytes)
      fail("the " + sizeText() + " matrix has hardly any entries");
    addImplied();
    return std::move(File);
  }

private:
  [[noreturn]] void fail(const std::string &Message) const {
    throw MatrixMarketError(Path + ":" + std::to_string(LineNumber) + ": " + Message);
  }

  [[noreturn]] void failToRead() const {
    throw MatrixMarketError("cannot read '" + Path + "': " + std::strerror(errno));
  }

  /// Moves to the next line that is neither blank nor a comment.
  bool nextLine() {
    while (std::getline(In, Line)) {
      ++LineNumber;
      NumBytes += static_cast<long>(Line.size());
      if (Line.find_first_not_of(" \t\r") != Line.npos && Line[0] != '%') {
        Rest = Line;
        return true;
      }
    }
    if (In.bad())
      failToRead();
    Rest = {};
    return false;
  }

  void readBanner() {
    const bool HasLine = bool(std::getline(In, Line));
    if (In.bad()) // a folder, for example
      failToRead();
    if (!HasLine)
      throw MatrixMarketError("'" + Path + "' is empty");
    ++LineNumber;
    std::transform(Line.begin(), Line.end(), Line.begin(),
                   [](unsigned char C) { return static_cast<char>(std::tolower(C)); });
    std::istringstream Words(Line);
    std::string Magic, Object, Format, Field, Shape;
    Words >> Magic >> Object >> Format >> Field >> Shape;
    if (Magic != "%%matrixmarket")
      fail("not a Matrix Market file: the first line must start with %%MatrixMarket");
    if (Object != "matrix" || Format != "coordinate")
      fail("only 'matrix coordinate' is supported, not '" + Object + " " + Format + "'");
    setField(Field);
    setShape(Shape);
  }

  void setField(const std::string &Field) {
    if (Field == "pattern")
      NumValues = 0;
    else if (Field == "real" || Field == "integer")
      NumValues = 1;
    else if (Field == "complex" && !NeedsValues)
      NumValues = 2;
    else
      fail("only real, integer and pattern entries are supported, not '" + Field + "'");
  }

  void setShape(const std::string &Shape) {
    File.Symmetric = Shape == "symmetric" || Shape == "skew-symmetric" || Shape == "hermitian";
    if (Shape == "skew-symmetric")
      ImpliedSign = -1;
    if (Shape != "general" && !File.Symmetric)
      fail("'" + Shape + "' is not one of general, symmetric, skew-symmetric and hermitian");
  }

  /// Reads the next number of the line into \p To; returns false if there is none.
  template <typename Number> bool take(Number &To) {
    Rest.remove_prefix(std::min(Rest.find_first_not_of(" \t\r"), Rest.size()));
    if (Rest.size() > 1 && Rest[0] == '+' && Rest[1] != '-')
      Rest.remove_prefix(1);
    const auto [End, Error] = std::from_chars(Rest.data(), Rest.data() + Rest.size(), To);
    const bool Ends = End == Rest.data() + Rest.size() || std::strchr(" \t\r", *End);
    // Numbers out of the range of double become 0 or infinity.
    if (Error == std::errc::result_out_of_range && std::is_floating_point_v<Number>)
      To = static_cast<Number>(std::strtod(std::string(Rest).c_str(), nullptr));
    else if (Error != std::errc() || !Ends)
      return false;
    Rest.remove_prefix(static_cast<size_t>(End - Rest.data()));
    return true;
  }
  bool isAtEnd() const { return Rest.find_first_not_of(" \t\r") == Rest.npos; }

  void readSize() {
    nextLine();
    if (!take(File.Rows) || !take(File.Columns) || !take(NumEntries) || !isAtEnd() ||
        File.Rows < 1 || File.Columns < 1 || NumEntries < 0 || File.Rows > MostRows ||
        File.Columns > MostRows || NumEntries > MostEntries)
      fail("expected a line 'rows columns entries' with positive sizes");
    if (File.Symmetric && File.Rows != File.Columns)
      fail("a symmetric matrix that is not square: " + sizeText());
  }

  void readEntry() {
    if (!nextLine())
      fail("the file ends after " + std::to_string(File.Entries.size()) + " of " +
           std::to_string(NumEntries) + " entries");
    MatrixMarketEntry E{0, 0, 1.0};
    bool Complete = take(E.Row) && take(E.Column);
    double Imaginary;
    for (int I = 0; Complete && I < NumValues; ++I)
      Complete = take(I == 0 ? E.Value : Imaginary);
    if (!Complete || !isAtEnd())
      fail("expected 'row column" + std::string(NumValues == 0 ? "'" : " value'"));
    if (E.Row < 1 || E.Row > File.Rows || E.Column < 1 || E.Column > File.Columns)
      fail("entry (" + std::to_string(E.Row) + ", " + std::to_string(E.Column) +
           ") lies outside the " + sizeText() + " matrix");
    if (File.Symmetric && E.Column > E.Row)
      fail("a symmetric matrix stores only its lower triangle");
    File.Entries.push_back({E.Row - 1, E.Column - 1, E.Value});
  }

  void addImplied() {
    if (!File.Symmetric)
      return;
    for (size_t I = 0, End = File.Entries.size(); I < End; ++I) {
      const MatrixMarketEntry E = File.Entries[I];
      if (E.Row != E.Column)
        File.Entries.push_back({E.Column, E.Row, ImpliedSign * E.Value});
    }
  }

  std::string sizeText() const {
    return std::to_string(File.Rows) + " x " + std::to_string(File.Columns);
  }

  static constexpr long MostRows = 100000000, MostEntries = 1000000000;
  /// Limits on rows and columns: a constant, and an amount per byte of the file.
  static constexpr long MostEmptyRows = 1000000, MostRowsOfByte = 64;
  const std::string Path;
  const bool NeedsValues;
  std::ifstream In;
  std::string Line;
  std::string_view Rest; // rest of the line
  long LineNumber = 0, NumBytes = 0, NumEntries = 0;
  int NumValues = 1; // per entry
  double ImpliedSign = 1;
  MatrixMarketFile File;
};

inline MatrixMarketFile readMatrixMarket(const std::string &Path, bool NeedsValues) {
  return MatrixMarketParser(Path, NeedsValues).read();
}

} // namespace specrt

#endif
