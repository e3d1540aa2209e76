#include "kernels/estimate/bethe/general_walk.hpp"

#include <algorithm>
#include <cmath>

#include "graph/stop_poll.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t sweeps_at_first = 200;
constexpr double least_general_message = 0x1p-300;
constexpr double most_general_message = 0x1p+300;
constexpr double most_general_change = 8;
// Less is not worth sending.
constexpr double least_due = 1e-4;
constexpr int most_change_exponent = 3;
constexpr int octaves_a_level = 2;
// Vertices of a component whose number is looked at.
constexpr std::size_t small_component = 24;
// Chances stay above this share of the largest.
constexpr double least_choice = 0x1p-40;

std::uint64_t sends_a_choice(std::uint32_t vertices) {
  return std::max<std::uint64_t>(60, static_cast<std::uint64_t>(2 * std::sqrt(vertices)));
}

}  // namespace

double general_bethe_work(std::uint32_t vertices, std::uint64_t neighbours) {
  return 10 * static_cast<double>(sends_a_choice(vertices)) * static_cast<double>(neighbours);
}

RestGraph::RestGraph(const SampleGraph& graph)
    : graph_(graph),
      kappa_(0.3 / std::sqrt(std::max(graph.vertices(), 1U) / 2.0)),
      reverse_(graph.neighbours.size()),
      message_(graph.neighbours.size(), 1.0),
      left_(graph.vertices(), 1),
      degree_(graph.vertices()),
      next_(graph.vertices(), nobody),
      previous_(graph.vertices(), nobody),
      due_(graph.vertices(), 0.0),
      level_(graph.vertices(), nowhere),
      waiting_(levels),
      seen_(graph.vertices(), 0) {
  std::uint32_t most = 0;
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) {
    degree_[v] = graph.degree(v);
    most = std::max(most, degree_[v]);
    for (std::uint64_t k = graph.first[v]; k < graph.first[v + std::size_t{1}]; ++k)
      reverse_[k] = graph.first[graph.neighbours[k].vertex] + graph.neighbours[k].back;
  }
  beyond_.resize(most);
  first_of_degree_.assign(most + std::size_t{1}, nobody);
  for (std::uint32_t v = graph.vertices(); v-- > 0;) enter(v);
  for (std::uint32_t v = 0; v < graph.vertices(); ++v) changed(v, 1);
  pass(sweeps_at_first * graph.vertices());
  for (auto& list : waiting_) list.clear();
  std::fill(due_.begin(), due_.end(), 0.0);
  std::fill(level_.begin(), level_.end(), nowhere);
}

// cppcheck-suppress operatorEqVarError ; what a search needs holds nothing between two
RestGraph& RestGraph::operator=(const RestGraph& other) {
  if (this == &other) return *this;
  kappa_ = other.kappa_;
  message_ = other.message_;
  left_ = other.left_;
  degree_ = other.degree_;
  next_ = other.next_;
  previous_ = other.previous_;
  first_of_degree_ = other.first_of_degree_;
  due_ = other.due_;
  level_ = other.level_;
  waiting_ = other.waiting_;
  return *this;
}

void RestGraph::enter(std::uint32_t v) {
  std::uint32_t& first = first_of_degree_[degree_[v]];
  next_[v] = first;
  previous_[v] = nobody;
  if (first != nobody) previous_[first] = v;
  first = v;
}

void RestGraph::leave(std::uint32_t v) {
  if (previous_[v] == nobody) {
    first_of_degree_[degree_[v]] = next_[v];
  } else {
    next_[previous_[v]] = next_[v];
  }
  if (next_[v] != nobody) previous_[next_[v]] = previous_[v];
}

std::uint32_t RestGraph::least() const {
  for (const std::uint32_t first : first_of_degree_) {
    if (first != nobody) return first;
  }
  return nobody;
}

void RestGraph::remove(std::uint32_t v) {
  leave(v);
  left_[v] = 0;
  level_[v] = nowhere;
  for (std::uint64_t k = graph_.first[v]; k < graph_.first[v + std::size_t{1}]; ++k) {
    const std::uint32_t u = graph_.neighbours[k].vertex;
    if (left_[u] == 0) continue;
    leave(u);
    --degree_[u];
    enter(u);
    // It has lost what v brought: its chance to be matched with v.
    const double odds = message_[k] * message_[reverse_[k]] * graph_.neighbours[k].weight;
    changed(u, odds > 0x1p+60 ? 1 : odds / (1 + odds));
  }
}

void RestGraph::changed(std::uint32_t v, double share) {
  due_[v] += std::min(share, most_general_change);
  if (due_[v] < least_due) return;
  const int below = (most_change_exponent - std::ilogb(due_[v])) / octaves_a_level;
  const auto level = static_cast<std::uint8_t>(std::clamp(below, 0, static_cast<int>(levels) - 1));
  if (level >= level_[v]) return;
  level_[v] = level;
  waiting_[level].push_back(v);
}

void RestGraph::pass() {
  pass(sends_a_choice(graph_.vertices()));
}

void RestGraph::pass(std::uint64_t most) {
  StopPoll poll;
  for (unsigned level = 0; level < levels && most > 0;) {
    auto& list = waiting_[level];
    if (list.empty()) {
      ++level;
      continue;
    }
    const std::uint32_t v = list.back();
    list.pop_back();
    if (level_[v] != level) continue;  // it waits elsewhere, or has gone
    poll.steps(degree_[v]);
    level_[v] = nowhere;
    due_[v] = 0;
    send(v);
    --most;
    level = 0;
  }
}

void RestGraph::send(std::uint32_t v) {
  const std::uint64_t first = graph_.first[v];
  const std::uint32_t degree = graph_.degree(v);
  const double kappa = graph_.alone[v] > 0 ? 0 : kappa_;
  // Sums from both ends: a difference would lose what is small.
  double beyond = 0;
  for (std::uint32_t k = degree; k-- > 0;) {
    beyond_[k] = beyond;
    if (left_[graph_.neighbours[first + k].vertex] != 0) beyond += brought(first + k);
  }
  double before = graph_.alone[v];
  for (std::uint32_t k = 0; k < degree; ++k) {
    const SampleGraph::Neighbour& edge = graph_.neighbours[first + k];
    if (left_[edge.vertex] == 0) continue;
    const double own = brought(first + k);
    const double sent =
        std::clamp(1 / (before + beyond_[k] + kappa * own), least_general_message, most_general_message);
    before += own;
    double& message = message_[first + k];
    const double old = message;
    if (sent == old) continue;
    message = sent;
    const double odds = own * sent;
    const double chance = odds > 0x1p+60 ? 1 : odds / (1 + odds);
    changed(edge.vertex, std::min(std::abs(sent - old) / std::min(sent, old), most_general_change) * chance);
  }
}

bool RestGraph::strands(std::uint32_t v, std::uint32_t w) {
  search_ += 1;
  seen_[v] = search_;
  if (w != nobody) seen_[w] = search_;
  for (const std::uint32_t from : {v, w}) {
    if (from == nobody) continue;
    for (const auto* edge = graph_.begin(from); edge != graph_.end(from); ++edge) {
      if (left_[edge->vertex] != 0 && seen_[edge->vertex] != search_ && strands_from(edge->vertex, v, w))
        return true;
    }
  }
  return false;
}

bool RestGraph::strands_from(std::uint32_t start, std::uint32_t v, std::uint32_t w) {
  // What an earlier search has met was part of something larger, or can be matched.
  found_.assign(1, start);
  seen_[start] = search_;
  bool free = graph_.alone[start] > 0;
  for (std::size_t next = 0; next < found_.size() && !free; ++next) {
    for (const auto* edge = graph_.begin(found_[next]); edge != graph_.end(found_[next]); ++edge) {
      const std::uint32_t u = edge->vertex;
      if (left_[u] == 0 || u == v || u == w) continue;
      if (seen_[u] == search_) {
        if (std::find(found_.begin(), found_.end(), u) == found_.end()) return false;
        continue;
      }
      if (found_.size() == small_component) return false;
      seen_[u] = search_;
      found_.push_back(u);
      free = free || graph_.alone[u] > 0;
    }
  }
  return !free && found_.size() % 2 != 0;
}

GeneralBetheWalk::GeneralBetheWalk(const SampleGraph& graph, const RestGraph& start)
    : graph_(graph), start_(start), rest_(start) {}

bool GeneralBetheWalk::find_choices(std::uint32_t v) {
  choices_.clear();
  if (graph_.alone[v] > 0) choices_.push_back({RestGraph::nobody, graph_.alone[v], graph_.alone[v]});
  for (std::uint64_t k = graph_.first[v]; k < graph_.first[v + std::size_t{1}]; ++k) {
    const SampleGraph::Neighbour& edge = graph_.neighbours[k];
    if (rest_.is_left(edge.vertex)) choices_.push_back({edge.vertex, edge.weight, rest_.brought(k)});
  }
  if (choices_.size() > 1) {
    choices_.erase(std::remove_if(choices_.begin(), choices_.end(),
                                  [&](const Choice& choice) { return rest_.strands(v, choice.vertex); }),
                   choices_.end());
  }
  double most = 0;
  for (const Choice& choice : choices_) most = std::max(most, choice.share);
  double all = 0;
  for (Choice& choice : choices_) {
    choice.share = std::max(choice.share, most * least_choice);
    all += choice.share;
  }
  for (Choice& choice : choices_) choice.share /= all;
  return !choices_.empty();
}

}  // namespace countpm
