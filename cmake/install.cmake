# What `cmake --install` lays down, in components (`--component NAME`): `program`, the program with its man page and completions; `mpi`, the
# module for several machines; `dev`, the static libraries with their headers and package; `doc`, the documents.
#
# Headers keep their folders under include/countpm, so that their own includes ("graph/read.hpp") resolve against
# include/countpm; users write #include <countpm/countpm.hpp>, which resolves against include and forwards to the public
# interface. find_package(countpm) offers countpm::countpm, everything, and countpm::graph, ::matching, ::kernels.
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
install(TARGETS ${countpm_layers} EXPORT countpm ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(DIRECTORY graph matching kernels src DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/countpm COMPONENT dev
        FILES_MATCHING PATTERN "*.hpp")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/package/countpm.hpp CONTENT
  "#pragma once\n// The public interface of countpm @PROJECT_VERSION@.\n#include \"src/api/countpm.hpp\"\n" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/countpm.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/countpm COMPONENT dev)

install(EXPORT countpm NAMESPACE countpm:: FILE countpmTargets.cmake DESTINATION ${countpm_package_dir} COMPONENT dev)
configure_package_config_file(cmake/countpmConfig.cmake.in ${PROJECT_BINARY_DIR}/package/countpmConfig.cmake
                              INSTALL_DESTINATION ${countpm_package_dir})
# Below 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/countpmConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/countpmConfig.cmake ${PROJECT_BINARY_DIR}/package/countpmConfigVersion.cmake
              cmake/bignum.cmake cmake/metis.cmake cmake/nettle.cmake DESTINATION ${countpm_package_dir} COMPONENT dev)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc FILES_MATCHING PATTERN "*.md" PATTERN "*.svg")
