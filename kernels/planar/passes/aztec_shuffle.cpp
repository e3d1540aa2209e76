#include "kernels/planar/passes/aztec_shuffle.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

/// The cells of a diamond in its box.
struct Diamond {
  std::uint64_t order;

  std::uint64_t side() const { return 2 * order; }
  std::uint64_t first(std::uint64_t row) const { return order - std::min(row + 1, side() - row); }
  std::uint64_t end(std::uint64_t row) const { return order + std::min(row + 1, side() - row); }
};

/// Draws one of two ways, again and again.
class Coin {
 public:
  Coin(const mpz_class& horizontal, const mpz_class& vertical, CounterRandom& random)
      : horizontal_(horizontal * horizontal), all_(horizontal_ + vertical * vertical), random_(random) {
    fair_ = 2 * horizontal_ == all_;
  }

  bool horizontal() {
    if (!fair_) return random_.below(all_) < horizontal_;
    if (left_ == 0) {
      bits_ = random_.next();
      left_ = 64;
    }
    const bool result = (bits_ & 1) != 0;
    bits_ >>= 1;
    --left_;
    return result;
  }

 private:
  mpz_class horizontal_;
  mpz_class all_;
  CounterRandom& random_;
  bool fair_;
  std::uint64_t bits_ = 0;
  unsigned left_ = 0;
};

/// Cells of dominoes that head for each other vanish: a south one over a north one, east before west.
void annihilate(std::vector<Heading>& cells, Diamond diamond) {
  const std::uint64_t side = diamond.side();
  for (std::uint64_t r = 0; r < side; ++r) {
    for (std::uint64_t c = diamond.first(r); c < diamond.end(r); ++c) {
      Heading& cell = cells[r * side + c];
      Heading* other = nullptr;
      if (cell == Heading::south && r + 1 < side && cells[(r + 1) * side + c] == Heading::north)
        other = &cells[(r + 1) * side + c];
      if (cell == Heading::east && c + 1 < side && cells[r * side + c + 1] == Heading::west)
        other = &cells[r * side + c + 1];
      if (other != nullptr) cell = *other = Heading::none;
    }
  }
}

/// One cell on, in the box of the next order, whose origin is one cell up and left.
void move(const std::vector<Heading>& cells, Diamond diamond, std::vector<Heading>& moved) {
  const std::uint64_t side = diamond.side();
  const std::uint64_t next = side + 2;
  moved.assign(next * next, Heading::none);
  for (std::uint64_t r = 0; r < side; ++r) {
    for (std::uint64_t c = diamond.first(r); c < diamond.end(r); ++c) {
      const std::uint64_t at = (r + 1) * next + c + 1;
      switch (cells[r * side + c]) {
        case Heading::north:
          moved[at - next] = Heading::north;
          break;
        case Heading::south:
          moved[at + next] = Heading::south;
          break;
        case Heading::west:
          moved[at - 1] = Heading::west;
          break;
        case Heading::east:
          moved[at + 1] = Heading::east;
          break;
        case Heading::none:
          break;
      }
    }
  }
}

/// The holes are 2 x 2 squares; the first cell in reading order is the upper left one of its square.
void fill(std::vector<Heading>& cells, Diamond diamond, Coin& coin) {
  const std::uint64_t side = diamond.side();
  for (std::uint64_t r = 0; r < side; ++r) {
    for (std::uint64_t c = diamond.first(r); c < diamond.end(r); ++c) {
      Heading* cell = &cells[r * side + c];
      if (*cell != Heading::none) continue;
      if (coin.horizontal()) {
        cell[0] = cell[1] = Heading::north;
        cell[side] = cell[side + 1] = Heading::south;
      } else {
        cell[0] = cell[side] = Heading::west;
        cell[1] = cell[side + 1] = Heading::east;
      }
    }
  }
}

}  // namespace

std::vector<Heading> shuffle_aztec(std::uint64_t order, const mpz_class& horizontal,
                                   const mpz_class& vertical, CounterRandom& random, const StopSignal& stop) {
  Coin coin(horizontal, vertical, random);
  std::vector<Heading> cells;
  std::vector<Heading> moved;
  for (std::uint64_t k = 0; k < order; ++k) {
    stop.check();
    stop.report_share(std::pow(static_cast<double>(k) / static_cast<double>(order), 3));
    annihilate(cells, {k});
    move(cells, {k}, moved);
    cells.swap(moved);
    fill(cells, {k + 1}, coin);
  }
  return cells;
}

}  // namespace countpm
