#pragma once
// What is multiplied: a product is one value of each dimension, and a seed for what is left to chance. A new
// kind of count, weight, format or option gets its value here, in the enumeration and in the table of
// dimensions.cpp; methods, orders and rules come in by themselves, from the library's tables.
#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace countpm::products {

enum class Dimension {
  question,
  weights,
  method,
  arithmetic,
  residues,
  reductions,
  input,
  format,
  edit,
  check,
  device,
  threads,
  order
};
inline constexpr std::size_t dimensions = 13;

/// What is asked.
enum class Question {
  count,      // perfect matchings, cycle covers
  maximum,    // --maximum
  permanent,  // of a matrix of any shape
  hafnian,
  loop_hafnian,
  monomers,             // --monomers
  weighed_monomers,     // --monomers WEIGHT
  loops,                // --loops monomer
  loops_and_monomers,   // --loops monomer --monomers WEIGHT
  matching_polynomial,  // --monomers t
  ring_polynomial,      // --rings
  weighed_rings,        // --rings --ring-weight WEIGHT
  rings_and_monomers,   // --rings --ring-weight WEIGHT --monomers WEIGHT
  sets,                 // --kind hyper
  degree,               // --degree F
  named_degrees,        // --degree F, and vertices with one of their own
  ground_min,           // --ground-state min
  ground_max,
  orbits,               // --up-to-symmetry
  repeated_lines,       // --rows --cols
  minors,               // minors --column
  minors_of_rectangle,  // minors
  probability,          // probability --in --out
  determinant,
  pfaffian,
  marginals,          // in doubles
  exact_marginals,    // marginals --exact
  monomer_marginals,  // marginals --exact --monomers WEIGHT
  maximum_marginals,  // marginals --exact --maximum
  pairs,              // marginals --pairs
  ratio,              // estimate --ratio-to
  integral,           // estimate --integrate
  signed_sum,         // estimate --signed
  estimate,           // of what is easy to count
  ln_z,               // --ln-z
  bounds,             // explain
  count_or_bounds,    // --on-limit bounds
  list,
  orbit_list,  // list --up-to-symmetry
  kekule,      // chem
  series,
  ended  // how many there are
};

enum class Weights {
  none,    // the input has none
  unused,  // it has, and they are not asked for
  integer,
  negative,  // integers of both signs
  zero,      // some are 0
  fraction,
  negative_fraction,
  decimal,
  negative_decimal,
  exact_decimal,  // --exact
  complex_integer,
  complex_fraction,
  complex_decimal,
  exact_complex,   // --exact
  letter,          // x, x^2, 3*x
  inverse_letter,  // -2/3*x^-1
  two_letters,
  at_integer,  // --at x=
  at_fraction,
  at_decimal,
  at_complex,
  at_one_of_two,  // one letter stays
  ended
};

enum class Arithmetic { plain, kahan, double_double, mpfr_64, mpfr_300, ended };

enum class InputSort {
  path,  // a tree without choices, mostly
  tree,
  grid,  // a strip of squares, two to four across
  hexagons,
  sparse_bipartite,
  dense_bipartite,
  twins,        // lines that are equal
  rectangle,    // sides of different size
  no_matching,  // a bipartite graph without a perfect matching
  triangles,    // planar, with odd cycles
  sparse_general,
  dense_general,
  odd,  // an odd number of vertices
  components,
  isolated,  // a vertex without an edge
  strip,     // long, with more than 64 vertices
  lattice,   // a spec
  empty,
  sparse_directed,
  dense_directed,  // with loops
  symmetric,       // an undirected graph read as a directed one
  ended
};

enum class Kind { undirected, bipartite, directed };
Kind kind_of(InputSort input);

/// How the input comes: a file's format, a spec, or arrays in memory.
enum class Form {
  edge_list,
  separated,  // a -- b, a -> b
  csv,
  columns,  // a table with other columns, and options that say which
  matrix_market,
  array,  // Matrix Market's other form
  dense,
  dimacs,
  graph6,
  digraph6,
  sparse6,
  graphml,
  dot,
  gml,
  gexf,
  pajek,
  json,
  hyper,
  metis,
  adjacency_list,
  tgf,
  npy,
  npz,
  lattice,
  edge_view,
  sparse_view,
  ended
};

enum class Edit {
  none,
  removed,
  loops_dropped,
  parallel_summed,
  listed_again,  // some edges, with --multi first
  both_ways,     // each edge from either end
  ended
};
enum class Check { none, double_check, audit, verify, ended };
enum class Device { cpu, gpu, gpus_and_cpu, ended };

template <class Value>
bool among(Value value, std::initializer_list<Value> list) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// The names of a dimension's values, in order; those of methods, rules and orders are the library's.
const std::vector<std::string>& values(Dimension dimension);
std::string_view name_of(Dimension dimension);

/// One value of every dimension.
struct Product {
  std::array<std::uint8_t, dimensions> value{};
  std::uint64_t seed = 0;

  std::uint8_t operator[](Dimension dimension) const { return value[static_cast<std::size_t>(dimension)]; }
  std::uint8_t& operator[](Dimension dimension) { return value[static_cast<std::size_t>(dimension)]; }
  const std::string& text(Dimension dimension) const { return values(dimension)[(*this)[dimension]]; }
  Question question() const { return static_cast<Question>((*this)[Dimension::question]); }
  Weights weights() const { return static_cast<Weights>((*this)[Dimension::weights]); }
  Arithmetic arithmetic() const { return static_cast<Arithmetic>((*this)[Dimension::arithmetic]); }
  int residues() const { return (*this)[Dimension::residues] + 1; }
  InputSort input() const { return static_cast<InputSort>((*this)[Dimension::input]); }
  Form form() const { return static_cast<Form>((*this)[Dimension::format]); }
  Edit edit() const { return static_cast<Edit>((*this)[Dimension::edit]); }
  Check check() const { return static_cast<Check>((*this)[Dimension::check]); }
  Device device() const { return static_cast<Device>((*this)[Dimension::device]); }
};

/// "question=count,weights=fraction,...,seed=17"; what is left out has its first value.
std::string to_text(const Product& product);
/// Throws std::invalid_argument where the text is none.
Product product_of(const std::string& text);

/// Why two values of different dimensions have no product: there is no way to write it down. Empty: they
/// have. What the library refuses is none of these (refusals.hpp).
std::string_view impossible(Dimension a, std::uint8_t value, Dimension b, std::uint8_t other);
/// Whether no two of its values are impossible together.
bool is_possible(const Product& product);

}  // namespace countpm::products
