#pragma once
// A graph in memory, as Python has it: checked when it is made, and never changed.
#include <nanobind/nanobind.h>

#include <optional>
#include <string>

#include "graph/read.hpp"

namespace countpm::python {

/// Shared by all threads that ask of it.
class PyGraph {
 public:
  explicit PyGraph(ReadResult read) : read_(std::move(read)) {}
  const ReadResult& read() const { return read_; }
  const Graph& graph() const { return read_.graph; }

 private:
  ReadResult read_;
};

/// The spec of the lattice that an undirected graph is, if it is one.
std::optional<std::string> lattice_of(const ReadResult& read);

void bind_graph(nanobind::module_& module);

}  // namespace countpm::python
