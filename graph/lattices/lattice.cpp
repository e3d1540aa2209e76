// Every lattice here is a box of cells with sites in them, a rule that says which sites exist, and steps that
// lead from a site to its neighbours: only the table in lattice_families.cpp differs from shape to shape.
// Beside them there are families of graphs that fit no box of three directions (named_graphs.hpp).
//
// Two of the boxes need a word. A honeycomb is a square grid of cells (r, c) with two sites in each, a and b,
// and the edges a(r,c) - b(r,c), a(r,c) - b(r,c-1), a(r,c) - b(r-1,c); the hexagons then lie around the
// grid's inner corners. The same grid with a cell cut along its diagonal into two unit triangles a (towards
// the origin) and b has the triangles' adjacency for edges, so that perfect matchings of the triangles within
// a hexagon with sides A, B, C are its lozenge tilings: P. A. MacMahon's box formula counts them. An Aztec
// diamond is a square grid with |x| + |y| <= N + 1/2 measured from its middle: N. Elkies, G. Kuperberg, M.
// Larsen, J. Propp, J. Algebraic Combin. 1 (1992).
#include "graph/lattices/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "graph/errors.hpp"
#include "graph/lattices/lattice_families.hpp"
#include "graph/lattices/molecule_lattices.hpp"
#include "graph/lattices/named_graphs.hpp"
#include "graph/nearest_word.hpp"
#include "graph/parse_weight.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"
#include "graph/vertex_memory.hpp"
#include "graph/weight_values.hpp"

namespace countpm {
namespace {

/// "no shape X", with what was probably meant, or all names.
std::string no_shape(std::string_view name) {
  std::vector<std::string_view> names;
  for (const LatticeShape& shape : lattice_shapes()) names.push_back(shape.name);
  const std::string_view meant = nearest_word(name, names);
  return fmt::format("no shape \"{}\"; {}", quoted(std::string(name)),
                     meant.empty()
                         ? fmt::format("valid: {}", fmt::join(names, ", "))
                         : fmt::format("did you mean \"{}\"? 'countpm lattice' lists the shapes", meant));
}

struct Lattice {
  const FamilyInfo* info = nullptr;
  std::array<std::int64_t, 3> size{1, 1, 1};  // as spelt
  BoxSite extent{1, 1, 1, 1};                 // of the box
  std::vector<std::int64_t>
      steps;                    // of a circulant graph; sizes of a grid of any dimension; K of a Kneser graph
  std::vector<Weight> weights;  // empty, or one per direction
  std::vector<std::string_view> removed;  // labels; point into the spec

  bool is_named() const { return info->axes.empty(); }
  NamedGraph named() const { return {info->family, size, steps}; }
  std::size_t directions() const { return is_named() ? named().directions() : info->directions; }
  /// The coordinate that says which of its cell's sites a site is.
  std::size_t site_axis() const { return info->axes.size(); }
  std::uint64_t sites() const {
    std::uint64_t product = 1;
    for (const std::int64_t one : extent) product *= static_cast<std::uint64_t>(one);
    return product;
  }
  std::uint64_t number_of(const BoxSite& site) const {
    std::uint64_t number = 0;
    for (std::size_t axis = 0; axis < site.size(); ++axis)
      number = number * static_cast<std::uint64_t>(extent[axis]) + static_cast<std::uint64_t>(site[axis]);
    return number;
  }
  BoxSite site_at(std::uint64_t number) const {
    BoxSite site{0, 0, 0, 0};
    for (std::size_t axis = site.size(); axis-- > 0;) {
      const auto one = static_cast<std::uint64_t>(extent[axis]);
      site[axis] = static_cast<std::int64_t>(number % one);
      number /= one;
    }
    return site;
  }
  bool contains(const BoxSite& site) const;
  std::string label(std::uint64_t number) const;
  std::optional<std::uint64_t> number_of_label(std::string_view label) const;
  std::optional<BoxSite> neighbour(const BoxSite& site, const LatticeStep& step) const;
};

bool Lattice::contains(const BoxSite& site) const {
  const auto [r, c, k, unused] = site;
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

std::string Lattice::label(std::uint64_t number) const {
  if (is_named()) return named().label(number);
  const BoxSite site = site_at(number);
  std::string text;
  for (std::size_t axis = 0; axis < info->axes.size(); ++axis)
    text += fmt::format("{}{}", info->axes[axis], site[axis]);
  if (!info->sites.empty()) text += info->sites[static_cast<std::size_t>(site[site_axis()])];
  return text;
}

std::optional<std::uint64_t> Lattice::number_of_label(std::string_view text) const {
  std::optional<std::uint64_t> number;
  if (is_named()) {
    number = named().number_of_label(text);
  } else {
    BoxSite site{0, 0, 0, 0};
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t axis = 0; axis < info->axes.size(); ++axis) {
      if (at == end || *at != info->axes[axis]) return std::nullopt;
      const auto [next, error] = std::from_chars(at + 1, end, site[axis]);
      if (error != std::errc{} || site[axis] < 0 || site[axis] >= extent[axis]) return std::nullopt;
      at = next;
    }
    if (!info->sites.empty()) {
      const std::size_t which = at == end ? std::string_view::npos : info->sites.find(*at++);
      if (which == std::string_view::npos) return std::nullopt;
      site[site_axis()] = static_cast<std::int64_t>(which);
    }
    if (at == end && contains(site)) number = number_of(site);
  }
  // Comparing with the canonical spelling refuses r00c1 and the like.
  if (!number || *number >= sites() || label(*number) != text) return std::nullopt;
  return number;
}

std::optional<BoxSite> Lattice::neighbour(const BoxSite& site, const LatticeStep& step) const {
  if (!info->sites.empty() && site[site_axis()] != step.from) return std::nullopt;
  if (step.parity >= 0 && (site[0] + site[1]) % 2 != step.parity) return std::nullopt;
  BoxSite other = site;
  for (std::size_t axis = 0; axis < other.size(); ++axis) {
    other[axis] += step.by[axis];
    if (other[axis] >= 0 && other[axis] < extent[axis]) continue;
    if (axis >= info->axes.size() || !info->periodic[axis]) return std::nullopt;
    other[axis] = (other[axis] + extent[axis]) % extent[axis];
    if (axis == 1 && info->twisted()) other[0] = extent[0] - 1 - other[0];
  }
  if (!contains(other)) return std::nullopt;
  return other;
}

class SpecParser {
 public:
  explicit SpecParser(const std::string& spec) : spec_(spec) {}

  Lattice parse() {
    std::string_view rest = spec_;
    if (rest.starts_with("lattice:")) rest.remove_prefix(8);
    const std::vector<std::string_view> parts = split(rest, ':');
    Lattice lattice;
    for (const FamilyInfo& info : lattice_families()) {
      if (info.shape.name == parts[0]) lattice.info = &info;
    }
    info_ = lattice.info;
    if (info_ == nullptr) fail(no_shape(parts[0]));
    if (parts.size() < 2) fail(fmt::format("{} needs its sizes", lattice.info->shape.name));
    parse_sizes(lattice, parts[1]);
    std::size_t next = 2;
    if (lattice.info->family == Family::kneser) {
      if (next == parts.size()) fail("kneser needs K, the size of the subsets, after N");
      parse_subsets(lattice, parts[next++]);
    }
    set_extent(lattice);
    if (lattice.info->family == Family::circulant) {
      if (next == parts.size()) fail("circulant needs its steps S,S,... after its size");
      parse_steps(lattice, parts[next++]);
    }
    for (; next < parts.size(); ++next) parse_parameter(lattice, parts[next]);
    return lattice;
  }

  /// With the form of the shape, if it is known.
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(fmt::format(
        "lattice \"{}\": {}{}", quoted(spec_, 80), what,
        info_ == nullptr ? ""
                         : fmt::format("; the form is {}:{} ('countpm help lattice' describes it)",
                                       info_->shape.name, info_->shape.sizes)));
  }

 private:
  void parse_sizes(Lattice& lattice, std::string_view text) const {
    const FamilyInfo& info = *lattice.info;
    if (text.find("..") != std::string_view::npos)
      fail(fmt::format("the range of sizes \"{}\" is for 'countpm many'", quoted(std::string(text))));
    const std::vector<std::string_view> numbers = split(text, 'x');
    const bool any_number = info.sizes == 0;
    if (any_number && numbers.size() > NamedGraph::most_sizes)
      fail(fmt::format("at most {} sizes, found {}", NamedGraph::most_sizes, numbers.size()));
    if (!any_number && numbers.size() != info.sizes) {
      fail(fmt::format("{} needs sizes {}, found \"{}\"", info.shape.name, info.shape.sizes,
                       quoted(std::string(text))));
    }
    for (std::size_t axis = 0; axis < numbers.size(); ++axis) {
      const std::string_view word = numbers[axis];
      std::uint64_t value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error == std::errc::result_out_of_range) too_large();
      if (error != std::errc{} || end != word.data() + word.size()) {
        fail(fmt::format("expected whole numbers as sizes, found \"{}\"", quoted(std::string(word))));
      }
      if (value > largest_box) too_large();
      const auto size = static_cast<std::int64_t>(value);
      const std::int64_t least = info.least[any_number ? 0 : axis];
      if (size < least) {
        fail(fmt::format("expected {} to be at least {}, found {}",
                         any_number ? "each size" : info.shape.sizes.substr(2 * axis, 1), least, value));
      }
      if (any_number) {
        lattice.steps.push_back(size);
      } else {
        lattice.size[axis] = size;
      }
    }
    if (info.family == Family::brickwork_torus && (lattice.size[0] % 2 != 0 || lattice.size[1] % 2 != 0))
      fail("expected even sizes: an odd border would not close");
  }

  void parse_subsets(Lattice& lattice, std::string_view text) const {
    const std::int64_t set = lattice.size[0];
    if (set > static_cast<std::int64_t>(most_bits))
      fail(fmt::format("expected N up to {}, found {}", most_bits, set));
    std::int64_t ones = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), ones);
    if (error != std::errc{} || end != text.data() + text.size() || ones < 1 || ones > set / 2) {
      fail(fmt::format("expected K from 1 to {}, half of N, found \"{}\"", set / 2,
                       quoted(std::string(text))));
    }
    lattice.steps.push_back(ones);
  }

  void parse_steps(Lattice& lattice, std::string_view text) const {
    for (const std::string_view word : split(text, ',')) {
      std::int64_t step = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), step);
      const bool number = error == std::errc{} && end == word.data() + word.size();
      if (!number || step < 1 || step > lattice.size[0] / 2) {
        fail(fmt::format("expected steps from 1 to {}, half the size, found \"{}\"", lattice.size[0] / 2,
                         quoted(std::string(word))));
      }
      if (std::find(lattice.steps.begin(), lattice.steps.end(), step) != lattice.steps.end())
        fail(fmt::format("the step {} is given twice", step));
      if (lattice.steps.size() == most_steps) fail(fmt::format("at most {} steps", most_steps));
      lattice.steps.push_back(step);
    }
    if (lattice.named().edges() > largest_box) too_large();
  }

  void set_extent(Lattice& lattice) const {
    const auto [a, b, c] = lattice.size;
    if (lattice.is_named()) {
      const std::uint64_t vertices = lattice.named().vertices();
      if (vertices > largest_box || lattice.named().edges() > largest_box) too_large();
      lattice.extent[0] = static_cast<std::int64_t>(vertices);
      return;
    }
    switch (lattice.info->family) {
      case Family::aztec:
        lattice.extent = {2 * a, 2 * a, 1, 1};
        break;
      case Family::prism:
        lattice.extent = {2, a, 1, 1};
        break;
      case Family::honeycomb:
        lattice.extent = {a + 1, b + 1, 2, 1};
        break;
      case Family::hexagon:
        lattice.extent = {b + c, a + c, 2, 1};
        break;
      default:
        lattice.extent = {a, b, c, 1};
        if (!lattice.info->sites.empty())
          lattice.extent[lattice.site_axis()] = static_cast<std::int64_t>(lattice.info->sites.size());
    }
    // Every extent is below 2^33, so that no product of two leaves 64 bits before it is tested.
    std::uint64_t product = 1;
    for (const std::int64_t one : lattice.extent) {
      product *= static_cast<std::uint64_t>(one);
      if (product > largest_box) too_large();
    }
  }

  void parse_parameter(Lattice& lattice, std::string_view text) {
    if (text.starts_with("weights=")) {
      if (!lattice.weights.empty()) fail("weights= is given twice");
      parse_weights(lattice, text.substr(8));
    } else if (text.starts_with("remove=")) {
      if (!lattice.removed.empty()) fail("remove= is given twice");
      if (text.find('{') != std::string_view::npos)
        fail(fmt::format("the range \"{}\" is for 'countpm many'", quoted(std::string(text))));
      for (const std::string_view labels : split(text.substr(7), '+')) {
        const std::vector<std::string_view> pieces = split(labels, ',');
        lattice.removed.insert(lattice.removed.end(), pieces.begin(), pieces.end());
      }
    } else {
      fail(fmt::format("no parameter \"{}\", only weights= and remove=", quoted(std::string(text))));
    }
  }

  void parse_weights(Lattice& lattice, std::string_view text) const {
    const FamilyInfo& info = *lattice.info;
    const std::vector<std::string_view> words = split_weights(text);
    if (words.size() != lattice.directions()) {
      fail(fmt::format("{} has {} direction{} ({}), found {} weight{}", info.shape.name, lattice.directions(),
                       lattice.directions() == 1 ? "" : "s", info.shape.directions, words.size(),
                       words.size() == 1 ? "" : "s"));
    }
    for (const std::string_view word : words) {
      try {
        lattice.weights.push_back(parse_weight_with_letters(word, "weights", 0));
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
    throw UsageError(
        fmt::format("lattice \"{}\": too large, more than 2^31 - 1 vertices or edges", quoted(spec_, 80)));
  }

  static constexpr std::uint64_t largest_box = (std::uint64_t{1} << 31) - 1;
  static constexpr std::size_t most_steps = 200;
  const std::string& spec_;
  const FamilyInfo* info_ = nullptr;  // once it is known
};

// The ids of the sites of the box, no_index where there is none.
std::vector<Index> number_sites(const Lattice& lattice, const SpecParser& parser, LabelTable& labels) {
  std::vector<Index> id(lattice.sites(), 0);
  for (const std::string_view text : lattice.removed) {
    const std::optional<std::uint64_t> number = lattice.number_of_label(text);
    if (!number) {
      parser.fail(fmt::format("remove: no vertex \"{}\" (labels are like {})", quoted(std::string(text)),
                              lattice.info->shape.label));
    }
    if (id[*number] == no_index) parser.fail(fmt::format("remove: {} is given twice", text));
    id[*number] = no_index;
  }
  StopPoll poll;
  for (std::uint64_t number = 0; number < id.size(); ++number) {
    poll.step();
    if (id[number] == no_index) continue;
    const bool there = lattice.is_named() || lattice.contains(lattice.site_at(number));
    id[number] = there ? labels.append(lattice.label(number)) : no_index;
  }
  return id;
}

/// Calls edge(from, to, direction), numbers of sites, for all edges between sites that there are.
template <class EdgeAt>
void for_each_edge(const Lattice& lattice, const std::vector<Index>& id, const EdgeAt& edge) {
  StopPoll poll;
  if (lattice.is_named()) {
    lattice.named().for_each_edge([&](std::uint64_t from, std::uint64_t to, std::uint8_t direction) {
      poll.step();
      if (id[from] != no_index && id[to] != no_index) edge(from, to, direction);
    });
    return;
  }
  for (std::uint64_t number = 0; number < id.size(); ++number) {
    poll.step();
    if (id[number] == no_index) continue;
    const BoxSite site = lattice.site_at(number);
    for (const LatticeStep& step : lattice.info->steps) {
      const std::optional<BoxSite> other = lattice.neighbour(site, step);
      if (other && id[lattice.number_of(*other)] != no_index)
        edge(number, lattice.number_of(*other), step.direction);
    }
  }
}

// The weight of every edge, given its direction; in the narrowest type that holds all weights of the spec.
void set_values(Graph& graph, const std::vector<Weight>& weights,
                const std::vector<std::uint8_t>& direction) {
  if (weights.empty()) return;
  if (std::any_of(weights.begin(), weights.end(), [](const Weight& w) { return w.has_letters(); })) {
    LetterTable terms;
    std::vector<std::int64_t> number(weights.size(), 0);
    for (std::size_t d = 0; d < weights.size(); ++d) {
      if (!weights[d].is_zero()) number[d] = terms.number_of(weights[d], "weights", 0);
    }
    std::vector<std::int64_t> values;
    values.reserve(direction.size());
    for (const std::uint8_t d : direction) values.push_back(number[d]);
    graph.values = std::move(values);
    graph.weight_kind = WeightKind::rational;
    graph.letters = terms.finished();
    return;
  }
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
    fill(std::vector<mpq_class>{}, rational_of);
  } else {
    fill(std::vector<ComplexRational>{}, complex_of);
  }
}

}  // namespace

const std::vector<LatticeShape>& lattice_shapes() {
  static const std::vector<LatticeShape> shapes = [] {
    std::vector<LatticeShape> result;
    for (const FamilyInfo& info : lattice_families()) result.push_back(info.shape);
    result.insert(result.end(), molecule_shapes().begin(), molecule_shapes().end());
    return result;
  }();
  return shapes;
}

LatticeInfo lattice_info(const std::string& spec) {
  if (is_molecule_spec(spec)) return molecule_info(spec);
  Lattice lattice = SpecParser(spec).parse();
  LatticeInfo info;
  info.shape = lattice.info->shape.name;
  const std::vector<std::int64_t> spelt =
      lattice.info->sizes == 0 ? lattice.steps : std::vector(lattice.size.begin(), lattice.size.end());
  info.size.assign(spelt.begin(), spelt.end());
  if (info.size.size() < 3) info.size.resize(3, 1);
  info.weights = std::move(lattice.weights);
  info.removed = lattice.removed.size();
  info.directions = lattice.directions();
  return info;
}

std::uint64_t lattice_sites(const std::string& spec) {
  if (is_molecule_spec(spec)) return molecule_info(spec).size[0];
  return SpecParser(spec).parse().sites();
}

Graph lattice_graph(const std::string& spec, std::vector<std::uint8_t>* directions, const LetterValues& at,
                    std::string* letters, bool zeros_are_edges) {
  if (is_molecule_spec(spec)) return molecule_graph(spec);
  SpecParser parser(spec);
  Lattice lattice = parser.parse();
  for (Weight& weight : lattice.weights) {
    if (letters != nullptr) note_letters(weight, *letters);
    weight = at.put_into(std::move(weight), spec, 0);
  }
  require_memory(lattice.sites(), 0);
  Graph graph;
  graph.kind = GraphKind::undirected;
  const std::vector<Index> id = number_sites(lattice, parser, graph.left_labels);

  std::vector<std::uint8_t> edge_direction;
  for_each_edge(lattice, id, [&](std::uint64_t from, std::uint64_t to, std::uint8_t direction) {
    if (!zeros_are_edges && !lattice.weights.empty() && lattice.weights[direction].is_zero()) return;
    graph.edges.push_back({id[from], id[to]});
    if (!lattice.weights.empty() || directions != nullptr) edge_direction.push_back(direction);
  });
  set_values(graph, lattice.weights, edge_direction);
  if (directions != nullptr) *directions = std::move(edge_direction);
  return graph;
}

}  // namespace countpm
