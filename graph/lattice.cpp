// Every lattice here is a box of sites in three coordinates, a rule that says which sites exist, and up to
// three steps that lead from a site to its neighbours: only the table at the top differs from shape to shape.
//
// Two of the boxes need a word. A honeycomb is a square grid of cells (r, c) with two sites in each, a and b,
// and the edges a(r,c) - b(r,c), a(r,c) - b(r,c-1), a(r,c) - b(r-1,c); the hexagons then lie around the
// grid's inner corners. The same grid with a cell cut along its diagonal into two unit triangles a (towards
// the origin) and b has the triangles' adjacency for edges, so that perfect matchings of the triangles within
// a hexagon with sides A, B, C are its lozenge tilings: P. A. MacMahon's box formula counts them. An Aztec
// diamond is a square grid with |x| + |y| <= N + 1/2 measured from its middle: N. Elkies, G. Kuperberg, M.
// Larsen, J. Propp, J. Algebraic Combin. 1 (1992).
#include "graph/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "graph/errors.hpp"
#include "graph/parse_weight.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

using Site =
    std::array<std::int64_t, 3>;  // coordinates; 0 <= site[axis] < extent[axis] for a site of the box

enum class Family {
  square,
  cylinder,
  torus,
  honeycomb,
  honeycomb_torus,
  triangular,
  triangular_torus,
  cubic,
  aztec,
  hexagon
};

struct FamilyInfo {
  Family family;
  std::size_t sizes;                  // how many numbers SIZES has
  std::array<std::int64_t, 3> least;  // the least value of each
  std::array<bool, 3> periodic;
  std::string_view
      letters;  // one a coordinate of a label; "ab" as the third: the site is named by one of them
  std::array<Site, 3> steps;  // directions
  std::size_t directions;
  LatticeShape shape;
};

constexpr Site right_step{0, 1, 0};
constexpr Site down_step{1, 0, 0};

const std::vector<FamilyInfo>& families() {
  static const std::vector<FamilyInfo> table{
      {Family::square,
       2,
       {1, 1, 1},
       {false, false, false},
       "rc",
       {right_step, down_step},
       2,
       {"square", "RxC", "right,down", "r0c0", "R rows of C vertices: the cells of an R x C board"}},
      {Family::cylinder,
       2,
       {1, 3, 1},
       {false, true, false},
       "rc",
       {right_step, down_step},
       2,
       {"cylinder", "RxC", "right,down", "r0c0", "square, with the last column joined to the first; C >= 3"}},
      {Family::torus,
       2,
       {3, 3, 1},
       {true, true, false},
       "rc",
       {right_step, down_step},
       2,
       {"torus", "RxC", "right,down", "r0c0", "square, both directions closed; R, C >= 3"}},
      {Family::honeycomb,
       2,
       {1, 1, 1},
       {false, false, false},
       "rcab",
       {Site{0, 0, 1}, Site{0, -1, 1}, Site{-1, 0, 1}},
       3,
       {"honeycomb", "RxC", "across,left,up", "r0c0b", "parallelogram of R x C hexagons (a benzenoid)"}},
      {Family::honeycomb_torus,
       2,
       {2, 2, 1},
       {true, true, false},
       "rcab",
       {Site{0, 0, 1}, Site{0, -1, 1}, Site{-1, 0, 1}},
       3,
       {"honeycomb-torus", "RxC", "across,left,up", "r0c0a",
        "R x C hexagons, both directions closed; R, C >= 2"}},
      {Family::triangular,
       2,
       {1, 1, 1},
       {false, false, false},
       "rc",
       {right_step, down_step, Site{1, 1, 0}},
       3,
       {"triangular", "RxC", "right,down,diagonal", "r0c0",
        "square and the diagonals from (r,c) to (r+1,c+1)"}},
      {Family::triangular_torus,
       2,
       {3, 3, 1},
       {true, true, false},
       "rc",
       {right_step, down_step, Site{1, 1, 0}},
       3,
       {"triangular-torus", "RxC", "right,down,diagonal", "r0c0",
        "triangular, both directions closed; R, C >= 3"}},
      {Family::cubic,
       3,
       {1, 1, 1},
       {false, false, false},
       "xyz",
       {Site{1, 0, 0}, Site{0, 1, 0}, Site{0, 0, 1}},
       3,
       {"cubic", "AxBxC", "x,y,z", "x0y0z0", "A x B x C cubes"}},
      {Family::aztec,
       1,
       {1, 1, 1},
       {false, false, false},
       "rc",
       {right_step, down_step},
       2,
       {"aztec", "N", "right,down", "r0c(N-1)", "Aztec diamond of order N, its cells as vertices"}},
      {Family::hexagon,
       3,
       {1, 1, 1},
       {false, false, false},
       "rcab",
       {Site{0, 0, 1}, Site{0, -1, 1}, Site{-1, 0, 1}},
       3,
       {"hexagon", "AxBxC", "across,left,up", "r0c(C-1)b",
        "unit triangles of a hexagon with sides A, B, C: its lozenge tilings"}}};
  return table;
}

std::string valid_shapes() {
  std::string text;
  for (const FamilyInfo& info : families()) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{}:{}", info.shape.name, info.shape.sizes);
  }
  return text + "; then :weights=W1,W2,... (one a direction) and :remove=LABEL+LABEL+... as wanted";
}

struct Lattice {
  const FamilyInfo* info = nullptr;
  std::array<std::int64_t, 3> size{1, 1, 1};  // as spelt
  Site extent{1, 1, 1};                       // of the box
  std::vector<Weight> weights;                // empty, or one a direction
  std::vector<std::string_view> removed;      // labels; point into the spec

  bool two_sites() const { return info->letters.size() == 4; }
  std::uint64_t sites() const {
    return static_cast<std::uint64_t>(extent[0]) * static_cast<std::uint64_t>(extent[1]) *
           static_cast<std::uint64_t>(extent[2]);
  }
  std::uint64_t number_of(const Site& site) const {
    return static_cast<std::uint64_t>((site[0] * extent[1] + site[1]) * extent[2] + site[2]);
  }
  bool contains(const Site& site) const;
  std::string label(const Site& site) const;
  std::optional<Site> site_of(std::string_view label) const;
  std::optional<Site> neighbour(const Site& site, std::size_t direction) const;
};

bool Lattice::contains(const Site& site) const {
  const auto [r, c, k] = site;
  switch (info->family) {
    case Family::aztec: {
      const std::int64_t order = size[0];
      // Half the width of row r: 1, 2, ..., N, N, ..., 2, 1.
      const std::int64_t half = std::min(r + 1, 2 * order - r);
      return c >= order - half && c < order + half;
    }
    case Family::honeycomb:
      return !(r == 0 && c == 0 && k == 0) && !(r == size[0] && c == size[1] && k == 1);
    case Family::hexagon:
      // Both ends of the triangle's span of r + c lie between the lines that cut the two corners off.
      return r + c + k >= size[2] && r + c + k + 1 <= size[0] + size[1] + size[2];
    default:
      return true;
  }
}

std::string Lattice::label(const Site& site) const {
  const std::string_view letters = info->letters;
  std::string text = fmt::format("{}{}{}{}", letters[0], site[0], letters[1], site[1]);
  if (two_sites()) return text + letters[2 + static_cast<std::size_t>(site[2])];
  if (letters.size() == 3) text += fmt::format("{}{}", letters[2], site[2]);
  return text;
}

std::optional<Site> Lattice::site_of(std::string_view text) const {
  Site site{0, 0, 0};
  const char* at = text.data();
  const char* const end = at + text.size();
  const std::size_t numbers = info->letters.size() == 3 ? 3 : 2;
  for (std::size_t axis = 0; axis < numbers; ++axis) {
    if (at == end || *at != info->letters[axis]) return std::nullopt;
    const auto [next, error] = std::from_chars(at + 1, end, site[axis]);
    if (error != std::errc{} || site[axis] < 0 || site[axis] >= extent[axis]) return std::nullopt;
    at = next;
  }
  if (two_sites()) {
    if (at == end || (*at != 'a' && *at != 'b')) return std::nullopt;
    site[2] = *at++ - 'a';
  }
  // Comparing with the canonical spelling refuses r00c1 and the like.
  if (at != end || !contains(site) || label(site) != text) return std::nullopt;
  return site;
}

std::optional<Site> Lattice::neighbour(const Site& site, std::size_t direction) const {
  Site other = site;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    other[axis] += info->steps[direction][axis];
    if (info->periodic[axis]) other[axis] = (other[axis] + extent[axis]) % extent[axis];
    if (other[axis] < 0 || other[axis] >= extent[axis]) return std::nullopt;
  }
  if (!contains(other)) return std::nullopt;
  return other;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

class SpecParser {
 public:
  explicit SpecParser(const std::string& spec) : spec_(spec) {}

  Lattice parse() {
    std::string_view rest = spec_;
    if (rest.starts_with("lattice:")) rest.remove_prefix(8);
    const std::vector<std::string_view> parts = split(rest, ':');
    Lattice lattice;
    for (const FamilyInfo& info : families()) {
      if (info.shape.name == parts[0]) lattice.info = &info;
    }
    if (lattice.info == nullptr) fail(fmt::format("no shape \"{}\"", quoted(std::string(parts[0]))));
    if (parts.size() < 2)
      fail(fmt::format("{} needs its sizes {}", lattice.info->shape.name, lattice.info->shape.sizes));
    parse_sizes(lattice, parts[1]);
    set_extent(lattice);
    for (std::size_t i = 2; i < parts.size(); ++i) parse_parameter(lattice, parts[i]);
    return lattice;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format("lattice \"{}\": {}; valid: {}", quoted(spec_, 80), what, valid_shapes()));
  }

 private:
  void parse_sizes(Lattice& lattice, std::string_view text) const {
    const FamilyInfo& info = *lattice.info;
    if (text.find("..") != std::string_view::npos)
      fail(fmt::format("the range of sizes \"{}\" is for 'countpm series'", quoted(std::string(text))));
    const std::vector<std::string_view> numbers = split(text, 'x');
    if (numbers.size() != info.sizes) {
      fail(fmt::format("{} needs sizes {}, found \"{}\"", info.shape.name, info.shape.sizes,
                       quoted(std::string(text))));
    }
    for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
      const std::string_view word = numbers[axis];
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error == std::errc::result_out_of_range) too_large();
      if (error != std::errc{} || end != word.data() + word.size()) {
        fail(fmt::format("the size \"{}\" is not a number", quoted(std::string(word))));
      }
      if (value > largest_box) too_large();
      lattice.size[axis] = static_cast<std::int64_t>(value);
      if (lattice.size[axis] < info.least[axis]) {
        fail(fmt::format("the size {} of {} is at least {}, found {}", axis + 1, info.shape.name,
                         info.least[axis], value));
      }
    }
  }

  void set_extent(Lattice& lattice) const {
    const auto [a, b, c] = lattice.size;
    switch (lattice.info->family) {
      case Family::aztec:
        lattice.extent = {2 * a, 2 * a, 1};
        break;
      case Family::honeycomb:
        lattice.extent = {a + 1, b + 1, 2};
        break;
      case Family::honeycomb_torus:
        lattice.extent = {a, b, 2};
        break;
      case Family::hexagon:
        lattice.extent = {b + c, a + c, 2};
        break;
      default:
        lattice.extent = {a, b, c};
    }
    // Every extent is below 2^33, so that the product of two stays within 64 bits and is tested before the
    // third.
    const std::uint64_t area =
        static_cast<std::uint64_t>(lattice.extent[0]) * static_cast<std::uint64_t>(lattice.extent[1]);
    if (area > largest_box || area * static_cast<std::uint64_t>(lattice.extent[2]) > largest_box) too_large();
  }

  void parse_parameter(Lattice& lattice, std::string_view text) {
    if (text.starts_with("weights=")) {
      if (!lattice.weights.empty()) fail("weights= is given twice");
      parse_weights(lattice, text.substr(8));
    } else if (text.starts_with("remove=")) {
      if (!lattice.removed.empty()) fail("remove= is given twice");
      lattice.removed = split(text.substr(7), '+');
    } else {
      fail(fmt::format("no parameter \"{}\"", quoted(std::string(text))));
    }
  }

  void parse_weights(Lattice& lattice, std::string_view text) const {
    const FamilyInfo& info = *lattice.info;
    const std::vector<std::string_view> words = split_weights(text);
    if (words.size() != info.directions) {
      fail(fmt::format("{} has {} directions ({}), found {} weights", info.shape.name, info.directions,
                       info.shape.directions, words.size()));
    }
    for (const std::string_view word : words) {
      try {
        lattice.weights.push_back(parse_weight(word, "weights", 0));
      } catch (const InputError& error) {
        fail(fmt::format("weights: expected {}, found {}", error.expected(), error.found()));
      }
    }
  }

  // At the commas that stand in no parentheses: complex weights are spelt (re,im).
  static std::vector<std::string_view> split_weights(std::string_view text) {
    std::vector<std::string_view> words;
    std::size_t start = 0;
    bool inside = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '(') inside = true;
      if (text[i] == ')') inside = false;
      if (text[i] == ',' && !inside) {
        words.push_back(text.substr(start, i - start));
        start = i + 1;
      }
    }
    words.push_back(text.substr(start));
    return words;
  }

  [[noreturn]] void too_large() const {
    throw UsageError(fmt::format("lattice \"{}\": at most 2^31 - 1 vertices can be had", quoted(spec_, 80)));
  }

  static constexpr std::uint64_t largest_box = (std::uint64_t{1} << 31) - 1;
  const std::string& spec_;
};

// The ids of the sites of the box, no_index where there is none.
std::vector<Index> number_sites(const Lattice& lattice, const SpecParser& parser, LabelTable& labels) {
  std::vector<Index> id(lattice.sites(), 0);
  for (const std::string_view text : lattice.removed) {
    const std::optional<Site> site = lattice.site_of(text);
    if (!site) {
      parser.fail(fmt::format("remove: no vertex \"{}\" (labels are like {})", quoted(std::string(text)),
                              lattice.info->shape.label));
    }
    Index& slot = id[lattice.number_of(*site)];
    if (slot == no_index) parser.fail(fmt::format("remove: {} is given twice", text));
    slot = no_index;
  }
  std::uint64_t number = 0;
  StopPoll poll;
  for (std::int64_t i = 0; i < lattice.extent[0]; ++i) {
    for (std::int64_t j = 0; j < lattice.extent[1]; ++j) {
      poll.steps(static_cast<std::uint64_t>(lattice.extent[2]));
      for (std::int64_t k = 0; k < lattice.extent[2]; ++k, ++number) {
        const Site site{i, j, k};
        if (id[number] == no_index) continue;
        id[number] = lattice.contains(site) ? labels.append(lattice.label(site)) : no_index;
      }
    }
  }
  return id;
}

mpq_class as_rational(const Weight& weight) {
  if (const auto* integer = std::get_if<std::int64_t>(&weight.value))
    return mpq_class(mpz_class(static_cast<long>(*integer)));
  return std::get<mpq_class>(weight.value);
}

ComplexRational as_complex(const Weight& weight) {
  if (const auto* complex = std::get_if<ComplexRational>(&weight.value)) return *complex;
  return {as_rational(weight), 0};
}

// The weight of every edge, given its direction; in the narrowest type that holds all weights of the spec.
void set_values(Graph& graph, const std::vector<Weight>& weights,
                const std::vector<std::uint8_t>& direction) {
  if (weights.empty()) return;
  std::size_t widest = 0;
  for (const Weight& weight : weights) {
    graph.weight_kind = std::max(graph.weight_kind, weight.kind);
    widest = std::max(widest, weight.value.index());
  }
  const auto fill = [&](auto values, const auto& convert) {
    decltype(values) table;
    table.reserve(weights.size());
    for (const Weight& weight : weights) table.push_back(convert(weight));
    values.reserve(direction.size());
    for (const std::uint8_t d : direction) values.push_back(table[d]);
    graph.values = std::move(values);
  };
  if (widest == 0) {
    fill(std::vector<std::int64_t>{},
         [](const Weight& weight) { return std::get<std::int64_t>(weight.value); });
  } else if (widest == 1) {
    fill(std::vector<mpq_class>{}, as_rational);
  } else {
    fill(std::vector<ComplexRational>{}, as_complex);
  }
}

}  // namespace

const std::vector<LatticeShape>& lattice_shapes() {
  static const std::vector<LatticeShape> shapes = [] {
    std::vector<LatticeShape> result;
    for (const FamilyInfo& info : families()) result.push_back(info.shape);
    return result;
  }();
  return shapes;
}

LatticeInfo lattice_info(const std::string& spec) {
  Lattice lattice = SpecParser(spec).parse();
  LatticeInfo info;
  info.shape = lattice.info->shape.name;
  for (std::size_t axis = 0; axis < 3; ++axis)
    info.size[axis] = static_cast<std::uint64_t>(lattice.size[axis]);
  info.weights = std::move(lattice.weights);
  info.removed = lattice.removed.size();
  return info;
}

std::uint64_t lattice_sites(const std::string& spec) {
  return SpecParser(spec).parse().sites();
}

Graph lattice_graph(const std::string& spec) {
  SpecParser parser(spec);
  const Lattice lattice = parser.parse();
  Graph graph;
  graph.kind = GraphKind::undirected;
  const std::vector<Index> id = number_sites(lattice, parser, graph.left_labels);

  std::vector<std::uint8_t> edge_direction;
  std::uint64_t number = 0;
  StopPoll poll;
  for (std::int64_t i = 0; i < lattice.extent[0]; ++i) {
    for (std::int64_t j = 0; j < lattice.extent[1]; ++j) {
      poll.steps(static_cast<std::uint64_t>(lattice.extent[2]));
      for (std::int64_t k = 0; k < lattice.extent[2]; ++k, ++number) {
        if (id[number] == no_index) continue;
        for (std::size_t d = 0; d < lattice.info->directions; ++d) {
          if (!lattice.weights.empty() && lattice.weights[d].is_zero()) continue;
          const std::optional<Site> other = lattice.neighbour({i, j, k}, d);
          if (!other || id[lattice.number_of(*other)] == no_index) continue;
          graph.edges.push_back({id[number], id[lattice.number_of(*other)]});
          if (!lattice.weights.empty()) edge_direction.push_back(static_cast<std::uint8_t>(d));
        }
      }
    }
  }
  set_values(graph, lattice.weights, edge_direction);
  return graph;
}

}  // namespace countpm
