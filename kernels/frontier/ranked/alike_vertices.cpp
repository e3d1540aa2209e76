#include "kernels/frontier/ranked/alike_vertices.hpp"

#include <gmpxx.h>

#include <algorithm>

namespace countpm {

AlikeVertices::AlikeVertices(const MemberGraph& graph, const std::vector<MemberStep>& steps,
                             const IntegerWeights& weights)
    : graph_(graph), time_(graph.vertices()), class_(graph.vertices()) {
  std::map<mpz_class, std::uint32_t> numbers;
  weight_.reserve(weights.value.size());
  for (const mpz_class& weight : weights.value)
    weight_.push_back(numbers.emplace(weight, static_cast<std::uint32_t>(numbers.size())).first->second);
  for (std::uint32_t now = 0; now < steps.size(); ++now) {
    if (steps[now].kind == EliminationStep::Kind::eliminate) time_[steps[now].vertex] = now;
  }
}

void AlikeVertices::touch(std::uint32_t u, std::uint64_t entry) {
  const auto [at, is_new] =
      split_.try_emplace({class_[u], weight_[entry]}, static_cast<std::uint32_t>(gone_near_.size()));
  if (is_new) gone_near_.push_back(gone_near_[class_[u]] + 1);
  class_[u] = at->second;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> AlikeVertices::later(std::uint32_t u,
                                                                          std::uint32_t now) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  for (std::uint64_t k = graph_.start[u]; k < graph_.start[u + std::size_t{1}]; ++k) {
    const std::uint32_t time = time_[graph_.neighbour[k]];
    if (time > now) ends.emplace_back(time, weight_[graph_.entry[k]]);
  }
  // Whose neighbours come to an end is told apart last.
  ends.emplace_back(~std::uint32_t{0}, 0);
  std::sort(ends.begin(), ends.end());
  return ends;
}

void AlikeVertices::sort(std::vector<std::uint32_t>& fresh, std::uint32_t now) const {
  std::vector<std::pair<std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::uint32_t>> keys;
  for (const std::uint32_t u : fresh) {
    auto key = later(u, now);
    key.insert(key.begin(), {class_[u], 0});
    keys.emplace_back(std::move(key), u);
  }
  std::sort(keys.begin(), keys.end());
  for (std::size_t k = 0; k < fresh.size(); ++k) fresh[k] = keys[k].second;
}

std::vector<SetField> AlikeVertices::fields(const std::vector<std::uint32_t>& frontier) const {
  std::vector<SetField> fields;
  for (std::uint32_t low = 0, end = 0; low < frontier.size(); low = end) {
    end = low + 1;
    while (end < frontier.size() && are_alike(frontier[low], frontier[end])) ++end;
    const std::uint32_t width = end - low;
    if (width == 1) continue;
    const std::uint32_t used = std::min(width, gone_near_[class_[frontier[low]]]);
    // Of a row, the bit says that it is free.
    if (graph_.row[frontier[low]] != 0) {
      fields.push_back({low, width, width - used, width});
    } else {
      fields.push_back({low, width, 0, used});
    }
  }
  return fields;
}

}  // namespace countpm
