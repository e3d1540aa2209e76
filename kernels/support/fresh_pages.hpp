#pragma once
// How long memory takes that a process touches for the first time.
#include <cstdint>
#include <functional>

namespace countpm {

/// First touches as they were measured. The pages that a machine hands out first are those that others have
/// just given back. Beyond them a virtual machine may have to get each from its host, which takes 20 times as
/// long (2-core EPYC, 2026-11-27: 8 GB/s, then 0.42).
struct FreshPages {
  double bytes = 0;  // touched
  double seconds = 0;
  double last_byte_seconds = 0;  // of a byte touched last

  /// For memory of so many bytes: the rest is taken to be like what was touched last.
  double seconds_for(double all_bytes) const;
};

/// touch: touches so many bytes beyond those before, and yields the seconds that it took. Ends where a 16th
/// of the bytes is touched or a twentieth of a second is over.
FreshPages try_fresh_pages(std::uint64_t bytes, const std::function<double(std::uint64_t)>& touch);

/// The same with memory of this process, which is given back; once a process, whatever the bytes. Nothing
/// where there is no such memory.
const FreshPages& fresh_pages_here(std::uint64_t bytes);

}  // namespace countpm
