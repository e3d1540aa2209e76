#pragma once
// What every fuzz target checks: read_graph gives a graph that keeps the promises of graph/graph.hpp, or
// throws InputError or UsageError with a message of one line. Anything else is a find.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "graph/read.hpp"

namespace countpm::fuzz {

/// Throws std::logic_error where the graph breaks a promise: ids in range, edges distinct, no undirected
/// loop, values beside the edges, none zero.
void check_graph(const Graph& graph);

/// Reads the bytes with several sets of options; the format is found by content where none is given.
void check_reading(std::optional<Format> format, const std::uint8_t* data, std::size_t size,
                   const std::string& name);

/// Parts the bytes as a file of many graphs, and reads each.
void check_entries(Format format, const std::uint8_t* data, std::size_t size);

}  // namespace countpm::fuzz
