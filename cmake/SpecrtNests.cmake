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

# specrt_zeros_ir(RESULT): the kernels through which zeros are propagated, as their loops were
# written: no calls for loops that copy, no pointers in phis for loops that may not run.
function(specrt_zeros_ir RESULT)
  set(_source ${PROJECT_SOURCE_DIR}/tests/papers/zeros/zeros.c)
  set(_ir ${CMAKE_CURRENT_BINARY_DIR}/zeros.c.bc)
  add_custom_command(OUTPUT ${_ir}
    COMMAND ${SPECRT_NEST_COMMAND} -fno-discard-value-names -fno-builtin-memcpy -fno-builtin-memset
            -fno-math-errno -mllvm -enable-pre=false ${_source} -o ${_ir}
    DEPENDS ${_source} VERBATIM)
  set(${RESULT} ${_ir} PARENT_SCOPE)
endfunction()
