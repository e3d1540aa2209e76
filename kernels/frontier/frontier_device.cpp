// FrontierJob on GPUs.
#include "kernels/frontier/frontier_job.hpp"

#include <utility>

#include "graph/errors.hpp"
#include "kernels/frontier/gpu/form.hpp"
#include "kernels/gpu/launch.hpp"

namespace countpm {

std::vector<ValueBytes> FrontierJob::device_value_bytes() const {
  std::vector<ValueBytes> bytes;
  for (std::uint64_t pass = 0; pass < passes(); ++pass) {
    ValueBytes own = value_bytes_of(moduli_of(pass).arithmetic.moduli);
    if (!own.empty() || passes() == 1) bytes.push_back(std::move(own));
  }
  return bytes;
}

std::shared_ptr<const FrontierDevicePlan> FrontierJob::device_plan() const {
  const std::lock_guard lock(device_plan_mutex_);
  if (device_planned_for_ != elimination_) {
    // The CPU may do without the joins of the best order.
    const auto joined = [](const Elimination& elimination) { return !classes_in_line(elimination); };
    DeviceOrders orders;
    orders.best = elimination_.get();
    if (joined(*elimination_)) {
      orders.linear = search_ ? &search_->best_linear() : nullptr;
      orders.tree = elimination_.get();
    } else {
      orders.linear = elimination_.get();
      if (search_ && joined(search_->best())) orders.tree = &search_->best();
    }
    orders.line_will_do = !joined(*elimination_) || !joins_are_asked_for();
    device_plan_ = std::make_shared<FrontierDevicePlan>(frontier_device_plan(*graph_, orders, paths_));
    device_planned_for_ = elimination_;
  }
  return device_plan_;
}

std::optional<Refusal> FrontierJob::obstacle_of_all_gpus() const {
  if (arithmetic_.kind != Arithmetic::Kind::residues)
    return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where numbers are floating"};
  if (shared_)
    return Refusal{RefusalKind::no_gpu_form_here, "no form for GPUs where several ranks share a table"};
  return std::nullopt;
}

std::optional<MemoryGap> FrontierJob::gpu_memory_gap(const GpuInfo& gpu) const {
  // Branches are cut for the CPU's memory.
  if (paths_.size() > 1 || obstacle_of_all_gpus()) return std::nullopt;
  return frontier_memory_gap(*device_plan(), gpu, device_value_bytes());
}

std::optional<Refusal> FrontierJob::device_obstacle(const GpuInfo& gpu) const {
  if (auto why = obstacle_of_all_gpus()) return why;
  const auto plan = device_plan();
  const std::vector<ValueBytes> bytes = device_value_bytes();
  const std::lock_guard lock(device_plan_mutex_);
  device_form_ = choose_form(*plan, gpu, bytes.front());
  std::string why;
  for (const ValueBytes& of_pass : bytes) {
    if (why.empty()) why = frontier_device_obstacle(*plan, gpu, of_pass);
  }
  if (why.empty()) return std::nullopt;
  return Refusal{RefusalKind::no_gpu_form_here, std::move(why)};
}

double FrontierJob::nominal_device_rate(const GpuInfo& gpu) const {
  if (device_obstacle(gpu)) return 0;
  double seconds = 0;
  for (const ValueBytes& of_pass : device_value_bytes())
    seconds += frontier_device_seconds(*device_plan(), gpu, of_pass);
  // In the CPU's state transitions, though a GPU may have others to do.
  return std::exp2(std::min(log2_work_, 1000.0)) / seconds;
}

std::uint64_t FrontierJob::waiting_bytes(const GpuInfo& gpu) const {
  std::uint64_t most = 0;
  if (gpu.host_bytes == 0 || device_obstacle(gpu)) return most;
  for (const ValueBytes& of_pass : device_value_bytes())
    most = std::max(most, choose_form(*device_plan(), gpu, of_pass).host_bytes);
  return most;
}

std::unique_ptr<DeviceJob> FrontierJob::on_device(const GpuInfo& gpu) const {
  if (const auto obstacle = device_obstacle(gpu))
    throw UnableError(obstacle->text, "--device cpu, or another method");
  const auto plan = device_plan();
  FrontierDeviceTask task;
  task.block = &block_;
  task.arithmetic = &arithmetic_;
  task.value_bytes = value_bytes_of(arithmetic_.moduli);
  task.units = units();
  task.log2_work = log2_work_;
  task.nominal_rate = nominal_device_rate(gpu);
  // A pass may have one modulus alone.
  const std::uint64_t least_bytes =
      arithmetic_.moduli.empty() ? 0 : *std::max_element(task.value_bytes.begin(), task.value_bytes.end());
  const FrontierRoom room = frontier_room(gpu, device_key_bytes(plan->key_bits).value_or(16), least_bytes);
  const double log2_room = std::log2(static_cast<double>(room.states));
  task.run_unit = [this, plan, log2_room](std::uint64_t unit, const StopSignal& stop,
                                          const FrontierDeviceTask::RunTables& run) {
    const std::vector<std::uint32_t> moduli = moduli_of(unit).places;
    if (moduli.empty()) return zero(arithmetic_);
    const BranchPath& path = path_of(unit);
    if (path.empty())
      return run({graph_.get(), plan->line ? &plan->elimination : nullptr, moduli, plan->log2_states,
                  plan->log2_work, plan->log2_share, plan->tree ? &*plan->tree : nullptr});
    const double log2_moves = plan->log2_work - std::log2(static_cast<double>(paths_.size()));
    return run_branches(
        path, {&plan->elimination, true, log2_room}, stop,
        [&](const BranchGraph& branch, double log2_states) {
          return run({&branch.graph, &branch.elimination, moduli, log2_states, log2_moves, plan->log2_share});
        });
  };
  return on_gpu<FrontierForm>(gpu, task);
}

}  // namespace countpm
