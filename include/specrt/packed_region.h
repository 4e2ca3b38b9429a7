/* specrt/packed_region.h - the description of a region in a program, and how to read it.
 *
 * A specrt_record leads to it. It lies in read-only memory and needs no relocations:
 *   specrt_constants, stream of stream_bytes, at the next multiple of 8 specrt_cell[num_cells], at
 *   the next multiple of 8 the bitcode.
 * The stream, bytes without padding:
 *   number flags, line, num_args, num_symbols, num_accesses, num_loops, num_cells, bitcode_size,
 *   text name, text function, text file, text symbols[num_symbols], byte arg_kinds[num_args],
 *   then what is only read when the region turns out hot, because unpacked it would take several
 *   times the space of the code:
 *   with SPECRT_REGION_CALLS: number num_calls, number calls[num_calls], positions in symbols
 *   text entry_symbol, text pipeline, text arg_names[num_args],
 *   access[num_accesses], loop[num_loops]
 *   with SPECRT_REGION_WORDS: text title, number num_places, place[num_places],
 *   number num_memory_names, memory_name[num_memory_names]
 * text:       bytes, then a zero byte. The title is empty where it is the region's name. Byte 1
 *             stands for the region's function at the begin of entry_symbol. As the file of a place
 *             it stands for that of the place before, in the first place for the region's
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

typedef struct specrt_constants {
  uint32_t abi_version;
  uint32_t stream_bytes;
  uint64_t bitcode_hash[2];
} specrt_constants;

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

static inline const specrt_constants *specrt_constants_of(const specrt_record *record) {
  return (const specrt_constants *)((const char *)&record->constants + record->constants);
}

/* Returns how many addresses follow the record, which is of SPECRT_ABI_VERSION. */
static inline uint64_t specrt_count_symbols(const specrt_record *record) {
  const uint8_t *at = (const uint8_t *)(specrt_constants_of(record) + 1);
  specrt_unpack_number(&at); /* flags */
  specrt_unpack_number(&at); /* line */
  specrt_unpack_number(&at); /* num_args */
  return specrt_unpack_number(&at);
}

static inline const void *specrt_aligned(const void *place) {
  return (const void *)(((uintptr_t)place + 7) & ~(uintptr_t)7);
}

/* Describes the region of a record, which is of SPECRT_ABI_VERSION, in zeroed memory. The result
 * refers to the record, to its constants and to \p symbols[specrt_count_symbols]. */
static inline void specrt_unpack_region(specrt_record *record, specrt_region *region,
                                        specrt_symbol *symbols) {
  const specrt_constants *constants = specrt_constants_of(record);
  const uint8_t *at = (const uint8_t *)(constants + 1);
  void *const *addresses = (void *const *)(record + 1);
  region->abi_version = constants->abi_version;
  region->size = SPECRT_REGION_BYTES;
  region->flags = (uint32_t)specrt_unpack_number(&at);
  region->line = (uint32_t)specrt_unpack_number(&at);
  region->num_args = (uint32_t)specrt_unpack_number(&at);
  region->num_symbols = (uint32_t)specrt_unpack_number(&at);
  region->num_accesses = (uint32_t)specrt_unpack_number(&at);
  region->num_loops = (uint32_t)specrt_unpack_number(&at);
  region->num_cells = (uint32_t)specrt_unpack_number(&at);
  region->bitcode_size = specrt_unpack_number(&at);
  region->bitcode_hash[0] = constants->bitcode_hash[0];
  region->bitcode_hash[1] = constants->bitcode_hash[1];
  region->return_kind = SPECRT_KIND_I32;
  region->name = specrt_unpack_text(&at);
  region->function = specrt_unpack_text(&at);
  region->file = specrt_unpack_text(&at);
  for (uint32_t i = 0; i < region->num_symbols; ++i) {
    symbols[i].name = specrt_unpack_text(&at);
    symbols[i].address = addresses[i];
  }
  region->symbols = region->num_symbols ? symbols : NULL;
  region->arg_kinds = at;
  region->cells = (const specrt_cell *)specrt_aligned((const uint8_t *)(constants + 1) +
                                                      constants->stream_bytes);
  region->bitcode = specrt_aligned(region->cells + region->num_cells);
  region->slot = &record->slot;
  region->poll_at = &record->poll_at;
  region->pass_by = &record->pass_by;
}

#ifdef __cplusplus
}
#endif
#endif
