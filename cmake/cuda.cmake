# CUDA is optional: without nvcc everything else builds and works.
set(COUNTPM_HAVE_CUDA OFF)

if(COUNTPM_CUDA)
  # The one that CUDACXX names; Debian's and NVIDIA's own place for nvcc, the latter seldom on the PATH.
  find_program(COUNTPM_NVCC NAMES $ENV{CUDACXX} nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  if(COUNTPM_NVCC)
    # check_language looks here first.
    set(ENV{CUDACXX} ${COUNTPM_NVCC})
    # From the first machines with independent thread scheduling (sm_70) to sm_90, as far as this nvcc goes: CUDA 13 begins
    # at sm_75. Code for each, and PTX for the newest, from which a driver compiles for machines to come.
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      execute_process(COMMAND ${COUNTPM_NVCC} --list-gpu-arch OUTPUT_VARIABLE known_architectures)
      set(architectures)
      foreach(architecture 70 75 80 86 89 90)
        if(known_architectures MATCHES "compute_${architecture}[^0-9a-z]")
          list(APPEND architectures ${architecture})
        endif()
      endforeach()
      list(POP_BACK architectures newest)
      list(TRANSFORM architectures APPEND -real)
      set(CMAKE_CUDA_ARCHITECTURES ${architectures} ${newest} CACHE STRING "GPU architectures to compile for")
    endif()
    include(CheckLanguage)
    check_language(CUDA)
  endif()
  if(COUNTPM_NVCC AND CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    if(CMAKE_CUDA_COMPILER_VERSION VERSION_LESS 12)
      message(FATAL_ERROR "nvcc ${CMAKE_CUDA_COMPILER_VERSION} has no C++20; CUDA 12 is the first that has. "
                          "Use the preset release, which builds without CUDA.")
    endif()
    # Debian 12's CMake 3.25 does not know nvcc's flag for C++20 and refuses the standard without it.
    foreach(kind STANDARD EXTENSION)
      if(NOT DEFINED CMAKE_CUDA20_${kind}_COMPILE_OPTION)
        set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
      endif()
    endforeach()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
    find_package(CUDAToolkit REQUIRED)
    set(COUNTPM_HAVE_CUDA ON)
    target_compile_definitions(countpm_flags INTERFACE COUNTPM_HAVE_CUDA)  # everywhere: on_gpu() is a template
    target_compile_options(countpm_flags INTERFACE
      "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=-Wall,-Wextra,-Wshadow>")
    if(COUNTPM_WERROR)
      target_compile_options(countpm_flags INTERFACE "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Werror all-warnings -Xcompiler=-Werror>")
    endif()
    # a * b + c is rounded twice, as on the CPU: the error bounds of floating sums stand on it.
    target_compile_options(countpm_flags INTERFACE $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>)
    message(STATUS "CUDA ${CMAKE_CUDA_COMPILER_VERSION} for architectures ${CMAKE_CUDA_ARCHITECTURES}")
  else()
    message(STATUS "No usable nvcc: building everything but the CUDA code")
  endif()
endif()

# countpm_cuda_sources(TARGET LIBRARIES...): the folder's .cu files where there is CUDA.
add_custom_target(countpm_cuda_code)
function(countpm_cuda_sources target)
  if(NOT COUNTPM_HAVE_CUDA)
    return()
  endif()
  file(GLOB_RECURSE kernels CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cu)
  # A library of its own, so that the target countpm_cuda_code compiles all .cu files and nothing else.
  add_library(${target}_cuda OBJECT ${kernels})
  set_target_properties(${target}_cuda PROPERTIES OPTIMIZE_DEPENDENCIES ON)
  target_link_libraries(${target}_cuda PRIVATE countpm_flags CUDA::cudart_static ${ARGN})
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${target}_cuda>)
  add_dependencies(countpm_cuda_code ${target}_cuda)
  target_link_libraries(${target} PRIVATE CUDA::cudart_static)
endfunction()
