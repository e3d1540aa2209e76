#include "src/matchings/sample_aztec.hpp"

#include <fmt/format.h>

#include "graph/lattice.hpp"
#include "graph/weight_values.hpp"
#include "kernels/planar/passes/aztec_shuffle.hpp"
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

}  // namespace

std::optional<AztecDiamond> aztec_diamond(const Source& source, const ReadOptions& options) {
  if (source.kind != Source::Kind::lattice || options.format || !options.remove.empty() ||
      options.ground_state || options.degree || !options.rings.empty())
    return std::nullopt;
  if (!options.monomers.empty() || options.loops == LoopPolicy::monomer) return std::nullopt;
  if (options.as.value_or(GraphKind::undirected) != GraphKind::undirected) return std::nullopt;
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

std::uint64_t sample_aztec(const AztecDiamond& diamond, Monitor& monitor, const CountOptions& options,
                           const SampleOptions& sample_options, const MatchingSink& sink) {
  ListStart start;
  start.input.path = diamond.spec;
  start.input.lattice = true;
  start.method = "shuffling";
  start.vertices = 2 * diamond.order * (diamond.order + 1);
  start.edges = 4 * diamond.order * diamond.order;
  if (sample_options.started) sample_options.started(start);
  monitor.begin_stage("sample", static_cast<double>(sample_options.count));
  monitor.describe(start.method, 1, 1);
  for (std::uint64_t k = 0; k < sample_options.count; ++k) {
    CounterRandom random(options.seed, 0, k);
    const std::vector<Heading> cells = explained(monitor, [&] {
      return shuffle_aztec(diamond.order, diamond.horizontal, diamond.vertical, random,
                           monitor.stop_signal());
    });
    monitor.finish(1);
    if (!sink(pairs_of(cells, diamond.order))) return k + 1;
  }
  return sample_options.count;
}

}  // namespace countpm
