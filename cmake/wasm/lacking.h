// Read before every file that is compiled to WebAssembly: what Emscripten's C library declares and has not, or has not at all. Each says that it cannot
// be done, as it may on other systems.
#pragma once
#include <errno.h>
#include <pthread.h>

static inline int countpm_no_attributes(const pthread_attr_t* attributes) {
  (void)attributes;
  return ENOSYS;
}
#define pthread_getattr_default_np countpm_no_attributes
#define pthread_setattr_default_np countpm_no_attributes

enum { M_ARENA_MAX = -8, M_MMAP_THRESHOLD = -3 };
static inline int mallopt(int name, int value) {
  (void)name;
  (void)value;
  return 0;
}
