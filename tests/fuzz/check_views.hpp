#pragma once
// What a program may hand to read_view(): arrays made of bytes, sound or not (src/library/views.hpp).
#include <cstddef>
#include <cstdint>

namespace countpm::fuzz {

/// Reads the edges or the matrix that the bytes make: either an InputError of one line, or a graph that keeps
/// the promises of graph/graph.hpp and has every edge whose weight is not 0, in the order of the arrays, with
/// that weight. Then the matrices that Python makes of it (src/library/matrices.hpp). Throws where a promise
/// is broken; returns whether there is a graph.
bool check_views(const std::uint8_t* data, std::size_t size);

}  // namespace countpm::fuzz
