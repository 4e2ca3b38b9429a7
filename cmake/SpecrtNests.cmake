# How nests become the IR that the instrumentation sees, simplified and not yet vectorised. Takes a C
# file, and -o with the bitcode file.
set(SPECRT_NEST_COMMAND ${SPECRT_CLANG} -O2 -march=native -fno-vectorize -fno-slp-vectorize
    -fno-unroll-loops -gline-tables-only -emit-llvm -c)

# specrt_nests_ir(SOURCE RESULT): compiles a C file in that way. RESULT is set to the bitcode file in
# the current binary folder.
function(specrt_nests_ir SOURCE RESULT)
  cmake_path(GET SOURCE FILENAME _name)
  set(_ir ${CMAKE_CURRENT_BINARY_DIR}/${_name}.bc)
  add_custom_command(OUTPUT ${_ir} COMMAND ${SPECRT_NEST_COMMAND} ${SOURCE} -o ${_ir}
    DEPENDS ${SOURCE} VERBATIM)
  set(${RESULT} ${_ir} PARENT_SCOPE)
endfunction()
