#!/usr/bin/env python3
# tests/package/test_documents.py - follows README.md and docs/install.md by the letter
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: test_documents.py STORY --source DIR --build DIR --llvm N

readme:  writes the files of README.md's section on using libspecrt and runs its commands, with CMake
         and with Make.
install: the same for docs/install.md: installing, find_package, pkg-config, FetchContent, uninstalling;
         and for docs/wrap.md.

Names of folders are those of this build in place of those in the documents, so that little has to be
compiled again; scripts/check-fresh-system.sh changes nothing at all. README's story builds libspecrt
once more, which takes minutes: it runs where SPECRT_TEST_README is set in the environment.
"""
import argparse
import os
import pathlib
import re
import shutil
import sys
import tempfile

import documents
import test_package
from test_package import check, succeed


class Reader:
    """Somebody who pastes blocks in a folder."""

    def __init__(self, options, folder):
        self.source, self.build, self.llvm = options.source, options.build, options.llvm
        self.folder = folder
        self.prefix = folder / "prefix"
        self.environment = {"SPECRT_CACHE_DIR": str(folder / "cache"), "CMAKE_GENERATOR": "Ninja",
                            "FETCHCONTENT_SOURCE_DIR_LIBSPECRT": str(self.source)}
        # Objects of this depth below the sources are those that ccache knows.
        self.objects = self.build.parent / "documents"
        shutil.rmtree(self.objects, ignore_errors=True)
        self.objects.mkdir()

    def project(self, name):
        work = self.folder / name
        work.mkdir()
        (work / "build").symlink_to(self.objects)
        return work

    def here(self, text):
        """The text with the folders of this build."""
        text = text.replace("add_subdirectory(libspecrt)",
                            f'add_subdirectory("{self.source}" libspecrt)')
        text = text.replace("cmake -S libspecrt --preset install && "
                            "cmake --build libspecrt/build/install",
                            f"cmake -S libspecrt --preset install -B {self.folder}/install")
        text = text.replace("libspecrt/build/install", str(self.build))
        text = text.replace("/opt/specrt", str(self.prefix)).replace("sudo ", "")
        return re.sub(r"(?<![\w/])libspecrt(?=/\w)|(?<=-S )libspecrt\b", str(self.source), text)

    def follow(self, document, heading, work):
        """Returns what its commands print."""
        blocks = documents.section(self.source / document, heading)
        commands = self.here(documents.script(blocks))
        return succeed(["bash", "-euc", commands], cwd=work, environment=self.environment)

    def check_specialised(self, output, how):
        check(re.search(r"^\S+:\d+ +specialised", output, re.MULTILINE),
              f"{how}: specrt report printed {output}")

    def check_subproject(self, work):
        """The other project's settings and installation are its own."""
        cache = (work / "build/CMakeCache.txt").read_text()
        check(re.search(r"^CMAKE_BUILD_TYPE:\w+=$", cache, re.MULTILINE), "the build type is set")
        check("CMAKE_C_COMPILER:" not in cache, "C was needed")
        check("SPECRT_BUILD_TESTS:BOOL=OFF" in cache, "the tests are built")
        empty = work / "installed"
        succeed(["cmake", "--install", work / "build", "--prefix", empty])
        check(not empty.exists(), f"installed: {list(empty.rglob('*'))}")

    def readme(self):
        work = self.project("solver")
        program = documents.section(self.source / "README.md", "Using it")[0]
        (work / program.file).write_text(program.text)
        output = self.follow("README.md", "With CMake", work)
        self.check_specialised(output, "README, CMake")
        self.check_subproject(work)
        output = self.follow("README.md", "With Make", work)
        self.check_specialised(output, "README, Make")

    def install(self):
        work = self.project("solver")
        shutil.copytree(self.source / "examples/package", work, dirs_exist_ok=True)
        self.follow("docs/install.md", "From a build", work)
        targets = succeed(["ninja", "-C", self.folder / "install", "-t", "targets", "all"])
        check("specrt-jit" in targets and "soundness_test" not in targets,
              "the preset install builds something else")
        for heading in ("With CMake", "With make, or any build that lets you choose the compiler",
                        "With pkg-config"):
            shutil.rmtree(self.objects)
            self.objects.mkdir()
            (work / "solver").unlink(missing_ok=True)
            self.follow("docs/install.md", heading, work)
            program = next(path for path in (work / "build/solver", work / "solver")
                           if path.exists())
            check(succeed([program]).strip(), f"{heading}: the program prints nothing")
            check(b"specrt" in program.read_bytes(), f"{heading}: not instrumented")
        self.check_wrapping()
        self.follow("docs/install.md", "Uninstall", work)
        left = [str(path) for path in self.prefix.rglob("*")]
        check(not left, f"left after uninstalling: {left}")
        self.check_fetched()

    def check_wrapping(self):
        """What docs/wrap.md says, with the files of examples/wrap."""
        shutil.copy(self.source / "examples/support.h", self.folder)
        work = shutil.copytree(self.source / "examples/wrap", self.folder / "wrap")
        self.environment["PKG_CONFIG_PATH"] = str(self.prefix / "lib/pkgconfig")
        output = self.follow("docs/wrap.md", "Functions that were not compiled with specrt-clang", work)
        check("in versions" in output, f"docs/wrap.md: the program printed {output}")

    def check_fetched(self):
        work = self.project("fetched")
        shutil.rmtree(self.objects)
        self.objects.mkdir()
        for block in documents.section(self.source / "docs/install.md", "As a part of your project"):
            if block.file:
                (work / block.file).write_text(self.here(block.text))
        (work / "solver.cpp").write_text("int main() {}\n")
        succeed(["cmake", "-B", "build", f"-DCMAKE_CXX_COMPILER=clang++-{self.llvm}",
                 f"-DFETCHCONTENT_SOURCE_DIR_LIBSPECRT={self.source}"], cwd=work,
                environment=self.environment)
        self.check_subproject(work)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("story", choices=["readme", "install"])
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--llvm", required=True)
    options = parser.parse_args()
    if options.story == "readme" and not os.environ.get("SPECRT_TEST_README"):
        print("skipped: SPECRT_TEST_README=1 has it build libspecrt and follow README.md")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="specrt-documents-") as folder:
        reader = Reader(options, pathlib.Path(folder).resolve())
        {"readme": reader.readme, "install": reader.install}[options.story]()
        shutil.rmtree(reader.objects)
    print(f"{test_package.failures} failures")
    sys.exit(bool(test_package.failures))


if __name__ == "__main__":
    main()
