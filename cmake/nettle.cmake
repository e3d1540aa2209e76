# Nettle, which hashes, as an imported target; shared with countpmConfig.cmake.
find_package(PkgConfig REQUIRED)
if(NOT TARGET PkgConfig::NETTLE)
  pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
endif()
