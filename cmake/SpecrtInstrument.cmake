set_property(GLOBAL PROPERTY SPECRT_LLVM_VERSION ${SPECRT_LLVM_VERSION})

# specrt_instrument(target...): compiles the C and C++ sources of targets of this build with the
# pass plugin and links them with libspecrt. Needs clang 22, because a pass plugin only works in the
# compiler whose LLVM it was built with.
function(specrt_instrument)
  # Not a plain variable: projects that add libspecrt as a subdirectory call this from outside.
  get_property(SPECRT_LLVM_VERSION GLOBAL PROPERTY SPECRT_LLVM_VERSION)
  get_target_property(_folder specrt-instrument LIBRARY_OUTPUT_DIRECTORY)
  set(_plugin ${_folder}/${CMAKE_SHARED_MODULE_PREFIX}specrt-instrument${CMAKE_SHARED_MODULE_SUFFIX})
  foreach(_language IN ITEMS C CXX)
    if(NOT CMAKE_${_language}_COMPILER_ID STREQUAL "Clang" OR
       NOT CMAKE_${_language}_COMPILER_VERSION MATCHES "^${SPECRT_LLVM_VERSION}\\.")
      message(FATAL_ERROR
        "specrt_instrument() needs clang ${SPECRT_LLVM_VERSION} as the ${_language} compiler, found "
        "${CMAKE_${_language}_COMPILER_ID} ${CMAKE_${_language}_COMPILER_VERSION}. Configure with "
        "-DCMAKE_C_COMPILER=clang-${SPECRT_LLVM_VERSION} "
        "-DCMAKE_CXX_COMPILER=clang++-${SPECRT_LLVM_VERSION}.")
    endif()
  endforeach()
  foreach(_target IN LISTS ARGN)
    # Asking for remarks of a pass that does not exist makes clang track source lines without debug
    # info; value names give region arguments their names.
    target_compile_options(${_target} PRIVATE
      "$<$<COMPILE_LANGUAGE:C,CXX>:-fpass-plugin=$<TARGET_FILE:specrt-instrument>>"
      "$<$<COMPILE_LANGUAGE:C,CXX>:-Rpass=specrt-source-lines>"
      "$<$<COMPILE_LANGUAGE:C,CXX>:-fno-discard-value-names>")
    add_dependencies(${_target} specrt-instrument)
    # A changed plugin makes other code. OBJECT_DEPENDS knows no generator expressions.
    get_target_property(_sources ${_target} SOURCES)
    foreach(_source IN LISTS _sources)
      set_property(SOURCE ${_source} TARGET_DIRECTORY ${_target} APPEND PROPERTY
                   OBJECT_DEPENDS ${_plugin})
    endforeach()
    target_link_libraries(${_target} PRIVATE specrt)
  endforeach()
endfunction()
