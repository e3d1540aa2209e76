#include "src/matchings/height_function.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

using Step = std::array<std::int64_t, 2>;  // rows, columns

constexpr std::int64_t unknown = std::numeric_limits<std::int64_t>::min();

/// What every site (cell or triangle) of the box is matched to; none where there is no site. The box has a
/// margin of one cell.
class Partners {
 public:
  explicit Partners(const LatticeMatching& matching) {
    StopPoll poll;
    for (const auto& [one, other] : matching.pairs) {
      poll.step();
      rows_ = std::max({rows_, one[0] + 1, other[0] + 1});
      columns_ = std::max({columns_, one[1] + 1, other[1] + 1});
    }
    partner_.assign(static_cast<std::size_t>((rows_ + 2) * (columns_ + 2) * 2), 0);
    for (const auto& [one, other] : matching.pairs) {
      poll.step();
      slot(one) = code(one, other);
      slot(other) = code(other, one);
    }
  }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  bool there(const LatticeSite& site) const { return partner_[place(site)] != 0; }
  bool paired(const LatticeSite& one, const LatticeSite& other) const {
    return partner_[place(one)] == code(one, other);
  }

 private:
  // Partners differ by at most 1 in every coordinate.
  static std::uint8_t code(const LatticeSite& from, const LatticeSite& to) {
    return static_cast<std::uint8_t>(1 + (to[0] - from[0] + 1) * 9 + (to[1] - from[1] + 1) * 3 +
                                     (to[2] - from[2] + 1));
  }
  std::size_t place(const LatticeSite& site) const {
    return static_cast<std::size_t>(((site[0] + 1) * (columns_ + 2) + site[1] + 1) * 2 + site[2]);
  }
  std::uint8_t& slot(const LatticeSite& site) { return partner_[place(site)]; }

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<std::uint8_t> partner_;
};

/// A side between two sites: `uncrossed` is how the height changes along the step where no tile lies across.
struct Side {
  LatticeSite one;
  LatticeSite other;
  std::int64_t uncrossed;
  std::int64_t crossed;
};

/// Sides of square cells. On the left of a way to the right is the cell above, of one downwards the cell to
/// the right.
class DominoSides {
 public:
  explicit DominoSides(std::int64_t first_colour) : first_(first_colour) {}
  static constexpr std::array<Step, 2> steps{{{0, 1}, {1, 0}}};
  Side side(std::int64_t row, std::int64_t column, std::size_t step) const {
    const LatticeSite before = step == 0 ? LatticeSite{row - 1, column, 0} : LatticeSite{row, column - 1, 0};
    const LatticeSite after{row, column, 0};
    const LatticeSite& left = step == 0 ? before : after;
    const std::int64_t up = (left[0] + left[1] - first_) % 2 == 0 ? 1 : -1;
    return {before, after, up, -3 * up};
  }

 private:
  std::int64_t first_;
};

/// Sides of triangles; the triangle a that has the side, then the b.
class LozengeSides {
 public:
  static constexpr std::array<Step, 3> steps{{{0, 1}, {1, 0}, {1, -1}}};
  static Side side(std::int64_t row, std::int64_t column, std::size_t step) {
    if (step == 0) return {{row, column, 0}, {row - 1, column, 1}, -1, 2};
    if (step == 1) return {{row, column, 0}, {row, column - 1, 1}, 1, -2};
    return {{row, column - 1, 0}, {row, column - 1, 1}, -1, 2};
  }
};

[[noreturn]] void throw_many_valued(std::int64_t difference) {
  throw UnableError(
      fmt::format("the height function has no single value: around a hole it changes by {}", difference),
      "holes with as many vertices of one colour as of the other keep it");
}

template <class Sides>
class Integration {
 public:
  Integration(const Partners& partners, const Sides& sides)
      : partners_(partners),
        sides_(sides),
        width_(partners.columns() + 1),
        height_(static_cast<std::size_t>((partners.rows() + 1) * width_), unknown) {}

  HeightFunction run() {
    for (std::int64_t row = 0; row <= partners_.rows(); ++row) {
      for (std::int64_t column = 0; column < width_; ++column) {
        poll_.step();
        if (at(row, column) == unknown && touches_a_site(row, column)) spread_from(row, column);
      }
    }
    return collect();
  }

 private:
  std::int64_t& at(std::int64_t row, std::int64_t column) {
    return height_[static_cast<std::size_t>(row * width_ + column)];
  }

  // How the height changes along a side; nullopt where that borders on no site.
  std::optional<std::int64_t> change(std::int64_t row, std::int64_t column, std::size_t step) const {
    const Side side = sides_.side(row, column, step);
    const bool one = partners_.there(side.one);
    if (!one && !partners_.there(side.other)) return std::nullopt;
    return one && partners_.paired(side.one, side.other) ? side.crossed : side.uncrossed;
  }

  // Whether the corner (row, column) is one of the grid's, so that change() may look at its sides.
  bool inside(std::int64_t row, std::int64_t column) const {
    return row >= 0 && column >= 0 && row <= partners_.rows() && column < width_;
  }

  template <class Visit>
  void for_neighbours(std::int64_t row, std::int64_t column, const Visit& visit) const {
    for (std::size_t k = 0; k < Sides::steps.size(); ++k) {
      const auto [down, right] = Sides::steps[k];
      if (inside(row + down, column + right)) {
        if (const auto up = change(row, column, k)) visit(row + down, column + right, *up);
      }
      if (inside(row - down, column - right)) {
        if (const auto up = change(row - down, column - right, k)) visit(row - down, column - right, -*up);
      }
    }
  }

  bool touches_a_site(std::int64_t row, std::int64_t column) const {
    bool any = false;
    for_neighbours(row, column, [&](std::int64_t, std::int64_t, std::int64_t) { any = true; });
    return any;
  }

  void spread_from(std::int64_t first_row, std::int64_t first_column) {
    at(first_row, first_column) = 0;
    std::vector<Step> waiting{{first_row, first_column}};
    while (!waiting.empty()) {
      poll_.step();
      const auto [row, column] = waiting.back();
      waiting.pop_back();
      const std::int64_t here = at(row, column);
      for_neighbours(row, column, [&](std::int64_t next_row, std::int64_t next_column, std::int64_t up) {
        std::int64_t& there = at(next_row, next_column);
        if (there == unknown) {
          there = here + up;
          waiting.push_back({next_row, next_column});
        } else if (there != here + up) {
          throw_many_valued(std::abs(there - here - up));
        }
      });
    }
  }

  HeightFunction collect() {
    HeightFunction function;
    for (std::int64_t row = 0; row <= partners_.rows(); ++row) {
      for (std::int64_t column = 0; column < width_; ++column) {
        poll_.step();
        const std::int64_t height = at(row, column);
        if (height == unknown) continue;
        if (function.points.empty()) function.lowest = function.highest = height;
        function.lowest = std::min(function.lowest, height);
        function.highest = std::max(function.highest, height);
        function.points.push_back({row, column, height});
      }
    }
    return function;
  }

  const Partners& partners_;
  const Sides& sides_;
  std::int64_t width_;  // corners in a row
  std::vector<std::int64_t> height_;
  StopPoll poll_;
};

}  // namespace

bool has_heights(const LatticeInfo& lattice) {
  return has_lozenges(lattice) || lattice.shape == "square" || lattice.shape == "aztec";
}

void require_heights(const LatticeInfo& lattice) {
  if (has_heights(lattice)) return;
  throw UnableError(fmt::format("matchings of {} have no height function here", lattice.shape),
                    "the lattices square, aztec, honeycomb and hexagon have one");
}

HeightFunction height_function(const LatticeMatching& matching) {
  require_heights(matching.lattice);
  const Partners partners(matching);
  if (has_lozenges(matching.lattice)) {
    const LozengeSides sides;
    return Integration(partners, sides).run();
  }
  const DominoSides sides(first_colour(matching.lattice));
  return Integration(partners, sides).run();
}

}  // namespace countpm
