# LEMON, where it is installed, beside our matching; without it bench_maximum_matching says that it is left out.
find_path(LEMON_INCLUDE_DIR lemon/matching.h)
find_library(LEMON_LIBRARY NAMES lemon emon)
target_sources(bench_maximum_matching PRIVATE lemon/lemon_matching.cpp)
target_link_libraries(bench_maximum_matching PRIVATE Boost::headers)
if(LEMON_INCLUDE_DIR AND LEMON_LIBRARY)
  # LEMON 1.3.1 uses allocator members that C++20 took away.
  set_source_files_properties(lemon/lemon_matching.cpp PROPERTIES
    COMPILE_OPTIONS "-std=c++17;-Wno-error" COMPILE_DEFINITIONS COUNTPM_HAVE_LEMON)
  target_link_libraries(bench_maximum_matching PRIVATE ${LEMON_LIBRARY})
endif()
target_compile_definitions(bench_forbert_marx PRIVATE COUNTPM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
