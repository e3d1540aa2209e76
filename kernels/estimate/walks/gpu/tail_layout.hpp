#pragma once
// The memory of exact tails on a GPU (warp_tail.hpp).
#include <cstddef>
#include <cstdint>

namespace countpm {

/// Where the parts of a warp's memory for tails are, in bytes; no rows: there are no tails.
struct TailLayout {
  TailLayout() = default;
  /// Of matrices with so many columns and entries.
  TailLayout(std::uint32_t columns, std::uint64_t entries, std::uint32_t most_rows, std::uint32_t most_states)
      : rows(most_rows), states(most_states) {
    if (rows == 0) return;
    const std::uint64_t full = std::uint64_t{rows} * rows;
    const std::uint64_t most_entries = entries < full ? entries : full;
    slots = 64;
    while (slots < 2 * states + 64) slots *= 2;
    const auto put = [this](std::uint64_t count, std::size_t size) {
      const std::size_t at = bytes;
      constexpr std::size_t line = 64;
      bytes += (count * size + line - 1) / line * line;
      return at;
    };
    number = put(columns, sizeof(std::uint32_t));
    row_columns = put(rows, sizeof(std::uint64_t));
    row_first = put(rows + std::uint64_t{1}, sizeof(std::uint32_t));
    entry_column = put(most_entries, sizeof(std::uint32_t));
    entry_weight = put(most_entries, sizeof(double));
    for (unsigned k = 0; k < 2; ++k) {
      used[k] = put(states, sizeof(std::uint64_t));
      ways[k] = put(states, sizeof(double));
      table[k] = put(slots, sizeof(std::uint32_t));
    }
  }

  std::uint32_t rows = 0;
  std::uint32_t states = 0;
  std::uint32_t slots = 0;
  std::size_t number = 0, row_columns = 0, row_first = 0, entry_column = 0, entry_weight = 0;
  std::size_t used[2] = {0, 0}, ways[2] = {0, 0}, table[2] = {0, 0};
  std::size_t bytes = 0;
};

}  // namespace countpm
