# Debian packages by CPack, one a component: countpm, countpm-mpi, libcountpm-dev and countpm-doc. scripts/package-deb configures, builds and
# checks them. What Debian asks of every package beside its files, cmake/finish_deb.cmake adds.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME countpm)
set(CPACK_PACKAGE_CONTACT "countpm developers <countpm@packages.invalid>" CACHE STRING "Who answers for packages: a name and <an address>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own, the first line of its description
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL program dev doc)
if(TARGET countpm_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/finish_deb.cmake)
set(CPACK_COUNTPM_SOURCE_DIR ${PROJECT_SOURCE_DIR})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "exact counts of perfect matchings and cycle covers
Counts the perfect matchings of graphs, bipartite or not, and the cycle
covers of directed graphs: permanents and hafnians of 0-1 matrices, and with
weights partition functions of dimer models. Every count is exact and checked;
methods are chosen by their predicted cost. What is beyond exact counting it
estimates, with an error.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME countpm)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "countpm-doc, countpm-mpi, librsvg2-bin")

set(CPACK_DEBIAN_MPI_PACKAGE_NAME countpm-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_SECTION math)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "countpm (= ${PROJECT_VERSION}-1)")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_DEBIAN_MPI_DESCRIPTION "counts on many machines, by Open MPI
The module that countpm loads where mpirun or srun started several of it: they
share one count.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libcountpm-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libboost-graph-dev, libfmt-dev, libgmp-dev, libmetis-dev, libmpfr-dev, nettle-dev, nlohmann-json3-dev, pkg-config, zlib1g-dev")
set(CPACK_DEBIAN_DEV_DESCRIPTION "C++ library of countpm
Static libraries, headers and the CMake package: find_package(countpm) offers
countpm::countpm.")

set(CPACK_DEBIAN_DOC_PACKAGE_NAME countpm-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOC_DESCRIPTION "guides of countpm
Guides in Markdown: options, formats, lattices, methods, estimates,
checkpoints, many machines, and how it is built.")

include(CPack)
