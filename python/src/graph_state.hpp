#pragma once
// A graph as bytes, for whoever counts it elsewhere: all that its count depends on, numbers exactly.
#include <string>

#include "graph/read.hpp"

namespace countpm::python {

/// Without labels. Throws UsageError for graphs that hold more than edges and numbers: covers, letters.
std::string graph_state(const ReadResult& read);
/// Throws InputError where it is no such state. What it then says is checked as every graph is, when asked.
ReadResult graph_of_state(const std::string& state);
/// SHA-256 of the state, which tells graphs apart.
std::string graph_digest(const ReadResult& read);
/// The same with the labels, where these say which vertices of two graphs are the same.
std::string labelled_digest(const ReadResult& read);

}  // namespace countpm::python
