#include "graph/read.hpp"

#include <stdexcept>
#include <utility>

#include "graph/errors.hpp"
#include "graph/formats.hpp"
#include "graph/graph_builder.hpp"
#include "graph/input_bytes.hpp"
#include "graph/lattice.hpp"
#include "graph/reader.hpp"
#include "graph/remove_vertices.hpp"
#include "graph/text.hpp"
#include "graph/validate.hpp"

namespace countpm {

Source Source::from_argument(const std::string& argument) {
  Source source;
  source.name = argument;
  if (argument == "-") {
    source.kind = Kind::standard_input;
    source.name = "<stdin>";
  } else if (argument.starts_with("lattice:")) {
    source.kind = Kind::lattice;
  } else {
    source.kind = Kind::file;
  }
  return source;
}

Source Source::from_bytes(std::string bytes, std::string name) {
  return Source{Kind::memory, std::move(name), std::move(bytes)};
}

namespace {

// graph6, sparse6, DOT and GraphML may put a whole graph on a line.
std::uint64_t line_limit_of(Format format) {
  switch (format) {
    case Format::edge_list:
    case Format::matrix_market:
    case Format::dimacs:
      return text_line_limit;
    default:
      return 0;
  }
}

std::uint64_t size_limit_of(Format format) {
  switch (format) {
    case Format::dot:
      return largest_dot;
    case Format::graphml:
      return largest_graphml;
    default:
      return 0;
  }
}

Graph read_as(Format format, std::string_view bytes, const std::string& name, const ReadOptions& options,
              InputInfo& info) {
  switch (format) {
    case Format::edge_list:
      return read_edge_list(bytes, name, options, info);
    case Format::matrix_market:
      return read_matrix_market(bytes, name, options, info);
    case Format::dimacs:
      return read_dimacs(bytes, name, options, info);
    case Format::dense:
      return read_dense(bytes, name, options, info);
    case Format::graph6:
      return read_graph6(bytes, name, options, info);
    case Format::digraph6:
      return read_digraph6(bytes, name, options, info);
    case Format::sparse6:
      return read_sparse6(bytes, name, options, info);
    case Format::graphml:
      return read_graphml(bytes, name, options, info);
    case Format::dot:
      return read_dot(bytes, name, options, info);
  }
  throw Error("read_graph: no such format");
}

ReadResult read_lattice(const Source& source, const ReadOptions& options) {
  if (options.format) throw UsageError("--format does not fit a lattice: it has no file");
  ReadResult result;
  result.info.path = source.name;
  result.info.lattice = true;
  result.graph = convert_graph(lattice_graph(source.name), source.name, options, result.info);
  return result;
}

ReadResult read_bytes(const Source& source, const ReadOptions& options) {
  ReadResult result;
  InputInfo& info = result.info;
  info.path = source.name;
  InputBytes input(source, options.hash);
  const std::string_view head = input.head();
  info.gzip = input.gzip();
  if (head.empty()) throw InputError(source.name, 0, "a graph", "an empty file");
  info.format = settle_format(source.name, head, options.format);
  const std::string_view bytes = input.all(line_limit_of(info.format), size_limit_of(info.format));
  info.bytes = bytes.size();
  info.sha256 = input.sha256();
  try {
    result.graph = read_as(info.format, bytes, source.name, options, info);
  } catch (const std::length_error&) {
    throw InputError(source.name, 0, "at most 4294967294 vertices", "more");
  }
  return result;
}

}  // namespace

ReadResult read_graph(const Source& source, const ReadOptions& options) {
  validate(source, options);
  ReadResult result =
      source.kind == Source::Kind::lattice ? read_lattice(source, options) : read_bytes(source, options);
  result.info.vertices_removed = remove_vertices(result.graph, options.remove, source.name);
  return result;
}

}  // namespace countpm
