// planar_code, as plantri, buckygen, fullgen and CaGe write plane graphs: the number of vertices, then for
// each vertex its neighbours in clockwise order, from 1, and a 0. All are bytes; where the first byte is 0,
// the number of vertices and all that follows are numbers of two bytes. ">>planar_code<<" comes before the
// first graph
// (">>planar_code le<<" or "be" says in which order those two bytes are; without it they are little-endian).
// G. Brinkmann, B. D. McKay, plantri-guide.txt. O(bytes).
#include <fmt/format.h>

#include <algorithm>

#include "graph/errors.hpp"
#include "graph/formats/planar_code.hpp"
#include "graph/formats/read_rotations.hpp"
#include "graph/formats/reader.hpp"
#include "graph/graph_builder.hpp"
#include "graph/rotations.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

[[noreturn]] void refuse_code(const std::string& name, std::string expected, std::string found) {
  throw InputError(name, 0, std::move(expected), std::move(found));
}

Rotations rotations_of(const PlanarCode& code) {
  Rotations rotations;
  for (Index v = 0; v < code.vertices(); ++v) {
    const auto around = code.neighbours(v);
    rotations.neighbour.insert(rotations.neighbour.end(), around.begin(), around.end());
    rotations.start.push_back(rotations.neighbour.size());
  }
  rotations.twisted.assign(rotations.neighbour.size(), 0);
  return rotations;
}

}  // namespace

PlanarCode::PlanarCode(std::string_view bytes, const std::string& name) : name_(name), left_(bytes) {
  if (!left_.starts_with(">>")) return;
  const std::size_t end = left_.find("<<");
  std::string_view header = left_.substr(0, end == std::string_view::npos ? end : end + 2);
  if (header == ">>planar_code be<<") {
    big_endian_ = true;
  } else if (header != ">>planar_code<<" && header != ">>planar_code le<<") {
    refuse_code(name, "the header >>planar_code<<, with or without le or be",
                fmt::format("'{}'", quoted(std::string(header))));
  }
  left_.remove_prefix(header.size());
}

std::uint64_t PlanarCode::number() {
  const std::size_t width = wide_ ? 2 : 1;
  if (left_.size() < width)
    refuse_code(name_, fmt::format("{} lists of neighbours, each with a 0 at its end", vertices_),
                "the end of the file");
  const auto byte = [&](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(left_[at])}; };
  const std::uint64_t value = !wide_        ? byte(0)
                              : big_endian_ ? byte(0) << 8 | byte(1)
                                            : byte(1) << 8 | byte(0);
  left_.remove_prefix(width);
  return value;
}

bool PlanarCode::next() {
  neighbours_.clear();
  start_.assign(1, 0);
  if (left_.empty()) return false;
  wide_ = false;
  vertices_ = 0;
  vertices_ = number();
  if (vertices_ == 0) {
    wide_ = true;
    vertices_ = number();
  }
  StopPoll poll;
  for (std::uint64_t v = 0; v < vertices_; ++v) {
    for (std::uint64_t w = number(); w != 0; w = number()) {
      poll.step();
      if (w > vertices_)
        refuse_code(name_, fmt::format("neighbours from 1 to {}", vertices_),
                    fmt::format("{} beside vertex {}", w, v + 1));
      neighbours_.push_back(static_cast<Index>(w - 1));
    }
    start_.push_back(neighbours_.size());
  }
  return true;
}

std::optional<std::size_t> length_of_planar_code(std::string_view text, bool big_endian) {
  std::size_t at = 0;
  if (text.starts_with(">>")) {
    const std::size_t end = text.find("<<");
    if (end == std::string_view::npos) return std::nullopt;
    at = end + 2;
  }
  const auto byte = [&](std::size_t place) { return std::uint64_t{static_cast<unsigned char>(text[place])}; };
  if (at >= text.size()) return std::nullopt;
  std::size_t width = 1;
  std::uint64_t lists = byte(at++);
  if (lists == 0) {
    width = 2;
    if (at + 2 > text.size()) return std::nullopt;
    lists = big_endian ? byte(at) << 8 | byte(at + 1) : byte(at + 1) << 8 | byte(at);
    at += 2;
  }
  // Each list ends with a 0.
  for (; lists > 0; at += width) {
    if (at + width > text.size()) return std::nullopt;
    if (byte(at) == 0 && (width == 1 || byte(at + 1) == 0)) --lists;
  }
  return at;
}

Graph read_planar_code(std::string_view bytes, const std::string& name, const ReadOptions& options,
                       InputInfo& info) {
  PlanarCode code(bytes, name);
  if (!code.next()) refuse_code(name, "a graph in planar_code", "a header alone");
  GraphBuilder builder(name, GraphKind::undirected, options, info);
  builder.number_vertices(code.vertices());
  // Every edge is in the lists of both its ends, parallel ones as often as they are there; loops twice in
  // one.
  std::vector<std::uint64_t> there;
  std::vector<std::uint64_t> back;
  for (Index v = 0; v < code.vertices(); ++v) {
    for (const Index w : code.neighbours(v)) {
      if (v <= w) there.push_back(std::uint64_t{v} << 32 | w);
      if (v >= w) back.push_back(std::uint64_t{w} << 32 | v);
    }
  }
  std::sort(there.begin(), there.end());
  std::sort(back.begin(), back.end());
  if (there != back) {
    const auto [first, second] = std::mismatch(there.begin(), there.end(), back.begin(), back.end());
    const std::uint64_t edge = first == there.end()   ? *second
                               : second == back.end() ? *first
                                                      : std::min(*first, *second);
    refuse_code(name, "each edge in the lists of both its ends",
                fmt::format("{} {} in one of them", (edge >> 32) + 1, (edge & 0xffffffffU) + 1));
  }
  for (std::size_t k = 0; k < there.size(); ++k) {
    const auto from = static_cast<Index>(there[k] >> 32);
    const auto to = static_cast<Index>(there[k] & 0xffffffffU);
    if (from == to) {
      if (k + 1 == there.size() || there[k + 1] != there[k])
        refuse_code(name, "each loop twice in the list of its vertex",
                    fmt::format("{} once", from + std::uint64_t{1}));
      ++k;
    }
    builder.add(from, to, 0);
  }
  if (!code.rest().empty())
    refuse_code(name, "one graph ('countpm many' counts every graph of a file)",
                "more bytes behind the first one");
  Graph graph = builder.finish();
  const bool simple = std::adjacent_find(there.begin(), there.end()) == there.end();  // and without loops
  if (simple && graph.kind == GraphKind::undirected) {
    // Plane graphs, as nearly all are, are embedded without it.
    Rotations rotations = rotations_of(code);
    if (surface_of(rotations).loops != 0) draw_graph(graph, std::move(rotations), {}, info);
  }
  return graph;
}

}  // namespace countpm
