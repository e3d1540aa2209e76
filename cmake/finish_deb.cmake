# Run by CPack in each package's folder before the package is made: what Debian's policy asks of all packages. Copyright, the changes (chapters 12.5 and
# 12.7), man pages and changes compressed (12.1), and the licence once (its text is in the copyright file).
set(packages program countpm mpi countpm-mpi dev libcountpm-dev doc countpm-doc)
set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
file(READ ${CPACK_COUNTPM_SOURCE_DIR}/LICENSE license)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" line "${license}")
set(holder "${CMAKE_MATCH_1}")
string(REGEX REPLACE "^[^\n]*\n\nCopyright[^\n]*\n\n" "" license "${license}")
string(STRIP "${license}" license)
string(REGEX REPLACE "\n\n" "\n.\n" license "${license}")
string(REGEX REPLACE "\n" "\n " license "${license}")
# The date of the last commit, so that a package can be made twice alike.
if(DEFINED ENV{SOURCE_DATE_EPOCH})
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
else()
  execute_process(COMMAND git -C ${CPACK_COUNTPM_SOURCE_DIR} log -1 --format=%cD OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT date)
    string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
  endif()
endif()

function(compress)
  execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

while(packages)
  list(POP_FRONT packages component package)
  set(share ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}/usr/share)
  if(NOT IS_DIRECTORY ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
    continue()
  endif()
  set(documents ${share}/doc/${package})
  file(REMOVE ${share}/doc/countpm/LICENSE)
  file(MAKE_DIRECTORY ${documents})
  file(WRITE ${documents}/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: countpm\n\n"
    "Files: *\nCopyright: ${holder}\nLicense: Expat\n\nLicense: Expat\n ${license}\n")
  file(WRITE ${documents}/changelog.Debian
    "countpm (${version}) unstable; urgency=medium\n\n  * Made by scripts/package-deb; changelog.gz says what is new.\n\n"
    " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  file(COPY_FILE ${CPACK_COUNTPM_SOURCE_DIR}/CHANGELOG.md ${documents}/changelog)
  compress(${documents}/changelog ${documents}/changelog.Debian)
  file(GLOB pages ${share}/man/man*/*.[0-9])
  if(pages)
    compress(${pages})
  endif()
endwhile()
