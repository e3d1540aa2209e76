#include "src/checks/other_path.hpp"

#include <utility>

namespace countpm {

Partial OtherPath::sum(const UnitRange& units, const Monitor& monitor) const {
  std::vector<Partial> sums;
  monitor.explained([&] {
    for (std::size_t k = 0; k < jobs.size(); ++k) {
      Partial& sum = sums.emplace_back(zero(arithmetics[k]));
      for (std::uint64_t unit = units.first; unit < units.last; ++unit)
        add(sum, jobs[k]->run(unit, monitor.stop_signal()), arithmetics[k]);
    }
  });
  return side_by_side(sums);
}

Partial OtherPath::side_by_side(const std::vector<Partial>& values) {
  if (values.size() == 1) return values.front();
  Residues all;
  for (const Partial& value : values) {
    const std::vector<uint128>& own = std::get<Residues>(value).residue;
    all.residue.insert(all.residue.end(), own.begin(), own.end());
  }
  return all;
}

OtherPath same_path(const BlockPlan& plan) {
  return {{plan.choice.arithmetic},
          {std::shared_ptr<const Job>(std::shared_ptr<const Job>(), plan.job.get())}};
}

OtherPath path_over(const BlockPlan& plan, std::vector<Arithmetic> arithmetics) {
  OtherPath path{std::move(arithmetics), {}};
  for (const Arithmetic& arithmetic : path.arithmetics) {
    path.jobs.push_back(plan.job->with_moduli_subset(arithmetic));
    if (path.jobs.back() && path.jobs.back()->units() == plan.job->units()) continue;
    path.jobs.clear();
    break;
  }
  return path;
}

}  // namespace countpm
