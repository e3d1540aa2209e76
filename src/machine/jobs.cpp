#include "src/machine/jobs.hpp"

#include <algorithm>

#include "src/machine/resources.hpp"

namespace countpm {

Jobs share_jobs(const CountOptions& options, int jobs) {
  constexpr double most_seconds_beside_others = 1;
  const Resources all = resources_for(options);
  const bool on_gpus = options.device == "gpu" || options.gpus > 0;
  Jobs shares;
  shares.together = jobs > 1;
  shares.number = jobs > 0 ? jobs : on_gpus ? 1 : all.threads;
  shares.beside = shares.together || (shares.number > 1 && !on_gpus);
  shares.options = options;
  shares.options.progress = {};
  shares.options.memory_limit_bytes =
      std::max<std::uint64_t>(all.memory_bytes / static_cast<std::uint64_t>(shares.number), 1);
  shares.options.threads = shares.together ? std::max(1, all.threads / shares.number) : 1;
  if (shares.together) return shares;
  shares.options.device = "cpu";
  shares.options.time_limit_seconds = std::min(options.time_limit_seconds, most_seconds_beside_others);
  return shares;
}

}  // namespace countpm
