# What countpm stands on, as WebAssembly (scripts/build-wasm): libraries that the script compiles from Debian's sources into COUNTPM_WASM_LIBRARIES, in
# place of cmake/dependencies.cmake. One thread: no OpenMP, whose functions for one thread are in omp.h here.
set(COUNTPM_WASM_LIBRARIES ${PROJECT_SOURCE_DIR}/build/wasm/libraries CACHE PATH "Where scripts/build-wasm has compiled the libraries")
set(COUNTPM_WASM_MEMORY 2147483648 CACHE STRING "Bytes of memory that a run may have, at most")

# countpm_wasm_library(TARGET FILES...): found in that folder; none: its headers alone.
function(countpm_wasm_library target)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${COUNTPM_WASM_LIBRARIES}/include)
  foreach(file ${ARGN})
    target_link_libraries(${target} INTERFACE ${COUNTPM_WASM_LIBRARIES}/lib/${file})
  endforeach()
endfunction()

countpm_wasm_library(PkgConfig::GMP libgmpxx.a libgmp.a)
countpm_wasm_library(PkgConfig::MPFR libmpfr.a libgmp.a)
countpm_wasm_library(PkgConfig::NETTLE libnettle.a)
countpm_wasm_library(METIS::METIS libmetis.a)
countpm_wasm_library(ZLIB::ZLIB libz.a)
countpm_wasm_library(fmt::fmt libfmt.a)
countpm_wasm_library(Boost::graph libboost_graph.a)
countpm_wasm_library(Boost::headers)
countpm_wasm_library(cxxopts::cxxopts)
countpm_wasm_library(nlohmann_json::nlohmann_json)
countpm_wasm_library(OpenMP::OpenMP_CXX)
countpm_wasm_library(Threads::Threads)

add_compile_definitions(COUNTPM_ONE_THREAD R123_USE_GNU_UINT128=1)
# What Emscripten's C library lacks, or has for several threads alone.
include_directories(BEFORE SYSTEM ${CMAKE_CURRENT_LIST_DIR}/include)
add_compile_options(-include ${CMAKE_CURRENT_LIST_DIR}/lacking.h -fwasm-exceptions -msimd128 -fexperimental-library)
add_link_options(-fwasm-exceptions -fexperimental-library)

# Browsers and Node run a function slowly until they have optimised it, all of it: so what is called in one place stays a function of its own, unless it is
# short. With all of pruned's walkers in one function that took 188 ms, longer than the count (kernels/pruned/simd.inc).
set(COUNTPM_WASM_INLINING -sBINARYEN_EXTRA_PASSES=--one-caller-inline-max-function-size=500)

# countpm_wasm_program(TARGET): the program with its glue, a function countpm_module(settings) that fetches nothing where it is handed the bytes.
function(countpm_wasm_program target)
  target_link_options(${target} PRIVATE -sMODULARIZE=1 -sEXPORT_NAME=countpm_module -sENVIRONMENT=web,worker,node -sINVOKE_RUN=0 -sEXIT_RUNTIME=1
    -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=${COUNTPM_WASM_MEMORY} -sSTACK_SIZE=8MB -sFORCE_FILESYSTEM=1 -sSUPPORT_LONGJMP=wasm -lnodefs.js
    ${COUNTPM_WASM_INLINING} -sEXPORTED_RUNTIME_METHODS=FS,NODEFS,ENV,callMain
    -sINCOMING_MODULE_JS_API=instantiateWasm,noInitialRun,print,printErr,preRun,quit,thisProgram)
  set_target_properties(${target} PROPERTIES SUFFIX .js)
endfunction()
