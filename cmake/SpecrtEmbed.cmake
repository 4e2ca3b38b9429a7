# specrt_embed(target file header): makes header, for #include in a source of target, hold file's
# text as one string literal.
set(SPECRT_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_DIR}/EmbedText.cmake)
function(specrt_embed TARGET FILE HEADER)
  set(_folder ${CMAKE_CURRENT_BINARY_DIR}/embedded)
  add_custom_command(OUTPUT ${_folder}/${HEADER}
    COMMAND ${CMAKE_COMMAND} -DINPUT=${CMAKE_CURRENT_SOURCE_DIR}/${FILE}
            -DOUTPUT=${_folder}/${HEADER} -P ${SPECRT_EMBED_SCRIPT}
    DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${FILE} ${SPECRT_EMBED_SCRIPT} VERBATIM)
  target_sources(${TARGET} PRIVATE ${_folder}/${HEADER})
  target_include_directories(${TARGET} PRIVATE ${_folder})
endfunction()
