# METIS as an imported target: it brings neither pkg-config nor CMake files. Shared with countpmConfig.cmake.
if(NOT TARGET METIS::METIS)
  find_path(COUNTPM_METIS_INCLUDE metis.h REQUIRED)
  find_library(COUNTPM_METIS_LIBRARY metis REQUIRED)
  mark_as_advanced(COUNTPM_METIS_INCLUDE COUNTPM_METIS_LIBRARY)
  add_library(METIS::METIS UNKNOWN IMPORTED)
  set_target_properties(METIS::METIS PROPERTIES IMPORTED_LOCATION ${COUNTPM_METIS_LIBRARY}
                        INTERFACE_INCLUDE_DIRECTORIES ${COUNTPM_METIS_INCLUDE})
endif()
