# cmake -DBUILD=... -DCONSUMER=... -DCOMPILER=... -DEXPECTED=... -P run.cmake
# Installs the build into a folder of its own, then configures, builds and runs the consumer against nothing but that.
set(work ${BUILD}/consumer)
file(REMOVE_RECURSE ${work})

function(step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed (${status}): ${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${work}/prefix)
step(${CMAKE_COMMAND} -S ${CONSUMER} -B ${work}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release
     -DCMAKE_PREFIX_PATH=${work}/prefix -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
step(${CMAKE_COMMAND} --build ${work}/build)
step(${work}/build/consumer)
if(NOT output STREQUAL "${EXPECTED}\n")
  message(FATAL_ERROR "the consumer printed '${output}', not '${EXPECTED}'")
endif()
foreach(document LICENSE README.md CHANGELOG.md architecture.md)
  file(GLOB_RECURSE found ${work}/prefix/share/doc/countpm/${document})
  if(NOT found)
    message(FATAL_ERROR "${document} is not installed")
  endif()
endforeach()
step(${work}/prefix/bin/countpm --version)
message(STATUS "the consumer printed ${EXPECTED}")
