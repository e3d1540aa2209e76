# What `cmake --install` lays down, in components (`--component NAME`): `program`, the program with its man page and completions; `mpi`, the
# module for several machines, with MPICH `mpich`; `dev`, the static libraries with their headers and package; `doc`, the documents.
#
# Users write #include <countpm/countpm.hpp>, or <countpm/advanced.hpp>, which resolve against include and forward to the public
# interface. Beside those only headers that these need are installed: they keep their folders under include/countpm, so that their own
# includes ("graph/read.hpp") resolve against include/countpm. find_package(countpm) offers countpm::countpm, everything, and
# countpm::graph, ::matching, ::kernels; `pkg-config countpm` the same for other builds.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(countpm_layers GLOBAL PROPERTY COUNTPM_LAYERS)
set(countpm_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/countpm)

install(TARGETS countpm_app RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
if(COUNTPM_MANUAL)
  install(FILES ${COUNTPM_MANUAL}/countpm.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT program)
  install(FILES ${COUNTPM_MANUAL}/countpm.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME countpm COMPONENT program)
  install(FILES ${COUNTPM_MANUAL}/countpm.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT program)
  install(FILES ${COUNTPM_MANUAL}/_countpm DESTINATION ${COUNTPM_ZSH_FUNCTIONS} COMPONENT program)
endif()
if(TARGET countpm_mpi)
  install(TARGETS countpm_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/countpm COMPONENT mpi)
endif()
if(TARGET countpm_mpich)
  install(TARGETS countpm_mpich LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/countpm COMPONENT mpich)
endif()
install(TARGETS ${countpm_layers} EXPORT countpm ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
# What the public headers include, and what that does.
set(countpm_headers src/library/countpm.hpp src/library/advanced.hpp)
set(unread ${countpm_headers})
while(unread)
  list(POP_FRONT unread header)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  file(STRINGS ${header} lines REGEX "^#include \"")
  foreach(line ${lines})
    string(REGEX REPLACE "^#include \"(.*)\".*" "\\1" included "${line}")
    if(NOT included IN_LIST countpm_headers)
      list(APPEND countpm_headers ${included})
      list(APPEND unread ${included})
    endif()
  endforeach()
endwhile()
foreach(header ${countpm_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/countpm/${folder} COMPONENT dev)
endforeach()
foreach(name countpm advanced)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/interface.hpp.in ${PROJECT_BINARY_DIR}/package/${name}.hpp @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/countpm COMPONENT dev)
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/pkg_config.cmake)

install(EXPORT countpm NAMESPACE countpm:: FILE countpmTargets.cmake DESTINATION ${countpm_package_dir} COMPONENT dev)
configure_package_config_file(cmake/countpmConfig.cmake.in ${PROJECT_BINARY_DIR}/package/countpmConfig.cmake
                              INSTALL_DESTINATION ${countpm_package_dir})
# Below 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/countpmConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/countpmConfig.cmake ${PROJECT_BINARY_DIR}/package/countpmConfigVersion.cmake
              cmake/lacking.cmake cmake/bignum.cmake cmake/metis.cmake cmake/nettle.cmake DESTINATION ${countpm_package_dir} COMPONENT dev)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
