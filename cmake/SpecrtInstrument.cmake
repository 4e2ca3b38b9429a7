# specrt_instrument(target...): compiles the C and C++ sources of targets with the pass plugin and
# links them with libspecrt. Call it after the targets have their sources and compile options: those
# with a sanitizer or coverage are not instrumented, and a message says so.
#
# The one implementation for projects that add libspecrt as a subdirectory and for those that find
# it installed. Both provide the targets specrt::instrument (the plugin) and specrt::specrt, and the
# global property SPECRT_LLVM_VERSION. Works with CMake 3.20 and later.

# The languages of TARGET's sources.
function(_specrt_languages TARGET RESULT)
  set(_found "")
  get_target_property(_sources ${TARGET} SOURCES)
  foreach(_source IN LISTS _sources)
    get_property(_language SOURCE ${_source} TARGET_DIRECTORY ${TARGET} PROPERTY LANGUAGE)
    list(APPEND _found ${_language})
  endforeach()
  set(${RESULT} "${_found}" PARENT_SCOPE)
endfunction()

# A pass plugin only works in the compiler whose LLVM it was built with. Another compiler may compile
# what TARGET has none of.
function(_specrt_require_clang TARGET)
  get_property(_version GLOBAL PROPERTY SPECRT_LLVM_VERSION)
  _specrt_languages(${TARGET} _languages)
  foreach(_language IN ITEMS C CXX)
    if(NOT _language IN_LIST _languages)
      continue()
    endif()
    if(NOT CMAKE_${_language}_COMPILER_ID STREQUAL "Clang" OR
       NOT CMAKE_${_language}_COMPILER_VERSION MATCHES "^${_version}\\.")
      message(FATAL_ERROR
        "specrt_instrument() needs clang ${_version} as the ${_language} compiler, found "
        "${CMAKE_${_language}_COMPILER_ID} ${CMAKE_${_language}_COMPILER_VERSION}. Configure an "
        "empty build folder with -DCMAKE_C_COMPILER=clang-${_version} "
        "-DCMAKE_CXX_COMPILER=clang++-${_version}.")
    endif()
  endforeach()
endfunction()

# The plugin's file, as a plain path: OBJECT_DEPENDS knows no generator expressions.
function(_specrt_plugin_file RESULT)
  get_target_property(_imported specrt::instrument IMPORTED)
  if(_imported)
    get_target_property(_file specrt::instrument LOCATION)
  else()
    get_target_property(_folder specrt::instrument LIBRARY_OUTPUT_DIRECTORY)
    set(_file
      ${_folder}/${CMAKE_SHARED_MODULE_PREFIX}specrt-instrument${CMAKE_SHARED_MODULE_SUFFIX})
  endif()
  set(${RESULT} ${_file} PARENT_SCOPE)
endfunction()

# The option by which the compiler adds checks or counters to TARGET that versions would escape, as in
# the drivers; empty if there is none. Generator expressions are not looked into.
function(_specrt_observer TARGET RESULT)
  get_target_property(_options ${TARGET} COMPILE_OPTIONS)
  list(FILTER _options EXCLUDE REGEX "^\\$<")
  get_property(_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" _config)
  foreach(_language IN ITEMS C CXX)
    if(_language IN_LIST _languages)
      string(APPEND _options " ${CMAKE_${_language}_FLAGS} ${CMAKE_${_language}_FLAGS_${_config}}")
    endif()
  endforeach()
  set(_sanitizers "address|memory|memtag|thread|dataflow|type|realtime|numerical|safe-stack|fuzzer")
  string(CONCAT _observers "-fsanitize=[^ ;]*(${_sanitizers})|-fsanitize-coverage|-?-coverage|"
                           "-f(cs-)?profile-(arcs|generate|instr-generate)|-ftest-coverage|"
                           "-fcoverage-mapping|-pg")
  set(${RESULT} "")
  if(_options MATCHES "(^|[ ;])(${_observers})")
    set(${RESULT} "${CMAKE_MATCH_2}")
  endif()
  set(${RESULT} "${${RESULT}}" PARENT_SCOPE)
endfunction()

function(specrt_instrument)
  if(NOT TARGET specrt::specrt)
    message(FATAL_ERROR "specrt_instrument() is called in a folder that does not see libspecrt: call "
                        "find_package(specrt) in this folder or in one above it.")
  endif()
  _specrt_plugin_file(_plugin)
  foreach(_target IN LISTS ARGN)
    _specrt_require_clang(${_target})
    _specrt_observer(${_target} _observer)
    if(_observer)
      message(STATUS "${_target} is compiled without instrumentation: versions would escape "
                     "${_observer}")
      # For what it may call itself, and for objects that have regions.
      target_link_libraries(${_target} PRIVATE -Wl,--push-state,--as-needed specrt::specrt
                                               -Wl,--pop-state)
      continue()
    endif()
    # Loaded twice: as a plugin it registers the pass, with -load its -mllvm options are known (and
    # ccache notices that it changed). Asking for remarks of a pass that does not exist makes clang
    # track source lines without debug info; value names give region arguments their names.
    target_compile_options(${_target} PRIVATE
      "$<$<COMPILE_LANGUAGE:C,CXX>:-fpass-plugin=${_plugin}>"
      "$<$<COMPILE_LANGUAGE:C,CXX>:SHELL:-Xclang -load -Xclang \"${_plugin}\">"
      "$<$<COMPILE_LANGUAGE:C,CXX>:-Rpass=specrt-source-lines>"
      "$<$<COMPILE_LANGUAGE:C,CXX>:-fno-discard-value-names>")
    # In a build of libspecrt itself also what the program will open: nothing else may ask for it.
    foreach(_part IN ITEMS specrt-instrument specrt-jit specrt-parallel)
      if(TARGET ${_part})
        add_dependencies(${_target} ${_part})
      endif()
    endforeach()
    # A changed plugin makes other code.
    get_target_property(_sources ${_target} SOURCES)
    foreach(_source IN LISTS _sources)
      set_property(SOURCE ${_source} TARGET_DIRECTORY ${_target} APPEND PROPERTY
                   OBJECT_DEPENDS ${_plugin})
    endforeach()
    target_link_libraries(${_target} PRIVATE specrt::specrt)
  endforeach()
endfunction()
