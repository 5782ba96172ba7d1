# Usage: cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -DNAME=NAME -P embed_file.cmake
# Writes a C++ source that defines samples::NAME, a constant C string with the content of the file.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
# 12 bytes per line.
string(REPEAT "'\\\\x[0-9a-f][0-9a-f]'," 12 row)
string(REGEX REPLACE "(${row})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "// Generated from ${INPUT}; do not edit.
namespace samples {

extern const char ${NAME}[];
const char ${NAME}[] = {
${bytes}0};

} // namespace samples
")
