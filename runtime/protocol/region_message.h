//===- runtime/protocol/region_message.h - region descriptors in messages -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_RUNTIME_PROTOCOL_REGION_MESSAGE_H
#define SPECRT_RUNTIME_PROTOCOL_REGION_MESSAGE_H

#include "runtime/protocol/archive.h"
#include "specrt/abi.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace specrt {

/// The parts of a descriptor that compiling and describing need, with the code of other files that
/// the region calls. Of a symbol's address it contains only whether there is one.
struct RegionMessage {
  struct Symbol {
    std::string Name;
    bool HasAddress = false;
    template <class Archive> void fields(Archive &A) { A(Name, HasAddress); }
  };
  struct Place {
    std::string Function, File;
    uint32_t FirstLine = 0, LastLine = 0;
    template <class Archive> void fields(Archive &A) { A(Function, File, FirstLine, LastLine); }
  };
  struct MemoryName {
    specrt_base Base{};
    int32_t Begin = 0;
    std::string Text;
    template <class Archive> void fields(Archive &A) { A(Base, Begin, Text); }
  };
  struct File {
    uint64_t Low = 0, High = 0; ///< the halves of the hash
    std::string Bitcode;
    template <class Archive> void fields(Archive &A) { A(Low, High, Bitcode); }
  };
  struct Callee {
    std::string Name, Function;
    uint32_t File = 0; ///< index in Files
    std::vector<std::string> Symbols;
    std::vector<uint32_t> Positions;
    template <class Archive> void fields(Archive &A) {
      A(Name, Function, File, Symbols, Positions);
    }
  };

  RegionMessage() = default;
  /// \p Region must not be packed (see runtime/compile/region_copy.h).
  explicit RegionMessage(const specrt_region &Region);

  template <class Archive> void fields(Archive &A) {
    A(Name, Function, SourceFile, EntrySymbol, Pipeline, Title, Line, Flags, ReturnKind, ArgKinds,
      ArgNames, Bitcode, HashLow, HashHigh, Symbols, Accesses, Loops, Cells, Callees, Files, Places,
      MemoryNames);
  }

  std::string Name, Function, SourceFile, EntrySymbol, Pipeline;
  std::optional<std::string> Title;
  uint32_t Line = 0, Flags = 0, ReturnKind = 0;
  std::vector<uint8_t> ArgKinds;
  std::vector<std::string> ArgNames;
  std::string Bitcode;
  uint64_t HashLow = 0, HashHigh = 0;
  std::vector<Symbol> Symbols;
  std::vector<specrt_access> Accesses;
  std::vector<specrt_loop> Loops;
  std::vector<specrt_cell> Cells;
  std::vector<Callee> Callees;
  std::vector<File> Files;
  std::vector<Place> Places;
  std::vector<MemoryName> MemoryNames;
};

/// A received descriptor as a specrt_region, which is valid as long as the object.
class ReceivedRegion {
public:
  /// Inconsistent messages, such as a callee in a file that is missing, make isValid() false.
  explicit ReceivedRegion(RegionMessage Message);
  ReceivedRegion(const ReceivedRegion &) = delete;
  ReceivedRegion &operator=(const ReceivedRegion &) = delete;

  bool isValid() const { return Valid; }
  /// A symbol with an address in the program has an arbitrary one here.
  const specrt_region &region() const { return View; }

private:
  bool addCallees();

  const RegionMessage Message;
  specrt_region View{};
  bool Valid = false;
  std::vector<const char *> Names;
  std::vector<specrt_symbol> Symbols;
  std::vector<specrt_place> Places;
  std::vector<specrt_memory_name> MemoryNames;
  std::vector<std::unique_ptr<uint64_t[]>> Files; ///< specrt_function_file with its bitcode
  std::vector<std::vector<const char *>> CalleeSymbols;
  std::vector<specrt_callee> Callees;
};

} // namespace specrt

#endif
