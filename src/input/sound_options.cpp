#include "src/input/sound_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "kernels/gpu/device_info.hpp"
#include "src/machine/resources.hpp"

namespace countpm {

void check_numbers(const CountOptions& options) {
  if (options.threads < 0 || options.threads > most_threads)
    throw UsageError(fmt::format("{} threads: expected 1 to {}, or 0 for all that OpenMP gives",
                                 options.threads, most_threads));
  if (options.emulated_gpus < 0 || options.emulated_gpus > most_emulated_gpus)
    throw UsageError(
        fmt::format("{} emulated GPUs: expected 0 to {}", options.emulated_gpus, most_emulated_gpus));
  if (options.emulated_gpus > 0 && !has_emulated_gpu())
    throw UsageError(
        fmt::format("{} emulated GPUs: this program has no emulated GPU, the tests' programs "
                    "have (docs/gpu.md)",
                    options.emulated_gpus));
  if (!(options.time_limit_seconds > 0)) throw UsageError("the time limit must be above 0 seconds");
  if (!(options.audit_share >= 0 && options.audit_share <= 1))
    throw UsageError(
        fmt::format("a share of {} of the units to be audited: expected 0 to 1", options.audit_share));
  const std::vector<OrderInfo>& orders = order_kinds();
  if (std::none_of(orders.begin(), orders.end(), [&](const OrderInfo& o) { return o.kind == options.order; }))
    throw UsageError(fmt::format("there is no order of the number {}", static_cast<int>(options.order)));
  const auto matchings = static_cast<int>(options.matchings);
  if (matchings < 0 || matchings > static_cast<int>(MatchingSize::smaller_side))
    throw UsageError(fmt::format("there is no size of matchings of the number {}", matchings));
  const auto choice = static_cast<int>(options.arithmetic.choice);
  if (choice < 0 || choice > static_cast<int>(FloatChoice::mpfr))
    throw UsageError(fmt::format("there is no floating point of the number {}", choice));
  const auto has_zero_byte = [](const std::string& name) { return name.find('\0') != std::string::npos; };
  const CheckpointOptions& checkpoint = options.checkpoint;
  if (has_zero_byte(checkpoint.file) ||
      std::any_of(checkpoint.merge.begin(), checkpoint.merge.end(), has_zero_byte))
    throw UsageError("a file's name has no zero byte");
}

bool asks_for_perfect(const Graph& graph, const Options& options) {
  if (options.matchings != MatchingSize::smaller_side) return options.matchings == MatchingSize::perfect;
  return graph.kind == GraphKind::directed ||
         (graph.kind == GraphKind::bipartite && graph.left_labels.size() == graph.right_labels.size());
}

}  // namespace countpm
