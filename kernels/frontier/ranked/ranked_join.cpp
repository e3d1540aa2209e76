#include "kernels/frontier/ranked/ranked_join.hpp"

#include <array>

namespace countpm {

void count_join_pairs(RankedJoin& join, const SetCounts& counts) {
  // patterns[x][y]: of the shared vertices, with x ones in the scalars' sets and y in the runs'.
  using Row = std::array<double, most_shared_on_gpus + 1>;
  std::array<Row, most_shared_on_gpus + 1> patterns{};
  patterns[0][0] = 1;
  for (std::uint32_t bit = 0; bit < join.shared(); ++bit) {
    const bool row = (join.shared_rows >> bit & 1U) != 0;
    std::array<Row, most_shared_on_gpus + 1> longer{};
    for (std::uint32_t x = 0; x <= bit; ++x) {
      for (std::uint32_t y = 0; y <= bit; ++y) {
        const double before = patterns[x][y];
        if (before == 0) continue;
        longer[x + std::size_t{1}][y] += before;
        longer[x][y + std::size_t{1}] += before;
        // Used in neither: rows are free in both.
        if (bit < join.kept) longer[x + (row ? std::size_t{1} : 0)][y + (row ? std::size_t{1} : 0)] += before;
      }
    }
    patterns = longer;
  }
  join.pairs = 0;
  join.runs = 0;
  join.looks = 0;
  const std::int64_t of_scalars = join.scalars_table().family.number;
  const std::int64_t of_runs = join.runs_table().family.number;
  const SetCounts& ones = set_counts(SetRule::ones);
  for (std::uint32_t x = 0; x <= join.shared(); ++x) {
    for (std::uint32_t y = 0; y <= join.shared(); ++y) {
      if (patterns[x][y] == 0) continue;
      const std::int64_t left_of_scalars = counts.rest(of_scalars, static_cast<int>(x));
      const std::int64_t left_of_runs = counts.rest(of_runs, static_cast<int>(y));
      const auto length = static_cast<double>(counts(join.own_of_runs, left_of_runs));
      const double scalars =
          patterns[x][y] * static_cast<double>(counts(join.own_of_scalars, left_of_scalars));
      if (length != 0) join.runs += scalars;
      join.pairs += scalars * length;
      for (std::uint32_t own = 0; own <= join.own_of_scalars; ++own) {
        const std::int64_t left = counts.rest(left_of_scalars + left_of_runs, static_cast<int>(own));
        if (counts(join.own_of_runs, left) != 0)
          join.looks += patterns[x][y] * static_cast<double>(ones(join.own_of_scalars, own));
      }
    }
  }
}

}  // namespace countpm
