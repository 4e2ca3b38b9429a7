# cmake -DINPUT=file -DOUTPUT=file -P EmbedText.cmake: writes the text of INPUT as a string literal.
file(READ ${INPUT} _text)
file(WRITE ${OUTPUT} "R\"specrt-text(${_text})specrt-text\"\n")
