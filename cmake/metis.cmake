# METIS as an imported target: it brings neither pkg-config nor CMake files. Shared with countpmConfig.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/lacking.cmake)
if(NOT TARGET METIS::METIS)
  find_path(COUNTPM_METIS_INCLUDE metis.h)
  find_library(COUNTPM_METIS_LIBRARY metis)
  mark_as_advanced(COUNTPM_METIS_INCLUDE COUNTPM_METIS_LIBRARY)
  countpm_need(METIS libmetis-dev COUNTPM_METIS_INCLUDE AND COUNTPM_METIS_LIBRARY)
  if(COUNTPM_METIS_INCLUDE AND COUNTPM_METIS_LIBRARY)
    add_library(METIS::METIS UNKNOWN IMPORTED)
    set_target_properties(METIS::METIS PROPERTIES IMPORTED_LOCATION ${COUNTPM_METIS_LIBRARY}
                          INTERFACE_INCLUDE_DIRECTORIES ${COUNTPM_METIS_INCLUDE})
  endif()
endif()
