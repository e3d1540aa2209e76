#include "src/matchings/piece_tally.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <variant>

namespace countpm {
namespace {

// What N samples miss with a chance of 5 %, 3/N, over two standard errors.
constexpr double missed_by_one_error = 1.5;
// What the tail may add counts as two standard errors, too.
constexpr double errors_of_excess = 2;

}  // namespace

Scaled scaled_exponential(double ln) {
  if (std::isinf(ln)) return {0, 0};
  const double log2 = ln / std::log(2.0);
  const double whole = std::floor(log2);
  return {std::exp2(log2 - whole), static_cast<std::int64_t>(whole)};
}

PieceEntries::PieceEntries(const Piece& piece) : general_(is_general(piece.block)) {
  std::visit(
      [this](const auto& block) {
        row_start_.assign(block.matrix.row_start.begin(), block.matrix.row_start.end());
        column_.assign(block.matrix.column.begin(), block.matrix.column.end());
      },
      piece.block);
}

std::size_t PieceEntries::entry_of(std::uint32_t u, std::uint32_t v) const {
  const auto rows = static_cast<std::uint32_t>(row_start_.size() - 1);
  const std::uint32_t row = std::min(u, v);
  const std::uint32_t column = std::max(u, v) - (general_ ? 0 : rows);
  const auto begin = column_.begin() + static_cast<std::ptrdiff_t>(row_start_[row]);
  const auto end = column_.begin() + static_cast<std::ptrdiff_t>(row_start_[row + std::size_t{1}]);
  return static_cast<std::size_t>(std::find(begin, end, column) - column_.begin());
}

std::pair<std::uint32_t, std::uint32_t> PieceEntries::line_of(std::size_t entry) const {
  const auto after = std::upper_bound(row_start_.begin(), row_start_.end(), entry);
  return {static_cast<std::uint32_t>(after - row_start_.begin() - 1), column_[entry]};
}

std::size_t PieceEntries::tallied(std::size_t entry) const {
  if (!general_) return entry;
  const auto [row, column] = line_of(entry);
  return entry_of(row, column);
}

bool PieceEntries::meet(std::size_t one, std::size_t other) const {
  const auto [u, v] = line_of(one);
  const auto [x, y] = line_of(other);
  return u == x || v == y || (general_ && (u == y || v == x));
}

void PieceEntries::mirror(std::vector<double>& values) const {
  if (!general_) return;
  for (std::uint32_t i = 0; i + std::size_t{1} < row_start_.size(); ++i) {
    for (std::uint64_t k = row_start_[i]; k < row_start_[i + std::size_t{1}]; ++k) {
      if (column_[k] < i) values[k] = values[entry_of(column_[k], i)];
    }
  }
}

void PieceEntries::from_either(std::vector<double>& values) const {
  if (!general_) return;
  for (std::uint32_t i = 0; i + std::size_t{1} < row_start_.size(); ++i) {
    for (std::uint64_t k = row_start_[i]; k < row_start_[i + std::size_t{1}]; ++k) {
      if (column_[k] >= i || std::isnan(values[k])) continue;
      double& smaller = values[entry_of(column_[k], i)];
      if (std::isnan(smaller)) smaller = values[k];
    }
  }
}

EntryPairs::EntryPairs(std::size_t entries, std::vector<Pair> pairs) : pairs_(std::move(pairs)) {
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  start_.assign(entries + 1, 0);
  for (const Pair& pair : pairs_) ++start_[pair.first + 1];
  std::partial_sum(start_.begin(), start_.end(), start_.begin());
}

std::optional<std::size_t> EntryPairs::place_of(std::size_t first, std::size_t second) const {
  const auto at = std::lower_bound(pairs_.begin(), pairs_.end(), Pair(first, second));
  if (at == pairs_.end() || *at != Pair(first, second)) return std::nullopt;
  return static_cast<std::size_t>(at - pairs_.begin());
}

void PieceTally::join(PieceTally&& next) {
  moments.join(next.moments);
  if (!(next.weights > 0)) return;
  if (!(weights > 0)) {
    SampleMoments all = std::move(moments);
    *this = std::move(next);
    moments = std::move(all);
    return;
  }
  const double larger = std::max(unit, next.unit);
  const double own = std::exp(unit - larger);
  const double other = std::exp(next.unit - larger);
  unit = larger;
  weights = weights * own + next.weights * other;
  squares = squares * own * own + next.squares * other * other;
  for (std::size_t k = 0; k < entry_weights.size(); ++k) {
    entry_weights[k] = entry_weights[k] * own + next.entry_weights[k] * other;
    entry_squares[k] = entry_squares[k] * own * own + next.entry_squares[k] * other * other;
  }
  for (std::size_t k = 0; k < pair_weights.size(); ++k) {
    pair_weights[k] = pair_weights[k] * own + next.pair_weights[k] * other;
    pair_squares[k] = pair_squares[k] * own * own + next.pair_squares[k] * other * other;
  }
}

double PieceTally::missed_share(double tail_excess) const {
  return missed_by_one_error / effective() + tail_excess / errors_of_excess;
}

std::pair<double, double> PieceTally::share_with_error(double part, double part_squares,
                                                       double tail_excess) const {
  const double share = std::clamp(part / weights, 0.0, 1.0);
  const double square = std::max(part_squares * (1 - 2 * share) + share * share * squares, 0.0);
  const double missed = missed_share(tail_excess);
  return {share, std::sqrt(square / (weights * weights) + missed * missed)};
}

std::pair<double, double> PieceTally::share_of(std::size_t entry, double tail_excess) const {
  return share_with_error(entry_weights[entry], entry_squares[entry], tail_excess);
}

PairShares PieceTally::shares_of(std::size_t first, std::size_t second, std::optional<std::size_t> place,
                                 double tail_excess) const {
  const double p = share_of(first, tail_excess).first;
  const double q = share_of(second, tail_excess).first;
  PairShares shares;
  double both = 0;  // sum of X^2 over the samples that have both
  if (first == second) {
    std::tie(shares.joint, shares.joint_error) = share_of(first, tail_excess);
    both = entry_squares[first];
  } else if (place) {
    std::tie(shares.joint, shares.joint_error) =
        share_with_error(pair_weights[*place], pair_squares[*place], tail_excess);
    both = pair_squares[*place];
  }
  shares.covariance = shares.joint - p * q;
  const double only_first = std::max(entry_squares[first] - both, 0.0);
  const double only_second = std::max(entry_squares[second] - both, 0.0);
  const double neither = std::max(squares - both - only_first - only_second, 0.0);
  const auto part = [&](double sum, double deviation) {
    const double apart = deviation - shares.covariance;
    return sum * apart * apart;
  };
  const double square = part(both, (1 - p) * (1 - q)) + part(only_first, (p - 1) * q) +
                        part(only_second, p * (q - 1)) + part(neither, p * q);
  const double missed = missed_share(tail_excess);
  shares.covariance_error = std::sqrt(square / (weights * weights) + missed * missed);
  return shares;
}

PieceTally tally_samples(const MatchingSampler& sampler, const PieceEntries& entries, const EntryPairs& pairs,
                         std::uint64_t first, std::uint64_t count, const StopSignal& stop) {
  struct Sample {
    double ln = 0;
    std::vector<std::size_t> entries;
  };
  std::vector<Sample> samples;
  PieceTally tally;
  bool any = false;
  sampler.draw(first, count, stop, [&](double ln, const VertexPairs& matching) {
    tally.moments.add(scaled_exponential(ln));
    if (std::isinf(ln)) return true;
    tally.unit = any ? std::max(tally.unit, ln) : ln;
    any = true;
    Sample sample{ln, {}};
    sample.entries.reserve(matching.size());
    for (const auto& [u, v] : matching) sample.entries.push_back(entries.entry_of(u, v));
    samples.push_back(std::move(sample));
    return true;
  });
  if (!any) return tally;
  tally.entry_weights.assign(entries.entries(), 0);
  tally.entry_squares.assign(entries.entries(), 0);
  tally.pair_weights.assign(pairs.size(), 0);
  tally.pair_squares.assign(pairs.size(), 0);
  std::vector<bool> has(pairs.size() == 0 ? 0 : entries.entries(), false);
  const auto take_pairs = [&](const Sample& sample, double weight) {
    for (const std::size_t entry : sample.entries) has[entry] = true;
    for (const std::size_t entry : sample.entries) {
      const auto [begin, end] = pairs.places(entry);
      for (std::size_t place = begin; place < end; ++place) {
        if (!has[pairs.second(place)]) continue;
        tally.pair_weights[place] += weight;
        tally.pair_squares[place] += weight * weight;
      }
    }
    for (const std::size_t entry : sample.entries) has[entry] = false;
  };
  for (const Sample& sample : samples) {
    const double weight = std::exp(sample.ln - tally.unit);
    tally.weights += weight;
    tally.squares += weight * weight;
    for (const std::size_t entry : sample.entries) {
      tally.entry_weights[entry] += weight;
      tally.entry_squares[entry] += weight * weight;
    }
    if (pairs.size() > 0) take_pairs(sample, weight);
  }
  return tally;
}

}  // namespace countpm
