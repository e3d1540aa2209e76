# Nettle, which hashes, as an imported target; shared with countpmConfig.cmake.
include(${CMAKE_CURRENT_LIST_DIR}/lacking.cmake)
find_package(PkgConfig QUIET)
if(NOT TARGET PkgConfig::NETTLE)
  pkg_check_modules(NETTLE QUIET IMPORTED_TARGET nettle)
  countpm_need(Nettle nettle-dev NETTLE_FOUND)
endif()
