//===- runtime/protocol/archive.h - values as bytes, and back -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A message lists its fields once, in a member function template `fields`, for both directions:
//
//   template <class Archive> void fields(Archive &A) { A(Name, Line, Loops); }
//
// A free function `fields` does the same for other types (observed_fields.h). Numbers and plain
// structures are copied as they are in memory: the greeting ensures that both ends are of one
// build.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_RUNTIME_PROTOCOL_ARCHIVE_H
#define SPECRT_RUNTIME_PROTOCOL_ARCHIVE_H

#include "specrt/abi.h"
#include "specrt/recording.h"
#include "specrt/structure.h"
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace specrt {

/// True for types that are copied as bytes. They must not contain pointers.
template <class T> inline constexpr bool IsPlain = std::is_arithmetic_v<T> || std::is_enum_v<T>;
template <> inline constexpr bool IsPlain<specrt_access> = true;
template <> inline constexpr bool IsPlain<specrt_loop> = true;
template <> inline constexpr bool IsPlain<specrt_cell> = true;
template <> inline constexpr bool IsPlain<specrt_base> = true;
template <> inline constexpr bool IsPlain<specrt_box> = true;
template <> inline constexpr bool IsPlain<specrt_recorded_access> = true;
template <> inline constexpr bool IsPlain<specrt_recorded_loop> = true;
template <> inline constexpr bool IsPlain<specrt_carried_value> = true;
template <> inline constexpr bool IsPlain<specrt_fact> = true;
template <> inline constexpr bool IsPlain<specrt_cell_fact> = true;
template <> inline constexpr bool IsPlain<specrt_sequence_piece> = true;

/// Passes the fields of \p Value to \p A.
template <class Archive, class T> void listFields(Archive &A, T &Value) {
  if constexpr (requires { Value.fields(A); })
    Value.fields(A);
  else
    fields(A, Value);
}

/// Appends values to a string. Throws std::bad_alloc.
class ArchiveWriter {
public:
  template <class... T> void operator()(const T &...Values) { (put(Values), ...); }

  std::string take() { return std::move(Bytes); }

private:
  template <class T> void put(const T &Value) {
    static_assert(!std::is_pointer_v<T>);
    if constexpr (IsPlain<T>)
      append(&Value, sizeof(T));
    else
      listFields(*this,
                 const_cast<T &>(Value)); // fields() is for both directions; here it only reads
  }
  template <class T> void put(const std::optional<T> &Value) {
    put(Value.has_value());
    if (Value)
      put(*Value);
  }
  void put(const std::string &Text) {
    put(uint64_t{Text.size()});
    append(Text.data(), Text.size());
  }
  template <class T> void put(const std::vector<T> &Values) {
    put(uint64_t{Values.size()});
    if constexpr (IsPlain<T>)
      append(Values.data(), Values.size() * sizeof(T));
    else
      for (const T &Value : Values)
        put(Value);
  }
  void append(const void *From, size_t Size) {
    if (Size > 0)
      Bytes.append(static_cast<const char *>(From), Size);
  }

  std::string Bytes;
};

/// Reads values from bytes, which may be arbitrary. After the first one that does not fit, good()
/// is false and further values stay as they were. Never reads beyond the end, nor allocates more
/// than a small multiple of the input. Throws std::bad_alloc.
class ArchiveReader {
public:
  explicit ArchiveReader(std::string_view Bytes) : Left(Bytes) {}

  template <class... T> void operator()(T &...Values) { (get(Values), ...); }

  bool good() const { return Good; }
  /// Returns whether all bytes were read and everything fitted.
  bool isComplete() const { return Good && Left.empty(); }

private:
  template <class T> void get(T &Value) {
    if constexpr (IsPlain<T>) {
      if (const char *From = next(sizeof(T)))
        std::memcpy(&Value, From, sizeof(T));
    } else {
      listFields(*this, Value);
    }
  }
  template <class T> void get(std::optional<T> &Value) {
    bool HasValue = false;
    get(HasValue);
    Value.reset();
    if (HasValue && Good)
      get(Value.emplace());
  }
  void get(bool &Value) {
    uint8_t Byte = 0;
    get(Byte);
    Value = Byte != 0;
  }
  void get(std::string &Text) {
    uint64_t Size = 0;
    get(Size);
    if (const char *From = next(Size))
      Text.assign(From, Size);
  }
  template <class T> void get(std::vector<T> &Values) {
    uint64_t Count = 0;
    get(Count);
    // Each value takes at least one byte, so a wrong number cannot cause a large allocation.
    if (!Good || Count > Left.size()) {
      Good = false;
      return;
    }
    if constexpr (IsPlain<T>) {
      if (Count > Left.size() / sizeof(T)) {
        Good = false;
        return;
      }
      Values.resize(Count);
      if (const char *From = next(Count * sizeof(T)); From && Count > 0)
        std::memcpy(Values.data(), From, Count * sizeof(T));
    } else {
      Values.clear();
      for (uint64_t I = 0; Good && I < Count; ++I)
        get(Values.emplace_back());
    }
  }
  /// Returns the next \p Size bytes; null when fewer are left.
  const char *next(uint64_t Size) {
    Good = Good && Size <= Left.size();
    if (!Good)
      return nullptr;
    const char *From = Left.data();
    Left.remove_prefix(Size);
    return From;
  }

  std::string_view Left;
  bool Good = true;
};

/// Returns \p Message as bytes.
template <class T> std::string archive(const T &Message) {
  ArchiveWriter Writer;
  Writer(Message);
  return Writer.take();
}

/// Reads \p Message. Returns false when \p Bytes are not exactly one T.
template <class T> bool restore(std::string_view Bytes, T &Message) {
  ArchiveReader Reader(Bytes);
  Reader(Message);
  return Reader.isComplete();
}

} // namespace specrt

#endif
