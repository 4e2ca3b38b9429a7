//===- bench/polybench/driver.c - runs one kernel on generated data -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This main program is compiled once and linked to each build of each kernel. For each --size it
// creates the arrays, then runs the kernel several times, each time from the same initial data, and
// prints one JSON object with the seconds of each call and a checksum of all arrays after it. Sizes
// may be zero or negative: then the loops are empty and the arrays keep one element per direction.
// For bad arguments it prints one line on standard error and ends with status 2.
#include "arrays.h"
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxRuns = 16, MaxAliases = 4 };
static const char *const ClassNames[NumSizeClasses] = {"MINI", "SMALL", "MEDIUM", "LARGE"};

/// Array number Array lies in the memory of array number Target, Offset elements from its start.
typedef struct {
  int Array, Target;
  long Offset;
} Alias;

typedef struct {
  long Sizes[MaxRuns][MaxSizes];
  int NumRuns;
  Alias Aliases[MaxAliases];
  int NumAliases;
  long Repetitions;
  FILE *Output, *Initial;
} Options;

//===- Arguments ---===//

static long parseInteger(const char *Text, const char **End, const char *What) {
  char *Stop;
  errno = 0;
  long Value = strtol(Text, &Stop, 10);
  if (Stop == Text || errno)
    fail("%s must be an integer, not '%s'", What, Text);
  *End = Stop;
  return Value;
}

static void parseSizes(const char *Text, long *Sizes) {
  for (int Class = 0; Class < NumSizeClasses; ++Class)
    if (strcmp(Text, ClassNames[Class]) == 0) {
      memcpy(Sizes, Kernel.SizeClasses[Class], sizeof Kernel.SizeClasses[Class]);
      return;
    }
  const char *Rest = Text;
  for (int I = 0; I < numSizes(); ++I) {
    if (I > 0 && *Rest++ != ',')
      fail("'%s' needs %d sizes, got '%s'", Kernel.Name, numSizes(), Text);
    Sizes[I] = parseInteger(Rest, &Rest, Kernel.SizeNames[I]);
    if (Sizes[I] > 1000000 || Sizes[I] < -1000000)
      fail("%s must be at most 1000000 in magnitude", Kernel.SizeNames[I]);
    if (Sizes[I] <= 0 && strcmp(Kernel.Form, "vla") == 0)
      fail("the rows of a variable-length array must have elements: %s is %ld", Kernel.SizeNames[I],
           Sizes[I]);
  }
  if (*Rest)
    fail("'%s' needs %d sizes, got '%s'", Kernel.Name, numSizes(), Text);
}

static int findArray(const char *Name, size_t Length) {
  for (int I = 0; I < numArrays(); ++I)
    if (strlen(Kernel.Arrays[I].Name) == Length &&
        strncmp(Kernel.Arrays[I].Name, Name, Length) == 0)
      return I;
  fail("'%s' has no array '%.*s'", Kernel.Name, (int)Length, Name);
  return -1;
}

// Parses ARRAY:TARGET:OFFSET.
static Alias parseAlias(const char *Text) {
  const char *First = strchr(Text, ':'), *Second = First ? strchr(First + 1, ':') : NULL;
  if (!Second)
    fail("--alias needs ARRAY:TARGET:OFFSET, got '%s'", Text);
  Alias Result = {findArray(Text, First - Text), findArray(First + 1, Second - First - 1), 0};
  const char *End;
  Result.Offset = parseInteger(Second + 1, &End, "the offset of --alias");
  if (*End || Result.Offset < 0)
    fail("the offset of --alias must be a number that is not negative, not '%s'", Second + 1);
  if (Result.Array == Result.Target ||
      Kernel.Arrays[Result.Array].Type != Kernel.Arrays[Result.Target].Type)
    fail("--alias needs two arrays of the same type, got '%s'", Text);
  return Result;
}

static FILE *openOutput(const char *Path) {
  FILE *File = fopen(Path, "wb");
  if (!File)
    fail("cannot write '%s': %s", Path, strerror(errno));
  return File;
}

static void printList(const char *const *Names, int Count) {
  for (int I = 0; I < Count; ++I)
    printf("%s\"%s\"", I ? ", " : "", Names[I]);
}

static void describe(void) {
  static const char *const TypeNames[] = {"double", "float", "int", "char"};
  printf("{\"kernel\": \"%s\", \"form\": \"%s\", \"sizes\": [", Kernel.Name, Kernel.Form);
  printList(Kernel.SizeNames, numSizes());
  printf("], \"classes\": {");
  for (int Class = 0; Class < NumSizeClasses; ++Class) {
    printf("%s\"%s\": [", Class ? ", " : "", ClassNames[Class]);
    for (int I = 0; I < numSizes(); ++I)
      printf("%s%ld", I ? ", " : "", Kernel.SizeClasses[Class][I]);
    printf("]");
  }
  printf("}, \"arrays\": [");
  for (int I = 0; I < numArrays(); ++I) {
    const ArrayInfo *Info = &Kernel.Arrays[I];
    printf("%s{\"name\": \"%s\", \"type\": \"%s\", \"extents\": [", I ? ", " : "", Info->Name,
           TypeNames[Info->Type]);
    for (int D = 0; D < Info->Rank; ++D)
      printf("%s\"%s\"", D ? ", " : "", Kernel.SizeNames[Info->Extents[D]]);
    printf("]}");
  }
  printf("], \"flops\": \"%s\", \"bytes\": \"%s\"}\n", Kernel.Flops, Kernel.Bytes);
}

static void printUsage(void) {
  printf("usage: %s [--size=CLASS|N,N,...]... [--repetitions=N] [--alias=ARRAY:TARGET:OFFSET]...\n"
         "         [--output=FILE] [--initial=FILE] [--describe]\n"
         "  --size         MINI, SMALL, MEDIUM or LARGE, or",
         Kernel.Name);
  for (int I = 0; I < numSizes(); ++I)
    printf("%s%s", I ? "," : " ", Kernel.SizeNames[I]);
  printf("; one run for each (default: MINI)\n"
         "  --repetitions  calls per run (default: 1)\n"
         "  --alias        let an array begin inside another one, so that they overlap\n"
         "  --output       file for all arrays after the last call of every run\n"
         "  --initial      file for all arrays before the first call of every run\n"
         "  --describe     print sizes, arrays and costs of the kernel as JSON and end\n");
}

static void takeOption(const char *Word, Options *Chosen) {
  const char *Equal = strchr(Word, '='), *Value = Equal ? Equal + 1 : "", *End;
  const size_t Length = Equal ? (size_t)(Equal - Word) : 0;
#define IS(NAME) (Length == strlen(NAME) && strncmp(Word, NAME, Length) == 0)
  if (IS("--size")) {
    if (Chosen->NumRuns == MaxRuns)
      fail("at most %d times --size", MaxRuns);
    parseSizes(Value, Chosen->Sizes[Chosen->NumRuns++]);
  } else if (IS("--repetitions")) {
    Chosen->Repetitions = parseInteger(Value, &End, "--repetitions");
    if (*End || Chosen->Repetitions < 1)
      fail("--repetitions must be a positive integer, not '%s'", Value);
  } else if (IS("--alias")) {
    if (Chosen->NumAliases == MaxAliases)
      fail("at most %d times --alias", MaxAliases);
    Chosen->Aliases[Chosen->NumAliases++] = parseAlias(Value);
  } else if (IS("--output")) {
    Chosen->Output = openOutput(Value);
  } else if (IS("--initial")) {
    Chosen->Initial = openOutput(Value);
  } else {
    fail("unknown argument '%s' (see --help)", Word);
  }
#undef IS
}

static Options parseArguments(int Argc, char **Argv) {
  Options Result = {.Repetitions = 1};
  for (int I = 1; I < Argc; ++I)
    if (strcmp(Argv[I], "--help") == 0) {
      printUsage();
      exit(0);
    } else if (strcmp(Argv[I], "--describe") == 0) {
      describe();
      exit(0);
    } else {
      takeOption(Argv[I], &Result);
    }
  if (Result.NumRuns == 0)
    parseSizes("MINI", Result.Sizes[Result.NumRuns++]);
  return Result;
}

//===- Data ---===//

static const Alias *findAlias(const Options *Chosen, int Array) {
  for (int I = 0; I < Chosen->NumAliases; ++I)
    if (Chosen->Aliases[I].Array == Array)
      return &Chosen->Aliases[I];
  return NULL;
}

static void makeArrays(const Options *Chosen, const long *Sizes, ArrayData *Arrays) {
  for (int I = 0; I < numArrays(); ++I)
    measureArray(I, Sizes, &Arrays[I]);
  for (int I = 0; I < Chosen->NumAliases; ++I) {
    const Alias *Overlap = &Chosen->Aliases[I];
    if (findAlias(Chosen, Overlap->Target))
      fail("the target of --alias must not be an alias itself");
    size_t End = Arrays[Overlap->Array].Bytes + Overlap->Offset * elementSize(Overlap->Array);
    if (Arrays[Overlap->Target].OwnedBytes < End)
      Arrays[Overlap->Target].OwnedBytes = End;
  }
  for (int I = 0; I < numArrays(); ++I)
    if (!findAlias(Chosen, I)) {
      Arrays[I].Data = allocate(Arrays[I].OwnedBytes);
      Arrays[I].Pristine = allocate(Arrays[I].OwnedBytes);
      memset(Arrays[I].Data, 0, Arrays[I].OwnedBytes);
    }
  for (int I = 0; I < numArrays(); ++I) {
    const Alias *Overlap = findAlias(Chosen, I);
    if (Overlap)
      Arrays[I].Data = Arrays[Overlap->Target].Data + Overlap->Offset * elementSize(I);
    fill(&Kernel.Arrays[I], Sizes, &Arrays[I], I + 1);
  }
  for (int I = 0; I < numArrays(); ++I)
    if (Arrays[I].Pristine)
      memcpy(Arrays[I].Pristine, Arrays[I].Data, Arrays[I].OwnedBytes);
}

static void restoreArrays(ArrayData *Arrays) {
  for (int I = 0; I < numArrays(); ++I)
    if (Arrays[I].Pristine)
      memcpy(Arrays[I].Data, Arrays[I].Pristine, Arrays[I].OwnedBytes);
}

static void freeArrays(ArrayData *Arrays) {
  for (int I = 0; I < numArrays(); ++I)
    if (Arrays[I].Pristine) {
      free(Arrays[I].Data);
      free(Arrays[I].Pristine);
    }
}

//===- Runs ---===//

static void runOnce(const Options *Chosen, const long *Sizes) {
  ArrayData Arrays[MaxArrays] = {{0}};
  void *Data[MaxArrays];
  makeArrays(Chosen, Sizes, Arrays);
  writeArrays(Chosen->Initial, Arrays);
  for (int I = 0; I < numArrays(); ++I)
    Data[I] = Arrays[I].Data;

  double *Seconds = allocate(Chosen->Repetitions * sizeof(double));
  uint64_t *Checksums = allocate(Chosen->Repetitions * sizeof(uint64_t));
  for (long R = 0; R < Chosen->Repetitions; ++R) {
    restoreArrays(Arrays);
    double Start = now();
    Kernel.Run(Sizes, Data);
    Seconds[R] = now() - Start;
    Checksums[R] = checksum(Arrays);
  }
  writeArrays(Chosen->Output, Arrays);

  printf("{\"kernel\": \"%s\", \"form\": \"%s\", \"sizes\": {", Kernel.Name, Kernel.Form);
  for (int I = 0; I < numSizes(); ++I)
    printf("%s\"%s\": %ld", I ? ", " : "", Kernel.SizeNames[I], Sizes[I]);
  printf("}, \"seconds\": [");
  for (long R = 0; R < Chosen->Repetitions; ++R)
    printf("%s%.9f", R ? ", " : "", Seconds[R]);
  printf("], \"checksums\": [");
  for (long R = 0; R < Chosen->Repetitions; ++R)
    printf("%s\"%016llx\"", R ? ", " : "", (unsigned long long)Checksums[R]);
  printf("]}\n");
  free(Seconds);
  free(Checksums);
  freeArrays(Arrays);
}

int main(int Argc, char **Argv) {
  Options Chosen = parseArguments(Argc, Argv);
  for (int Run = 0; Run < Chosen.NumRuns; ++Run)
    runOnce(&Chosen, Chosen.Sizes[Run]);
  if ((Chosen.Output && fclose(Chosen.Output)) || (Chosen.Initial && fclose(Chosen.Initial)))
    fail("cannot write the arrays: %s", strerror(errno));
  return 0;
}
