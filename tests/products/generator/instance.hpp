#pragma once
// An input as an abstract list, drawn from a product's values and its seed: what is written down for the
// library, and what the oracle adds up.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tests/products/generator/dimensions.hpp"
#include "tests/products/generator/oracle.hpp"

namespace countpm::products {

/// splitmix64 (G. Steele, D. Lea, C. Flood, 2014): the same draws everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  /// least .. most, both included.
  int between(int least, int most);
  bool once_in(int times) { return between(1, times) == 1; }
  bool likely(double share) { return static_cast<double>(next() >> 11) * 0x1p-53 < share; }

 private:
  std::uint64_t state_;
};

/// A weight as it is written, and what it counts: with the values of letters that have one put in.
struct Literal {
  std::string text;
  Sum value = 1;
  std::string re, im;     // texts of the parts, of a number; im is empty of a real one
  bool floating = false;  // a decimal or a complex number
};

/// An edge or arc as it is written: loops, parallel ones and zeros among them.
struct Tie {
  int from, to;  // of a bipartite graph on the left, on the right
  Literal weight;
};

struct MarkedSet {
  std::vector<int> members;
  Literal weight;
};

struct Instance {
  Kind kind = Kind::undirected;
  int left = 0, right = 0;  // vertices
  std::vector<std::string> left_label, right_label;
  std::vector<Tie> ties;
  std::vector<MarkedSet> sets;  // of a list of sets, in place of ties
  std::string spec;             // of a lattice: "square:2x3"
  std::vector<std::string> direction_texts;
  bool symmetric = false;  // ties are those of an undirected graph; arcs each way count
  bool weighted = false;   // values count
  bool written = false;    // values are written
  bool exact = false;      // --exact
  bool floating = false;   // the answer may be a decimal with an error
  std::string letters;     // that stay: "", "x", "xy"
  std::vector<std::string> at;

  std::vector<std::uint32_t> ring_lengths;
  Literal ring_weight, monomer_weight;
  int degree = 1;
  std::vector<std::pair<int, int>>
      named_degrees;                         // vertex of the left or, of a bipartite graph, left + right
  std::vector<std::uint32_t> rows, columns;  // how often lines stand in the matrix
  int column = -1;                           // of minors; -1: there is none
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  int removed_left = -1, removed_right = -1;
  std::vector<Literal> other;  // ratio: weights of the second input, beside ties
  bool other_lacks_last = false;
  std::pair<mpq_class, mpq_class> range;  // integral
};

Instance draw(const Product& product);

/// An input without what does not count: zeros, dropped loops, removed vertices; parallel edges added up.
struct Clean {
  Kind kind = Kind::undirected;
  int left = 0, right = 0;
  std::vector<std::string> left_label, right_label;
  std::vector<Joined> edges;  // no loops, of directed graphs with those
  std::vector<Joined> loops;  // of an undirected graph, where they count
  std::vector<MarkedSet> sets;
};
/// zeros: an explicit 0 is an edge like others.
Clean cleaned(const Instance& instance, const Product& product, bool zeros);

}  // namespace countpm::products
