//===- tests/specializer/test_region.h - regions made in a test -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPECRT_TESTS_SPECIALIZER_TEST_REGION_H
#define SPECRT_TESTS_SPECIALIZER_TEST_REGION_H

#include "specrt/jit_api.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

/// A descriptor as the plugin would emit it, for one function of a module, and a request for it.
class TestRegion {
public:
  /// \p Function of kernels.c; \p Symbols gives the addresses of globals it refers to.
  static std::unique_ptr<TestRegion> fromKernel(const std::string &Function,
                                                std::map<std::string, void *> Symbols = {});
  /// \p Function of another file of bitcode.
  static std::unique_ptr<TestRegion> fromBitcode(const std::string &File,
                                                 const std::string &Function,
                                                 std::map<std::string, void *> Symbols = {});
  /// \p Function of LLVM assembly.
  static std::unique_ptr<TestRegion> fromIR(llvm::StringRef Text, const std::string &Function,
                                            std::map<std::string, void *> Symbols = {});
  /// No code, only a signature: for guards.
  static std::unique_ptr<TestRegion> fromKinds(std::vector<uint8_t> Kinds,
                                               uint8_t ReturnKind = SPECRT_KIND_VOID);

  specrt_region &region() { return Region; }
  /// A strict, serial request with a budget of ten seconds; facts as set below.
  specrt_jit_request &request() { return Request; }

  void constant(unsigned Argument, uint64_t Packed);
  void range(unsigned Argument, int64_t Low, int64_t High);
  void aligned(unsigned Argument, uint32_t Bytes);
  /// Takes what lies in memory at a call with these arguments for constants.
  void sample(const std::vector<uint64_t> &Packed);

  /// Says of the load with this number what it reads.
  void sequence(unsigned Access, std::vector<specrt_sequence_piece> Pieces);
  /// The numbers of the loads of a kind (enum specrt_kind).
  std::vector<unsigned> loadsOf(uint8_t Kind) const;

  TestRegion(const TestRegion &) = delete;
  TestRegion &operator=(const TestRegion &) = delete;

private:
  TestRegion() = default;
  void setModule(llvm::Module &M, const std::string &Function,
                 const std::map<std::string, void *> &Known);
  void setKinds(std::vector<uint8_t> K, uint8_t ReturnKind);

  specrt_region Region{};
  specrt_jit_request Request{};
  std::string Name;
  std::vector<uint8_t> Kinds;
  std::vector<const char *> ArgumentNames;
  llvm::SmallVector<char, 0> Bitcode;
  std::map<std::string, void *> Known;
  std::vector<specrt_symbol> Symbols;
  std::vector<specrt_fact> Facts;
  llvm::SmallVector<specrt_cell> Cells;
  std::vector<specrt_cell_fact> CellFacts;
  std::vector<uint8_t> Accesses; ///< the kind of each load; VOID: a store
  std::deque<std::vector<specrt_sequence_piece>> Pieces;
  std::vector<specrt_sequence_fact> Sequences;
};

/// A double or float as packed bits.
uint64_t packed(double Value);
uint64_t packedFloat(float Value);
template <typename T> uint64_t packed(T *Pointer) { return reinterpret_cast<uint64_t>(Pointer); }

#endif
