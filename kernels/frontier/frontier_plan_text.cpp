// FrontierJob: its plan as text, and a plan that was kept taken up again.
#include "kernels/frontier/frontier_job.hpp"

#include <stdexcept>
#include <utility>

namespace countpm {

std::string FrontierJob::plan() const {
  PlanWriter writer;
  std::vector<std::uint64_t> steps;
  for (const EliminationStep& step : elimination_->steps) steps.push_back(number_of(step));
  writer.put_all("steps", steps);
  writer.put_all("branches", branched_);
  if (passes() > 1) writer.put_all("passes", pass_sizes_);
  if (for_gpus_alone_) writer.put("gpus", 1);
  if (shared_) writer.put("shared", 1);
  return writer.text();
}

std::uint64_t FrontierJob::number_of(const EliminationStep& step) {
  if (step.kind == EliminationStep::Kind::eliminate) return step.vertex;
  return step.kind == EliminationStep::Kind::push ? push_number : join_number;
}

EliminationStep FrontierJob::step_of(const mpz_class& number) const {
  if (number == push_number) return {EliminationStep::Kind::push, no_index};
  if (number == join_number) return {EliminationStep::Kind::join, no_index};
  if (number < 0 || number >= graph_->classes()) throw PlanError("a plan eliminates what is not there");
  return {EliminationStep::Kind::eliminate, static_cast<Index>(number.get_ui())};
}

void FrontierJob::follow(std::string_view text) {
  const PlanReader reader(text);
  Elimination elimination;
  // A class is eliminated once, in a table of its own at most, which is joined once.
  if (reader.all("steps").size() > 3 * std::uint64_t{graph_->classes()} + 1)
    throw PlanError("a plan has too many steps");
  for (const mpz_class& number : reader.all("steps")) elimination.steps.push_back(step_of(number));
  try {
    forecast_ = forecast_elimination(*graph_, elimination);
  } catch (const std::invalid_argument& error) {
    throw PlanError(std::string("a plan's elimination is none of this graph: ") + error.what());
  }
  elimination_ = std::make_shared<Elimination>(std::move(elimination));
  start_figures();
  if (reader.has("passes")) take_passes(journaled_passes(reader));
  if (reader.has("shared")) {
    if (!can_be_shared(*elimination_)) throw PlanError("a plan shares what cannot be shared");
    share_tables();
  }
  for_gpus_alone_ = reader.has("gpus");
  const std::vector<Index> branched = reader.indices("branches");
  if (branched.empty()) {
    if (passes() == 1 && !for_gpus_alone_ && !shared_) leave_keys_out({{*elimination_, forecast_}});
    return;
  }
  if (auto branches = branches_over(*graph_, branched, most_units / passes(), options_.memory_bytes))
    return take_branches(std::move(*branches));
  throw PlanError("a plan branches too often, or on what is not there");
}

std::vector<std::uint32_t> FrontierJob::journaled_passes(const PlanReader& reader) const {
  const std::vector<Index> sizes = reader.indices("passes");
  std::uint64_t moduli = 0;
  for (const Index size : sizes) moduli += size;
  const bool any_empty = std::find(sizes.begin(), sizes.end(), Index{0}) != sizes.end();
  if (sizes.size() < 2 || any_empty || moduli != modulus_bytes_.size())
    throw PlanError("a plan's passes do not take each of the moduli once");
  return {sizes.begin(), sizes.end()};
}

}  // namespace countpm
