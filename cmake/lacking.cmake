# What the build needs and does not find is said at once, each by its name and by what Debian calls it. Shared with countpmConfig.cmake.
include_guard(GLOBAL)
set_property(GLOBAL PROPERTY COUNTPM_LACKING "")

# countpm_need(NAME PACKAGE CONDITION...): it is lacking where the condition, as of if(), does not hold.
function(countpm_need name package)
  if(${ARGN})
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY COUNTPM_LACKING "  ${name} (Debian's package: ${package})")
endfunction()

# countpm_end_if_lacking(): names all that is lacking, if anything, and ends.
function(countpm_end_if_lacking)
  get_property(lacking GLOBAL PROPERTY COUNTPM_LACKING)
  if(lacking)
    set_property(GLOBAL PROPERTY COUNTPM_LACKING "")
    list(REMOVE_DUPLICATES lacking)
    list(JOIN lacking "\n" lacking)
    message(FATAL_ERROR "countpm needs what is not found here:\n${lacking}\n"
                        "scripts/bootstrap installs it on Debian and Ubuntu; docs/building.md has the names of other systems. What lies in a "
                        "folder of its own is found with -DCMAKE_PREFIX_PATH=FOLDER.")
  endif()
endfunction()
