#pragma once
// The graphs that weights are put on.
#include <string>
#include <utility>
#include <vector>

#include "tests/products/generator/instance.hpp"

namespace countpm::products {

struct Shape {
  Kind kind = Kind::undirected;
  int left = 0, right = 0;
  struct Line {
    int from, to;
    int alike;  // those of one number have one weight; -1: a weight of its own
  };
  std::vector<Line> lines;
  std::string spec;                 // of a lattice
  int directions = 0;               // of a lattice: what `alike` is below
  std::vector<std::string> labels;  // of a lattice
};

/// small: for questions whose oracle lists what there is. bits: of the count, that a long strip is to have.
Shape draw_shape(InputSort input, Random& random, bool small, bool adjacent_sides, int columns);

}  // namespace countpm::products
