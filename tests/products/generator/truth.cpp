#include "tests/products/generator/truth.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace countpm::products {
namespace {

bool zeros_are_edges(const Product& product) {
  return among(product.question(), {Question::ground_min, Question::ground_max}) &&
         !among(product.form(), {Form::matrix_market, Form::array, Form::dense, Form::npy, Form::npz,
                                 Form::edge_view, Form::sparse_view});
}

Complex norm(const Complex& value) {
  return {mpq_class(value.re * value.re + value.im * value.im), 0};
}

constexpr std::size_t most_matchings = 5000;
constexpr std::size_t most_symmetries = 50'000;

}  // namespace

Truth::Truth(const Instance& instance, const Product& product)
    : instance_(instance), product_(product), clean_(cleaned(instance, product, zeros_are_edges(product))) {
  const bool arcs = clean_.kind == Kind::directed;
  vertices_ = arcs ? 2 * clean_.left : clean_.left + clean_.right;
  for (const Joined& edge : clean_.edges) {
    if (arcs) {
      ends_.push_back({2 * edge.from, 2 * edge.to + 1});
    } else {
      ends_.push_back({edge.from, clean_.kind == Kind::bipartite ? clean_.left + edge.to : edge.to});
    }
  }
}

std::vector<Piece<Sum>> Truth::pieces() const {
  const Question question = product_.question();
  std::vector<Piece<Sum>> pieces;
  const Sum marked(Complex{1, 0}, {0, 0, 0, 1});
  if (question == Question::sets) {
    for (const MarkedSet& set : clean_.sets) pieces.push_back({set.members, set.weight.value});
    return pieces;
  }
  for (std::size_t e = 0; e < clean_.edges.size(); ++e) pieces.push_back({ends_[e], clean_.edges[e].weight});
  const auto every_vertex = [&](const Sum& weight) {
    for (int v = 0; v < vertices_; ++v) pieces.push_back({{v}, weight});
  };
  switch (question) {
    case Question::maximum:
    case Question::maximum_marginals:
    case Question::matching_polynomial:
      every_vertex(marked);
      break;
    case Question::monomers:
      every_vertex(1);
      break;
    case Question::weighed_monomers:
    case Question::monomer_marginals:
      every_vertex(instance_.monomer_weight.value);
      break;
    case Question::loops:
    case Question::loops_and_monomers: {
      std::vector<bool> has(static_cast<std::size_t>(vertices_));
      for (const Joined& loop : clean_.loops) {
        pieces.push_back({{loop.from}, loop.weight});
        has[static_cast<std::size_t>(loop.from)] = true;
      }
      for (int v = 0; v < vertices_ && question == Question::loops_and_monomers; ++v)
        if (!has[static_cast<std::size_t>(v)]) pieces.push_back({{v}, instance_.monomer_weight.value});
      break;
    }
    case Question::ring_polynomial:
    case Question::weighed_rings:
    case Question::rings_and_monomers: {
      std::vector<std::pair<int, int>> edges;
      for (const std::vector<int>& ends : ends_) edges.emplace_back(ends[0], ends[1]);
      for (const std::vector<int>& ring : chordless_cycles(vertices_, edges, instance_.ring_lengths))
        pieces.push_back(
            {ring, question == Question::ring_polynomial ? marked : instance_.ring_weight.value});
      if (question == Question::rings_and_monomers) every_vertex(instance_.monomer_weight.value);
      break;
    }
    default:
      break;
  }
  return pieces;
}

/// The fewest vertices that a matching leaves alone.
int Truth::singles_at_most() const {
  if (singles_ >= 0) return singles_;
  std::vector<Piece<Sum>> all;
  for (const std::vector<int>& ends : ends_) all.push_back({ends, 1});
  for (int v = 0; v < vertices_; ++v) all.push_back({{v}, Sum(Complex{1, 0}, {0, 0, 0, 1})});
  const std::optional<Sum> sizes = cover_sum<Sum>(vertices_, all, 1);
  int least = vertices_;
  for (const auto& [exponents, number] : sizes->terms()) least = std::min(least, exponents[marker]);
  return singles_ = least;
}

Sum Truth::sum() const {
  const Question question = product_.question();
  const auto or_zero = [](const std::optional<Sum>& sum) { return sum ? *sum : Sum(); };
  if (among(question, {Question::degree, Question::named_degrees})) {
    std::vector<int> degree(static_cast<std::size_t>(vertices_), instance_.degree);
    for (const auto& [vertex, own] : instance_.named_degrees) {
      const bool right = vertex >= instance_.left;
      const int found = place(right ? instance_.right_label[static_cast<std::size_t>(vertex - instance_.left)]
                                    : instance_.left_label[static_cast<std::size_t>(vertex)],
                              right);
      if (found >= 0) degree[static_cast<std::size_t>(right ? clean_.left + found : found)] = own;
    }
    std::vector<Joined> edges;
    for (std::size_t e = 0; e < ends_.size(); ++e)
      edges.push_back({ends_[e][0], ends_[e][1], clean_.edges[e].weight});
    return factor_sum(edges, degree);
  }
  if (question == Question::repeated_lines)
    return clean_.kind == Kind::undirected ? sum_over_copies() : permanent_without(-1, -1);
  if (question == Question::permanent) {
    if (clean_.kind != Kind::bipartite) return permanent_without(-1, -1);
    std::vector<Piece<Sum>> all = pieces();
    const bool wide = clean_.right > clean_.left;
    for (int v = wide ? clean_.left : 0; v < (wide ? vertices_ : clean_.left) && clean_.left != clean_.right;
         ++v)
      all.push_back({{v}, 1});
    return or_zero(cover_sum<Sum>(vertices_, all, 1));
  }
  if (among(question, {Question::hafnian, Question::loop_hafnian})) {
    std::vector<Piece<Sum>> all;
    for (const Joined& edge : clean_.edges)
      if (edge.from < edge.to || clean_.kind == Kind::undirected)
        all.push_back({{edge.from, edge.to}, edge.weight});
    if (question == Question::loop_hafnian) {
      for (const Joined& loop : clean_.loops) all.push_back({{loop.from}, loop.weight});
      for (const Joined& edge : clean_.edges)
        if (edge.from == edge.to) all.push_back({{edge.from}, edge.weight});
    }
    return or_zero(cover_sum<Sum>(clean_.left, all, 1));
  }
  Sum all = or_zero(cover_sum<Sum>(vertices_, pieces(), 1));
  if (among(question, {Question::maximum, Question::maximum_marginals}))
    return all.at_marker(singles_at_most());
  return all;
}

std::vector<Sum> Truth::coefficients() const {
  const std::optional<Sum> all = cover_sum<Sum>(vertices_, pieces(), 1);
  std::vector<Sum> list;
  if (!all) return list;
  if (product_.question() == Question::matching_polynomial) {
    for (int singles = vertices_; singles >= 0; singles -= 2) list.push_back(all->at_marker(singles));
  } else {
    for (int rings = 0; 3 * rings <= vertices_; ++rings) list.push_back(all->at_marker(rings));
  }
  return list;
}

bool Truth::any() const {
  std::vector<Piece<Sum>> all = pieces();
  for (Piece<Sum>& piece : all) piece.weight = 1;
  return cover_sum<Sum>(vertices_, all, 1).has_value();
}

std::optional<Least> Truth::least(bool maximum) const {
  std::vector<Piece<Least>> all;
  for (std::size_t e = 0; e < ends_.size(); ++e) {
    const mpq_class weight = clean_.edges[e].weight.at_one().re;
    all.push_back({ends_[e], {mpq_class(maximum ? mpq_class(-weight) : weight), 1}});
  }
  std::optional<Least> least = cover_sum<Least>(vertices_, all, Least{});
  if (least && maximum) least->sum = -least->sum;
  return least;
}

std::optional<std::vector<std::vector<int>>> Truth::matchings(std::size_t most) const {
  return all_covers(vertices_, ends_, most);
}

std::vector<std::size_t> Truth::orbit_of_each() const {
  const auto all = matchings(most_matchings);
  const bool arcs = clean_.kind == Kind::directed;
  const int vertices = arcs ? clean_.left : vertices_;
  std::vector<std::vector<int>> between(static_cast<std::size_t>(vertices),
                                        std::vector<int>(static_cast<std::size_t>(vertices)));
  std::vector<Sum> kinds;
  std::map<std::pair<int, int>, int> edge_at;
  for (std::size_t e = 0; e < clean_.edges.size(); ++e) {
    const Sum& weight = clean_.edges[e].weight;
    auto found = std::find(kinds.begin(), kinds.end(), weight);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), weight);
    const int kind = static_cast<int>(found - kinds.begin()) + 1;
    const int u = arcs ? clean_.edges[e].from : ends_[e][0];
    const int v = arcs ? clean_.edges[e].to : ends_[e][1];
    between[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)] = kind;
    edge_at[{u, v}] = static_cast<int>(e);
    if (arcs) continue;
    between[static_cast<std::size_t>(v)][static_cast<std::size_t>(u)] = kind;
    edge_at[{v, u}] = static_cast<int>(e);
  }
  std::vector<int> colour(static_cast<std::size_t>(vertices));
  for (int v = clean_.left; v < vertices; ++v) colour[static_cast<std::size_t>(v)] = 1;
  const auto group = symmetries(between, colour, most_symmetries);
  if (!all || !group) return {};
  std::map<std::vector<int>, std::size_t> number;
  for (std::size_t m = 0; m < all->size(); ++m) number[(*all)[m]] = m;
  std::vector<std::size_t> orbit(all->size(), all->size());
  for (std::size_t m = 0; m < all->size(); ++m) {
    if (orbit[m] < all->size()) continue;
    for (const std::vector<int>& image : *group) {
      std::vector<int> moved;
      for (const int e : (*all)[m]) {
        const auto edge = static_cast<std::size_t>(e);
        const int u = arcs ? clean_.edges[edge].from : ends_[edge][0];
        const int v = arcs ? clean_.edges[edge].to : ends_[edge][1];
        moved.push_back(edge_at.at({image[static_cast<std::size_t>(u)], image[static_cast<std::size_t>(v)]}));
      }
      std::sort(moved.begin(), moved.end());
      orbit[number.at(moved)] = m;
    }
  }
  return orbit;
}

std::optional<Truth::Orbits> Truth::orbits() const {
  const auto all = matchings(most_matchings);
  if (!all) return std::nullopt;
  const std::vector<std::size_t> orbit = orbit_of_each();
  if (orbit.empty() && !all->empty()) return std::nullopt;
  Orbits result;
  for (std::size_t m = 0; m < all->size(); ++m) {
    Sum weight = 1;
    for (const int e : (*all)[m]) weight = weight * clean_.edges[static_cast<std::size_t>(e)].weight;
    const Complex value = weight.at_one();
    result.matchings.re += value.re;
    result.matchings.im += value.im;
    if (orbit[m] != m) continue;
    ++result.number;
    result.orbits.re += value.re;
    result.orbits.im += value.im;
  }
  return result;
}

Complex Truth::with_pieces(const std::vector<std::size_t>& chosen) const {
  std::vector<Piece<Sum>> all = pieces();
  Sum factor = 1;
  std::vector<bool> covered(static_cast<std::size_t>(vertices_));
  for (const std::size_t p : chosen) {
    const std::vector<int> ends =
        p < ends_.size() ? ends_[p] : std::vector<int>{static_cast<int>(p - ends_.size())};
    for (const int v : ends) {
      if (covered[static_cast<std::size_t>(v)]) return {};
      covered[static_cast<std::size_t>(v)] = true;
    }
    for (const Piece<Sum>& piece : all) {
      if (piece.vertices != ends) continue;
      factor = factor * piece.weight;
      break;
    }
  }
  std::erase_if(all, [&](const Piece<Sum>& piece) {
    return std::any_of(piece.vertices.begin(), piece.vertices.end(),
                       [&](int v) { return covered[static_cast<std::size_t>(v)]; });
  });
  for (int v = 0; v < vertices_; ++v)
    if (covered[static_cast<std::size_t>(v)]) all.push_back({{v}, 1});
  const std::optional<Sum> rest = cover_sum<Sum>(vertices_, all, factor);
  if (!rest) return {};
  if (product_.question() == Question::maximum_marginals) return rest->at_marker(singles_at_most()).at_one();
  return rest->at_one();
}

Matrix Truth::matrix() const {
  const int columns = clean_.kind == Kind::bipartite ? clean_.right : clean_.left;
  Matrix matrix(static_cast<std::size_t>(clean_.left),
                std::vector<Complex>(static_cast<std::size_t>(columns)));
  for (const Joined& edge : clean_.edges) {
    const auto i = static_cast<std::size_t>(edge.from);
    const auto j = static_cast<std::size_t>(edge.to);
    matrix[i][j] = edge.weight.at_one();
    if (clean_.kind == Kind::undirected) matrix[j][i] = matrix[i][j];
  }
  return matrix;
}

Sum Truth::permanent_without(int row, int column) const {
  const bool repeated = among(product_.question(), {Question::repeated_lines, Question::probability});
  const int width = clean_.kind == Kind::bipartite ? clean_.right : clean_.left;
  std::vector<int> rows, columns;
  for (int i = 0; i < clean_.left; ++i)
    if (i != row) rows.insert(rows.end(), repeated ? instance_.rows[static_cast<std::size_t>(i)] : 1, i);
  for (int j = 0; j < width; ++j)
    if (j != column)
      columns.insert(columns.end(), repeated ? instance_.columns[static_cast<std::size_t>(j)] : 1, j);
  if (rows.size() != columns.size()) return {};
  // Of a long strip rows and columns stand beside each other, so that its pieces are short.
  const bool apart = rows.size() <= 16;
  std::vector<std::vector<int>> row_places(static_cast<std::size_t>(clean_.left));
  std::vector<std::vector<int>> column_places(static_cast<std::size_t>(width));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    row_places[static_cast<std::size_t>(rows[k])].push_back(static_cast<int>(apart ? k : 2 * k));
    column_places[static_cast<std::size_t>(columns[k])].push_back(
        static_cast<int>(apart ? rows.size() + k : 2 * k + 1));
  }
  std::vector<Piece<Sum>> all;
  const auto add = [&](int i, int j, const Sum& weight) {
    for (const int u : row_places[static_cast<std::size_t>(i)])
      for (const int v : column_places[static_cast<std::size_t>(j)]) all.push_back({{u, v}, weight});
  };
  for (const Joined& edge : clean_.edges) {
    add(edge.from, edge.to, edge.weight);
    if (clean_.kind == Kind::undirected) add(edge.to, edge.from, edge.weight);
  }
  const std::optional<Sum> sum = cover_sum<Sum>(static_cast<int>(2 * rows.size()), all, 1);
  return sum ? *sum : Sum();
}

Sum Truth::sum_over_copies() const {
  std::vector<std::vector<int>> copies;
  int places = 0;
  for (int v = 0; v < clean_.left; ++v) {
    copies.emplace_back();
    for (std::uint32_t k = 0; k < instance_.rows[static_cast<std::size_t>(v)]; ++k)
      copies.back().push_back(places++);
  }
  std::vector<Piece<Sum>> all;
  for (const Joined& edge : clean_.edges) {
    for (const int u : copies[static_cast<std::size_t>(edge.from)])
      for (const int v : copies[static_cast<std::size_t>(edge.to)]) all.push_back({{u, v}, edge.weight});
  }
  const bool in_memory = among(product_.form(), {Form::edge_view, Form::sparse_view});
  for (const Joined& loop : clean_.loops) {
    const std::vector<int>& own = copies[static_cast<std::size_t>(loop.from)];
    for (std::size_t k = 0; k < own.size(); ++k) {
      for (std::size_t m = 0; m < k; ++m) all.push_back({{own[m], own[k]}, loop.weight});
      if (in_memory) all.push_back({{own[k]}, loop.weight});
    }
  }
  const std::optional<Sum> sum = cover_sum<Sum>(places, all, 1);
  return sum ? *sum : Sum();
}

Complex Truth::probability() const {
  mpz_class factorials = 1;
  for (const auto* list : {&instance_.rows, &instance_.columns}) {
    for (const std::uint32_t number : *list) {
      mpz_class factorial;
      mpz_fac_ui(factorial.get_mpz_t(), number);
      factorials *= factorial;
    }
  }
  return norm(permanent_without(-1, -1).at_one()) / Complex{mpq_class(factorials), 0};
}

Complex Truth::determinant() const {
  return determinant_of(matrix());
}
Complex Truth::pfaffian() const {
  return pfaffian_of(matrix());
}

Complex Truth::at(const mpq_class& x) const {
  Complex total;
  const Sum value = sum();
  for (const auto& [exponents, coefficient] : value.terms()) {
    mpq_class power = 1;
    for (int k = 0; k < std::abs(exponents[0]); ++k) power *= x;
    if (exponents[0] < 0) power = 1 / power;  // x is above 0
    total.re += coefficient.re * power;
    total.im += coefficient.im * power;
  }
  return total;
}

int Truth::place(const std::string& label, bool right) const {
  const std::vector<std::string>& labels = right ? clean_.right_label : clean_.left_label;
  const auto found = std::find(labels.begin(), labels.end(), label);
  return found == labels.end() ? -1 : static_cast<int>(found - labels.begin());
}

int Truth::edge_place(int from, int to) const {
  for (std::size_t e = 0; e < clean_.edges.size(); ++e) {
    const Joined& edge = clean_.edges[e];
    if (edge.from == from && edge.to == to) return static_cast<int>(e);
    if (clean_.kind == Kind::undirected && edge.from == to && edge.to == from) return static_cast<int>(e);
  }
  return -1;
}

}  // namespace countpm::products
