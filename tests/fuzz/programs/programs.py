# tests/fuzz/programs/programs.py - whole programs: files, flags, features
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import dataclasses
import json

from dice import Dice
from kernels import make_kernel

SMALLEST_NUMBER_OF_NESTS = 5

HEADER = """\
#include "driver.h"
#ifdef __cplusplus
#define C_LINKAGE extern "C"
extern "C" {
#else
#define C_LINKAGE
#endif
#define FUNCTION(NAME) double NAME(double); float NAME##f(float);
#define FUNCTION2(NAME) double NAME(double, double); float NAME##f(float, float);
FUNCTION(sqrt) FUNCTION(fabs) FUNCTION(floor) FUNCTION(ceil) FUNCTION(trunc) FUNCTION(rint)
FUNCTION(exp) FUNCTION(sin) FUNCTION(cos) FUNCTION(log) FUNCTION(tanh) FUNCTION(cbrt)
FUNCTION2(pow) FUNCTION2(fmin) FUNCTION2(fmax) FUNCTION2(copysign)
double fma(double, double, double); float fmaf(float, float, float);
#ifdef __cplusplus
}
template <class I, class F> inline void each(I low, I high, F f) {
  for (I i = low; i < high; ++i)
    f(i);
}
#define SHARED inline
#else
#define SHARED static inline
#endif
#ifndef OUTSIDE
#define OUTSIDE
#define BODY(...) ;
#else
#define BODY(...) { __VA_ARGS__ }
#endif
// "outside" functions have their bodies in the last file, shared ones in all files with the flags
// of each.
#define FUNCTIONS(T, FORMULA) \\
  OUTSIDE T outside_##T(T x, T y) BODY(return (T)(FORMULA);) \\
  OUTSIDE T *outside_row_##T(T *p, long o) BODY(return p + o;) \\
  SHARED T shared_##T(T x, T y) { return (T)(FORMULA); }
FUNCTIONS(double, x * y + 1.5) FUNCTIONS(float, x * y + 1.5f)
FUNCTIONS(int8_t, x > y ? x : y) FUNCTIONS(uint8_t, x > y ? x : y)
FUNCTIONS(int16_t, x > y ? x : y) FUNCTIONS(uint16_t, x > y ? x : y)
FUNCTIONS(int32_t, x > y ? x : y) FUNCTIONS(uint32_t, x > y ? x : y)
FUNCTIONS(int64_t, x > y ? x : y) FUNCTIONS(uint64_t, x > y ? x : y)
"""


@dataclasses.dataclass
class Source:
    name: str
    text: str
    flags: list = dataclasses.field(default_factory=list)  # after the program's


@dataclasses.dataclass
class Program:
    seed: int
    cxx: bool = False
    flags: list = dataclasses.field(default_factory=list)
    link_flags: list = dataclasses.field(default_factory=list)
    sources: list = dataclasses.field(default_factory=list)
    shared: bool = False      # the first source is a shared object that is opened with dlopen
    exact: bool = True        # -O0 computes the same bits
    finite: bool = False      # its flags promise that no value is an infinity or a NaN
    num_nests: int = 0

    @property
    def extension(self):
        return "cpp" if self.cxx else "c"

    def write(self, folder):
        """Its files, and program.json with all that is needed to build them."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "program.h").write_text(HEADER)
        for source in self.sources:
            (folder / source.name).write_text(source.text)
        description = dataclasses.asdict(self)
        for source in description["sources"]:
            del source["text"]
        (folder / "program.json").write_text(json.dumps(description, indent=1) + "\n")

    @staticmethod
    def read(folder):
        """The program whose files are in a folder, perhaps after they were changed."""
        description = json.loads((folder / "program.json").read_text())
        description["sources"] = [Source(s["name"], (folder / s["name"]).read_text(), s["flags"])
                                  for s in description["sources"]]
        return Program(**description)


@dataclasses.dataclass
class Features:
    """What the kernels of a program may use."""
    cxx: bool = False
    extremes: bool = False    # fmin, fmax, copysign, fma
    specials: bool = False    # infinities, NaNs, denormals
    pragmas: bool = False     # of clang for loops
    simd: bool = False        # of OpenMP
    threads: bool = False     # of OpenMP
    targets: list = dataclasses.field(default_factory=list)  # of functions
    modes: list = dataclasses.field(default_factory=list)    # of MXCSR
    contracts: list = dataclasses.field(default_factory=list)  # pragmas for multiply-adds
    own: bool = False         # arrays of functions
    work: bool = False        # static arrays that iterations write anew
    statics: bool = False     # sizes and pointers in static variables
    fast: str = ""            # flags that permit other bits
    finite: bool = False      # they promise that no value is an infinity or a NaN


def generate(seed, only=None):
    """The program of a seed; of its kernels only the one with this name, if any."""
    dice = Dice(seed)
    features = pick_features(dice)
    # Thrown apart, so that programs without them stay what they were.
    features.own = Dice(seed + (1 << 32)).one_in(8)
    features.work = Dice(seed + (3 << 32)).one_in(6)
    features.statics = Dice(seed + (4 << 32)).one_in(6)
    features.fast = pick_fast_math(Dice(seed + (2 << 32)))
    features.finite = features.fast in ("-ffast-math", "-Ofast")
    if features.fast.startswith(("-ffast-math", "-Ofast")):
        features.specials = False
    program = Program(seed, features.cxx, finite=features.finite)
    pick_flags(dice, features, program)
    fill_files(dice, features, program, only)
    return program


def pick_features(dice):
    features = Features(cxx=dice.one_in(3), extremes=dice.one_in(3), specials=dice.one_in(2),
                        pragmas=dice.one_in(6), simd=dice.one_in(8), threads=dice.one_in(12))
    if dice.one_in(5):
        features.modes = [dice.pick(["UPWARD", "DOWNWARD", "TOWARD_ZERO"]),
                          dice.pick(["FLUSH", "FLUSH_AND_DENORMALS_ARE_ZERO"])]
    if dice.one_in(6):
        features.targets = dice.pick([["avx2,fma"], ["avx2,fma", "avx"],
                                      ["arch=x86-64-v3", "sse4.2"], ["avx2", "no-fma"]])
    if dice.one_in(10):
        features.contracts = dice.pick([["on", "off"], ["fast", "off"], ["fast", "on", "off"]])
    return features


def pick_fast_math(dice):
    return dice.weighted([
        (24, ""), (3, "-ffast-math"), (2, "-Ofast"), (1, "-ffast-math -fno-finite-math-only"),
        (1, "-fassociative-math -fno-signed-zeros -fno-trapping-math"), (1, "-freciprocal-math")])


def pick_flags(dice, features, program):
    flags = program.flags
    flags.append(dice.pick(["-O3", "-O3", "-O2", "-O2", "-O1", "-Os"]))
    flags.append(dice.weighted([(5, "-march=native"), (2, "-march=x86-64-v3"),
                                (2, "-march=x86-64")]))
    contract = dice.weighted([(5, "on"), (2, "off"), (1, "fast")])
    flags.append(f"-ffp-contract={contract}")
    if dice.one_in(4):
        flags.append("-fno-math-errno")
    if dice.one_in(10):
        flags.append("-fno-strict-aliasing")
    if dice.one_in(16):
        flags.append("-frounding-math")
    if dice.one_in(24):
        flags += ["-fveclib=libmvec", "-fno-math-errno"]
    if features.threads:
        flags.append("-fopenmp")
    elif features.simd:
        flags.append("-fopenmp-simd")
    linking = dice.weighted([(12, ""), (2, "-fPIC"), (2, "-flto"), (2, "-flto=thin"),
                             (2, "sections")])
    if linking == "sections":
        flags += ["-ffunction-sections", "-fdata-sections"]
        program.link_flags.append("-Wl,--gc-sections")
    elif linking:
        flags.append(linking)
        if "lto" in linking:
            program.link_flags.append("-fuse-ld=lld")
    flags += features.fast.split()
    # Products of constants are fused while clang optimises.
    program.exact = not (features.fast or features.targets or features.modes or features.own or contract == "fast" or
                         "fast" in features.contracts or "-fveclib=libmvec" in flags)


def fill_files(dice, features, program, only):
    num_files = dice.weighted([(6, 1), (3, 2), (1, 3)])
    program.shared = num_files > 1 and dice.one_in(5)
    kernels = []
    while program.num_nests < SMALLEST_NUMBER_OF_NESTS or len(kernels) < num_files:
        name = f"k{len(kernels)}"
        kernels.append(make_kernel(dice, name, features, dice.between(1, 3)))
        program.num_nests += kernels[-1].num_nests
        program.exact &= kernels[-1].exact
    files = [[k for k in kernels[i::num_files] if only in (None, k.name)]
             for i in range(num_files)]
    for number, inside in enumerate(files):
        outside = ""
        if program.shared and number == 0:
            outside = "#define OUTSIDE static __attribute__((noinline))\n"
        elif number == num_files - 1:
            outside = "#define OUTSIDE __attribute__((noinline))\n"
        text = outside + '#include "program.h"\n' + "".join(kernel.text for kernel in inside)
        program.sources.append(Source(f"kernels{number}.{program.extension}", text))
    if num_files > 1 and dice.one_in(3):
        program.sources[0].flags.append(dice.pick(["-march=x86-64", "-march=x86-64-v3",
                                                   "-march=x86-64-v2", "-O1", "-O3"]))
        program.exact &= "march" not in program.sources[0].flags[0]
    if program.shared:
        program.sources[0].flags.append("-fPIC")
        program.link_flags.append("-rdynamic")  # it calls the driver
    if any("__bf16" in source.text for source in program.sources):
        program.link_flags.append("--rtlib=compiler-rt")  # libgcc does not have it
    program.sources[-1].text += main_text([k for k in kernels if only in (None, k.name)],
                                          files[0] if program.shared else [])


def main_text(kernels, opened):
    """The table of kernels; those in opened come out of a shared object."""
    lines = []
    for kernel in kernels:
        if kernel not in opened:
            lines.append(f"C_LINKAGE void call_{kernel.name}(const struct call *);")
            if kernel.globals:
                lines.append(f"extern {kernel.element.name} {kernel.globals}[ROWS][PITCH];")
        lines.append(f"static const struct series series_{kernel.name}[] = {{")
        lines += [f"  {series}," for series in kernel.series]
        lines.append("};")
    if opened:
        lines.append("C_LINKAGE void *dlopen(const char *, int);")
        lines.append("C_LINKAGE void *dlsym(void *, const char *);")
    lines.append("int main(void) {")
    if opened:
        lines.append('  void *opened = dlopen("./opened.so", 2);')
        lines.append("  if (!opened)\n    return 3;")
    lines.append("  struct kernel kernels[] = {")
    for kernel in kernels:
        run, array = f"call_{kernel.name}", kernel.globals or "0"
        if kernel in opened:
            run = f'(void (*)(const struct call *))dlsym(opened, "{run}")'
            array = f'dlsym(opened, "{array}")' if kernel.globals else "0"
        lines.append(f'    {{"{kernel.name}", {run}, {kernel.element.enumerator}, {array}, '
                     f"series_{kernel.name}, {len(kernel.series)}}},")
    lines.append("  };")
    lines.append(f"  return drive(kernels, {len(kernels)});\n}}\n")
    return "\n".join(lines)
