/*===- tests/instrument/stub_runtime.c - a libspecrt that prints -----------===
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Prints on stderr what images register and which regions run; runs the original code. With
 * SPECRT_STUB_UNSEEN set it leaves slots empty, so that calls pass it by. With
 * SPECRT_STUB_PASS_BY set, it lets so many calls of each region pass by. With
 * SPECRT_STUB_DUMP set, writes each region's bitcode to <that>/<entry symbol>.bc. Originals call
 * specrt_poll at the iteration SPECRT_STUB_POLL_AT.
 */
#include "specrt/packed_region.h"
#include <stdio.h>
#include <stdlib.h>

extern __attribute__((visibility("hidden"))) void regionThunk(void);

#pragma GCC visibility push(default)

static void printPolynomial(const specrt_polynomial *P) {
  if (P->num_terms == SPECRT_UNKNOWN || P->num_terms == 0)
    fprintf(stderr, P->num_terms ? "?" : "0");
  else
    for (int I = 0; I < P->num_terms; ++I) {
      fprintf(stderr, "%s%lld", I ? "+" : "", (long long)P->terms[I].coefficient);
      for (int J = 0; J < P->terms[I].num_factors; ++J)
        fprintf(stderr, "*%u", P->terms[I].factors[J] & ~SPECRT_FACTOR_UNSIGNED);
    }
}

static void printWords(const specrt_region *R, const uint8_t **At) {
  const char *Title = specrt_unpack_text(At);
  fprintf(stderr, "  title '%s'\n", *Title ? Title : R->name);
  const char *File = R->file; /* of the place before */
  for (uint64_t Places = specrt_unpack_number(At); Places > 0; --Places) {
    specrt_place P = specrt_unpack_place(At);
    File = *P.file == 1 ? File : P.file;
    fprintf(stderr, "  place %s %s %u-%u\n", P.function, File, P.first_line, P.last_line);
  }
  for (uint64_t Names = specrt_unpack_number(At); Names > 0; --Names) {
    specrt_memory_name N = specrt_unpack_memory_name(At);
    fprintf(stderr, "  memory %u/%u+%d '%s'\n", N.base.kind, N.base.index, N.begin, N.text);
  }
}

static void dump(const specrt_region *R, const char *Entry) {
  const char *Directory = getenv("SPECRT_STUB_DUMP");
  char Path[4096];
  if (!Directory)
    return;
  snprintf(Path, sizeof Path, "%s/%s.bc", Directory, Entry);
  FILE *File = fopen(Path, "wb");
  if (!File)
    return;
  fwrite(R->bitcode, 1, R->bitcode_size, File);
  fclose(File);
}

static uint64_t pollAt(void) {
  const char *At = getenv("SPECRT_STUB_POLL_AT");
  return At ? strtoull(At, NULL, 10) : UINT64_MAX;
}

static specrt_region *describe(specrt_record *Record) {
  Record->region = calloc(1, sizeof(specrt_region));
  specrt_unpack_region(Record, Record->region,
                       calloc(specrt_count_symbols(Record) + 1, sizeof(specrt_symbol)));
  return Record->region;
}

/* Byte 1 at the begin of a text stands for another one. */
static const char *expanded(const char *Text, const char *Other) {
  static char Whole[4096];
  snprintf(Whole, sizeof Whole, "%s%s", *Text == 1 ? Other : "", *Text == 1 ? Text + 1 : Text);
  return Whole;
}

void specrt_register_records(specrt_record **Begin, specrt_record **End) {
  fprintf(stderr, "register %ld\n", (long)(End - Begin));
  for (; Begin < End; ++Begin) {
    specrt_region *R = describe(*Begin);
    fprintf(stderr, *R->poll_at == UINT64_MAX ? "" : "poll_at is set\n");
    *R->poll_at = pollAt();
    if (getenv("SPECRT_STUB_PASS_BY"))
      *R->pass_by = strtoull(getenv("SPECRT_STUB_PASS_BY"), NULL, 10);
    const uint8_t *At = R->arg_kinds + R->num_args;
    if (R->flags & SPECRT_REGION_CALLS)
      for (uint64_t Calls = specrt_unpack_number(&At); Calls > 0; --Calls)
        fprintf(stderr, "  calls %s\n", R->symbols[specrt_unpack_number(&At)].name);
    const char *Entry = specrt_unpack_text(&At), *Pipeline = specrt_unpack_text(&At);
    fprintf(stderr,
            "region %s function=%s file=%s line=%u abi=%u size=%u flags=%u return=%u pipeline=%s "
            "hash=%016llx%016llx slot=%d\n",
            R->name, R->function, R->file, R->line, R->abi_version, R->size, R->flags,
            R->return_kind, Pipeline, (unsigned long long)R->bitcode_hash[1],
            (unsigned long long)R->bitcode_hash[0], *R->slot == NULL);
    if (!getenv("SPECRT_STUB_UNSEEN"))
      *R->slot = (void *)regionThunk;
    for (unsigned I = 0; I < R->num_args; ++I)
      fprintf(stderr, "  arg %u %u '%s'\n", I, R->arg_kinds[I], specrt_unpack_text(&At));
    for (unsigned I = 0; I < R->num_symbols; ++I)
      fprintf(stderr, "  symbol %s %d\n", R->symbols[I].name, R->symbols[I].address != 0);
    for (unsigned I = 0; I < R->num_accesses; ++I) {
      specrt_access A = specrt_unpack_access(&At);
      fprintf(stderr, "  access %u/%u flags=%u element=%u [", A.range.base.kind, A.range.base.index,
              A.flags, A.element_size);
      printPolynomial(&A.range.begin);
      fprintf(stderr, ", ");
      printPolynomial(&A.range.end);
      fprintf(stderr, ")\n");
    }
    for (unsigned I = 0; I < R->num_loops; ++I) {
      specrt_loop Loop = specrt_unpack_loop(&At);
      fprintf(stderr, "  loop line=%u depth=%u trips=", Loop.line, Loop.depth);
      printPolynomial(&Loop.trip_count);
      fprintf(stderr, "\n");
    }
    if (R->flags & SPECRT_REGION_WORDS)
      printWords(R, &At);
    dump(R, expanded(Entry, R->function));
  }
}

static int doNothing(void) { return SPECRT_DONE; }

/* With SPECRT_STUB_HAND_OVER set, the rest of the nest is not done by anybody. */
void *specrt_poll(specrt_region *R, const uint64_t *Packed, uint64_t Iteration, int32_t *Token) {
  fprintf(stderr, "poll %s at %llu", R->name, (unsigned long long)Iteration);
  for (unsigned I = 0; I < R->num_args; ++I)
    if (R->arg_kinds[I] != SPECRT_KIND_POINTER)
      fprintf(stderr, " %llx", (unsigned long long)Packed[I]);
  fprintf(stderr, "\n");
  *Token = -43;
  return getenv("SPECRT_STUB_HAND_OVER") ? (void *)doNothing : NULL;
}

static int doRemainder(void) {
  fprintf(stderr, "remainder\n");
  return SPECRT_DONE;
}

/* With SPECRT_STUB_PARTS set, the rest is done in two parts. */
void *specrt_continue(int32_t Token) {
  fprintf(stderr, "continue %d\n", -Token);
  return getenv("SPECRT_STUB_PARTS") ? (void *)doRemainder : NULL;
}

void specrt_unregister_records(specrt_record **Begin, specrt_record **End) {
  fprintf(stderr, "unregister %ld\n", (long)(End - Begin));
}

void specrt_register_functions(const specrt_function *Begin, const specrt_function *End) {
  while (Begin < End) {
    fprintf(stderr, "function %s at=%d size=%u bytes=%llu calls=%u\n", Begin->name,
            Begin->address != 0, Begin->size, (unsigned long long)Begin->file->bitcode_size,
            Begin->num_calls);
    const specrt_symbol *Symbols = (const specrt_symbol *)(Begin + 1);
    for (unsigned I = 0; I < Begin->num_symbols; ++I)
      fprintf(stderr, "  symbol %s %d\n", Symbols[I].name, Symbols[I].address != 0);
    Begin = (const specrt_function *)((const char *)Begin + Begin->size);
  }
}

void specrt_unregister_functions(const specrt_function *Begin, const specrt_function *End) {
  (void)Begin;
  (void)End;
}

void *specrt_enter(specrt_region *R, const uint64_t *Packed, specrt_call *Call) {
  fprintf(stderr, "enter %s", R->name);
  for (unsigned I = 0; I < R->num_args; ++I)
    if (R->arg_kinds[I] != SPECRT_KIND_POINTER)
      fprintf(stderr, " %llx", (unsigned long long)Packed[I]);
  fprintf(stderr, "\n");
  Call->words[0] = (uint32_t)-42;
  return R->original;
}

void specrt_leave(specrt_region *R, specrt_call *Call) { abort(); /* only originals run */ }

void specrt_end_nest(int32_t Token) {
  if (Token < 0)
    fprintf(stderr, "leave %d\n", (int)-Token);
}

void specrt_end_handed_over(int32_t Token, int32_t Outer) {
  specrt_end_nest(Token);
  specrt_end_nest(Outer);
}
