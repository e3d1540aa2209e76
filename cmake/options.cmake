option(COUNTPM_BUILD_TESTS "Build the tests (needs GoogleTest)" ON)
option(COUNTPM_BUILD_BENCHMARKS "Build the benchmarks (needs Google Benchmark)" OFF)
option(COUNTPM_WERROR "Take a warning in our own code for an error: for CI and developers, whose compilers are known" OFF)
option(COUNTPM_BUILD_FUZZERS "Build the libFuzzer targets (needs clang)" OFF)
option(COUNTPM_PYTHON "Build the Python extension module (needs Python 3.11 or later with nanobind)" OFF)
option(COUNTPM_WHEEL "With COUNTPM_PYTHON: the module as a wheel has it, with static libraries inside" OFF)
option(COUNTPM_CUDA "Build the CUDA code where nvcc is found" OFF)
set(COUNTPM_MPI AUTO CACHE STRING "Build the module for several machines: AUTO (where Open MPI or MPICH is found), ON or OFF")
set_property(CACHE COUNTPM_MPI PROPERTY STRINGS AUTO ON OFF)
option(COUNTPM_UNITY "Compile the files of a folder some at a time, as one" ON)
set(COUNTPM_ZSH_FUNCTIONS share/zsh/site-functions CACHE STRING "Where zsh's completions are installed; Debian's packages: share/zsh/vendor-completions")
option(COUNTPM_RUNTIME_INSIDE "Link the C++ library and {fmt} into the program, which then starts in half the time, where that can be done" ON)
set(COUNTPM_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# countpm_flags: what all our own code is compiled with; never exported to users of the package.
add_library(countpm_flags INTERFACE)
target_compile_options(countpm_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wno-sign-conversion;$<$<BOOL:${COUNTPM_WERROR}>:-Werror>>)
# GCC 12 takes string concatenation for overlapping copies (its bugs 105329 and 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(countpm_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(COUNTPM_UNITY)
  # In one unit a file's locals may be named like another file's constants, and g++ takes the files for headers.
  target_compile_options(countpm_flags INTERFACE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-shadow;-Wshadow=local;-Wno-subobject-linkage> $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-shadow>)
endif()
# Bounds on errors are proved for roundings after each operation. Where the baseline has a fused multiply-add (not on x86-64), compilers would
# take it for products and sums that stand in one expression.
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  target_compile_options(countpm_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
endif()
target_include_directories(countpm_flags INTERFACE ${PROJECT_SOURCE_DIR})
# Boost's static libraries have debug information, ours have none: 5 MB of the program.
if(NOT EMSCRIPTEN)
  add_link_options($<$<CONFIG:Release>:-Wl,--strip-debug>)
endif()
if(COUNTPM_SANITIZE)
  # -g1: lines for the reports, and compilation is a tenth faster than with all of -g.
  add_compile_options(-fsanitize=${COUNTPM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  # Of the checks for undefined behaviour four are left out, without which the files that take longest compile in four fifths of the time
  # (kernels/published/sparse/gpu/walker.cpp: 24.7 s of CPU for 31.2, 2026-11-24): object-size sees less than the address sanitizer, null and
  # pointer-overflow what ends in an access that it reports, and vptr is for casts to derived classes: a file that has such casts asks for it again.
  add_compile_options(-fno-sanitize=object-size,null,vptr,pointer-overflow)
  add_link_options(-fsanitize=${COUNTPM_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    # lld links a test program in 0.9 s of CPU, ld.bfd in 4.9 (150 MB, 2-core AMD EPYC, busy, 2026-11-24).
    find_program(COUNTPM_LLD ld.lld)
    if(COUNTPM_LLD)
      add_link_options(-fuse-ld=lld)
    endif()
  endif()
  add_compile_definitions(COUNTPM_SANITIZED)
endif()
# countpm_low_opt: of code outside the counting. Sanitized, its optimisation would take longer than it saves.
add_library(countpm_low_opt INTERFACE)
if(COUNTPM_SANITIZE)
  target_compile_options(countpm_low_opt INTERFACE -O0)
endif()
# Fuzzed code says where it was. Beside tests that is the readers' alone (graph/CMakeLists.txt), so that the others run as fast as ever.
# The standard library's own checks, too: the front of what is empty is not always an address that a sanitizer knows to be wrong.
if(COUNTPM_BUILD_FUZZERS AND NOT COUNTPM_BUILD_TESTS)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
endif()

# countpm_precompile(TARGET HEADERS...): these and the standard headers that most files include are read once for the whole target
# where that shortens a build most, sanitized by clang. Not through ccache, which does not see through it, nor with g++ 12, which
# then warns of overflow in the standard library's own strings.
function(countpm_precompile target)
  if(NOT COUNTPM_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID MATCHES Clang OR CMAKE_CXX_COMPILER_LAUNCHER)
    return()
  endif()
  foreach(header <algorithm> <chrono> <cmath> <functional> <map> <memory> <optional> <random> <string> <vector> <gmpxx.h> ${ARGN})
    target_precompile_headers(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${header}>)
  endforeach()
endfunction()

# countpm_unity(TARGET [ROOMS...]): with COUNTPM_UNITY the target's files are compiled room by room, as many at a time as have at most
# COUNTPM_UNITY_BYTES together (a compiler then takes some twenty seconds and less than a gigabyte). Most of a file's time goes into the headers
# that the others include too. Each of ROOMS is a regular expression: the files whose paths below the target's folder match it are a
# room, and so are all the rest. So names at the top of the files of one room must differ. Files with compiler options of their own stay
# alone.
set(COUNTPM_UNITY_BYTES 120000)
function(countpm_unity target)
  if(NOT COUNTPM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "^${PROJECT_SOURCE_DIR}/.*\\.cpp$")
  set(number 0)
  foreach(room ${ARGN} ".")
    set(files "")
    set(total 0)
    foreach(source ${sources})
      file(RELATIVE_PATH path ${CMAKE_CURRENT_SOURCE_DIR} ${source})
      if(path MATCHES "${room}")
        list(APPEND files ${source})
        file(SIZE ${source} size)
        math(EXPR total "${total} + ${size}")
      endif()
    endforeach()
    if(NOT files)
      continue()
    endif()
    list(REMOVE_ITEM sources ${files})
    # In parts of the same size.
    math(EXPR share "${total} / (1 + ${total} / ${COUNTPM_UNITY_BYTES})")
    set(bytes ${share})
    foreach(source ${files})
      if(NOT bytes LESS share)
        math(EXPR number "${number} + 1")
        set(bytes 0)
      endif()
      file(SIZE ${source} size)
      math(EXPR bytes "${bytes} + ${size}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${number})
    endforeach()
  endforeach()
endfunction()

# countpm_layer(NAME LAYERS_BELOW...): the library of one folder, from all its .cpp files. COUNTPM_ROOMS are those of countpm_unity.
function(countpm_layer name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(countpm_${name} STATIC ${sources})
  add_library(countpm::${name} ALIAS countpm_${name})
  set_target_properties(countpm_${name} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(countpm_${name} PUBLIC cxx_std_20)
  target_include_directories(countpm_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include/countpm> $<INSTALL_INTERFACE:include>)
  target_link_libraries(countpm_${name} PUBLIC ${ARGN} PRIVATE $<BUILD_INTERFACE:countpm_flags>)
  countpm_precompile(countpm_${name} <fmt/format.h>)
  countpm_unity(countpm_${name} ${COUNTPM_ROOMS})
  set_property(GLOBAL APPEND PROPERTY COUNTPM_LAYERS countpm_${name})
endfunction()

# countpm_with_runtime(TARGET): a program with the C++ library and {fmt} inside. Most of what `countpm version` did was to look up the names by which
# the C++ library calls itself (2,400 of 2,600): 4.9 million instructions, 2.4 with both inside.
# libgcc stays outside: an exception that leaves std::call_once goes through a frame of libc's, which calls libgcc_s; with a second unwinder inside the
# program it ends there (abort).
function(countpm_with_runtime target)
  if(NOT COUNTPM_RUNTIME_INSIDE OR COUNTPM_SANITIZE)
    return()
  endif()
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static-libstdc++)
  check_cxx_source_compiles("#include <iostream>\nint main() { std::cout << 1; }" COUNTPM_STATIC_RUNTIME)
  get_target_property(folder fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  set(CMAKE_REQUIRED_INCLUDES ${folder})
  file(READ ${PROJECT_SOURCE_DIR}/apps/fmt_inside.cpp source)
  check_cxx_source_compiles("${source}\nint main() {}" COUNTPM_STATIC_FMT)
  if(NOT COUNTPM_STATIC_RUNTIME OR NOT COUNTPM_STATIC_FMT)
    return()
  endif()
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/apps/fmt_inside.cpp)
  set_source_files_properties(${PROJECT_SOURCE_DIR}/apps/fmt_inside.cpp PROPERTIES COMPILE_OPTIONS -w)
  target_link_options(${target} PRIVATE -static-libstdc++ -Wl,--as-needed)
endfunction()
