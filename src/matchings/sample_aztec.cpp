#include "src/matchings/sample_aztec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "graph/lattices/lattice.hpp"
#include "graph/weight_values.hpp"
#include "kernels/planar/passes/aztec_shuffle.hpp"
#include "src/distributed/rank_jobs.hpp"
#include "src/distributed/shared_ranges.hpp"
#include "src/machine/channel.hpp"
#include "src/matchings/explain_draws.hpp"
#include "src/matchings/passes.hpp"

namespace countpm {
namespace {

/// 0 of a complex weight, which none is drawn with.
mpq_class real_weight(const Weight& weight) {
  return std::holds_alternative<ComplexRational>(weight.value) ? mpq_class(0) : rational_of(weight);
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

/// Every cell of the first cell's colour with its partner, by rows.
Pairs pairs_of(const std::vector<Heading>& cells, std::uint64_t order) {
  const std::uint64_t side = 2 * order;
  Pairs pairs;
  pairs.reserve(order * (order + 1));
  std::vector<bool> paired(cells.size(), false);
  for (std::uint64_t r = 0; r < side; ++r) {
    for (std::uint64_t c = 0; c < side; ++c) {
      const std::uint64_t at = r * side + c;
      if (cells[at] == Heading::none) continue;
      const bool horizontal = cells[at] == Heading::north || cells[at] == Heading::south;
      if (!paired[at]) paired[at + (horizontal ? 1 : side)] = true;
      if ((r + c + order) % 2 == 0) continue;         // the colour of r0c(order-1) is the other one
      const std::uint64_t step = paired[at] ? 0 : 2;  // back or forth, less 1
      const std::uint64_t row = horizontal ? r : r + step - 1;
      const std::uint64_t column = horizontal ? c + step - 1 : c;
      pairs.emplace_back(fmt::format("r{}c{}", r, c), fmt::format("r{}c{}", row, column));
    }
  }
  return pairs;
}

// Of tilings that ranks draw together, before those are written.
constexpr std::uint64_t most_cells_held = std::uint64_t{1} << 28;
constexpr std::uint64_t most_tilings_held = 4096;

class AztecDraws {
 public:
  AztecDraws(const AztecDiamond& diamond, const CountOptions& options, Monitor& monitor)
      : diamond_(diamond), seed_(options.seed), monitor_(monitor) {}

  std::vector<Heading> draw(std::uint64_t number) const {
    CounterRandom random(seed_, 0, number);
    return explained(monitor_, [&] {
      return shuffle_aztec(diamond_.order, diamond_.horizontal, diamond_.vertical, random,
                           monitor_.stop_signal());
    });
  }

  RangePlan plan(std::uint64_t count) const {
    return {fmt::format("{} tilings by weights {} and {}", count, diamond_.horizontal.get_str(),
                        diamond_.vertical.get_str()),
            diamond_.spec, seed_};
  }

  std::string bytes_of(const UnitRange& numbers) const {
    std::string bytes;
    for (std::uint64_t k = numbers.first; k < numbers.last; ++k) {
      for (const Heading cell : draw(k)) bytes += static_cast<char>(cell);
    }
    return bytes;
  }

  /// Throws CheckError where they are no tilings.
  std::vector<std::vector<Heading>> from_bytes(const std::string& bytes, std::uint64_t count) const {
    const std::uint64_t cells = 4 * diamond_.order * diamond_.order;
    if (bytes.size() != cells * count) throw CheckError("another rank sent tilings of another size");
    std::vector<std::vector<Heading>> tilings;
    for (std::uint64_t k = 0; k < count; ++k) {
      std::vector<Heading> tiling;
      tiling.reserve(cells);
      for (std::uint64_t c = 0; c < cells; ++c)
        tiling.push_back(static_cast<Heading>(static_cast<std::uint8_t>(bytes[k * cells + c])));
      if (!is_tiling(tiling)) throw CheckError("another rank sent what is no tiling");
      tilings.push_back(std::move(tiling));
    }
    return tilings;
  }

 private:
  bool is_inside(std::uint64_t row, std::uint64_t column) const {
    const auto middle = static_cast<std::int64_t>(2 * diamond_.order) - 1;
    return std::abs(2 * static_cast<std::int64_t>(row) - middle) +
               std::abs(2 * static_cast<std::int64_t>(column) - middle) <=
           middle + 1;
  }
  static bool is_horizontal(Heading heading) {
    return heading == Heading::north || heading == Heading::south;
  }

  bool is_tiling(const std::vector<Heading>& cells) const {
    const std::uint64_t side = 2 * diamond_.order;
    std::vector<bool> covered(cells.size(), false);
    for (std::uint64_t at = 0; at < cells.size(); ++at) {
      if (cells[at] > Heading::east || (cells[at] != Heading::none) != is_inside(at / side, at % side))
        return false;
      if (cells[at] == Heading::none || covered[at]) continue;
      const bool horizontal = is_horizontal(cells[at]);
      const std::uint64_t other = at + (horizontal ? 1 : side);
      if ((horizontal && at % side + 1 == side) || other >= cells.size() || covered[other] ||
          cells[other] == Heading::none || is_horizontal(cells[other]) != horizontal)
        return false;
      covered[other] = true;
    }
    return true;
  }

  const AztecDiamond& diamond_;
  std::uint64_t seed_;
  Monitor& monitor_;
};

/// On all ranks, some at a time.
std::uint64_t sample_on_ranks(const AztecDiamond& diamond, Monitor& monitor, const CountOptions& options,
                              std::uint64_t count, const MatchingSink& sink) {
  const AztecDraws draws(diamond, options, monitor);
  SharedRanges shared(*options.channel, draws.plan(count));
  const std::uint64_t together =
      std::clamp<std::uint64_t>(most_cells_held / (4 * diamond.order * diamond.order), 1, most_tilings_held);
  for (std::uint64_t first = 0; first < count; first += together) {
    std::vector<std::vector<Heading>> tilings(std::min(together, count - first));
    SharedRanges::Work work;
    work.numbers = {first, first + tilings.size()};
    work.own = [&](const UnitRange& numbers) {
      for (std::uint64_t k = numbers.first; k < numbers.last; ++k) tilings[k - first] = draws.draw(k);
      monitor.finish(static_cast<double>(numbers.size()));
    };
    std::optional<std::uint64_t> of_others;  // the last that came
    work.take = [&](const UnitRange& numbers, const std::string& bytes) {
      std::vector<std::vector<Heading>> some = draws.from_bytes(bytes, numbers.size());
      std::move(some.begin(), some.end(),
                tilings.begin() + static_cast<std::ptrdiff_t>(numbers.first - first));
      of_others = numbers.last - 1;
      monitor.finish(static_cast<double>(numbers.size()));
    };
    shared.run(work, monitor);
    if (of_others && draws.draw(*of_others) != tilings[*of_others - first])
      throw CheckError(fmt::format("matching {} is another when it is drawn again here", *of_others + 1));
    for (std::uint64_t k = 0; k < tilings.size(); ++k) {
      monitor.throw_if_stopped();
      if (!sink(pairs_of(tilings[k], diamond.order))) return first + k + 1;
    }
  }
  return count;
}

}  // namespace

std::optional<AztecDiamond> aztec_diamond(const Source& source, const ReadOptions& options) {
  if (source.kind != Source::Kind::lattice || options.format || !options.remove.empty() ||
      options.ground_state || options.degree || !options.rings.empty())
    return std::nullopt;
  if (!options.monomers.empty() || options.loops == LoopPolicy::monomer) return std::nullopt;
  if (options.kind.value_or(GraphKind::undirected) != GraphKind::undirected) return std::nullopt;
  const LatticeInfo info = lattice_info(source.name);
  if (info.shape != "aztec" || info.removed != 0) return std::nullopt;
  AztecDiamond diamond;
  diamond.spec = source.name;
  diamond.order = info.size[0];
  if (info.weights.empty()) return diamond;
  if (info.weights[0].has_letters() || info.weights[1].has_letters()) return std::nullopt;
  const mpq_class horizontal = real_weight(info.weights[0]);
  const mpq_class vertical = real_weight(info.weights[1]);
  if (options.weights ? horizontal <= 0 || vertical <= 0
                      : info.weights[0].is_zero() || info.weights[1].is_zero()) {
    return std::nullopt;
  }
  if (!options.weights) return diamond;
  diamond.horizontal = horizontal.get_num() * vertical.get_den();
  diamond.vertical = vertical.get_num() * horizontal.get_den();
  return diamond;
}

ListStart start_of_aztec(const AztecDiamond& diamond) {
  ListStart start;
  start.input.path = diamond.spec;
  start.input.lattice = true;
  start.method = "shuffling";
  start.vertices = 2 * diamond.order * (diamond.order + 1);
  start.edges = 4 * diamond.order * diamond.order;
  return start;
}

std::uint64_t sample_aztec(const AztecDiamond& diamond, Monitor& monitor, const CountOptions& options,
                           const SampleOptions& sample_options, const MatchingSink& sink) {
  const ListStart start = start_of_aztec(diamond);
  const DrawForecast forecast = monitor.explained(
      [&] { return forecast_aztec(diamond, options, sample_options.count, monitor.stop_signal()); });
  if (options.channel == nullptr || options.channel->ranks() < 2)
    refuse_beyond_time(forecast, monitor.elapsed());
  if (sample_options.foretold) sample_options.foretold(forecast);
  if (sample_options.started) sample_options.started(start);
  monitor.begin_stage("sample", static_cast<double>(sample_options.count));
  monitor.describe(start.method, 1, 1);
  if (options.channel != nullptr && options.channel->ranks() > 1)
    return sample_on_ranks(diamond, monitor, options, sample_options.count, sink);
  const AztecDraws draws(diamond, options, monitor);
  for (std::uint64_t k = 0; k < sample_options.count; ++k) {
    monitor.begin_wide_unit(1);
    const std::vector<Heading> cells = draws.draw(k);
    monitor.finish(1);
    if (!sink(pairs_of(cells, diamond.order))) return k + 1;
  }
  return sample_options.count;
}

void follow_aztec(const AztecDiamond& diamond, Monitor& monitor, const CountOptions& options,
                  const SampleOptions& sample_options) {
  const AztecDraws draws(diamond, options, monitor);
  const RangeWorker worker{[](std::size_t) {},
                           [&](std::size_t, const UnitRange& numbers) { return draws.bytes_of(numbers); }};
  follow_ranges(*options.channel, draws.plan(sample_options.count), worker, monitor);
}

}  // namespace countpm
