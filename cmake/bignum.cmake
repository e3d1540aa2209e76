# GMP (with its C++ interface) and MPFR as imported targets; shared with countpmConfig.cmake.
find_package(PkgConfig REQUIRED)
if(NOT TARGET PkgConfig::GMP)
  pkg_check_modules(GMP REQUIRED IMPORTED_TARGET gmp gmpxx)
endif()
if(NOT TARGET PkgConfig::MPFR)
  pkg_check_modules(MPFR REQUIRED IMPORTED_TARGET mpfr)
endif()
