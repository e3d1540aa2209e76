#pragma once
// Sorted stretches of a table as bytes, for the part that owns their blocks: which part that is, how they are
// written, and how several of them become one table.
//
// A section: its number of blocks, its number of states, heads, places, and each column's values.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/frontier/tables/table.hpp"

namespace countpm {

/// The part that has the block: of so many, each as likely as the others.
template <unsigned Words>
std::uint32_t owner_of(const WideKey<Words>& head, std::uint32_t parts) {
  std::uint64_t mixed = 0;
  for (unsigned k = 0; k < Words; ++k) {
    mixed = (mixed ^ head.word[k]) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 29U;
  }
  mixed *= 0xBF58476D1CE4E5B9U;
  return static_cast<std::uint32_t>(((mixed >> 32U) * parts) >> 32U);
}

/// Of each column: where the values are, and how many bytes one has.
struct FlatColumn {
  std::byte* data = nullptr;
  std::uint64_t bytes = 0;
};
template <unsigned Words>
FlatValues& flat_values(Table<Words>& table, std::size_t column) {
  auto* const flat = dynamic_cast<FlatValues*>(table.values[column].get());
  if (flat == nullptr) throw std::logic_error("values that cannot be sent");
  return *flat;
}
template <unsigned Words>
std::vector<FlatColumn> flat_columns(Table<Words>& table, const ValueColumns& columns) {
  std::vector<FlatColumn> result;
  for (std::size_t c = 0; c < table.values.size(); ++c)
    result.push_back({flat_values(table, c).data(), columns.columns()[c]->bytes_per_state()});
  return result;
}

/// Room for so many blocks and states, with what there is.
template <unsigned Words>
void grow_table(Table<Words>& table, std::uint64_t blocks, std::uint64_t states) {
  table.set.grow(blocks);
  for (std::size_t c = 0; c < table.values.size(); ++c) flat_values(table, c).grow(states, table.set.states);
}
/// Gives back what is beyond so many.
template <unsigned Words>
void trim_table(Table<Words>& table, std::uint64_t blocks, std::uint64_t states) {
  table.set.trim(blocks);
  for (std::size_t c = 0; c < table.values.size(); ++c) flat_values(table, c).trim(states);
}

/// The table's blocks behind what is in `to`, a section for each part: those that it owns.
template <unsigned Words>
void append_sections(Table<Words>& table, const ValueColumns& columns, std::vector<std::string>& to) {
  const StateSet<Words>& set = table.set;
  const auto parts = static_cast<std::uint32_t>(to.size());
  struct Cursor {
    std::uint64_t blocks = 0;
    std::uint64_t states = 0;
    char* heads = nullptr;
    char* places = nullptr;
    char* values = nullptr;
  };
  std::vector<Cursor> cursors(parts);
  std::vector<std::uint32_t> owners(set.blocks);
  for (std::uint64_t b = 0; b < set.blocks; ++b) {
    owners[b] = owner_of(set.heads[b], parts);
    Cursor& cursor = cursors[owners[b]];
    ++cursor.blocks;
    cursor.states += static_cast<std::uint64_t>(std::popcount(set.places[b]));
  }
  const std::vector<FlatColumn> flat = flat_columns(table, columns);
  std::uint64_t value_bytes = 0;
  for (const FlatColumn& column : flat) value_bytes += column.bytes;
  for (std::uint32_t p = 0; p < parts; ++p) {
    Cursor& cursor = cursors[p];
    const std::uint64_t numbers[2] = {cursor.blocks, cursor.states};
    const std::size_t before = to[p].size();
    const std::uint64_t keys = cursor.blocks * (sizeof(WideKey<Words>) + sizeof(std::uint64_t));
    to[p].resize(before + sizeof numbers + keys + cursor.states * value_bytes);
    char* const begin = to[p].data() + before;
    std::memcpy(begin, numbers, sizeof numbers);
    cursor.heads = begin + sizeof numbers;
    cursor.places = cursor.heads + cursor.blocks * sizeof(WideKey<Words>);
    cursor.values = cursor.places + cursor.blocks * sizeof(std::uint64_t);
  }
  for (std::uint64_t b = 0; b < set.blocks; ++b) {
    Cursor& cursor = cursors[owners[b]];
    std::memcpy(cursor.heads, &set.heads[b], sizeof(WideKey<Words>));
    cursor.heads += sizeof(WideKey<Words>);
    std::memcpy(cursor.places, &set.places[b], sizeof(std::uint64_t));
    cursor.places += sizeof(std::uint64_t);
  }
  for (const FlatColumn& column : flat) {
    for (std::uint64_t b = 0; b < set.blocks; ++b) {
      const std::uint64_t bytes = static_cast<std::uint64_t>(std::popcount(set.places[b])) * column.bytes;
      Cursor& cursor = cursors[owners[b]];
      std::memcpy(cursor.values, column.data + std::uint64_t{set.first[b]} * column.bytes, bytes);
      cursor.values += bytes;
    }
  }
}

/// Several sections one behind another as one table: `begin` has where each begins, and where the last ends.
template <unsigned Words>
void read_sections(const std::vector<std::string_view>& sections, const ValueColumns& columns,
                   Table<Words>& table, std::vector<std::uint64_t>& begin) {
  begin.assign(1, 0);
  std::vector<std::uint64_t> states;
  std::uint64_t all_states = 0;
  for (const std::string_view section : sections) {
    std::uint64_t numbers[2];
    std::memcpy(numbers, section.data(), sizeof numbers);
    begin.push_back(begin.back() + numbers[0]);
    states.push_back(numbers[1]);
    all_states += numbers[1];
  }
  table.ensure(begin.back(), all_states);
  table.set.blocks = begin.back();
  table.set.states = all_states;
  const std::vector<FlatColumn> flat = flat_columns(table, columns);
  std::uint64_t state = 0;
  for (std::size_t s = 0; s < sections.size(); ++s) {
    const std::uint64_t blocks = begin[s + 1] - begin[s];
    const char* from = sections[s].data() + 2 * sizeof(std::uint64_t);
    if (blocks == 0) continue;
    std::memcpy(table.set.heads.data() + begin[s], from, blocks * sizeof(WideKey<Words>));
    from += blocks * sizeof(WideKey<Words>);
    std::memcpy(table.set.places.data() + begin[s], from, blocks * sizeof(std::uint64_t));
    from += blocks * sizeof(std::uint64_t);
    for (const FlatColumn& column : flat) {
      std::memcpy(column.data + state * column.bytes, from, states[s] * column.bytes);
      from += states[s] * column.bytes;
    }
    state += states[s];
  }
  std::uint32_t first = 0;
  for (std::uint64_t b = 0; b < table.set.blocks; ++b) {
    table.set.first[b] = first;
    first += static_cast<std::uint32_t>(std::popcount(table.set.places[b]));
  }
}

/// Cuts what a part gave into its sections: throws std::runtime_error where it is not so many.
template <unsigned Words>
std::vector<std::string_view> cut_into_sections(std::string_view bytes, const ValueColumns& columns,
                                                std::size_t wanted) {
  std::uint64_t value_bytes = 0;
  for (const auto& column : columns.columns()) value_bytes += column->bytes_per_state();
  constexpr std::uint64_t most = std::uint64_t{1} << 40U;  // far beyond any message
  std::vector<std::string_view> sections;
  while (!bytes.empty()) {
    std::uint64_t numbers[2] = {most, most};
    if (bytes.size() >= sizeof numbers) std::memcpy(numbers, bytes.data(), sizeof numbers);
    const bool sound = numbers[0] < most && numbers[1] < most;
    const std::uint64_t size =
        sizeof numbers +
        (sound ? numbers[0] * (sizeof(WideKey<Words>) + sizeof(std::uint64_t)) + numbers[1] * value_bytes
               : most);
    if (size > bytes.size()) throw std::runtime_error("a part of a table ends too early");
    sections.push_back(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  if (sections.size() != wanted) throw std::runtime_error("a part of a table has other stretches");
  return sections;
}

}  // namespace countpm
