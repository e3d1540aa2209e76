# Run at every build, as a script: writes which commit is built to FILE, where that has changed. COMMIT and DATE are taken as they are where
# they are given (for an archive without git); SOURCE is the checkout.
if(NOT COMMIT)
  # An archive may have been unpacked within the checkout of something else.
  execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  file(REAL_PATH ${SOURCE} here)
  if(top STREQUAL here)
    execute_process(COMMAND git -C ${SOURCE} describe --always --dirty=-modified --exclude=* --abbrev=12
                    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND git -C ${SOURCE} log -1 --format=%cs OUTPUT_VARIABLE DATE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
set(text "#pragma once\n// Made by cmake/build_info.cmake.\n#define COUNTPM_COMMIT \"${COMMIT}\"\n#define COUNTPM_COMMIT_DATE \"${DATE}\"\n")
if(EXISTS ${FILE})
  file(READ ${FILE} old)
endif()
if(NOT text STREQUAL "${old}")
  file(WRITE ${FILE} "${text}")
endif()
