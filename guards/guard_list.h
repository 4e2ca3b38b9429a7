//===- guards/guard_list.h - sequences of guards --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GuardView refers to a sequence of records in the format of specrt/guard.h, GuardList owns one.
// Records are written and read as bytes of their own type, so that equal guards have equal bytes.
//
//===----------------------------------------------------------------------===//
#ifndef SPECRT_GUARDS_GUARD_LIST_H
#define SPECRT_GUARDS_GUARD_LIST_H

#include "guards/polynomial.h"
#include "specrt/guard.h"
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <vector>

namespace specrt {

/// A sequence of records whose lengths are known to be right. See problemOf for records from a
/// file.
class GuardView {
public:
  class Iterator {
  public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = specrt_guard;
    using difference_type = std::ptrdiff_t;
    using pointer = const specrt_guard *;
    using reference = const specrt_guard &;

    Iterator() = default;
    explicit Iterator(const specrt_guard *At) : At(At) {}
    reference operator*() const { return *At; }
    pointer operator->() const { return At; }
    Iterator &operator++() {
      At = reinterpret_cast<const specrt_guard *>(reinterpret_cast<const char *>(At) + At->bytes);
      return *this;
    }
    Iterator operator++(int) {
      Iterator Before = *this;
      ++*this;
      return Before;
    }
    bool operator==(const Iterator &) const = default;

  private:
    const specrt_guard *At = nullptr;
  };

  GuardView() = default;
  GuardView(const specrt_guards &Guards) : Guards(Guards) {}
  /// Makes a view of a single guard.
  GuardView(const specrt_guard &Guard) : Guards{&Guard, Guard.bytes} {}

  Iterator begin() const { return Iterator(Guards.first); }
  Iterator end() const {
    return Iterator(reinterpret_cast<const specrt_guard *>(
        reinterpret_cast<const char *>(Guards.first) + Guards.bytes));
  }
  bool empty() const { return Guards.bytes == 0; }
  size_t size() const { return static_cast<size_t>(std::distance(begin(), end())); }
  const specrt_guards &plain() const { return Guards; }

  /// Returns whether both have the same bytes.
  friend bool operator==(const GuardView &A, const GuardView &B);

private:
  specrt_guards Guards{nullptr, 0};
};

class GuardList {
public:
  GuardList() = default;
  explicit GuardList(GuardView Guards);

  /// Adds a record with the terms of Polynomials and then More behind its fixed part. Sets the
  /// record's kind and length.
  template <typename Record>
  void append(const Record &Guard, std::initializer_list<PolynomialView> Polynomials = {},
              std::span<const uint64_t> More = {}) {
    static_assert(std::is_trivially_copyable_v<Record> && sizeof(Record) % sizeof(uint64_t) == 0 &&
                      std::has_unique_object_representations_v<Record>,
                  "every byte counts");
    append(static_cast<uint32_t>(Record::Kind), &Guard, sizeof(Record), Polynomials, More);
  }
  /// Adds a copy of \p Guard.
  void append(const specrt_guard &Guard);

  operator GuardView() const { return GuardView(plain()); }
  specrt_guards plain() const {
    return {reinterpret_cast<const specrt_guard *>(Words.data()), Words.size() * sizeof(uint64_t)};
  }
  GuardView::Iterator begin() const { return GuardView(*this).begin(); }
  GuardView::Iterator end() const { return GuardView(*this).end(); }
  bool empty() const { return Words.empty(); }
  size_t size() const { return GuardView(*this).size(); }

  bool operator==(const GuardList &) const = default;

private:
  void append(uint32_t Kind, const void *Fixed, uint32_t Bytes,
              std::initializer_list<PolynomialView> Polynomials, std::span<const uint64_t> More);

  /// The elements are words, so that records are aligned.
  std::vector<uint64_t> Words;
};

} // namespace specrt

#endif
