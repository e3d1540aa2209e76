# cmake -DSOURCE=<the project> -DHEADERS=<a;b> -DOUTPUT=<file> -P embed_headers.cmake: writes a .cpp file with the headers' text, for NVRTC.
set(text "// Made by cmake/embed_headers.cmake.\n#include \"kernels/subsets/gpu/embedded_headers.hpp\"\n\nnamespace countpm::gray {\n\n")
string(APPEND text "const std::vector<KernelHeader>& embedded_headers() {\n  static const std::vector<KernelHeader> headers{\n")
foreach(header IN LISTS HEADERS)
  file(READ ${SOURCE}/${header} content)
  string(APPEND text "      {\"${header}\", R\"countpm(${content})countpm\"},\n")
endforeach()
string(APPEND text "  };\n  return headers;\n}\n\n}  // namespace countpm::gray\n")
file(WRITE ${OUTPUT} "${text}")
