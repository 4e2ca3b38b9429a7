#!/usr/bin/env python3
# tests/wrap/random_functions.py - C functions of many signatures, with their callers
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a C file with functions of 0 to 32 arguments of all kinds. Each folds every bit of its
arguments into its result. Beside each stands a caller, compiled by the same compiler: it fills the
arguments from a seed, calls what it is given and stores the members of the result one by one, so
that padding is never compared. The table `random_functions` lists them.

usage: random_functions.py OUTPUT
"""
import random
import sys

SCALARS = {"bool": "_Bool", "i8": "int8_t", "u8": "uint8_t", "i16": "int16_t", "u16": "uint16_t",
           "i32": "int32_t", "u32": "uint32_t", "i64": "int64_t", "u64": "uint64_t",
           "f32": "float", "f64": "double", "ptr": "void *"}
SIZES = {"bool": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8, "u64": 8,
         "f32": 4, "f64": 8, "ptr": 8}

PREAMBLE = """/* Made by tests/wrap/random_functions.py. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 17 ^ *state >> 40;
}
static uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x9e3779b97f4a7c15u; }
static uint64_t bits32(float value) { uint32_t b; memcpy(&b, &value, 4); return b; }
static uint64_t bits64(double value) { uint64_t b; memcpy(&b, &value, 8); return b; }

struct random_function {
  const char *signature;
  void *function;
  void (*call)(void *function, uint64_t seed, unsigned char *out);
};
"""


class Writer:
    def __init__(self, numbers):
        self.numbers = numbers
        self.structs = {}
        self.lines = []

    def random_type(self, depth=0):
        if depth < 3 and self.numbers.random() < (0.3 if depth == 0 else 0.2):
            return self.random_struct(depth)
        return self.numbers.choice(list(SCALARS))

    def random_struct(self, depth=0):
        """Mostly of at most 32 bytes, so that registers and memory both occur."""
        # One kind repeated, floating point first, is what vectors in registers are made of.
        if self.numbers.random() < 0.4:
            kind = self.numbers.choice(["f32", "f64", "i32", "u8", "i64", "f32"])
            return tuple([kind] * self.numbers.randint(1, 32 // SIZES[kind] if SIZES[kind] > 1 else 9))
        return tuple(self.random_type(depth + 1) for _ in range(self.numbers.randint(1, 4)))

    def text(self, kind):
        return kind if isinstance(kind, str) else "{" + ", ".join(map(self.text, kind)) + "}"

    def name(self, kind):
        if isinstance(kind, str):
            return "void" if kind == "void" else SCALARS[kind]
        if kind not in self.structs:
            members = "".join(f" {self.name(m)} m{i};" for i, m in enumerate(kind))
            self.structs[kind] = f"struct s{len(self.structs)}"
            self.lines.append(f"{self.structs[kind]} {{{members} }};")
        return self.structs[kind]

    def leaves(self, kind, place):
        """Pairs of scalar kind and the C expression of it."""
        if isinstance(kind, str):
            return [] if kind == "void" else [(kind, place)]
        return [leaf for i, m in enumerate(kind) for leaf in self.leaves(m, f"{place}.m{i}")]

    @staticmethod
    def to_bits(kind, place):
        if kind in ("f32", "f64"):
            return f"bits{kind[1:]}({place})"
        return f"(uint64_t)(uintptr_t){place}" if kind == "ptr" else f"(uint64_t){place}"

    @staticmethod
    def from_bits(kind, value):
        # Numbers that every operation keeps apart, and no NaN, whose bits may change on the way.
        if kind in ("f32", "f64"):
            return f"({SCALARS[kind]})((int64_t)({value} & 0xfffff) - 0x80000) / 8"
        if kind == "ptr":
            return f"(void *)(uintptr_t)({value})"
        return f"({SCALARS[kind]})({value}{' & 1' if kind == 'bool' else ''})"

    def function(self, index, result, arguments):
        name = f"random_{index}"
        self.name(result)
        names = [self.name(a) for a in arguments]
        parameters = ", ".join(f"{n} a{i}" for i, n in enumerate(names)) or "void"
        fold = "".join(f"    sum = mix(sum, {self.to_bits(k, p)} + round);\n"
                       for i, a in enumerate(arguments) for k, p in self.leaves(a, f"a{i}"))
        # A pointer without a result to show for it: what a void function computes goes to a global.
        self.lines.append(f"uint64_t sink_{index};")
        if result == "void":
            end = f"  sink_{index} = sum;\n"
        else:
            stores = "".join(f"  sum = mix(sum, 1);\n  {p} = {self.from_bits(k, 'sum >> 7')};\n"
                             for k, p in self.leaves(result, "r"))
            end = f"  {self.name(result)} r;\n{stores}  return r;\n"
        self.lines.append(f"{self.name(result)} {name}({parameters}) {{\n"
                          f"  uint64_t sum = {index};\n"
                          f"  for (int round = 0; round < 8; ++round) {{\n{fold}  }}\n{end}}}")
        self.caller(index, result, arguments, parameters)
        signature = (f"{self.text(result)} {name}("
                     + ", ".join(map(self.text, arguments)) + ")")
        return f'  {{"{signature}", (void *){name}, call_{index}}},'

    def caller(self, index, result, arguments, parameters):
        fill = "".join(f"  {self.name(a)} a{i};\n" for i, a in enumerate(arguments))
        fill += "".join(f"  {p} = {self.from_bits(k, 'next(&seed)')};\n"
                        for i, a in enumerate(arguments) for k, p in self.leaves(a, f"a{i}"))
        call = (f"(({self.name(result)} (*)({parameters}))function)("
                + ", ".join(f"a{i}" for i in range(len(arguments))) + ")")
        copy = f"  memcpy(out, &sink_{index}, 8);\n"
        if result != "void":
            call = f"{self.name(result)} r = {call}"
            copy = "".join(f"  memcpy(out, &{p}, {SIZES[k]}); out += {SIZES[k]};\n"
                           for k, p in self.leaves(result, "r"))
        self.lines.append(f"static void call_{index}(void *function, uint64_t seed, "
                          f"unsigned char *out) {{\n{fill}  {call};\n{copy}}}")


def main():
    writer = Writer(random.Random(22))
    table = []
    for index in range(96):
        count = index % 33
        result = "void" if index % 13 == 12 else writer.random_type()
        if index % 4 == 1:
            result = writer.random_struct()
        table.append(writer.function(index, result, [writer.random_type() for _ in range(count)]))
    with open(sys.argv[1], "w", encoding="ascii") as out:
        out.write(PREAMBLE + "\n".join(writer.lines)
                  + "\nconst struct random_function random_functions[] = {\n" + "\n".join(table)
                  + "\n  {NULL, NULL, NULL}};\n")


if __name__ == "__main__":
    main()
