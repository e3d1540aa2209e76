#pragma once
// Formats in: one call reads any source in any format.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"

namespace countpm {

enum class Format { edge_list, matrix_market, dimacs, dense, graph6, digraph6, sparse6, graphml, dot };

/// All formats with their names for --format ("edgelist", "mtx", "dimacs", "dense", "graph6", ...), endings
/// and a line of help.
struct FormatInfo {
  Format format;
  std::string_view name;
  std::vector<std::string_view> endings;
  std::string_view help;
};
const std::vector<FormatInfo>& formats();
const char* name_of(Format format);
/// The format of that name; UsageError listing the valid ones where there is none.
Format format_named(std::string_view name);

/// Where a graph comes from: a file's path, "-" (standard input), "lattice:..." (graph/lattice.hpp), or bytes
/// in memory.
struct Source {
  enum class Kind { file, standard_input, lattice, memory };
  Kind kind = Kind::memory;
  std::string name;   // path, "<stdin>", the lattice spec, or a name for messages
  std::string bytes;  // memory only

  /// Tells the kinds apart by the argument's text, as the command line does.
  static Source from_argument(const std::string& argument);
  static Source from_bytes(std::string bytes, std::string name = "<memory>");
};

enum class MultiPolicy { reject, sum };
enum class LoopPolicy {
  reject,
  drop
};  // undirected and two-coloured graphs only: in a directed graph a loop is a cycle of length 1

struct ReadOptions {
  std::optional<Format> format;  // unset: by the ending, checked against the content; otherwise by content
  std::optional<GraphKind> as;   // unset: what the format says; undirected for an edge list
  bool symmetric = false;        // with as == directed, for undirected input: every edge is an arc each way
  bool weights = false;  // unset: values are checked and then ignored, but an explicit zero is no edge
  MultiPolicy multi = MultiPolicy::reject;
  LoopPolicy loops = LoopPolicy::reject;
  std::vector<std::string> remove;  // vertices that are taken away (graph/remove_vertices.hpp)
  bool hash = false;                // compute InputInfo::sha256
};

/// What was read, for reports.
struct InputInfo {
  std::string path;
  Format format = Format::edge_list;
  bool gzip = false;
  bool lattice = false;
  bool memory = false;      // a graph in memory; `format` then says whether it is a matrix
  std::uint64_t bytes = 0;  // after decompression
  std::string sha256;       // of the bytes as stored, lower-case hexadecimal; empty where not asked for
  std::uint64_t zeros_dropped = 0;
  std::uint64_t loops_dropped = 0;
  std::uint64_t parallel_summed = 0;
  std::uint64_t vertices_removed = 0;  // by ReadOptions::remove
};

struct ReadResult {
  Graph graph;
  InputInfo info;
};

/// Reads a graph. Throws InputError (with file, line, expected, found) for anything that is not a well-formed
/// graph, UsageError for options that contradict the format. O(bytes) time; memory a small multiple of the
/// graph.
ReadResult read_graph(const Source& source, const ReadOptions& options = {});

}  // namespace countpm
