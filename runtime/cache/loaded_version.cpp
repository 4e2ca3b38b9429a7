//===- runtime/cache/loaded_version.cpp - a stored version in this process ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cache/loaded_version.h"
#include "guards/guards.h"
#include "profiler/store/trusted_path.h"
#include "runtime/cache/loading_section.h"
#include "runtime/compile/compiler_client.h"
#include "runtime/compile/library_path.h"
#include "runtime/rows/row_tables.h"
#include "support/attempt.h"
#include "support/helper_functions.h"
#include "support/process/own_descriptors.h"
#include "support/write_all.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utility>

namespace specrt {
namespace {

std::string lastLoaderError() {
  const char *Why = dlerror();
  return Why ? Why : "unknown problem of the loader";
}

/// Returns whether a mapping of a file in this file system cannot change or fault because of other
/// machines.
bool isLocal(const Descriptor &File) {
  struct statfs Status;
  if (fstatfs(File.get(), &Status) != 0)
    return false;
  switch (static_cast<uint32_t>(Status.f_type)) {
  case 0xef53:     // ext2, ext3, ext4
  case 0x58465342: // xfs
  case 0x9123683e: // btrfs
  case 0x2fc12fc1: // zfs
  case 0xf2f52010: // f2fs
  case 0x794c7630: // overlayfs
  case 0x01021994: // tmpfs
    return true;
  default:
    return false;
  }
}

/// Returns the address of a function that generated code calls by name; null, maybe with Why set,
/// when this process has none.
void *calledFunction(const std::string &Name, uint32_t Threads, std::string &Why) {
  return isLoopFunction(Name) ? loopFunction(Name, libraryDirectory(), Threads, Why)
                              : helperFunction(Name);
}

/// The objects that are bound to a region. The loader returns the same mapping for the same file,
/// so two regions with the same code (one library linked into two others) would otherwise share one
/// state.
struct BoundObjects {
  /// The mutex is timed, because a child forked while another thread binds inherits it locked for
  /// ever.
  std::timed_mutex Mutex;
  std::set<const specrt_version_object *> All;
};

BoundObjects &boundObjects() {
  static BoundObjects &Bound = *new BoundObjects();
  return Bound;
}

constexpr std::chrono::seconds LockTimeout(2);

const specrt_version_object *query(void *Library) {
  auto *Query = reinterpret_cast<specrt_version_object_query_fn *>(
      dlsym(Library, SPECRT_VERSION_OBJECT_QUERY));
  return Query ? Query() : nullptr;
}

} // namespace

std::shared_ptr<LoadedVersion> LoadedVersion::load(const StoredVersion &Stored,
                                                   const specrt_region &Region, uint32_t Threads,
                                                   std::string &Why) {
  const LoadingSection Now;
  std::shared_ptr<LoadedVersion> Loaded(new LoadedVersion());
  if (!Loaded->open(Stored, Why) && !Loaded->openCopy(Stored, Why))
    return nullptr;
  if (!Loaded->describe(Stored, Why))
    return nullptr;
  if (!Loaded->claim()) {
    Loaded->close();
    if (!Loaded->openCopy(Stored, Why) || !Loaded->describe(Stored, Why) || !Loaded->claim())
      return nullptr;
  }
  return Loaded->bind(Region, Threads, Why) ? Loaded : nullptr;
}

/// Reserves the object for this LoadedVersion; returns false when another region has it. No code is
/// loaded or unloaded under the mutex: the loader has a lock itself, and runs constructors under it
/// that enter this function.
bool LoadedVersion::claim() {
  BoundObjects &Bound = boundObjects();
  std::unique_lock Guard(Bound.Mutex, LockTimeout);
  Claimed = Guard.owns_lock() && Bound.All.insert(Object).second;
  return Claimed;
}

void LoadedVersion::close() {
  if (Library)
    dlclose(std::exchange(Library, nullptr));
  Object = nullptr;
  // On other threads the number names another file, so the copy stays open there.
  if (Copy.Owner != gettid())
    Copy.File.release();
  Copy = OpenCopy();
}

/// Opens the file under its own path, so that debuggers and profilers find it, if nobody else can
/// replace the verified file under that name. It cannot be verified afterwards, because the loader
/// runs constructors. It is not mapped without the loader: __register_frame registers frames with
/// one copy of libgcc only, and makes every exception of the program wait for a lock.
bool LoadedVersion::open(const StoredVersion &Stored, std::string &Why) {
  const std::string Path = isLocal(Stored.File) ? trustedPathOf(Stored.File) : "";
  if (Path.empty())
    return false;
  Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    Why = lastLoaderError();
  return Library != nullptr;
}

/// Returns a path of an open file that the loader has not seen before: it identifies libraries by
/// their path, and descriptor numbers are reused. "//" and "/./" mean "/".
static std::string newPathOf(const Descriptor &File) {
  static std::atomic<uint32_t> Serial{0};
  std::string Path = "/proc/thread-self/fd";
  for (uint32_t Digits = Serial.fetch_add(1); Digits != 0; Digits /= 2)
    Path += Digits % 2 ? "/." : "/";
  return Path + "/" + std::to_string(File.get());
}

/// Loads the verified bytes from a file in memory. This serves objects whose file others can
/// replace, is on a network, is bound already, lies where execution is not allowed, or does not
/// exist. On a thread with a descriptor table of its own the copy stays open under a path that
/// debuggers can open, too.
bool LoadedVersion::openCopy(const StoredVersion &Stored, std::string &Why) {
  Why.clear();
  Descriptor File(memfd_create("specrt-version", MFD_CLOEXEC));
  if (!File || !writeAll(File.get(), Stored.Object)) {
    Why = std::string("no memory for a copy: ") + std::strerror(errno);
    return false;
  }
  const std::string Path = hasOwnDescriptors()
                               ? "/proc/" + std::to_string(getpid()) + "/task/" +
                                     std::to_string(gettid()) + "/fd/" + std::to_string(File.get())
                               : newPathOf(File);
  Library = dlopen(Path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!Library)
    Why = lastLoaderError();
  else if (hasOwnDescriptors())
    Copy = {.File = std::move(File), .Owner = gettid()};
  return Library != nullptr;
}

/// Compares the object's description of itself with that in the file.
bool LoadedVersion::describe(const StoredVersion &Stored, std::string &Why) {
  const specrt_version_object *Found = query(Library);
  if (!Found || Found->format != SPECRT_VERSION_OBJECT_FORMAT ||
      Found->size != sizeof(specrt_version_object) || Found->abi_version != SPECRT_ABI_VERSION) {
    Why = "the object does not describe itself as expected";
    return false;
  }
  if (Stored.Description.Key != Found->key) {
    Why = "the object was made for something else";
    return false;
  }
  Object = Found;
  return true;
}

bool LoadedVersion::bind(const specrt_region &Region, uint32_t Threads, std::string &Why) {
  if (Object->num_symbols != Region.num_symbols) {
    Why = "the object was made for another program";
    return false;
  }
  for (uint32_t I = 0; I < Object->num_bodies; ++I)
    if (const char *Problem = problemOf(Object->bodies[I].entry->guards, Region)) {
      Why = std::string("a guard ") + Problem;
      return false;
    }
  for (uint32_t I = 0; I < Object->num_helpers; ++I) {
    const std::string Name = Object->helper_names[I];
    Object->helpers[I] = calledFunction(Name, Threads, Why);
    if (!Object->helpers[I]) {
      if (Why.empty())
        Why = "this process has no " + Name;
      return false;
    }
  }
  tellFailedLoops();
  auto Fill = [&](void **Table) {
    for (uint32_t I = 0; Table && I < Region.num_symbols; ++I)
      Table[I] = Region.symbols[I].address;
  };
  Fill(Object->symbols);
  for (uint32_t I = 0; I < Object->num_bodies; ++I)
    Fill(Object->bodies[I].symbols);
  for (uint32_t I = 0; I < Object->num_bodies; ++I) {
    const specrt_object_body &Body = Object->bodies[I];
    for (specrt_sparse_loop *Loop = Body.rows; Loop; Loop = Loop->next)
      Loop->is_parallel = Body.parallel && Loop->may_share;
    ownRows(this, Body.rows);
  }
  return true;
}

LoadedVersion::~LoadedVersion() {
  // If there is no memory to remove it from the tables of rows, it stays loaded.
  if (attempt([this] { forgetRows(this); })) {
    Copy.File.release();
    return;
  }
  const LoadingSection Now;
  const specrt_version_object *const Mine = Object;
  close();
  if (!Claimed)
    return;
  // The object is released after it is unmapped: another thread that opens the file must not get
  // its state. If the lock cannot be had, an object that is mapped at this address later counts as
  // bound, and is copied.
  BoundObjects &Bound = boundObjects();
  if (std::unique_lock Guard(Bound.Mutex, LockTimeout); Guard.owns_lock())
    Bound.All.erase(Mine);
}

const specrt_object_body *LoadedVersion::body(const std::string &Candidate) const {
  for (uint32_t I = 0; I < Object->num_bodies; ++I)
    if (Candidate == Object->bodies[I].name)
      return &Object->bodies[I];
  return nullptr;
}

} // namespace specrt
