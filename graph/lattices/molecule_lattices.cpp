#include "graph/lattices/molecule_lattices.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "graph/errors.hpp"
#include "graph/kinds/remove_vertices.hpp"
#include "graph/lattices/benzenoid.hpp"
#include "graph/lattices/fullerene.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_atoms = 1'000'000;
constexpr std::int64_t farthest = 1'000'000;  // coordinate of a hexagon
constexpr std::string_view fullerene_name = "fullerene";
constexpr std::string_view benzenoid_name = "benzenoid";

template <class Number>
std::optional<Number> whole_number(std::string_view word) {
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string_view without_scheme(std::string_view spec) {
  if (spec.starts_with("lattice:")) spec.remove_prefix(8);
  return spec;
}

class MoleculeSpec {
 public:
  explicit MoleculeSpec(const std::string& spec) : spec_(spec), parts_(split(without_scheme(spec), ':')) {
    const bool fullerene = parts_[0] == fullerene_name;
    const std::size_t own = fullerene ? 3 : 2;
    if (parts_.size() < own || parts_[1].empty())
      fail(fullerene ? "expected the number of atoms and the spiral" : "expected hexagons or a code");
    for (std::size_t k = own; k < parts_.size(); ++k) {
      if (!parts_[k].starts_with("remove=") || !removed_.empty())
        fail(fmt::format("no parameter \"{}\" here, only one remove=", quoted(std::string(parts_[k]))));
      for (const std::string_view label : split(parts_[k].substr(7), '+')) removed_.emplace_back(label);
    }
    if (fullerene) {
      read_spiral();
    } else {
      read_hexagons();
    }
  }

  bool is_fullerene() const { return !faces_.empty(); }
  const std::vector<std::string>& removed() const { return removed_; }
  std::uint64_t fullerene_atoms() const { return 2 * faces_.size() - 4; }
  Graph benzenoid() const { return benzenoid_graph(hexagons_); }

  Graph fullerene() const {
    WoundSpiral wound = wind_spiral(faces_);
    if (wound.stuck_at)
      fail(fmt::format("the spiral does not close: it gets stuck at face {} of {}", *wound.stuck_at,
                       faces_.size()));
    Graph graph;
    graph.kind = GraphKind::undirected;
    for (std::uint64_t k = 1; k <= fullerene_atoms(); ++k) graph.left_labels.append(fmt::format("C{}", k));
    graph.edges = std::move(wound.edges);
    return graph;
  }

  [[noreturn]] void fail(const std::string& what) const {
    const std::string_view form =
        parts_[0] == fullerene_name
            ? "fullerene:ATOMS:P1,...,P12 with the places of the pentagons in the face spiral"
            : "benzenoid:Q,R+Q,R+... with the coordinates of the hexagons, or benzenoid:CODE with a "
              "boundary-edges code";
    throw UsageError(fmt::format("lattice \"{}\": {}; valid: {}", quoted(spec_, 80), what, form));
  }

 private:
  void read_spiral() {
    const auto atoms = whole_number<std::uint64_t>(parts_[1]);
    if (!atoms || *atoms < 20 || *atoms % 2 != 0 || *atoms == 22 || *atoms > most_atoms) {
      fail(fmt::format("a fullerene has an even number of atoms, 20 or from 24 to {}, found \"{}\"",
                       most_atoms, quoted(std::string(parts_[1]))));
    }
    const std::uint64_t faces = *atoms / 2 + 2;
    faces_.assign(faces, 6);
    const std::vector<std::string_view> places = split(parts_[2], ',');
    if (places.size() != 12)
      fail(fmt::format("expected the places of 12 pentagons, found {}", places.size()));
    std::uint64_t before = 0;
    for (const std::string_view word : places) {
      const auto place = whole_number<std::uint64_t>(word);
      if (!place || *place <= before || *place > faces) {
        fail(fmt::format(
            "expected the places of the pentagons as increasing numbers from 1 to {}, found \"{}\"", faces,
            quoted(std::string(word))));
      }
      faces_[*place - 1] = 5;
      before = *place;
    }
  }

  void read_hexagons() {
    if (parts_[1].find(',') == std::string_view::npos) {
      CodedHexagons coded = hexagons_of_code(parts_[1]);
      if (!coded.why_not.empty()) fail(coded.why_not);
      hexagons_ = std::move(coded.hexagons);
      return;
    }
    for (const std::string_view word : split(parts_[1], '+')) {
      const std::vector<std::string_view> pair = split(word, ',');
      const auto q = whole_number<std::int64_t>(pair[0]);
      const auto r = pair.size() == 2 ? whole_number<std::int64_t>(pair[1]) : std::nullopt;
      if (!q || !r || std::max(std::abs(*q), std::abs(*r)) > farthest)
        fail(
            fmt::format("expected hexagons as two coordinates Q,R, found \"{}\"", quoted(std::string(word))));
      if (!hexagons_.insert({*q, *r}).second) fail(fmt::format("the hexagon {},{} is given twice", *q, *r));
    }
    if (!is_connected(hexagons_)) fail("the hexagons are not connected by common sides");
  }

  const std::string& spec_;
  std::vector<std::string_view> parts_;
  std::vector<std::string> removed_;
  std::vector<std::uint8_t> faces_;  // of a fullerene: their sizes, in the order of the spiral
  std::set<Hexagon> hexagons_;       // of a benzenoid
};

}  // namespace

const std::vector<LatticeShape>& molecule_shapes() {
  static const std::vector<LatticeShape> shapes{
      {fullerene_name, "ATOMS:P1,...,P12", "", "C1",
       "fullerene by the places of its pentagons in the face spiral"},
      {benzenoid_name, "CODE", "", "C1",
       "benzenoid by its boundary-edges code, or by its hexagons as Q,R+Q,R+..."}};
  return shapes;
}

bool is_molecule_spec(const std::string& spec) {
  const std::string_view shape = split(without_scheme(spec), ':').front();
  return shape == fullerene_name || shape == benzenoid_name;
}

Graph molecule_graph(const std::string& spec) {
  const MoleculeSpec molecule(spec);
  Graph graph = molecule.is_fullerene() ? molecule.fullerene() : molecule.benzenoid();
  remove_vertices(graph, molecule.removed(), spec);
  return graph;
}

LatticeInfo molecule_info(const std::string& spec) {
  const MoleculeSpec molecule(spec);
  LatticeInfo info;
  info.shape = molecule.is_fullerene() ? fullerene_name : benzenoid_name;
  info.size[0] =
      molecule.is_fullerene() ? molecule.fullerene_atoms() : molecule.benzenoid().left_labels.size();
  info.removed = molecule.removed().size();
  return info;
}

}  // namespace countpm
