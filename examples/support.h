//===- examples/support.h - functions that all examples use ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles the command line, time, checksums and errors, so that each example is about its kernel.
// All errors of the user (arguments, files) end the program with a line on stderr and exit code 2.
#ifndef SPECRT_EXAMPLES_SUPPORT_H
#define SPECRT_EXAMPLES_SUPPORT_H

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

// Kernels represent library functions of another translation unit: they are not inlined, so that
// the compiler knows nothing about their arguments, as in a real program.
#define EXAMPLE_KERNEL __attribute__((noinline))

namespace example {

/// Ends the program with exit code 2 and the line "error: <Message>".
[[noreturn]] inline void fail(const std::string &Message) {
  std::fflush(stdout);
  std::fprintf(stderr, "error: %s\n", Message.c_str());
  std::exit(2);
}

/// Parses positional integers and options of the form --name=value or --name value.
class CommandLine {
public:
  CommandLine(std::string Program, std::string Purpose)
      : Program(std::move(Program)), Purpose(std::move(Purpose)) {}

  /// Declares the next positional argument. \p Value holds the default and receives the result.
  void positional(const char *Name, const char *Help, long &Value, long Min, long Max) {
    Entries.push_back({Name, Help, &Value, nullptr, Min, Max, true});
  }
  /// Declares an integer option --Name.
  void option(const char *Name, const char *Help, long &Value, long Min, long Max) {
    Entries.push_back({Name, Help, &Value, nullptr, Min, Max, false});
  }
  /// Declares a text option --Name, for example a file.
  void option(const char *Name, const char *Help, std::string &Value) {
    Entries.push_back({Name, Help, nullptr, &Value, 0, 0, false});
  }

  /// Sets the declared values. Prints the usage and ends the program for --help.
  void parse(int Argc, char **Argv) {
    size_t NextPositional = 0;
    for (int I = 1; I < Argc; ++I) {
      std::string_view Word = Argv[I];
      if (Word == "--help" || Word == "-h") {
        printUsage();
        std::exit(0);
      }
      if (Word.substr(0, 2) != "--") {
        while (NextPositional < Entries.size() && !Entries[NextPositional].Positional)
          ++NextPositional;
        if (NextPositional == Entries.size())
          fail("unexpected argument '" + std::string(Word) + "' (see --help)");
        assign(Entries[NextPositional++], Word);
        continue;
      }
      size_t Equal = Word.find('=');
      Entry *Found = find(Word.substr(2, Equal == Word.npos ? Word.npos : Equal - 2));
      if (!Found)
        fail("unknown option '" + std::string(Word) + "' (see --help)");
      if (Equal != Word.npos)
        assign(*Found, Word.substr(Equal + 1));
      else if (I + 1 < Argc)
        assign(*Found, Argv[++I]);
      else
        fail("option '" + std::string(Word) + "' needs a value");
    }
  }

private:
  struct Entry {
    const char *Name;
    const char *Help;
    long *Integer;
    std::string *Text;
    long Min, Max;
    bool Positional;
  };

  Entry *find(std::string_view Name) {
    for (Entry &E : Entries)
      if (!E.Positional && Name == E.Name)
        return &E;
    return nullptr;
  }

  static void assign(const Entry &E, std::string_view Word) {
    if (E.Text) {
      *E.Text = Word;
      return;
    }
    auto [End, Error] = std::from_chars(Word.data(), Word.data() + Word.size(), *E.Integer);
    if (Error != std::errc() || End != Word.data() + Word.size() || *E.Integer < E.Min ||
        *E.Integer > E.Max)
      fail(std::string(E.Name) + " must be an integer from " + std::to_string(E.Min) + " to " +
           std::to_string(E.Max) + ", not '" + std::string(Word) + "'");
  }

  void printUsage() const {
    std::printf("%s - %s\nusage: %s", Program.c_str(), Purpose.c_str(), Program.c_str());
    for (const Entry &E : Entries)
      std::printf(E.Positional ? " [%s]" : " [--%s=...]", E.Name);
    std::printf("\n");
    for (const Entry &E : Entries) {
      std::string Default =
          E.Text ? (E.Text->empty() ? "none" : *E.Text) : std::to_string(*E.Integer);
      std::printf("  %s%-10s %s (default: %s)\n", E.Positional ? "  " : "--", E.Name, E.Help,
                  Default.c_str());
    }
  }

  std::string Program, Purpose;
  std::vector<Entry> Entries;
};

/// Adds up the time between start() and stop().
class Stopwatch {
public:
  void start() { Begin = Clock::now(); }
  void stop() { Total += Clock::now() - Begin; }
  double seconds() const { return std::chrono::duration<double>(Total).count(); }

private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point Begin;
  Clock::duration Total{};
};

/// Computes FNV-1a over words of eight bytes, the last one padded with zeros, so that a single
/// different bit of the output changes it.
class Checksum {
public:
  template <typename T> void add(const std::vector<T> &Data) {
    add(Data.data(), Data.size() * sizeof(T));
  }
  void add(const void *Data, size_t Size) {
    const auto *Bytes = static_cast<const unsigned char *>(Data);
    for (size_t I = 0; I < Size; I += sizeof(uint64_t)) {
      uint64_t Word = 0;
      std::memcpy(&Word, Bytes + I, std::min(sizeof(Word), Size - I));
      Hash = (Hash ^ Word) * 0x100000001b3u;
      Hash ^= Hash >> 32; // keeps differences in the upper bits
    }
  }
  uint64_t value() const { return Hash; }

private:
  uint64_t Hash = 0xcbf29ce484222325u;
};

/// Prints the two lines with which every example ends.
inline void report(const Checksum &Sum, const Stopwatch &Watch) {
  std::printf("checksum=%016llx\n", static_cast<unsigned long long>(Sum.value()));
  std::printf("seconds=%.6f\n", Watch.seconds());
}

/// Writes \p Header and then \p Size bytes to \p Path; an empty path writes nothing.
inline void writeFile(const std::string &Path, const std::string &Header, const void *Data,
                      size_t Size) {
  if (Path.empty())
    return;
  std::ofstream Out(Path, std::ios::binary);
  Out << Header;
  Out.write(static_cast<const char *>(Data), static_cast<std::streamsize>(Size));
  Out.close();
  if (!Out)
    fail("cannot write '" + Path + "': " + std::strerror(errno));
}

/// Numbers in [-1, 1) that are the same on every machine (a linear congruential generator).
class Random {
public:
  explicit Random(uint64_t Seed) : State(Seed) {}
  double next() {
    State = State * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(static_cast<int64_t>(State) >> 11) * 0x1p-52;
  }

private:
  uint64_t State;
};

} // namespace example

#endif
