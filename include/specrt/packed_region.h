/* specrt/packed_region.h - the compact part of a region's descriptor, and how to read it.
 *
 * A stream of bytes without padding:
 *   with SPECRT_REGION_CALLS: number num_calls, number calls[num_calls], positions in symbols
 *   text entry_symbol, text pipeline, text arg_names[num_args],
 *   access[num_accesses], loop[num_loops]
 *   with SPECRT_REGION_WORDS: text title, number num_places, place[num_places],
 *   number num_memory_names, memory_name[num_memory_names]
 * text:       bytes, then a zero byte
 * number:     seven bits per byte, low ones first; the top bit says that more follow
 * signed:     number, with its sign in bit 0: 0, -1, 1, -2, ...
 * access:     number kind, number index, signed offset of the base; polynomial begin, end;
 *             number flags, number element_size
 * loop:       number line, number depth, polynomial trip_count
 * place:      text function, text file, number first_line, number last_line
 * memory_name: number kind, number index, signed offset of the base; signed begin; text
 * polynomial: number num_terms + 1, or 0 for SPECRT_UNKNOWN; per term: signed coefficient,
 *             number num_factors, number factors[num_factors]
 *
 * Each function reads what its name says at *at and moves *at behind it. The stream comes from the
 * compiler plugin of the same ABI version and is trusted like the program's code.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef SPECRT_PACKED_REGION_H
#define SPECRT_PACKED_REGION_H

#include "specrt/abi.h"
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In specrt_region::flags, beside those of enum specrt_region_flags: compiler flags such as
 * -ffast-math leave results of the region open. Only its original computes the original's bits; it
 * gets versions with SPECRT_FP=fast alone. */
enum { SPECRT_REGION_OPEN = 64 };

/* Points into the stream. */
static inline const char *specrt_unpack_text(const uint8_t **at) {
  const char *text = (const char *)*at;
  *at += strlen(text) + 1;
  return text;
}

static inline uint64_t specrt_unpack_number(const uint8_t **at) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
  } while (byte & 0x80);
  return value;
}

static inline int64_t specrt_unpack_signed(const uint8_t **at) {
  uint64_t value = specrt_unpack_number(at);
  return (int64_t)(value >> 1 ^ (0 - (value & 1)));
}

static inline specrt_polynomial specrt_unpack_polynomial(const uint8_t **at) {
  specrt_polynomial p;
  memset(&p, 0, sizeof p);
  uint64_t terms = specrt_unpack_number(at);
  p.num_terms = terms ? (uint16_t)(terms - 1) : (uint16_t)SPECRT_UNKNOWN;
  for (uint64_t i = 0; i + 1 < terms; ++i) {
    p.terms[i].coefficient = specrt_unpack_signed(at);
    p.terms[i].num_factors = (uint16_t)specrt_unpack_number(at);
    for (unsigned j = 0; j < p.terms[i].num_factors; ++j)
      p.terms[i].factors[j] = (uint16_t)specrt_unpack_number(at);
  }
  return p;
}

static inline specrt_base specrt_unpack_base(const uint8_t **at) {
  specrt_base base;
  base.kind = (uint16_t)specrt_unpack_number(at);
  base.index = (uint16_t)specrt_unpack_number(at);
  base.offset = (int32_t)specrt_unpack_signed(at);
  return base;
}

static inline specrt_access specrt_unpack_access(const uint8_t **at) {
  specrt_access access;
  access.range.base = specrt_unpack_base(at);
  access.range.begin = specrt_unpack_polynomial(at);
  access.range.end = specrt_unpack_polynomial(at);
  access.flags = (uint32_t)specrt_unpack_number(at);
  access.element_size = (uint32_t)specrt_unpack_number(at);
  return access;
}

static inline specrt_loop specrt_unpack_loop(const uint8_t **at) {
  specrt_loop loop;
  loop.line = (uint32_t)specrt_unpack_number(at);
  loop.depth = (uint32_t)specrt_unpack_number(at);
  loop.trip_count = specrt_unpack_polynomial(at);
  return loop;
}

static inline specrt_place specrt_unpack_place(const uint8_t **at) {
  specrt_place place;
  place.function = specrt_unpack_text(at);
  place.file = specrt_unpack_text(at);
  place.first_line = (uint32_t)specrt_unpack_number(at);
  place.last_line = (uint32_t)specrt_unpack_number(at);
  return place;
}

static inline specrt_memory_name specrt_unpack_memory_name(const uint8_t **at) {
  specrt_memory_name name;
  name.base = specrt_unpack_base(at);
  name.begin = (int32_t)specrt_unpack_signed(at);
  name.text = specrt_unpack_text(at);
  return name;
}

#ifdef __cplusplus
}
#endif
#endif
