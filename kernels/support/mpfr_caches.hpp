#pragma once
// What MPFR keeps for a thread: constants, and room for numbers.
#include <mpfr.h>

namespace countpm {

/// Frees it when the calling thread ends, which would leave it behind. Calls after the first do nothing.
inline void free_mpfr_caches_with_this_thread() {
  struct Caches {
    ~Caches() { mpfr_free_cache2(MPFR_FREE_LOCAL_CACHE); }
  };
  thread_local const Caches caches;
  static_cast<void>(caches);
}

}  // namespace countpm
