#include "src/matchings/reported_names.hpp"

#include "graph/stop_poll.hpp"

namespace countpm {

ReportedNames::ReportedNames(const PassInput& input)
    : input_(input),
      left_(input.instance.left_labels),
      right_(input.start.kind == GraphKind::bipartite ? input.instance.right_labels : left_) {
  if (input.instance.problem != Problem::matchings) return;
  StopPoll poll;
  for (Index v = 0; v < left_.size(); ++v) {
    poll.step();
    const auto [at, fresh] = first_.try_emplace(left_.label(v), v);
    if (!fresh) shared_.insert(at->first);
  }
}

std::pair<std::string, std::string> ReportedNames::of(const Edge& edge) const {
  if (input_.start.problem == Problem::matchings && edge.from == edge.to) {
    const std::string name = alone(edge.from);
    return {name, name};
  }
  return {left_.label(edge.from), right_.label(edge.to)};
}

std::string ReportedNames::alone(Index v) const {
  std::string label = left_.label(v);
  if (!shared_.contains(label)) return label;
  return (first_.at(label) == v ? "left:" : "right:") + label;
}

}  // namespace countpm
