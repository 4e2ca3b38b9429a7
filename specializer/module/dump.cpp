//===- specializer/module/dump.cpp - files for SPECRT_DUMP -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specializer/module/dump.h"
#include "guards/words.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

using namespace llvm;

namespace specrt {
namespace {

constexpr StringLiteral IndexName = "index.txt";

/// A kind of file by its ending; the name before the ending is the candidate's.
struct Content {
  StringLiteral Ending, Description;
};
constexpr Content Contents[] = {
    {"original.ll", "the nest as it is stored in the program"},
    {"before.ll", "specialised, before any candidate's own transformations"},
    {"guards.txt", "what must hold for a call to use these candidates"},
    {"causes.txt", "why the nest as it was written is not a static control part"},
    {"candidates.txt", "what became of the candidates, and why some were refused"},
    {".schedule.txt", "static control parts, original and chosen schedules, syntax trees"},
    {".after.ll", "after optimisation"},
    {".s", "assembly"},
};

StringRef descriptionOf(StringRef File) {
  for (const Content &C : Contents)
    if (File.ends_with(C.Ending))
      return C.Description;
  return "";
}

/// Returns \p Name as a file name of at most \p Limit characters.
std::string fileName(StringRef Name, size_t Limit) {
  std::string Safe = Name.substr(0, Limit).str();
  for (char &C : Safe)
    if (!isAlnum(C) && !StringRef("_-+=,.").contains(C))
      C = '_';
  // "." and ".." name folders.
  return Safe.empty() || Safe[0] == '.' ? "_" + Safe : Safe;
}

/// Returns sorted paths, relative to \p Folder, of the files below it.
std::vector<std::string> filesIn(StringRef Folder) {
  std::vector<std::string> Files;
  std::error_code Failed;
  for (sys::fs::recursive_directory_iterator It(Folder, Failed), End; It != End && !Failed;
       It.increment(Failed))
    if (It->type() == sys::fs::file_type::regular_file)
      Files.push_back(StringRef(It->path()).drop_front(Folder.size() + 1).str());
  sort(Files);
  return Files;
}

} // namespace

Dump::Dump(const specrt_jit_request &Request) : Region(*Request.region) {
  if (!Request.dump_directory || !*Request.dump_directory)
    return;
  RegionFolder = std::string(Request.dump_directory) + "/" + fileName(Region.name, 120);
  std::string Label = labelOfConstants(Region, Request.facts);
  ConstantsFolder = RegionFolder + "/" + (Label.empty() ? "general" : fileName(Label, MaxLabel));
  if (Request.first_iteration)
    ConstantsFolder += "-from-" + std::to_string(Request.first_iteration);
  if (Request.end_iteration)
    ConstantsFolder += "-to-" + std::to_string(Request.end_iteration);
}

void Dump::writeTo(const std::string &Folder, StringRef File, Printer Print) {
  // After a problem the folder is incomplete, so no more time is spent on it.
  if (!isOn() || !Problem.empty())
    return;
  std::string Path = Folder + "/" + File.str();
  std::error_code Failed = sys::fs::create_directories(Folder);
  if (!Failed) {
    raw_fd_ostream Stream(Path, Failed, sys::fs::OF_Text);
    if (!Failed) {
      Print(Stream);
      Stream.close();
      Failed = Stream.error();
      // An unreported error would end the process in the stream's destructor.
      Stream.clear_error();
    }
  }
  if (Failed)
    Problem = "cannot write " + Path + ": " + Failed.message();
}

void Dump::writeIndex() {
  if (!isOn() || !Problem.empty())
    return;
  std::vector<std::string> Files = filesIn(RegionFolder);
  writeForRegion(IndexName, [&](raw_ostream &OS) {
    OS << "Region " << Region.name;
    if (Region.line)
      OS << " in " << Region.file << ":" << Region.line;
    OS << "\n";
    std::string Folder;
    for (const std::string &File : Files) {
      auto [Parent, Name] = StringRef(File).rsplit('/');
      if (Name.empty())
        std::swap(Parent, Name);
      if (Name == IndexName)
        continue;
      if (Parent != Folder) {
        Folder = Parent.str();
        OS << "\n" << Folder << "/\n";
      }
      OS << "  " << left_justify(Name, 40) << descriptionOf(Name) << "\n";
    }
  });
}

} // namespace specrt
