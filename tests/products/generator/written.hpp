#pragma once
// An instance as the library gets it: bytes of a file and how to read them, or arrays; and as a command line,
// so that a difference can be repeated by hand.
#include <string>

#include "graph/read.hpp"
#include "src/library/input.hpp"
#include "tests/products/generator/instance.hpp"

namespace countpm::products {

/// The bytes of a file of the product's format; of a lattice its spec. other: of ratio, the second input.
std::string bytes_of(const Instance& instance, const Product& product, bool other = false);
/// A file in memory, or a lattice. Not of views.
Source source_of(const Instance& instance, const Product& product, bool other = false);
ReadOptions reading_of(const Instance& instance, const Product& product);
/// Of Form::columns: how its table looks, and the options that say so.
struct TableColumns {
  char delimiter = ',';
  bool header = false;
  bool weight_first = false;  // weight, from, note, to; else note, from, to, weight
  std::string ends, weight;
};
TableColumns table_columns(const Instance& instance, const Product& product);
/// Any of them, as the product's question wants to have it read.
Input input_of(const Instance& instance, const Product& product, bool other = false);
/// The letter kept for monomers or rings, or the weight.
std::string command_line(const Instance& instance, const Product& product);

}  // namespace countpm::products
