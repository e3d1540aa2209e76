#include "tests/products/generator/shapes.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

namespace countpm::products {
namespace {

class Drawing {
 public:
  Drawing(Shape& shape, Random& random) : shape_(shape), random_(random) {}

  void line(int from, int to, int alike = -1) {
    const auto ends = shape_.kind == Kind::undirected ? std::pair(std::min(from, to), std::max(from, to))
                                                      : std::pair(from, to);
    if (drawn_.insert(ends).second) shape_.lines.push_back({from, to, alike});
  }

  void tree(int pairs) {
    shape_.left = 2 * pairs;
    for (int k = 0; k < pairs; ++k) {
      line(2 * k, 2 * k + 1);
      if (k > 0) line(2 * k + random_.between(0, 1), random_.between(0, 2 * k - 1));
    }
  }

  void board(int rows, int columns, bool diagonals) {
    shape_.left = rows * columns;
    for (int c = 0; c < columns; ++c) {
      for (int r = 0; r < rows; ++r) {
        const int v = c * rows + r;
        if (r + 1 < rows) line(v, v + 1);
        if (c + 1 < columns) line(v, v + rows);
        if (diagonals && r + 1 < rows && c + 1 < columns) line(v, v + rows + 1);
      }
    }
  }

  void hexagons(int number) {
    const int row = 2 * number + 1;
    shape_.left = 2 * row;
    for (int k = 0; k < row; ++k) {
      if (k + 1 < row) {
        line(2 * k, 2 * k + 2);
        line(2 * k + 1, 2 * k + 3);
      }
      if (k % 2 == 0) line(2 * k, 2 * k + 1);
    }
  }

  void bipartite(int left, int right, double density, bool matched) {
    shape_.left = left;
    shape_.right = right;
    for (int i = 0; i < left; ++i)
      for (int j = 0; j < right; ++j)
        if ((matched && i == j) || random_.likely(density)) line(i, j);
  }

  void twins(int size) {
    shape_.left = shape_.right = size;
    const int patterns = random_.between(1, 3);
    const int distinct = random_.between(2, size);  // columns; the others are copies
    std::vector<std::vector<bool>> drawn(static_cast<std::size_t>(patterns));
    for (auto& pattern : drawn)
      for (int j = 0; j < distinct; ++j) pattern.push_back(random_.likely(0.8));
    for (int i = 0; i < size; ++i) {
      const int pattern = random_.between(0, patterns - 1);
      for (int j = 0; j < size; ++j) {
        const int column = j % distinct;
        if (drawn[static_cast<std::size_t>(pattern)][static_cast<std::size_t>(column)])
          line(i, j, pattern * distinct + column);
      }
    }
  }

  void general(int vertices, double density, int first = 0, bool matched = true) {
    shape_.left = std::max(shape_.left, first + vertices);
    for (int u = 0; u < vertices; ++u)
      for (int v = u + 1; v < vertices; ++v)
        if ((matched && u % 2 == 0 && v == u + 1) || random_.likely(density)) line(first + u, first + v);
  }

  void directed(int vertices, double density, double loops) {
    shape_.left = vertices;
    for (int u = 0; u < vertices; ++u)
      for (int v = 0; v < vertices; ++v)
        if (v == (u + 1) % vertices || random_.likely(u == v ? loops : density)) line(u, v);
  }

 private:
  Shape& shape_;
  Random& random_;
  std::set<std::pair<int, int>> drawn_;
};

std::string cell(int r, int c) {
  return "r" + std::to_string(r) + "c" + std::to_string(c);
}

/// square, cylinder, torus, moebius, klein, triangular: docs/lattices.md.
void draw_board(Shape& shape, Drawing& drawing, const std::string& name, int rows, int columns) {
  const bool around = name == "cylinder" || name == "torus";
  const bool twisted = name == "moebius" || name == "klein";
  const bool down = name == "torus" || name == "klein";
  shape.left = rows * columns;
  shape.directions = name == "triangular" ? 3 : 2;
  const auto at = [&](int r, int c) { return r * columns + c; };
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      shape.labels.push_back(cell(r, c));
      if (c + 1 < columns) drawing.line(at(r, c), at(r, c + 1), 0);
      if (r + 1 < rows) drawing.line(at(r, c), at(r + 1, c), 1);
      if (c + 1 == columns && around) drawing.line(at(r, c), at(r, 0), 0);
      if (c + 1 == columns && twisted) drawing.line(at(r, c), at(rows - 1 - r, 0), 0);
      if (r + 1 == rows && down) drawing.line(at(r, c), at(0, c), 1);
      if (name == "triangular" && r + 1 < rows && c + 1 < columns)
        drawing.line(at(r, c), at(r + 1, c + 1), 2);
    }
  }
  shape.spec = name + ":" + std::to_string(rows) + "x" + std::to_string(columns);
}

void draw_honeycomb(Shape& shape, Drawing& drawing, int rows, int columns) {
  std::vector<std::vector<std::pair<int, int>>> places;  // of a and b in every cell; -1: it is not there
  for (int r = 0; r <= rows; ++r) {
    places.emplace_back();
    for (int c = 0; c <= columns; ++c) {
      std::pair<int, int> place{-1, -1};
      if (r > 0 || c > 0) {
        place.first = shape.left++;
        shape.labels.push_back(cell(r, c) + "a");
      }
      if (r < rows || c < columns) {
        place.second = shape.left++;
        shape.labels.push_back(cell(r, c) + "b");
      }
      places.back().push_back(place);
    }
  }
  const auto join = [&](int a, int b, int direction) {
    if (a >= 0 && b >= 0) drawing.line(a, b, direction);
  };
  for (std::size_t r = 0; r < places.size(); ++r) {
    for (std::size_t c = 0; c < places[r].size(); ++c) {
      join(places[r][c].first, places[r][c].second, 0);
      if (c > 0) join(places[r][c].first, places[r][c - 1].second, 1);
      if (r > 0) join(places[r][c].first, places[r - 1][c].second, 2);
    }
  }
  shape.directions = 3;
  shape.spec = "honeycomb:" + std::to_string(rows) + "x" + std::to_string(columns);
}

void draw_lattice(Shape& shape, Drawing& drawing, Random& random, bool small) {
  switch (random.between(0, 10)) {
    case 0:
      return draw_board(shape, drawing, "square", random.between(2, small ? 2 : 4), random.between(2, 4));
    case 1:
      return draw_board(shape, drawing, "cylinder", random.between(1, 3), random.between(3, small ? 3 : 5));
    case 2:
      return draw_board(shape, drawing, "torus", small ? 3 : random.between(3, 4), small ? 3 : 4);
    case 3:
      return draw_board(shape, drawing, "moebius", random.between(2, 3), small ? 3 : 4);
    case 4:
      return draw_board(shape, drawing, "klein", small ? 3 : random.between(3, 4), small ? 3 : 4);
    case 5:
      return draw_board(shape, drawing, "triangular", 2, random.between(2, 4));
    case 6:
      return draw_honeycomb(shape, drawing, 1, random.between(1, small ? 1 : 3));
    case 7: {
      const int length = random.between(1, small ? 2 : 3);
      shape.left = 4 * length;
      shape.directions = 3;
      for (int v = 0; v < shape.left; ++v) {
        const int x = v / 4;
        shape.labels.push_back("x" + std::to_string(x) + "y" + std::to_string(v / 2 % 2) + "z" +
                               std::to_string(v % 2));
        if (x + 1 < length) drawing.line(v, v + 4, 0);
        if (v / 2 % 2 == 0) drawing.line(v, v + 2, 1);
        if (v % 2 == 0) drawing.line(v, v + 1, 2);
      }
      shape.spec = "cubic:" + std::to_string(length) + "x2x2";
      return;
    }
    case 8: {
      const int size = random.between(2, small ? 6 : 8);
      shape.left = size;
      shape.directions = 1;
      for (int u = 0; u < size; ++u) {
        shape.labels.push_back(std::to_string(u));
        for (int v = u + 1; v < size; ++v) drawing.line(u, v, 0);
      }
      shape.spec = "complete:" + std::to_string(size);
      return;
    }
    case 9: {
      const int a = random.between(2, small ? 3 : 5);
      const int b = random.once_in(3) ? random.between(2, small ? 3 : 5) : a;
      shape.left = a + b;
      shape.directions = 1;
      for (int u = 0; u < a; ++u) shape.labels.push_back("a" + std::to_string(u));
      for (int v = 0; v < b; ++v) {
        shape.labels.push_back("b" + std::to_string(v));
        for (int u = 0; u < a; ++u) drawing.line(u, a + v, 0);
      }
      shape.spec = "complete-bipartite:" + std::to_string(a) + "x" + std::to_string(b);
      return;
    }
    default: {
      const int size = random.between(5, small ? 8 : 12);
      shape.left = size;
      shape.directions = 2;
      for (int v = 0; v < size; ++v) shape.labels.push_back(std::to_string(v));
      for (const int step : {1, 2})
        for (int v = 0; v < size; ++v) drawing.line(v, (v + step) % size, step - 1);
      shape.spec = "circulant:" + std::to_string(size) + ":1,2";
      return;
    }
  }
}

}  // namespace

Shape draw_shape(InputSort input, Random& random, bool small, bool adjacent_sides, int columns) {
  Shape shape;
  Drawing drawing(shape, random);
  const auto is = [&](Kind kind) { shape.kind = kind; };
  switch (input) {
    case InputSort::path:
      shape.left = 2 * random.between(1, small ? 4 : 7);
      for (int v = 0; v + 1 < shape.left; ++v) drawing.line(v, v + 1);
      break;
    case InputSort::tree:
      drawing.tree(random.between(2, small ? 4 : 6));
      break;
    case InputSort::grid:
      drawing.board(random.between(2, small ? 2 : 4), random.between(2, 4), false);
      break;
    case InputSort::hexagons:
      drawing.hexagons(random.between(1, small ? 2 : 3));
      break;
    case InputSort::sparse_bipartite: {
      is(Kind::bipartite);
      const int size = random.between(3, small ? 4 : 7);
      drawing.bipartite(size, size, 0.3, true);
      break;
    }
    case InputSort::dense_bipartite: {
      is(Kind::bipartite);
      const int size = random.between(2, small ? 3 : 6);
      drawing.bipartite(size, size, 0.9, true);
      break;
    }
    case InputSort::twins:
      is(Kind::bipartite), drawing.twins(random.between(3, small ? 3 : 6));
      break;
    case InputSort::rectangle: {
      is(Kind::bipartite);
      const int less = random.between(2, small ? 3 : 5);
      const int more = less + (adjacent_sides ? 1 : random.between(1, 2));
      const bool wide = random.once_in(2);
      drawing.bipartite(wide ? less : more, wide ? more : less, 0.7, true);
      break;
    }
    case InputSort::no_matching: {
      is(Kind::bipartite);
      const int size = random.between(3, small ? 4 : 6);
      drawing.bipartite(size, size, 0.5, false);
      std::erase_if(shape.lines, [](const Shape::Line& line) { return line.from < 2 && line.to > 0; });
      break;
    }
    case InputSort::triangles:
      drawing.board(random.between(2, 3), random.between(2, small ? 2 : 4), true);
      break;
    case InputSort::sparse_general:
      drawing.general(2 * random.between(2, small ? 4 : 5), 0.25);
      break;
    case InputSort::dense_general:
      drawing.general(2 * random.between(2, small ? 3 : 4), 0.9);
      break;
    case InputSort::odd:
      drawing.general(2 * random.between(1, small ? 3 : 4) + 1, 0.5);
      break;
    case InputSort::components: {
      drawing.general(2 * random.between(1, 2), 0.6);
      const int first = shape.left;
      drawing.general(2 * random.between(1, small ? 2 : 3), 0.6, first);
      break;
    }
    case InputSort::isolated:
      drawing.general(2 * random.between(1, 3), 0.6);
      ++shape.left;
      break;
    case InputSort::strip:
      drawing.board(random.between(2, 3), std::max(columns, 33), random.once_in(4));
      break;
    case InputSort::lattice:
      draw_lattice(shape, drawing, random, small);
      break;
    case InputSort::empty:
      break;
    case InputSort::sparse_directed:
      is(Kind::directed), drawing.directed(random.between(2, small ? 4 : 6), 0.25, 0.3);
      break;
    case InputSort::dense_directed:
      is(Kind::directed), drawing.directed(random.between(2, small ? 3 : 5), 0.85, 0.8);
      break;
    case InputSort::symmetric: {
      const int vertices = random.between(2, small ? 4 : 6);
      drawing.general(vertices, 0.5);
      for (int v = 0; v < vertices; ++v)
        if (random.once_in(3)) drawing.line(v, v);
      is(Kind::directed);
      break;
    }
    case InputSort::ended:
      break;
  }
  return shape;
}

}  // namespace countpm::products
