//===- tools/cache_entries.cpp - the files of the cache directory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/cache_entries.h"
#include "guards/words.h"
#include "profiler/store/profile_store.h"
#include "profiler/store/spare_file.h"
#include "profiler/store/store_file.h"
#include "profiler/store/trusted_path.h"
#include "runtime/cache/version_store.h"
#include "runtime/decide/timeline.h"
#include "runtime/report/report_file.h"
#include "tools/report_model.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace specrt::tools {
namespace {

namespace fs = std::filesystem;

/// Length of the suffix that storeFileName appends to the program's name.
constexpr size_t TailLength = sizeof("-0123456789abcdef.json") - 1;

std::string_view withoutTail(std::string_view Name) {
  return Name.substr(0, Name.size() - std::min(Name.size(), TailLength));
}

std::string examineProfile(const std::string &Text, CacheEntry &Entry) {
  ProfileStore::Summary About;
  std::string Problem = ProfileStore::examine(Text, About);
  Entry.Subject = About.Executable;
  Entry.Contents =
      counted(About.NumRegions, "region") + ", " + std::to_string(About.NumHot) + " hot";
  return Problem;
}

std::string examineReport(const std::string &Text, CacheEntry &Entry) {
  Report About;
  std::string Problem = parseReport(Text, About);
  Entry.Subject = About.Program;
  Entry.Contents = counted(About.Regions.size(), "region");
  return Problem;
}

/// A folder of files that hold one JSON text per program.
struct ProgramFiles {
  const char *Kind; ///< the name of the folder
  std::string (*Examine)(const std::string &Text, CacheEntry &Entry);
  bool HasObservations; ///< in separate files
};
constexpr ProgramFiles PerProgram[] = {{"profiles", examineProfile, true},
                                       {ReportFolder, examineReport, false}};

/// Returns the entry that a lock, a file set aside, a spare file or an unfinished write belongs to;
/// "" for other files.
std::string ownerOf(std::string Name) {
  for (const char *Ending : {".lock", ".bad", SpareEnding})
    if (Name.ends_with(Ending))
      Name.resize(Name.size() - std::string(Ending).size());
  if (size_t Mark = Name.find(".tmp-"); Name.starts_with('.') && Mark != std::string::npos)
    Name = Name.substr(1, Mark - 1);
  return isEntryName(Name) ? Name : "";
}

/// An open folder of a cache. Folders that are not private are refused, as in the runtime.
struct Folder {
  Descriptor Directory;
  std::string Path;
  std::vector<std::string> Names; ///< ascending
};

Descriptor openDirectory(const std::string &Path, Owners Whose, std::string &Error) {
  return Whose == Owners::User ? openPrivateDirectory(Path, /*Create=*/false, Error)
                               : openTrustedDirectory(Path, Error);
}

Folder openFolder(const std::string &CacheDirectory, const std::string &Kind, Owners Whose,
                  std::vector<std::string> &Errors) {
  Folder Opened;
  Opened.Path = CacheDirectory + "/" + Kind;
  std::string Error;
  if (openDirectory(CacheDirectory, Whose, Error))
    Opened.Directory = openDirectory(Opened.Path, Whose, Error);
  if (Opened.Directory) {
    std::error_code Failed;
    for (fs::directory_iterator I(Opened.Path, Failed), End; !Failed && I != End;
         I.increment(Failed))
      Opened.Names.push_back(I->path().filename().string());
    if (Failed)
      Error = Opened.Path + " cannot be read: " + Failed.message();
    std::sort(Opened.Names.begin(), Opened.Names.end());
  }
  if (!Error.empty() && std::find(Errors.begin(), Errors.end(), Error) == Errors.end())
    Errors.push_back(Error);
  return Opened;
}

/// Adds the observations of a profile to its entry. Other processes may remove some meanwhile.
void addObservations(const ObservationFiles &Files, CacheEntry &Entry) {
  for (const auto &[Hash, Bytes] : Files.sizes()) {
    Entry.Bytes += Bytes;
    std::string Problem = Files.examine(Hash);
    if (Entry.Problem.empty() && !Problem.empty())
      Entry.Problem.append("has an observation, ").append(Hash).append(", which ").append(Problem);
  }
}

bool wants(const CacheFilter &Filter, const char *Kind) {
  return Filter.Kind.empty() || Filter.Kind == Kind;
}

void listProgramFiles(const std::string &CacheDirectory, const ProgramFiles &Files,
                      const CacheFilter &Filter, Owners Whose, std::vector<CacheEntry> &Out,
                      std::vector<std::string> &Errors) {
  Folder In = openFolder(CacheDirectory, Files.Kind, Whose, Errors);
  for (const std::string &Name : In.Names) {
    if (!isEntryName(Name) || !isAbout(Name, Filter.Program))
      continue;
    CacheEntry Entry;
    Entry.Kind = Files.Kind;
    Entry.Path = In.Path + "/" + Name;
    struct stat Status;
    if (fstatat(In.Directory.get(), Name.c_str(), &Status, AT_SYMLINK_NOFOLLOW) == 0) {
      Entry.Bytes = static_cast<uint64_t>(Status.st_size);
      Entry.LastUsed = static_cast<uint64_t>(std::max<time_t>(Status.st_mtime, 0));
    }
    std::string Text;
    ReadResult Read =
        readPrivateFile(In.Directory, Name, ProfileStore::MaxFileBytes, Text, Entry.Problem, Whose);
    if (Read == ReadResult::Missing)
      continue; // removed meanwhile
    if (Read == ReadResult::Ok)
      Entry.Problem = Files.Examine(Text, Entry);
    if (Files.HasObservations)
      addObservations(ObservationFiles(In.Path, Name, nullptr, Whose), Entry);
    Out.push_back(std::move(Entry));
  }
}

/// Returns for example "contraction, source-order for story.cpp:33".
std::string contentsOf(const VersionDescription &D) {
  std::string File = D.File.substr(D.File.rfind('/') + 1), Text;
  for (const StoredCandidate &C : D.Candidates)
    Text += (Text.empty() ? "" : ", ") + C.Name;
  return File.empty() ? Text : Text + " for " + placeText(File, D.Line);
}

/// Returns the title of the region; files of older versions of libspecrt contain only its name.
std::string subjectOf(const VersionDescription &D) {
  return D.Title.empty() ? demangled(D.Region) : D.Title;
}

/// Rooms of files that belong to no program.
constexpr const StoreRoom *Rooms[] = {&VersionsRoom, &RowsRoom};

VersionStore storeIn(const StoreRoom &Room, const std::string &CacheDirectory,
                     std::vector<std::string> &Errors) {
  return VersionStore(
      CacheDirectory, UINT64_MAX,
      [&Errors](const std::string &Message) { Errors.push_back(Message); }, /*MayWrite=*/true,
      Room);
}

size_t clearProgramFiles(const std::string &CacheDirectory, const ProgramFiles &Files,
                         const CacheFilter &Filter, std::vector<std::string> &Errors) {
  Folder In = openFolder(CacheDirectory, Files.Kind, Owners::User, Errors);
  size_t Removed = 0;
  for (const std::string &Name : In.Names) {
    std::string Owner = ownerOf(Name);
    if (Owner.empty() || !isAbout(Owner, Filter.Program))
      continue;
    // The owner of the lock is about to write, and removing a lock that is held would make it
    // ineffective.
    std::string Lock = Owner + ".lock", Error;
    bool HasLock = std::binary_search(In.Names.begin(), In.Names.end(), Lock);
    FileLock Held = HasLock ? lockFile(In.Directory, Lock, 0, Error) : FileLock();
    if (HasLock && !Held) {
      Errors.push_back(In.Path + "/" + Name + " is in use and stays");
      continue;
    }
    if (Files.HasObservations)
      Removed += ObservationFiles(In.Path, Owner, nullptr).removeOthers({});
    if (unlinkat(In.Directory.get(), Name.c_str(), 0) == 0)
      ++Removed;
    else if (errno != ENOENT) // ENOENT: another process has removed it
      Errors.push_back(In.Path + "/" + Name + " cannot be removed");
  }
  return Removed;
}

} // namespace

bool isEntryName(const std::string &Name) {
  if (Name.size() <= TailLength || !Name.ends_with(".json"))
    return false;
  size_t Dash = Name.size() - TailLength;
  return Name[Dash] == '-' && std::all_of(Name.begin() + Dash + 1, Name.end() - 5,
                                          [](unsigned char C) { return std::isxdigit(C); });
}

bool isNamedLike(const std::string &EntryName, const std::string &Program) {
  return withoutTail(EntryName) == withoutTail(storeFileName(Program));
}

bool isAbout(const std::string &EntryName, const std::string &Program) {
  if (Program.empty())
    return true;
  std::error_code Error;
  fs::path Executable = fs::canonical(Program, Error);
  if (!Error)
    return EntryName == storeFileName(Executable.string());
  if (Program.find('/') != std::string::npos)
    return EntryName == storeFileName(Program);
  return isNamedLike(EntryName, Program);
}

static std::vector<CacheEntry> listEntries(const std::string &CacheDirectory,
                                           const CacheFilter &Filter, Owners Whose,
                                           std::vector<std::string> &Errors) {
  std::vector<CacheEntry> Entries;
  for (const ProgramFiles &Files : PerProgram)
    if (wants(Filter, Files.Kind))
      listProgramFiles(CacheDirectory, Files, Filter, Whose, Entries, Errors);
  if (!Filter.Program.empty())
    return Entries;
  const auto ListRoom = [&](const StoreRoom &Room) {
    const bool IsOwn = Whose == Owners::User;
    VersionStore Store = storeIn(Room, IsOwn ? CacheDirectory : "", Errors);
    if (!IsOwn)
      Store.readAlso({CacheDirectory});
    return IsOwn ? Store.list() : Store.listFurther();
  };
  for (const StoreRoom *Room : Rooms)
    if (wants(Filter, Room->Folder))
      for (VersionEntry &Found : ListRoom(*Room))
        Entries.push_back({Room->Folder, std::move(Found.Path), subjectOf(Found.Description),
                           contentsOf(Found.Description), std::move(Found.Problem), Found.Bytes,
                           Found.LastUsed});
  return Entries;
}

std::vector<CacheEntry> listCache(const std::string &CacheDirectory, const CacheFilter &Filter,
                                  std::vector<std::string> &Errors) {
  return listEntries(CacheDirectory, Filter, Owners::User, Errors);
}

std::vector<CacheEntry> listFurtherCache(const std::string &CacheDirectory,
                                         const CacheFilter &Filter,
                                         std::vector<std::string> &Errors) {
  return listEntries(CacheDirectory, Filter, Owners::UserOrRoot, Errors);
}

size_t clearCache(const std::string &CacheDirectory, const CacheFilter &Filter,
                  std::vector<std::string> &Errors) {
  size_t Removed = 0;
  for (const ProgramFiles &Files : PerProgram)
    if (wants(Filter, Files.Kind))
      Removed += clearProgramFiles(CacheDirectory, Files, Filter, Errors);
  for (const StoreRoom *Room : Rooms)
    if (wants(Filter, Room->Folder) && Filter.Program.empty())
      Removed += storeIn(*Room, CacheDirectory, Errors).clear();
  return Removed;
}

} // namespace specrt::tools
