#include "src/matchings/piece_tally.hpp"

#include <algorithm>
#include <cmath>
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
}

std::pair<double, double> PieceTally::share_of(std::size_t entry, double tail_excess) const {
  const double share = std::clamp(entry_weights[entry] / weights, 0.0, 1.0);
  const double square = std::max(entry_squares[entry] * (1 - 2 * share) + share * share * squares, 0.0);
  const double missed = missed_by_one_error / effective() + tail_excess / errors_of_excess;
  return {share, std::sqrt(square / (weights * weights) + missed * missed)};
}

PieceTally tally_samples(const MatchingSampler& sampler, const PieceEntries& entries, std::uint64_t first,
                         std::uint64_t count, const StopSignal& stop) {
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
  for (const Sample& sample : samples) {
    const double weight = std::exp(sample.ln - tally.unit);
    tally.weights += weight;
    tally.squares += weight * weight;
    for (const std::size_t entry : sample.entries) {
      tally.entry_weights[entry] += weight;
      tally.entry_squares[entry] += weight * weight;
    }
  }
  return tally;
}

}  // namespace countpm
