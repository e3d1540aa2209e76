#include "kernels/support/fresh_pages.hpp"

#include <algorithm>
#include <new>

#include "graph/clock.hpp"
#include "kernels/support/growing_pages.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t stretch_bytes = std::uint64_t{32} << 20;
constexpr double share_touched = 1.0 / 16;
constexpr double longest_seconds = 0.05;

FreshPages measure_fresh_pages(std::uint64_t bytes) {
  GrowingPages pages;
  std::uint64_t touched = 0;
  const auto touch = [&](std::uint64_t more) {
    constexpr std::uint64_t page = 4096;
    pages.grow(touched + more);
    auto* const memory = static_cast<volatile char*>(pages.data());
    const double start = seconds_now();
    for (std::uint64_t at = touched; at < touched + more; at += page) memory[at] = 1;
    touched += more;
    return seconds_now() - start;
  };
  try {
    return try_fresh_pages(bytes, touch);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace

double FreshPages::seconds_for(double all_bytes) const {
  return all_bytes <= bytes ? seconds * all_bytes / std::max(bytes, 1.0)
                            : seconds + (all_bytes - bytes) * last_byte_seconds;
}

FreshPages try_fresh_pages(std::uint64_t bytes, const std::function<double(std::uint64_t)>& touch) {
  FreshPages pages;
  do {
    const double seconds = touch(stretch_bytes);
    pages.bytes += static_cast<double>(stretch_bytes);
    pages.seconds += seconds;
    pages.last_byte_seconds = seconds / static_cast<double>(stretch_bytes);
  } while (pages.bytes < share_touched * static_cast<double>(bytes) && pages.seconds < longest_seconds);
  return pages;
}

const FreshPages& fresh_pages_here(std::uint64_t bytes) {
  static const FreshPages pages = measure_fresh_pages(bytes);
  return pages;
}

}  // namespace countpm
