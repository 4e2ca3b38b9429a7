# Debian packages: "cpack -G DEB" in a build folder, or scripts/package.sh, which configures for /usr.
# Each component of SpecrtInstall is a package; names and dependencies follow Debian's habits.
set(CPACK_PACKAGE_NAME specrt)
set(CPACK_PACKAGE_VENDOR "the libspecrt authors")
set(CPACK_PACKAGE_CONTACT "The libspecrt maintainers <maintainers@specrt.invalid>"
    CACHE STRING "Maintainer of the packages")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_COMPONENTS_ALL runtime jit dev tools)
set(CPACK_STRIP_FILES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Dependencies on system libraries come from the files themselves where the tool for it exists.
find_program(SPECRT_SHLIBDEPS dpkg-shlibdeps)
mark_as_advanced(SPECRT_SHLIBDEPS)
if(SPECRT_SHLIBDEPS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
  set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
  set(_system_of_runtime "")
  set(_system_of_jit "")
  set(_system_of_dev "")
  set(_system_of_tools "")
else()
  set(_system_of_runtime ", libc6, libffi8, libstdc++6, libtbb12")
  set(_system_of_jit ", libc6, libllvm${SPECRT_LLVM_VERSION}, libstdc++6, libzstd1, zlib1g")
  set(_system_of_dev ", libc6, libllvm${SPECRT_LLVM_VERSION}, libstdc++6")
  set(_system_of_tools ", libarchive13, libc6, libfmt9, libstdc++6")
endif()

# specrt_package(COMPONENT NAME SECTION DEPENDS ABOUT DESCRIPTION): one package. ABOUT ends its
# one-line description.
macro(specrt_package COMPONENT NAME SECTION DEPENDS ABOUT DESCRIPTION)
  string(REGEX REPLACE "^, " "" _depends "${DEPENDS}")
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_NAME ${NAME})
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_SECTION ${SECTION})
  set(CPACK_DEBIAN_${COMPONENT}_PACKAGE_DEPENDS "${_depends}")
  set(CPACK_DEBIAN_${COMPONENT}_DESCRIPTION
    "speculative run-time optimizer for loop nests - ${ABOUT}\n${_about}${DESCRIPTION}")
endmacro()

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(_this "(= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(_about [[
libspecrt watches the loop nests of numerical programs at run time, generates
versions specialised to the values that recur, and checks before each use
that they still apply.
.
]])
specrt_package(RUNTIME libspecrt0 libs "${_system_of_runtime}" "run-time library" [[
This package holds what every instrumented program needs. It is small and
does not depend on LLVM: without libspecrt-jit0, programs run the code that
they were compiled to.]])
set(CPACK_DEBIAN_RUNTIME_PACKAGE_RECOMMENDS "libspecrt-jit0 ${_this}")
specrt_package(JIT libspecrt-jit0 libs ", libspecrt0 ${_this}${_system_of_jit}" "compiler" [[
This package holds the part that generates new versions. It is loaded when an
instrumented program turns out to have a hot loop nest.]])
specrt_package(DEV libspecrt-dev libdevel
  ", libspecrt0 ${_this}, clang-${SPECRT_LLVM_VERSION}${_system_of_dev}" "development files" [[
This package holds the plugin for clang, the compiler drivers specrt-clang
and specrt-clang++, headers, files for CMake and pkg-config, and the
documentation.]])
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "libspecrt-jit0 ${_this}")
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "specrt-tools, cmake (>= 3.20), pkgconf")
specrt_package(TOOLS specrt-tools devel ", libspecrt0 ${_this}${_system_of_tools}" "command-line tools" [[
This package holds the command specrt, which shows what libspecrt did in a
program and looks after its cache.]])
# Have dpkg run ldconfig after these have been unpacked.
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)
set(CPACK_DEBIAN_JIT_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/debian/triggers)

# What Debian wants in every package and no other installation does.
set(CPACK_SPECRT_DEBIAN_FILES ${PROJECT_SOURCE_DIR}/cmake/debian)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/SpecrtDebianFiles.cmake)
include(CPack)
