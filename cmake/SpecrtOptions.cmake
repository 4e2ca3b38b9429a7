# Language level, warnings and sanitizers for every target of this project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release) # for this project: one that adds it has its own
endif()

# install() where this project is installed at all.
macro(specrt_install)
  if(SPECRT_INSTALL)
    install(${ARGN})
  endif()
endmacro()

# All binaries in two folders, as after an installation, so that the driver finds its libraries.
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/static)
foreach(_config IN LISTS CMAKE_CONFIGURATION_TYPES) # no subfolders per configuration
  string(TOUPPER ${_config} _config)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY_${_config} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY_${_config} ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
endforeach()
# Tells files of different builds apart; what was compiled for one library is not used with another.
add_link_options(-Wl,--build-id)

find_program(SPECRT_CCACHE ccache)
mark_as_advanced(SPECRT_CCACHE)
include(CMakeDependentOption)
cmake_dependent_option(SPECRT_PRECOMPILE_LLVM "Precompile LLVM's headers: builds take half of the time"
                       ON "NOT SPECRT_SANITIZE" OFF)
if(SPECRT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this ccache keeps nothing that was compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${SPECRT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${SPECRT_CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# For code of which libspecrt.so must not hold more than it uses.
function(specrt_droppable)
  foreach(_target IN LISTS ARGN)
    target_compile_options(${_target} PRIVATE -ffunction-sections -fdata-sections)
  endforeach()
endfunction()
# For code that works in threads of its own until the process is gone: its static objects, other
# than those of a thread, are not destroyed before.
function(specrt_lasting TARGET)
  target_compile_options(${TARGET} PRIVATE -fc++-static-destructors=thread-local)
endfunction()
# Sanitizers go into the code that runs inside the host program and into its tests, not into the
# compiler plugin: clang, which loads it, is not built with them.
function(specrt_sanitize TARGET)
  if(SPECRT_SANITIZE)
    target_compile_options(${TARGET} PRIVATE -fsanitize=${SPECRT_SANITIZE} -fno-omit-frame-pointer
                                             -fno-sanitize-recover=all -g1)
    target_link_options(${TARGET} PRIVATE -fsanitize=${SPECRT_SANITIZE})
  endif()
  if(SPECRT_FUZZ)
    target_compile_options(${TARGET} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
endfunction()
# The specializer runs in the host's process as well, but shares objects with LLVM, which is not built
# with sanitizers: types are not compared (LLVM has no type information), and ThreadSanitizer would
# miss how LLVM orders its accesses.
function(specrt_sanitize_specializer TARGET)
  if(SPECRT_SANITIZE MATCHES "address")
    specrt_sanitize(${TARGET})
    target_compile_options(${TARGET} PRIVATE -fno-sanitize=vptr,function)
  endif()
endfunction()
