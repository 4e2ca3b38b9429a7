# What is installed beside the libraries and drivers, whose rules lie with their targets. Components:
#   runtime  libspecrt.so.N, libspecrt-parallel.so: what an instrumented program needs
#   jit      libspecrt-jit.so: what it needs to compile new versions
#   dev      headers, plugin, drivers, CMake and pkg-config files, documentation
#   tools    the command specrt
# Nothing installed names a folder of the build; the installation may be moved as a whole.
include(CMakePackageConfigHelpers)

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/specrt)
# Programs have no use for what the two libraries tell each other.
install(DIRECTORY include/specrt DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
        PATTERN jit_api.h EXCLUDE)

install(EXPORT specrtTargets NAMESPACE specrt:: DESTINATION ${_package_dir} COMPONENT dev)
configure_package_config_file(cmake/specrtConfig.cmake.in
  ${PROJECT_BINARY_DIR}/installed/specrtConfig.cmake
  INSTALL_DESTINATION ${_package_dir} PATH_VARS CMAKE_INSTALL_BINDIR)
# Before 1.0, a minor version may change interfaces.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/installed/specrtConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES cmake/SpecrtInstrument.cmake
              ${PROJECT_BINARY_DIR}/installed/specrtConfig.cmake
              ${PROJECT_BINARY_DIR}/installed/specrtConfigVersion.cmake
        DESTINATION ${_package_dir} COMPONENT dev)

file(RELATIVE_PATH SPECRT_PC_TO_PREFIX
     ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/specrt.pc.in ${PROJECT_BINARY_DIR}/installed/specrt.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/installed/specrt.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)

install(FILES README.md CHANGELOG.md LICENSE
        DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
file(GLOB _pages CONFIGURE_DEPENDS docs/*.md docs/*.svg)
file(GLOB _decisions CONFIGURE_DEPENDS docs/decisions/*.md)
install(FILES ${_pages} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT dev)
install(FILES ${_decisions} DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs/decisions COMPONENT dev)
install(DIRECTORY examples/package/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples COMPONENT dev
        PATTERN build* EXCLUDE)

# Manual pages: the drivers' belong to dev, all others to tools.
file(GLOB _manuals CONFIGURE_DEPENDS docs/man/*.[1-9])
foreach(_manual IN LISTS _manuals)
  string(REGEX REPLACE ".*\\." "" _section ${_manual})
  set(_component tools)
  if(_manual MATCHES "/specrt-clang[^/]*$")
    set(_component dev)
  endif()
  install(FILES ${_manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${_section}
          COMPONENT ${_component})
endforeach()

# Completions of the command specrt, where each shell looks for them.
install(FILES tools/valgrind.supp DESTINATION ${CMAKE_INSTALL_DATADIR}/libspecrt COMPONENT dev)
install(FILES tools/completion/specrt.bash RENAME specrt
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tools)
install(FILES tools/completion/_specrt
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT tools)
install(FILES tools/completion/specrt.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
