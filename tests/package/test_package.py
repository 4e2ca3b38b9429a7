#!/usr/bin/env python3
# tests/package/test_package.py - libspecrt as its users install it, in temporary folders
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_package.py install|debian --source DIR --build DIR --llvm N

install: installs the build, moves it elsewhere, and builds examples/package against it with CMake
(two generators), with the drivers under make, and with pkg-config's flags. Each program must print
what it prints without libspecrt and must run specialised versions of its loop nest.
debian: the same with make against the unpacked Debian packages. Exits with 77 (skipped) where there
is no dpkg-deb.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

failures = 0


def check(condition, message):
    global failures
    if not condition:
        failures += 1
        print("FAILED:", message)


def run(command, environment=None, **options):
    """Runs without settings of libspecrt or make from outside; returns the finished process."""
    clean = {k: v for k, v in os.environ.items()
             if not k.startswith(("SPECRT_", "MAKE", "PKG_CONFIG"))}
    return subprocess.run([str(word) for word in command], env=clean | (environment or {}),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def succeed(command, **options):
    """Runs a command that the rest of the test depends on; returns its output."""
    finished = run(command, **options)
    if finished.returncode != 0:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{finished.stdout}")
    return finished.stdout


class Test:
    def __init__(self, options, folder):
        self.source, self.build, self.llvm = options.source, options.build, options.llvm
        self.folder = folder
        self.example = options.source / "examples/package"

    def compilers(self):
        return [f"-DCMAKE_C_COMPILER=clang-{self.llvm}", f"-DCMAKE_CXX_COMPILER=clang++-{self.llvm}"]

    def check_report(self, report, tool):
        output = succeed([tool, "report", report])
        check(re.search(r"smooth:\d+ +(specialised|trial|retired)", output),
              f"specrt report printed {output}")

    def check_specialises(self, program, tool, how):
        """Runs a program, in which versions of smooth() have to be compiled and run; whether one of
        them gains depends on the machine. The installed command `specrt`, tool, must know about
        it."""
        plain = succeed([program], environment={"SPECRT_DISABLE": "1"})
        with tempfile.TemporaryDirectory(dir=self.folder, ignore_cleanup_errors=True) as cache:
            report = pathlib.Path(cache, "report.json")
            output = succeed([program], environment={
                "SPECRT_CACHE_DIR": cache, "SPECRT_COMPILE": "sync", "SPECRT_HOT": "0",
                "SPECRT_REPORT": str(report)})
            check(output == plain, f"{how}: printed {output!r}, without specrt {plain!r}")
            regions = json.loads(report.read_text())["regions"]
            ran = [r["hits"] + r["trial_calls"] for r in regions if r["function"] == "smooth"]
            check(ran and ran[0] > 0, f"{how}: no version of smooth() ran: {regions}")
            self.check_report(report, tool)

    def check_works_without_compiler(self, program, libraries):
        """libraries: a folder with libspecrt.so.0 but without libspecrt-jit.so."""
        plain = succeed([program], environment={"SPECRT_DISABLE": "1"})
        with tempfile.TemporaryDirectory(dir=self.folder, ignore_cleanup_errors=True) as cache:
            output = succeed([program], environment={
                "LD_LIBRARY_PATH": str(libraries), "SPECRT_CACHE_DIR": cache,
                "SPECRT_COMPILE": "sync", "SPECRT_HOT": "0"})
        check("compiler not available" in output, f"nothing said of the missing compiler: {output}")
        check(output.endswith(plain), f"without a compiler: printed {output!r}, not {plain!r}")

    def build_with_make(self, prefix, target):
        """Returns the program that examples/package/Makefile makes."""
        work = self.folder / f"make-{target}"
        shutil.copytree(self.example, work)
        succeed(["make", "-C", work, f"PREFIX={prefix}", target])
        return work / {"flags": "smooth-flags"}.get(target, target)

    # The installation

    def check_no_traces(self, prefix):
        """No installed file names the folders of the build or the one it is installed in."""
        for path in prefix.rglob("*"):
            if path.is_symlink():
                check(not os.path.isabs(os.readlink(path)), f"{path} is an absolute link")
            elif path.is_file():
                content = path.read_bytes()
                for trace in (self.source, self.build, prefix):
                    check(os.fsencode(trace) not in content, f"{path} contains {trace}")

    def build_with_cmake(self, prefix, generator):
        work = self.folder / generator.replace(" ", "-")
        succeed(["cmake", "-G", generator, "-S", self.example, "-B", work,
                 f"-DCMAKE_PREFIX_PATH={prefix}", *self.compilers()])
        options = ["--config", "Release"] if "Multi" in generator else []
        succeed(["cmake", "--build", work, *options])
        return work / "Release/smooth" if options else work / "smooth"

    def project(self, name, lines):
        """A project with one C file; returns the command that configures it, without compilers."""
        work = self.folder / name
        work.mkdir()
        (work / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.20)\n" + lines)
        (work / "loop.c").write_text("void f(int *a, int n) { while (n--) a[n] *= n; }\n")
        return ["cmake", "-S", work, "-B", work / "build"]

    def check_refusals(self, prefix):
        path = f"-DCMAKE_PREFIX_PATH={prefix}"
        c_only = ("project(p LANGUAGES C)\nfind_package(specrt REQUIRED)\n"
                  "add_library(loop STATIC loop.c)\nspecrt_instrument(loop)\n")
        command = self.project("c-only", c_only) + [path, f"-DCMAKE_C_COMPILER=clang-{self.llvm}"]
        succeed(command)
        succeed(["cmake", "--build", self.folder / "c-only/build"])
        command = self.project("gcc", c_only) + [path, "-DCMAKE_C_COMPILER=gcc"]
        finished = run(command)
        words = " ".join(finished.stdout.split())
        check(finished.returncode != 0 and "as the C compiler, found GNU" in words and
              f"-DCMAKE_C_COMPILER=clang-{self.llvm}" in words,
              f"specrt_instrument() with gcc said: {finished.stdout}")
        command = self.project("observed", c_only.replace(
            "specrt_instrument", "target_compile_options(loop PRIVATE -fsanitize=memory)\n"
            "specrt_instrument")) + [path, f"-DCMAKE_C_COMPILER=clang-{self.llvm}"]
        said = run(command).stdout
        check("loop is compiled without instrumentation: versions would escape -fsanitize=memory"
              in said, f"specrt_instrument() of a target with a sanitizer said: {said}")
        succeed(["cmake", "--build", self.folder / "observed/build"])
        command = self.project("newer", "project(p LANGUAGES NONE)\n"
                                        "find_package(specrt 99 REQUIRED)\n") + [path]
        finished = run(command)
        check(finished.returncode != 0 and "compatible with requested version" in
              " ".join(finished.stdout.split()), f"version 99 was found: {finished.stdout}")

    def check_folding(self, prefix):
        """The interface in C++ is an archive of its own, with a target of its own."""
        command = self.project("folding", "project(p LANGUAGES CXX)\nfind_package(specrt REQUIRED)\n"
                               "set(CMAKE_CXX_STANDARD 20)\nadd_executable(fold fold.cpp)\n"
                               "target_link_libraries(fold PRIVATE specrt::folding)\n")
        shutil.copy(self.source / "examples/folding.cpp", self.folder / "folding/fold.cpp")
        succeed(command + [f"-DCMAKE_PREFIX_PATH={prefix}", "-DCMAKE_CXX_COMPILER=g++"])
        succeed(["cmake", "--build", self.folder / "folding/build"])
        check("0 <= cj <= 15" in succeed([self.folder / "folding/build/fold"]),
              "the installed archive folds nothing")

    def test_install(self):
        first, prefix = self.folder / "first", self.folder / "moved to"
        succeed(["cmake", "--install", self.build, "--prefix", first])
        self.check_no_traces(first)
        first.rename(prefix)
        for generator in ("Unix Makefiles", "Ninja Multi-Config"):
            program = self.build_with_cmake(prefix, generator)
            self.check_specialises(program, prefix / "bin/specrt", f"CMake, {generator}")
        self.check_refusals(prefix)
        self.check_folding(prefix)
        # Neither make nor pkg-config can name folders with spaces.
        prefix = prefix.rename(self.folder / "moved")
        for target in ("smooth", "flags"):
            program = self.build_with_make(prefix, target)
            self.check_specialises(program, prefix / "bin/specrt", f"make {target}")
        (library,) = prefix.rglob("libspecrt-jit.so")
        library.unlink()
        self.check_works_without_compiler(program, library.parent)

    # The Debian packages

    def fields(self, package):
        text = succeed(["dpkg-deb", "--field", package])
        return dict(re.findall(r"^([\w-]+): (.*)$", text, re.MULTILINE))

    def test_debian(self):
        if not shutil.which("dpkg-deb"):
            print("skipped: no dpkg-deb")
            sys.exit(77)
        out = self.folder / "packages"
        succeed(["cpack", "-G", "DEB", "--config", self.build / "CPackConfig.cmake", "-B", out])
        packages = {file.name.split("_")[0]: file for file in out.glob("*.deb")}
        check(sorted(packages) == ["libspecrt-dev", "libspecrt-jit0", "libspecrt0", "specrt-tools"],
              f"packages: {sorted(packages)}")
        depends = {name: self.fields(file).get("Depends", "") for name, file in packages.items()}
        check("llvm" not in depends["libspecrt0"], f"libspecrt0 needs LLVM: {depends['libspecrt0']}")
        check(f"libllvm{self.llvm}" in depends["libspecrt-jit0"], "libspecrt-jit0 lacks libllvm")
        for name, needed in (("libspecrt-jit0", "libspecrt0 (= "), ("specrt-tools", "libspecrt0"),
                             ("libspecrt-dev", "libspecrt0 (= "),
                             ("libspecrt-dev", f"clang-{self.llvm}")):
            check(needed in depends[name], f"{name} does not depend on {needed}: {depends[name]}")

        root, runtime_root = self.folder / "root", self.folder / "runtime-root"
        for file in packages.values():
            succeed(["dpkg-deb", "-x", file, root])
        for name in packages:
            for document in ("copyright", "changelog.Debian.gz"):
                check((root / "usr/share/doc" / name / document).is_file(),
                      f"{name} has no {document}")
        for file in ("man/man1/specrt-clang.1.gz", "man/man1/specrt.1.gz",
                     "bash-completion/completions/specrt"):
            check((root / "usr/share" / file).is_file(), f"no {file}")
        self.check_no_traces(root)
        program = self.build_with_make(root / "usr", "smooth")
        self.check_specialises(program, root / "usr/bin/specrt", "unpacked packages")
        # A user of programs has only libspecrt0.
        succeed(["dpkg-deb", "-x", packages["libspecrt0"], runtime_root])
        (library,) = runtime_root.rglob("libspecrt.so.0")
        self.check_works_without_compiler(program, library.parent)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("story", choices=["install", "debian"])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--llvm", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="specrt-package-", ignore_cleanup_errors=True) as folder:
        test = Test(options, pathlib.Path(folder).resolve())
        {"install": test.test_install, "debian": test.test_debian}[options.story]()
    print(f"{failures} failures")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main()
