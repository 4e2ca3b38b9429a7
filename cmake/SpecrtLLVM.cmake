# Finds exactly LLVM 22 and defines the target specrt_llvm: the one libLLVM, which holds Polly and isl.
set(SPECRT_LLVM_VERSION 22)
# LLVM's files ask C for libffi where a C compiler is named, whether the project has C or not.
if(DEFINED CMAKE_C_COMPILER)
  enable_language(C)
endif()
find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-${SPECRT_LLVM_VERSION}/lib/cmake/llvm)
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL SPECRT_LLVM_VERSION)
  if(LLVM_FOUND)
    set(_found "${LLVM_VERSION} in ${LLVM_DIR}")
  else()
    set(_found "none")
  endif()
  message(FATAL_ERROR
    "libspecrt needs LLVM ${SPECRT_LLVM_VERSION} (found: ${_found}). It uses Polly's and isl's C++ "
    "interfaces, which change with every release. Run scripts/install-deps.sh, or point LLVM_DIR at "
    "the directory of LLVM ${SPECRT_LLVM_VERSION}'s LLVMConfig.cmake.")
endif()
if(NOT TARGET LLVM)
  message(FATAL_ERROR "LLVM ${LLVM_VERSION} in ${LLVM_DIR} was built without the shared libLLVM, "
                      "which libspecrt needs because it contains Polly and isl.")
endif()

add_library(specrt_llvm INTERFACE)
target_include_directories(specrt_llvm SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS}/polly)
separate_arguments(_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(specrt_llvm INTERFACE ${_definitions})
target_compile_options(specrt_llvm INTERFACE -fno-exceptions)
target_link_libraries(specrt_llvm INTERFACE LLVM)

# Where the loader will find libLLVM: the key of a compiled version names its build.
get_target_property(_location LLVM LOCATION)
get_filename_component(SPECRT_LLVM_LIBRARY "${_location}" REALPATH)
# Where installed libraries look for it; empty when the loader finds it by itself.
get_filename_component(SPECRT_LLVM_RPATH "${_location}" DIRECTORY)
get_filename_component(_name "${SPECRT_LLVM_LIBRARY}" NAME)
foreach(_folder IN LISTS CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  if(_folder MATCHES "^(/usr)?/lib(64)?(/[^/]*-linux-gnu)?$" AND EXISTS ${_folder}/${_name})
    set(SPECRT_LLVM_RPATH "")
  endif()
endforeach()

set(SPECRT_CLANG "${LLVM_TOOLS_BINARY_DIR}/clang")
set(SPECRT_CLANGXX "${LLVM_TOOLS_BINARY_DIR}/clang++")
foreach(_tool IN ITEMS ${SPECRT_CLANG} ${SPECRT_CLANGXX})
  if(NOT EXISTS ${_tool})
    message(FATAL_ERROR "${_tool} not found: libspecrt instruments with the clang of the same LLVM. "
                        "Run scripts/install-deps.sh.")
  endif()
endforeach()

# lld as a library. Its archives use the same libLLVM.
find_package(ZLIB REQUIRED)
find_package(zstd REQUIRED)
find_package(LLD CONFIG REQUIRED HINTS ${LLVM_DIR}/../lld)
add_library(specrt_lld INTERFACE)
target_link_libraries(specrt_lld INTERFACE lldELF lldCommon specrt_llvm)
# cl::ResetAllOptionOccurrences, llvm_shutdown and Process::Exit: jit/object/linker.cpp has others.
target_link_options(specrt_lld INTERFACE
  -Wl,--wrap=_ZN4llvm2cl25ResetAllOptionOccurrencesEv
  -Wl,--wrap=_ZN4llvm13llvm_shutdownEv
  -Wl,--wrap=_ZN4llvm3sys7Process4ExitEib)

# specrt_precompile_llvm(FIRST [TARGET...] [HEADERS HEADER...]): these read the headers that most of
# them include, and HEADERS, from one precompiled file, which FIRST makes. Nine tenths of a
# compilation are otherwise spent on them. A forgotten #include goes unnoticed; presets without it
# (asan, tsan) find it. Without polly/Support/ISLTools.h, whose begin() for lists of isl gets in the
# way of ranges of isl's objects.
function(specrt_precompile_llvm FIRST)
  cmake_parse_arguments(ARG "" "" "HEADERS" ${ARGN})
  target_precompile_headers(${FIRST} PRIVATE
    <llvm/ADT/MapVector.h> <llvm/ADT/SetVector.h> <llvm/ADT/StringExtras.h>
    <llvm/Analysis/AliasAnalysis.h> <llvm/Analysis/LoopInfo.h> <llvm/Analysis/ScalarEvolution.h>
    <llvm/Analysis/ScalarEvolutionExpressions.h> <llvm/Analysis/TargetLibraryInfo.h>
    <llvm/Analysis/TargetTransformInfo.h> <llvm/Analysis/ValueTracking.h>
    <llvm/IR/DebugInfoMetadata.h> <llvm/IR/IRBuilder.h> <llvm/IR/InstIterator.h>
    <llvm/IR/IntrinsicInst.h> <llvm/IR/MDBuilder.h> <llvm/IR/Module.h> <llvm/IR/Operator.h>
    <llvm/IR/PassManager.h> <llvm/Support/Error.h> <llvm/Support/raw_ostream.h>
    <llvm/Transforms/Utils/Cloning.h>
    <polly/DependenceInfo.h> <polly/ScopInfo.h> <polly/Support/GICHelper.h> <isl/isl-noexceptions.h>
    ${ARG_HEADERS})
  foreach(_target IN LISTS ARG_UNPARSED_ARGUMENTS)
    target_precompile_headers(${_target} REUSE_FROM ${FIRST})
  endforeach()
  # Equal headers make equal files, which ccache then takes for equal.
  target_compile_options(${FIRST} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()
