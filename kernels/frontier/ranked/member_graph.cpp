#include "kernels/frontier/ranked/member_graph.hpp"

#include <algorithm>

namespace countpm {
namespace {

constexpr std::uint64_t most_member_edges = std::uint64_t{1} << 20;
constexpr std::size_t most_waiting = std::size_t{1} << 12;

/// Every member of every class, in the order of the classes; false where there are too many.
bool lay_out_members(const ClassGraph& graph, std::uint64_t most_members, MemberGraph& members,
                     std::vector<std::uint32_t>& first) {
  first.assign(1, 0);
  for (const Index size : graph.multiplicity) {
    if (first.back() + std::uint64_t{size} > most_members) return false;
    first.push_back(first.back() + size);
  }
  members.general = graph.general;
  for (Index c = 0; c < graph.classes(); ++c) {
    for (std::uint32_t v = first[c]; v < first[c + std::size_t{1}]; ++v) {
      members.row.push_back(graph.is_row(c) ? 1 : 0);
      const auto add = [&](Index other, std::uint64_t entry) {
        for (std::uint32_t u = first[other]; u < first[other + std::size_t{1}]; ++u) {
          if (u == v) continue;
          members.neighbour.push_back(u);
          members.entry.push_back(entry);
        }
      };
      for (std::uint64_t k = graph.start[c]; k < graph.start[c + std::size_t{1}]; ++k)
        add(graph.neighbour[k], graph.entry[k]);
      if (graph.has_inner(c)) add(c, graph.inner[c]);
      members.start.push_back(members.neighbour.size());
      if (members.neighbour.size() > 2 * most_member_edges) return false;
    }
  }
  return true;
}

/// Follows which table each eliminated vertex is in.
class LeavingTimes {
 public:
  explicit LeavingTimes(MemberElimination& all)
      : all_(all),
        graph_(all.graph),
        open_(graph_.vertices()),
        owner_(graph_.vertices()),
        own_(graph_.vertices()) {
    all_.leaves.assign(graph_.vertices(), never);
    for (std::uint32_t v = 0; v < graph_.vertices(); ++v) open_[v] = graph_.degree(v);
  }

  /// False where too many wait.
  bool find() {
    for (std::uint32_t now = 0; now < all_.steps.size(); ++now) {
      const MemberStep& step = all_.steps[now];
      if (step.kind == EliminationStep::Kind::push) {
        tables_.push_back(static_cast<std::uint32_t>(tables_.size()));
        stack_.push_back(tables_.back());
      } else if (step.kind == EliminationStep::Kind::eliminate) {
        eliminate(step.vertex, now);
        if (waiting_.size() > most_waiting) return false;
      } else {
        join(now);
      }
    }
    for (std::uint32_t v = 0; v < graph_.vertices(); ++v) all_.leaves[v] = std::min(all_.leaves[v], own_[v]);
    return true;
  }

 private:
  static constexpr std::uint32_t never = ~std::uint32_t{0};

  std::uint32_t root(std::uint32_t table) {
    while (tables_[table] != table) table = tables_[table] = tables_[tables_[table]];
    return table;
  }
  bool in_one_table(std::uint32_t u) {
    const std::uint32_t table = root(owner_[graph_.neighbour[graph_.start[u]]]);
    for (std::uint64_t k = graph_.start[u]; k < graph_.start[u + std::size_t{1}]; ++k) {
      if (root(owner_[graph_.neighbour[k]]) != table) return false;
    }
    return true;
  }
  void eliminate(std::uint32_t v, std::uint32_t now) {
    owner_[v] = stack_.back();
    own_[v] = now;
    for (std::uint64_t k = graph_.start[v]; k < graph_.start[v + std::size_t{1}]; ++k) {
      const std::uint32_t u = graph_.neighbour[k];
      if (--open_[u] != 0) continue;
      if (in_one_table(u)) {
        all_.leaves[u] = now;
      } else {
        waiting_.push_back(u);
      }
    }
  }
  void join(std::uint32_t now) {
    const std::uint32_t second = stack_.back();
    stack_.pop_back();
    tables_[root(second)] = root(stack_.back());
    const auto gone = std::remove_if(waiting_.begin(), waiting_.end(), [&](std::uint32_t u) {
      if (!in_one_table(u)) return false;
      all_.leaves[u] = now;
      return true;
    });
    waiting_.erase(gone, waiting_.end());
  }

  MemberElimination& all_;
  const MemberGraph& graph_;
  std::vector<std::uint64_t> open_;
  std::vector<std::uint32_t> owner_;
  std::vector<std::uint32_t> own_;
  std::vector<std::uint32_t> tables_;
  std::vector<std::uint32_t> stack_;
  std::vector<std::uint32_t> waiting_;  // all neighbours eliminated, in several tables
};

}  // namespace

std::optional<MemberElimination> eliminate_members(const ClassGraph& graph, const Elimination& elimination,
                                                   std::uint64_t most_members) {
  MemberElimination all;
  std::vector<std::uint32_t> first;
  if (!lay_out_members(graph, most_members, all.graph, first)) return std::nullopt;
  for (const EliminationStep& step : elimination.steps) {
    if (step.kind != EliminationStep::Kind::eliminate) {
      all.steps.push_back({step.kind, 0});
      continue;
    }
    for (std::uint32_t v = first[step.vertex]; v < first[step.vertex + std::size_t{1}]; ++v)
      all.steps.push_back({step.kind, v});
  }
  if (!LeavingTimes(all).find()) return std::nullopt;
  return all;
}

}  // namespace countpm
