#include "src/words/bounded_words.hpp"

#include <fmt/format.h>

#include "src/text/format_number.hpp"
#include "src/words/explain_words.hpp"

namespace countpm::words {

std::string bounded_text(const BoundedCount& result) {
  return fmt::format("from {} ({}) to {} ({}), for certain", result.lower, result.bounds.lower_by,
                     result.upper, result.bounds.upper_by);
}

std::string counted_blocks_text(const BoundedCount& result) {
  return fmt::format("{} of {}", result.counted, counted(result.blocks.size(), "block"));
}

std::string block_text(const BoundedBlock& block) {
  const std::string size = fmt::format(
      "{}, {}", block.general ? counted(block.rows, "vertex", "vertices") : counted(block.rows, "row"),
      block.general ? counted(block.entries, "edge") : counted(block.entries, "entry", "entries"));
  if (block.method.empty()) return fmt::format("{}: {}", size, bounds_text(block.bounds));
  constexpr std::size_t most_digits = 60;
  const std::string count = block.count.size() <= most_digits
                                ? block.count
                                : fmt::format("a number of {} digits", block.count.size());
  return fmt::format("{}: {}, by {}", size, count, block.method);
}

}  // namespace countpm::words
