#include "tests/products/generator/dimensions.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "kernels/method.hpp"
#include "kernels/order_kind.hpp"
#include "matching/rules.hpp"

namespace countpm::products {
namespace {

constexpr std::array<std::string_view, dimensions> dimension_names{
    "question", "weights", "method", "arithmetic", "residues", "reductions", "input",
    "format",   "edit",    "check",  "device",     "threads",  "order"};

std::vector<std::string> method_names() {
  std::vector<std::string> names{"auto"};
  for (const Method* method : exact_methods()) names.emplace_back(method->name());
  return names;
}

std::vector<std::string> rule_names() {
  std::vector<std::string> names{"all", "none"};
  for (const RuleInfo& rule : rules()) names.emplace_back("no-" + std::string(rule.name));
  return names;
}

std::vector<std::string> order_names() {
  std::vector<std::string> names;
  for (const OrderInfo& order : order_kinds()) names.emplace_back(order.name);
  return names;
}

std::array<std::vector<std::string>, dimensions> all_values() {
  std::array<std::vector<std::string>, dimensions> all;
  const auto set = [&](Dimension dimension, std::vector<std::string> names) {
    all[static_cast<std::size_t>(dimension)] = std::move(names);
  };
  set(Dimension::question, {"count",
                            "maximum",
                            "permanent",
                            "hafnian",
                            "loop-hafnian",
                            "monomers",
                            "weighed-monomers",
                            "loops",
                            "loops-and-monomers",
                            "matching-polynomial",
                            "ring-polynomial",
                            "weighed-rings",
                            "rings-and-monomers",
                            "sets",
                            "degree",
                            "named-degrees",
                            "ground-min",
                            "ground-max",
                            "orbits",
                            "repeated-lines",
                            "minors",
                            "minors-of-rectangle",
                            "probability",
                            "determinant",
                            "pfaffian",
                            "marginals",
                            "exact-marginals",
                            "monomer-marginals",
                            "maximum-marginals",
                            "pairs",
                            "ratio",
                            "integral",
                            "signed-sum",
                            "estimate",
                            "ln-z",
                            "bounds",
                            "count-or-bounds",
                            "list",
                            "orbit-list",
                            "kekule",
                            "series"});
  set(Dimension::weights, {"none",
                           "unused",
                           "integer",
                           "negative",
                           "zero",
                           "fraction",
                           "negative-fraction",
                           "decimal",
                           "negative-decimal",
                           "exact-decimal",
                           "complex-integer",
                           "complex-fraction",
                           "complex-decimal",
                           "exact-complex",
                           "letter",
                           "inverse-letter",
                           "two-letters",
                           "at-integer",
                           "at-fraction",
                           "at-decimal",
                           "at-complex",
                           "at-one-of-two"});
  set(Dimension::method, method_names());
  set(Dimension::arithmetic, {"plain", "kahan", "double-double", "mpfr-64", "mpfr-300"});
  set(Dimension::residues, {"1", "2", "3", "4", "5", "6"});
  set(Dimension::reductions, rule_names());
  set(Dimension::input, {"path",
                         "tree",
                         "grid",
                         "hexagons",
                         "sparse-bipartite",
                         "dense-bipartite",
                         "twins",
                         "rectangle",
                         "no-matching",
                         "triangles",
                         "sparse-general",
                         "dense-general",
                         "odd",
                         "components",
                         "isolated",
                         "strip",
                         "lattice",
                         "empty",
                         "sparse-directed",
                         "dense-directed",
                         "symmetric"});
  set(Dimension::format,
      {"edgelist", "separated", "csv",     "columns", "mtx", "array",   "dense",     "dimacs",     "graph6",
       "digraph6", "sparse6",   "graphml", "dot",     "gml", "gexf",    "pajek",     "json",       "hyper",
       "metis",    "adjlist",   "tgf",     "npy",     "npz", "lattice", "edge-view", "sparse-view"});
  set(Dimension::edit, {"none", "removed", "loops-dropped", "parallel-summed", "listed-again", "both-ways"});
  set(Dimension::check, {"none", "double-check", "audit", "verify"});
  set(Dimension::device, {"cpu", "gpu", "gpus-and-cpu"});
  set(Dimension::threads, {"1", "2", "3"});
  set(Dimension::order, order_names());
  return all;
}

bool is_unweighted(Weights weights) {
  return among(weights, {Weights::none, Weights::unused});
}

bool has_at(Weights weights) {
  return among(weights, {Weights::at_integer, Weights::at_fraction, Weights::at_decimal, Weights::at_complex,
                         Weights::at_one_of_two});
}

bool is_view(Form form) {
  return among(form, {Form::edge_view, Form::sparse_view});
}

bool is_matrix(Form form) {
  return among(form, {Form::matrix_market, Form::array, Form::dense, Form::npy, Form::npz});
}

bool is_numpy(Form form) {
  return among(form, {Form::npy, Form::npz});
}

/// Without loops, those of nauty's programs.
bool is_string_of_bits(Form form) {
  return among(form, {Form::graph6, Form::digraph6, Form::sparse6});
}

bool is_bare(Form form) {
  return is_string_of_bits(form) || form == Form::adjacency_list;
}

bool is_count(Question question) {
  return among(question, {Question::count, Question::maximum, Question::monomers, Question::weighed_monomers,
                          Question::loops, Question::loops_and_monomers, Question::matching_polynomial,
                          Question::ring_polynomial, Question::weighed_rings, Question::rings_and_monomers,
                          Question::sets, Question::degree, Question::named_degrees, Question::ground_min,
                          Question::ground_max, Question::repeated_lines});
}

bool has_own_loops(Question question) {
  return among(question, {Question::loop_hafnian, Question::loops, Question::loops_and_monomers});
}

std::string_view impossible_form(Form form, InputSort input) {
  if ((form == Form::lattice) != (input == InputSort::lattice)) return "a spec is of a lattice";
  const Kind kind = kind_of(input);
  if (among(form, {Form::graph6, Form::sparse6, Form::metis}) && kind == Kind::bipartite)
    return "undirected graphs alone";
  if (form == Form::digraph6 && (kind != Kind::directed || input == InputSort::symmetric))
    return "directed graphs alone";
  if (among(form, {Form::graph6, Form::sparse6, Form::metis}) && kind == Kind::directed &&
      input != InputSort::symmetric)
    return "undirected graphs alone";
  if (form == Form::sparse_view && kind != Kind::bipartite) return "matrices alone";
  if (among(form, {Form::dimacs, Form::graphml, Form::dot, Form::gml, Form::gexf, Form::pajek, Form::json}) &&
      kind == Kind::bipartite)
    return "it has no two sides";
  if ((is_matrix(form) || is_view(form)) && input == InputSort::symmetric)
    return "it has both arcs of an edge already";
  if (among(form, {Form::csv, Form::columns, Form::separated}) &&
      among(input, {InputSort::isolated, InputSort::empty}))
    return "it names no single vertices";
  if (input == InputSort::empty && !among(form, {Form::edge_list, Form::matrix_market, Form::edge_view,
                                                 Form::hyper, Form::metis, Form::npy, Form::npz}))
    return "it has no way to say so";
  if (form == Form::hyper && kind == Kind::directed) return "sets have no direction";
  if (input == InputSort::strip && is_matrix(form) && form != Form::npz) return "too many zeros to write";
  return {};
}

std::string_view impossible_in_order(Dimension a, std::uint8_t value, Dimension b, std::uint8_t other) {
  if (a == Dimension::question) {
    const auto question = static_cast<Question>(value);
    if (b == Dimension::format) {
      const auto form = static_cast<Form>(other);
      if ((form == Form::hyper) != (question == Question::sets)) return "sets are in files of sets";
      if (has_own_loops(question) &&
          (is_string_of_bits(form) || among(form, {Form::lattice, Form::edge_view, Form::metis})))
        return "it has no loops";
      if (question == Question::pfaffian && is_bare(form)) return "its entries are all 1";
      if (question == Question::named_degrees && form != Form::edge_list) return "edge lists alone have them";
      if (question == Question::sets && form != Form::hyper) return "sets are in files of sets";
    }
    if (b == Dimension::input) {
      const auto input = static_cast<InputSort>(other);
      if (question == Question::sets && (kind_of(input) == Kind::directed || input == InputSort::lattice))
        return "sets have no direction";
      if (among(question, {Question::orbits, Question::orbit_list}) && input == InputSort::strip)
        return "too many for the oracle to list";
      if (question == Question::pfaffian && input == InputSort::strip) return "too large for the oracle";
    }
    if (b == Dimension::edit) {
      const auto edit = static_cast<Edit>(other);
      if (has_own_loops(question) && edit == Edit::loops_dropped) return "they count";
    }
    if (b == Dimension::check && static_cast<Check>(other) == Check::verify && !is_count(question))
      return "counts alone are verified";
  }
  if (a == Dimension::weights) {
    const auto weights = static_cast<Weights>(value);
    if (b == Dimension::residues && other > 0 && is_unweighted(weights))
      return "small graphs have small counts";
    if (b == Dimension::format) {
      const auto form = static_cast<Form>(other);
      if (is_bare(form) && weights != Weights::none) return "it has no weights";
      if ((is_view(form) || form == Form::lattice) && weights == Weights::unused)
        return "weights there count";
      if (is_view(form) && has_at(weights)) return "letters have values where a file is read";
      if (among(form, {Form::matrix_market, Form::array}) &&
          (has_at(weights) ||
           among(weights, {Weights::letter, Weights::inverse_letter, Weights::two_letters})))
        return "Matrix Market has no letters";
      if ((is_numpy(form) || form == Form::tgf) &&
          (has_at(weights) ||
           among(weights, {Weights::letter, Weights::inverse_letter, Weights::two_letters})))
        return "its weights are numbers";
      if (is_numpy(form) &&
          among(weights, {Weights::fraction, Weights::negative_fraction, Weights::complex_fraction}))
        return "NumPy has no fractions";
      if (form == Form::array && weights == Weights::none) return "an array has values";
      if (among(form, {Form::matrix_market, Form::array}) &&
          among(weights, {Weights::fraction, Weights::negative_fraction, Weights::complex_fraction}))
        return "Matrix Market has no fractions";
    }
  }
  if (a == Dimension::format && b == Dimension::edit) {
    const auto form = static_cast<Form>(value);
    const auto edit = static_cast<Edit>(other);
    if (edit == Edit::removed && is_view(form)) return "vertices are removed where a file is read";
    const bool again = among(edit, {Edit::listed_again, Edit::both_ways});
    if ((again || among(edit, {Edit::loops_dropped, Edit::parallel_summed})) &&
        !among(form, {Form::edge_list, Form::csv, Form::dimacs, Form::graphml, Form::dot, Form::gml,
                      Form::gexf, Form::pajek, Form::json, Form::hyper, Form::adjacency_list, Form::tgf,
                      Form::npy, Form::npz, Form::columns, Form::separated}))
      return "it has none";
    if (again && among(form, {Form::graphml, Form::dot, Form::npy, Form::hyper})) return "it has none";
    if (edit == Edit::both_ways && form == Form::npz) return "a matrix has both entries already";
    if (edit == Edit::parallel_summed && among(form, {Form::graphml, Form::dot, Form::npy}))
      return "it has none";
    if (edit == Edit::loops_dropped && form == Form::hyper) return "it has none";
  }
  if (a == Dimension::input && b == Dimension::format)
    return impossible_form(static_cast<Form>(other), static_cast<InputSort>(value));
  if (a == Dimension::input && b == Dimension::edit) {
    const auto input = static_cast<InputSort>(value);
    const auto edit = static_cast<Edit>(other);
    if (edit == Edit::loops_dropped && kind_of(input) != Kind::undirected)
      return "loops there are no others' loops";
    if (edit == Edit::both_ways && kind_of(input) != Kind::undirected) return "its edges have one direction";
    if (input == InputSort::empty && edit != Edit::none) return "there is nothing to edit";
    if (input == InputSort::lattice &&
        among(edit, {Edit::loops_dropped, Edit::parallel_summed, Edit::listed_again, Edit::both_ways}))
      return "it has none";
  }
  return {};
}

}  // namespace

Kind kind_of(InputSort input) {
  switch (input) {
    case InputSort::sparse_bipartite:
    case InputSort::dense_bipartite:
    case InputSort::twins:
    case InputSort::rectangle:
    case InputSort::no_matching:
      return Kind::bipartite;
    case InputSort::sparse_directed:
    case InputSort::dense_directed:
    case InputSort::symmetric:
      return Kind::directed;
    default:
      return Kind::undirected;
  }
}

const std::vector<std::string>& values(Dimension dimension) {
  static const std::array<std::vector<std::string>, dimensions> all = all_values();
  return all[static_cast<std::size_t>(dimension)];
}

std::string_view name_of(Dimension dimension) {
  return dimension_names[static_cast<std::size_t>(dimension)];
}

std::string to_text(const Product& product) {
  std::string text;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto dimension = static_cast<Dimension>(d);
    text += std::string(name_of(dimension)) + "=" + product.text(dimension) + ",";
  }
  return text + "seed=" + std::to_string(product.seed);
}

Product product_of(const std::string& text) {
  Product product;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (name == "seed") {
      product.seed = std::stoull(value);
      continue;
    }
    const auto dimension = std::find(dimension_names.begin(), dimension_names.end(), name);
    if (dimension == dimension_names.end()) throw std::invalid_argument("no dimension '" + name + "'");
    const auto d = static_cast<std::size_t>(dimension - dimension_names.begin());
    const std::vector<std::string>& names = values(static_cast<Dimension>(d));
    const auto place = std::find(names.begin(), names.end(), value);
    if (place == names.end()) throw std::invalid_argument("no " + name + " '" + value + "'");
    product.value[d] = static_cast<std::uint8_t>(place - names.begin());
  }
  return product;
}

std::string_view impossible(Dimension a, std::uint8_t value, Dimension b, std::uint8_t other) {
  const std::string_view why = impossible_in_order(a, value, b, other);
  return why.empty() ? impossible_in_order(b, other, a, value) : why;
}

bool is_possible(const Product& product) {
  for (std::size_t a = 0; a < dimensions; ++a)
    for (std::size_t b = a + 1; b < dimensions; ++b)
      if (!impossible(static_cast<Dimension>(a), product.value[a], static_cast<Dimension>(b),
                      product.value[b])
               .empty())
        return false;
  return true;
}

}  // namespace countpm::products
