#include "tests/products/generator/instance.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "tests/products/generator/literals.hpp"
#include "tests/products/generator/shapes.hpp"

namespace countpm::products {
namespace {

bool lists_all(Question question) {
  return among(question, {Question::orbits, Question::orbit_list, Question::list});
}

bool lists_again(const Product& product) {
  return among(product.edit(), {Edit::listed_again, Edit::both_ways});
}

bool is_symmetrised(Question question) {
  return among(question, {Question::hafnian, Question::loop_hafnian, Question::pfaffian});
}

/// How long a strip without weights has to be for a count of so many residues.
int columns_of(const Product& product, Random& random) {
  if (product.weights() == Weights::none && product.question() == Question::count)
    return random.between(33, 500);
  return 33;
}

Alphabet alphabet_of(const Product& product, const Shape& shape, const Literal& x) {
  Alphabet alphabet;
  alphabet.kind = product.weights();
  alphabet.dyadic = among(product.form(), {Form::edge_view, Form::sparse_view, Form::npy, Form::npz});
  alphabet.x = x.value.at_one();
  if (product.residues() > 1) {
    // A matching's product is to have some 61 bits a residue.
    const int edges = std::max(1, shape.kind == Kind::undirected ? shape.left / 2 : shape.left);
    alphabet.bits = static_cast<unsigned>((61 * (product.residues() - 1) + 20) / edges + 1);
  }
  // NumPy's integers have 64 bits, its complex numbers the 53 of doubles.
  if (among(product.form(), {Form::npy, Form::npz}))
    alphabet.bits = std::min(alphabet.bits, alphabet.kind == Weights::complex_integer ? 52U : 62U);
  return alphabet;
}

/// Of a long strip with letters at every edge the polynomial would have too many terms: the first few have
/// some.
constexpr std::size_t most_lettered = 8;
Alphabet without_letters(Alphabet alphabet, const Product& product) {
  if (product.input() != InputSort::strip) return alphabet;
  if (among(alphabet.kind, {Weights::letter, Weights::two_letters, Weights::at_one_of_two}))
    alphabet.kind = Weights::integer;
  if (alphabet.kind == Weights::inverse_letter) alphabet.kind = Weights::negative_fraction;
  return alphabet;
}

void say_letters(Instance& instance, const Product& product, const Literal& x) {
  switch (product.weights()) {
    case Weights::letter:
    case Weights::inverse_letter:
      instance.letters = "x";
      break;
    case Weights::two_letters:
      instance.letters = "xy";
      break;
    case Weights::at_one_of_two:
      instance.letters = "y";
      [[fallthrough]];
    case Weights::at_integer:
    case Weights::at_fraction:
    case Weights::at_decimal:
    case Weights::at_complex:
      instance.at.push_back("x=" + x.text);
      break;
    default:
      break;
  }
}

/// Of a square matrix: entry (j, i) is that of (i, j), or minus it without a diagonal.
void mirror(std::vector<Tie>& ties, bool minus) {
  std::vector<Tie> both;
  std::set<std::pair<int, int>> done;
  for (const Tie& tie : ties) {
    if (tie.from == tie.to) {
      if (!minus) both.push_back(tie);
      continue;
    }
    if (!done.insert({std::min(tie.from, tie.to), std::max(tie.from, tie.to)}).second) continue;
    both.push_back(tie);
    both.push_back({tie.to, tie.from, minus ? negated(tie.weight) : tie.weight});
  }
  ties = std::move(both);
}

/// Whether vertices without an edge cannot be written: tables have no others; which side one of a bipartite
/// graph belongs to, its edges say.
bool names_by_edges(const Instance& instance, const Product& product) {
  return among(product.form(), {Form::csv, Form::columns, Form::separated}) ||
         (among(product.form(), {Form::adjacency_list, Form::tgf}) && instance.kind == Kind::bipartite);
}

void draw_parameters(Instance& instance, const Product& product, const Alphabet& alphabet, Random& random) {
  const Question question = product.question();
  const bool square = instance.kind != Kind::bipartite || instance.left == instance.right;
  const int right = instance.kind == Kind::bipartite ? instance.right : instance.left;
  instance.ring_lengths = random.once_in(2)   ? std::vector<std::uint32_t>{4}
                          : random.once_in(2) ? std::vector<std::uint32_t>{6}
                                              : std::vector<std::uint32_t>{3, 4, 5};
  instance.ring_weight = draw_number(alphabet, random);
  instance.monomer_weight = draw_number(alphabet, random);
  instance.degree = random.between(1, 2);
  if (question == Question::named_degrees)
    for (int v = 0; v < instance.left + instance.right; ++v)
      if (random.once_in(3)) instance.named_degrees.emplace_back(v, random.between(0, 3));
  if (question == Question::repeated_lines || question == Question::probability) {
    int total = 0;
    for (int i = 0; i < instance.left; ++i) {
      instance.rows.push_back(static_cast<std::uint32_t>(random.between(0, total < 6 ? 2 : 0)));
      total += static_cast<int>(instance.rows.back());
    }
    instance.columns.assign(static_cast<std::size_t>(right), 0);
    for (int k = 0; k < total && right > 0; ++k)
      ++instance.columns[static_cast<std::size_t>(random.between(0, right - 1))];
  }
  if (square && right > 0) instance.column = random.between(0, right - 1);
  if (instance.kind == Kind::bipartite && !square) instance.column = -1;
  if (product.edit() == Edit::removed && instance.left > 0) {
    instance.removed_left = random.between(0, instance.left - 1);
    if (instance.kind == Kind::bipartite) instance.removed_right = random.between(0, instance.right - 1);
  }
  for (int k = 0; k < 3 && !instance.ties.empty(); ++k) {
    const auto last = static_cast<int>(instance.ties.size()) - 1;
    instance.pairs.emplace_back(random.between(0, last), random.between(0, last));
  }
  if (question == Question::ratio) {
    std::map<std::pair<int, int>, Literal> drawn;  // an edge that is listed again has the same
    for (const Tie& tie : instance.ties) {
      const Literal weight = draw_positive(alphabet, random);
      const bool ordered = instance.kind != Kind::undirected;
      const auto key = ordered ? std::pair(tie.from, tie.to)
                               : std::pair(std::min(tie.from, tie.to), std::max(tie.from, tie.to));
      instance.other.push_back(lists_again(product) ? drawn.try_emplace(key, weight).first->second : weight);
    }
    // Where edges alone name vertices, these might go with it.
    instance.other_lacks_last = !instance.written && !instance.ties.empty() && instance.spec.empty() &&
                                !names_by_edges(instance, product) && !lists_again(product);
  }
  instance.range = {mpq_class(random.between(1, 3), 2), mpq_class(random.between(1, 9), 4)};
  instance.range.first.canonicalize();
  instance.range.second.canonicalize();
}

void add_loops(Instance& instance, const Product& product, const Alphabet& alphabet, Random& random) {
  const bool wanted =
      product.edit() == Edit::loops_dropped ||
      among(product.question(), {Question::loops, Question::loops_and_monomers, Question::loop_hafnian});
  if (!wanted || instance.kind != Kind::undirected) return;
  for (int v = 0; v < instance.left; ++v)
    if (random.once_in(2)) instance.ties.push_back({v, v, draw_weight(alphabet, random)});
}

void add_parallels(Instance& instance, const Alphabet& alphabet, Random& random) {
  const std::vector<Tie> ties = instance.ties;
  for (const Tie& tie : ties) {
    if (!random.once_in(3)) continue;
    Tie copy = tie;  // of the same letters
    if (!tie.weight.re.empty()) copy.weight = draw_weight(alphabet, random);
    if (instance.kind == Kind::undirected && random.once_in(2)) std::swap(copy.from, copy.to);
    instance.ties.push_back(std::move(copy));
  }
}

/// Every edge or some of them, with the same weight.
void list_again(Instance& instance, bool each, Random& random) {
  const std::vector<Tie> ties = instance.ties;
  for (const Tie& tie : ties) {
    if (each ? tie.from == tie.to : !random.once_in(3)) continue;
    Tie copy = tie;
    if (each || (instance.kind == Kind::undirected && random.once_in(2))) std::swap(copy.from, copy.to);
    instance.ties.push_back(std::move(copy));
  }
}

void make_sets(Instance& instance, const Product& product, const Alphabet& alphabet, Random& random) {
  std::set<std::vector<int>> there;
  const auto add = [&](std::vector<int> members, const Literal& weight) {
    std::vector<int> key = members;
    std::sort(key.begin(), key.end());
    if (there.insert(key).second) instance.sets.push_back({std::move(members), weight});
  };
  // Those of a bipartite graph are numbered on after its left ones.
  const int shift = instance.kind == Kind::bipartite ? instance.left : 0;
  for (const Tie& tie : instance.ties) add({tie.from, tie.to + shift}, tie.weight);
  const int vertices = instance.left + instance.right;
  for (int k = 0; k < vertices; ++k) {
    std::set<int> members;
    const int size = random.once_in(4) ? 1 : random.between(3, 4);
    const int span = vertices > 30 ? 5 : 12;  // a strip's sets are short
    const int first = random.between(0, std::max(0, vertices - span));
    for (int tries = 0; tries < size; ++tries)
      members.insert(random.between(first, std::min(first + span - 1, vertices - 1)));
    add({members.begin(), members.end()}, draw_weight(alphabet, random));
  }
  if (product.edit() == Edit::parallel_summed) {
    const std::vector<MarkedSet> sets = instance.sets;
    for (const MarkedSet& set : sets) {
      if (!random.once_in(3)) continue;
      MarkedSet copy = set;
      if (!set.weight.re.empty()) copy.weight = draw_weight(alphabet, random);
      instance.sets.push_back(std::move(copy));
    }
  }
  instance.kind = Kind::undirected;
  instance.left = vertices;
  instance.right = 0;
  instance.ties.clear();
}

/// Vertices without an edge are left out, and the others numbered as they appear.
void number_as_they_appear(Instance& instance) {
  const bool bipartite = instance.kind == Kind::bipartite;
  std::map<int, int> left, right;
  const auto number = [](std::map<int, int>& numbers, int vertex) {
    return numbers.try_emplace(vertex, static_cast<int>(numbers.size())).first->second;
  };
  for (Tie& tie : instance.ties) {
    tie.from = number(left, tie.from);
    tie.to = number(bipartite ? right : left, tie.to);
  }
  instance.left = static_cast<int>(left.size());
  if (bipartite) instance.right = static_cast<int>(right.size());
}

void draw_labels(Instance& instance, const Product& product, const Shape& shape) {
  const Form form = product.form();
  // METIS's numbers begin at 0 where one is 0; the last edge is left out of a ratio's second input.
  const bool from_zero = product.seed % 3 == 0 && instance.ties.size() > 1 &&
                         std::any_of(instance.ties.begin(), instance.ties.end() - 1,
                                     [](const Tie& tie) { return tie.from == 0 || tie.to == 0; });
  const auto label = [&](int v, bool right) -> std::string {
    if (form == Form::lattice) return shape.labels[static_cast<std::size_t>(v)];
    if (form == Form::metis) return std::to_string(from_zero ? v : v + 1);
    if (among(form, {Form::matrix_market, Form::array, Form::dense, Form::dimacs, Form::npy, Form::npz}))
      return std::to_string(v + 1);
    if (among(form, {Form::graph6, Form::digraph6, Form::sparse6, Form::edge_view, Form::sparse_view}))
      return std::to_string(v);
    return (right ? "b" : instance.kind == Kind::bipartite ? "a" : "v") + std::to_string(v);
  };
  for (int v = 0; v < instance.left; ++v) instance.left_label.push_back(label(v, false));
  for (int v = 0; v < instance.right; ++v) instance.right_label.push_back(label(v, true));
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

int Random::between(int least, int most) {
  return least + static_cast<int>(next() % static_cast<std::uint64_t>(most - least + 1));
}

Instance draw(const Product& product) {
  Random random(product.seed);
  const Question question = product.question();
  const Shape shape = draw_shape(product.input(), random, lists_all(question),
                                 question == Question::minors_of_rectangle, columns_of(product, random));
  const Literal x = draw_value(product.weights(), random);
  const Alphabet alphabet = alphabet_of(product, shape, x);
  const Alphabet bare = without_letters(alphabet, product);
  Instance instance;
  instance.kind = shape.kind;
  instance.left = shape.left;
  instance.right = shape.right;
  instance.spec = shape.spec;
  instance.symmetric = product.input() == InputSort::symmetric;
  instance.written = product.weights() != Weights::none || product.form() == Form::array;
  instance.weighted = product.weights() != Weights::none && product.weights() != Weights::unused;
  instance.exact = among(product.weights(), {Weights::exact_decimal, Weights::exact_complex});
  instance.floating =
      among(product.weights(),
            {Weights::decimal, Weights::negative_decimal, Weights::complex_integer, Weights::complex_fraction,
             Weights::complex_decimal, Weights::at_decimal, Weights::at_complex});
  say_letters(instance, product, x);
  std::map<int, Literal> alike;
  for (int d = 0; d < shape.directions; ++d) {
    alike[d] = draw_weight(alphabet, random);
    if (instance.weighted) instance.direction_texts.push_back(alike[d].text);
  }
  const bool same = random.once_in(2);  // whether lines that are alike have one weight; of a lattice always
  for (const Shape::Line& line : shape.lines) {
    const bool shared = line.alike >= 0 && (shape.directions > 0 || same);
    if (shared && !alike.contains(line.alike)) alike[line.alike] = draw_weight(alphabet, random);
    const Alphabet& own = instance.ties.size() < most_lettered ? alphabet : bare;
    instance.ties.push_back({line.from, line.to, shared ? alike[line.alike] : draw_weight(own, random)});
  }
  if (among(product.form(), {Form::graph6, Form::metis}))
    std::erase_if(instance.ties, [](const Tie& tie) { return tie.from == tie.to; });
  add_loops(instance, product, bare, random);
  if (is_symmetrised(question) && instance.kind != Kind::undirected && !instance.symmetric &&
      (instance.kind == Kind::directed || instance.left == instance.right))
    mirror(instance.ties, question == Question::pfaffian);
  if (product.edit() == Edit::parallel_summed && question != Question::sets)
    add_parallels(instance, bare, random);
  if (lists_again(product)) list_again(instance, product.edit() == Edit::both_ways, random);
  if (question == Question::sets) make_sets(instance, product, bare, random);
  // An adjacency list has all edges of a vertex in one line.
  if (product.form() == Form::adjacency_list && instance.kind == Kind::bipartite)
    std::stable_sort(instance.ties.begin(), instance.ties.end(),
                     [](const Tie& a, const Tie& b) { return a.from < b.from; });
  if (names_by_edges(instance, product)) number_as_they_appear(instance);
  draw_labels(instance, product, shape);
  draw_parameters(instance, product, alphabet, random);
  return instance;
}

Clean cleaned(const Instance& instance, const Product& product, bool zeros) {
  Clean clean;
  clean.kind = instance.kind;
  std::vector<int> left, right;
  const auto keep = [](int size, int removed, const std::vector<std::string>& labels,
                       std::vector<std::string>& kept) {
    std::vector<int> number(static_cast<std::size_t>(size), -1);
    int next = 0;
    for (int v = 0; v < size; ++v) {
      if (v == removed) continue;
      number[static_cast<std::size_t>(v)] = next++;
      kept.push_back(labels[static_cast<std::size_t>(v)]);
    }
    return number;
  };
  left = keep(instance.left, instance.removed_left, instance.left_label, clean.left_label);
  right = keep(instance.right, instance.removed_right, instance.right_label, clean.right_label);
  clean.left = static_cast<int>(clean.left_label.size());
  clean.right = static_cast<int>(clean.right_label.size());
  const bool values_count =
      instance.weighted ||
      among(product.question(),
            {Question::ground_min, Question::ground_max, Question::permanent, Question::hafnian,
             Question::loop_hafnian, Question::determinant, Question::pfaffian, Question::minors,
             Question::minors_of_rectangle, Question::probability});
  std::map<std::pair<int, int>, std::size_t> places;
  std::vector<Joined> all;
  for (const Tie& tie : instance.ties) {
    const bool bipartite = instance.kind == Kind::bipartite;
    const int from = left[static_cast<std::size_t>(tie.from)];
    const int to = (bipartite ? right : left)[static_cast<std::size_t>(tie.to)];
    if (from < 0 || to < 0) continue;
    if (tie.weight.value.zero() && !zeros) continue;  // written or not: it is no edge
    const Sum weight = values_count ? tie.weight.value : Sum(1);
    const bool ordered = instance.kind != Kind::undirected && !instance.symmetric;
    const auto key = ordered ? std::pair(from, to) : std::pair(std::min(from, to), std::max(from, to));
    const auto [place, fresh] = places.try_emplace(key, all.size());
    if (fresh) {
      all.push_back({from, to, weight});
    } else if (!lists_again(product)) {
      all[place->second].weight += weight;
    }
  }
  if (!zeros) std::erase_if(all, [](const Joined& edge) { return edge.weight.zero(); });
  // Of matchings that are listed, or drawn as bonds, weights play no part, and parallel edges are one.
  if (among(product.question(), {Question::list, Question::orbit_list, Question::kekule}))
    for (Joined& edge : all) edge.weight = 1;
  for (const Joined& edge : all) {
    if (edge.from == edge.to && instance.kind == Kind::undirected) {
      if (product.edit() != Edit::loops_dropped) clean.loops.push_back(edge);
      continue;
    }
    clean.edges.push_back(edge);
    if (instance.symmetric && edge.from != edge.to) clean.edges.push_back({edge.to, edge.from, edge.weight});
  }
  std::map<std::vector<int>, std::size_t> set_places;
  for (const MarkedSet& set : instance.sets) {
    if (set.weight.value.zero()) continue;
    std::vector<int> key = set.members;
    std::sort(key.begin(), key.end());
    const auto [place, fresh] = set_places.try_emplace(key, clean.sets.size());
    if (fresh) {
      clean.sets.push_back({key, set.weight});
      if (!instance.weighted) clean.sets.back().weight.value = 1;
    } else {
      clean.sets[place->second].weight.value += instance.weighted ? set.weight.value : Sum(1);
    }
  }
  return clean;
}

}  // namespace countpm::products
