# Run by cpack between staging and packing: gives each Debian package its copyright file and
# changelog, and compresses its manual pages. Takes the time of files from SOURCE_DATE_EPOCH, so that
# the same source makes the same packages.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
find_program(SPECRT_GZIP gzip REQUIRED)
set(SPECRT_VERSION ${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(SPECRT_MAINTAINER ${CPACK_PACKAGE_CONTACT})
set(ENV{LC_ALL} C) # names of days and months
string(TIMESTAMP SPECRT_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)

foreach(_component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${_component} _upper)
  set(_stage ${CPACK_TEMPORARY_DIRECTORY}/${_component})
  if(NOT IS_DIRECTORY ${_stage})
    continue()
  endif()
  set(_name ${CPACK_DEBIAN_${_upper}_PACKAGE_NAME})
  set(_share ${_stage}${CPACK_PACKAGING_INSTALL_PREFIX}/share)
  set(_docs ${_share}/doc/${_name})
  configure_file(${CPACK_SPECRT_DEBIAN_FILES}/changelog.in ${_docs}/changelog.Debian @ONLY)
  configure_file(${CPACK_SPECRT_DEBIAN_FILES}/copyright ${_docs}/copyright COPYONLY)
  if(EXISTS ${CPACK_SPECRT_DEBIAN_FILES}/${_name}.lintian-overrides)
    configure_file(${CPACK_SPECRT_DEBIAN_FILES}/${_name}.lintian-overrides
                   ${_share}/lintian/overrides/${_name} COPYONLY)
  endif()
  file(GLOB _pages ${_share}/man/man*/*)
  foreach(_file IN LISTS _pages ITEMS ${_docs}/changelog.Debian)
    execute_process(COMMAND ${SPECRT_GZIP} -9nf ${_file} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
endforeach()
