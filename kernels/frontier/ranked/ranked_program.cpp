#include "kernels/frontier/ranked/ranked_program.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/frontier/ranked/ranked_runs.hpp"
#include "kernels/frontier/ranked/value_bits.hpp"

namespace countpm {
namespace {

constexpr std::uint32_t most_ranked_width = 62;
constexpr std::uint64_t most_ranked_states = std::uint64_t{1} << 40;
constexpr std::uint64_t most_members = std::uint64_t{1} << 16;
// Lowest bits that new vertices do not get.
constexpr std::ptrdiff_t stable_bits = 9;
constexpr std::uint64_t most_member_edges = std::uint64_t{1} << 20;

/// Every member of every class, in the order of the classes; false where there are too many.
bool lay_out_members(const ClassGraph& graph, MemberGraph& members, std::vector<std::uint32_t>& first) {
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

std::uint64_t bit_at(std::uint32_t at) {
  return std::uint64_t{1} << at;
}

class RankedCompiler {
 public:
  RankedCompiler(const MemberGraph& members, const IntegerWeights& weights,
                 std::vector<std::uint32_t> sequence, std::vector<double> traffic)
      : members_(members),
        weights_(weights),
        sequence_(std::move(sequence)),
        traffic_(std::move(traffic)),
        counts_(set_counts(members_.general ? SetRule::parity : SetRule::ones)),
        bits_(members_, log2_most()),
        eliminated_(members_.vertices()),
        place_(members_.vertices(), nowhere),
        own_traffic_(members_.vertices()) {
    program_.rule = counts_.rule();
    program_.negative = weights.negative;
    family_.rule = counts_.rule();
    find_leaving_times();
  }

  /// After compile(): for every vertex the values pulled in runs that end at its bit.
  const std::vector<double>& traffic() const { return own_traffic_; }

  std::optional<RankedProgram> compile(std::uint32_t words_enough) {
    for (const std::uint32_t v : sequence_) {
      if (!eliminate(v)) return std::nullopt;
      if (program_.zero) {
        program_.steps.clear();
        return std::move(program_);
      }
    }
    // Each table has the words of the one before, or one more, and at least what its bound asks for.
    std::vector<RankedStep>& steps = program_.steps;
    const std::uint32_t enough = std::min(words_enough, words_for(weights_.log2_bound));
    std::uint32_t words = 1;
    for (RankedStep& step : steps) step.to_words = words = std::max(words, std::min(step.to_words, enough));
    for (std::size_t k = steps.size(); k-- > 1;)
      steps[k - 1].to_words = std::max(steps[k - 1].to_words, steps[k].to_words - 1);
    for (std::size_t k = 0; k < steps.size(); ++k) {
      steps[k].from_words = k > 0 ? steps[k - 1].to_words : std::max(1U, steps[k].to_words - 1);
      std::uint64_t& bytes = program_.table_bytes[k % 2];
      bytes = std::max(bytes, steps[k].to_states * steps[k].to_words * sizeof(std::uint64_t));
    }
    return std::move(program_);
  }

 private:
  static constexpr std::uint32_t nowhere = ~std::uint32_t{0};

  std::vector<double> log2_most() const {
    std::vector<double> most(members_.vertices(), 0);
    for (std::uint32_t v = 0; v < members_.vertices(); ++v) {
      for (std::uint64_t k = members_.start[v]; k < members_.start[v + std::size_t{1}]; ++k) {
        const mpz_class size = abs(weights_.value[members_.entry[k]]);
        most[v] = std::max(most[v], std::log2(size.get_d()));
      }
    }
    return most;
  }

  /// With half a bit for what logarithms were rounded by, and one for the sign.
  std::uint32_t words_for(double log2_bound) const {
    return static_cast<std::uint32_t>((std::max(log2_bound, 0.0) + (program_.negative ? 1.5 : 0.5)) / 64) + 1;
  }

  void find_leaving_times() {
    std::vector<std::uint32_t> time(members_.vertices());
    for (std::uint32_t k = 0; k < sequence_.size(); ++k) time[sequence_[k]] = k;
    leaves_ = time;
    for (std::uint32_t v = 0; v < members_.vertices(); ++v) {
      std::uint32_t last = 0;
      for (std::uint64_t k = members_.start[v]; k < members_.start[v + std::size_t{1}]; ++k)
        last = std::max(last, time[members_.neighbour[k]]);
      if (members_.degree(v) != 0) leaves_[v] = std::min(leaves_[v], last);
    }
    now_ = 0;
  }

  bool is_row(std::uint32_t v) const { return members_.row[v] != 0; }
  std::uint64_t used(std::uint32_t v, std::uint32_t at) const { return is_row(v) ? 0 : bit_at(at); }
  std::uint64_t unused(std::uint32_t v, std::uint32_t at) const { return is_row(v) ? bit_at(at) : 0; }

  struct Choice {
    std::uint32_t u;
    std::uint64_t entry;
    std::uint32_t at;  // its bit in an old set; nowhere: untouched so far
    bool closes;

    bool new_and_closes() const { return closes && at == nowhere; }
  };

  void leave(std::uint32_t v) {
    bits_.leave(v);
    (is_row(v) ? rows_gone_ : others_gone_) += 1;
  }

  /// False where no word has room for the frontier, or none for the table.
  bool eliminate(std::uint32_t v) {
    const std::uint32_t now = now_++;
    const bool closed = leaves_[v] < now;
    eliminated_[v] = 1;
    bits_.eliminate(v);
    if (closed) return true;
    choices_.clear();
    for (std::uint64_t k = members_.start[v]; k < members_.start[v + std::size_t{1}]; ++k) {
      const std::uint32_t u = members_.neighbour[k];
      if (eliminated_[u] == 0) choices_.push_back({u, members_.entry[k], place_[u], leaves_[u] == now});
    }
    leave(v);
    RankedStep step;
    step.from = family_;
    step.from_states = states_;
    const std::uint32_t own = place_[v];
    if (own != nowhere) step.removed.push_back(own);
    std::vector<std::uint32_t> fresh;
    for (const Choice& choice : choices_) {
      if (choice.closes) leave(choice.u);
      if (choice.closes && choice.at != nowhere) step.removed.push_back(choice.at);
      if (!choice.closes && choice.at == nowhere) fresh.push_back(choice.u);
    }
    std::sort(step.removed.begin(), step.removed.end());
    if (frontier_.size() - step.removed.size() + fresh.size() > most_ranked_width) return false;
    move_frontier(step, fresh);
    find_family(step);
    if (program_.zero) return true;
    add_pulls(step, v, own);
    // Whoever comes or leaves cuts the runs of all pulls.
    const auto tell = [&](std::uint32_t u) { own_traffic_[u] += step.moves; };
    if (own != nowhere) tell(v);
    for (const Choice& choice : choices_) {
      if (choice.closes != (choice.at == nowhere)) tell(choice.u);
    }
    if (step.pulls.empty()) program_.zero = true;
    if (step.to_states >= most_ranked_states) return false;
    step.to_words = words_for(bits_.log2_bound(frontier_));
    program_.width = std::max(program_.width, step.to.width);
    program_.peak_states = std::max(program_.peak_states, step.to_states);
    states_ = step.to_states;
    family_ = step.to;
    program_.steps.push_back(std::move(step));
    return true;
  }

  /// By traffic where that is known; else above those that stay for now, the last to leave first.
  std::vector<std::uint32_t>::iterator place_for(std::uint32_t u,
                                                 std::vector<std::uint32_t>& frontier) const {
    if (!traffic_.empty())
      return std::upper_bound(frontier.begin(), frontier.end(), u, [&](std::uint32_t a, std::uint32_t b) {
        return traffic_[a] != traffic_[b] ? traffic_[a] < traffic_[b] : a < b;
      });
    auto at = frontier.begin() + std::min<std::ptrdiff_t>(stable_bits, std::ssize(frontier));
    while (at != frontier.end() && leaves_[*at] >= leaves_[u]) ++at;
    return at;
  }

  /// The new frontier, and where its bits were.
  void move_frontier(RankedStep& step, const std::vector<std::uint32_t>& fresh) {
    std::vector<std::uint32_t> stay;
    for (std::uint32_t at = 0; at < frontier_.size(); ++at) {
      if (!std::binary_search(step.removed.begin(), step.removed.end(), at)) {
        stay.push_back(frontier_[at]);
      } else {
        place_[frontier_[at]] = nowhere;
      }
    }
    std::vector<std::uint32_t> next = stay;
    for (const std::uint32_t u : fresh) next.insert(place_for(u, next), u);
    for (std::uint32_t at = 0; at < next.size(); ++at) {
      const std::uint32_t u = next[at];
      if (place_[u] == nowhere) {
        step.fresh.push_back(at);
      } else {
        const int up = static_cast<int>(place_[u]) - static_cast<int>(at);
        const auto same = std::find_if(step.kept.begin(), step.kept.end(),
                                       [&](const BitMove& move) { return move.up == up; });
        if (same == step.kept.end()) {
          step.kept.push_back({bit_at(at), up});
        } else {
          same->mask |= bit_at(at);
        }
      }
      place_[u] = at;
    }
    frontier_ = std::move(next);
  }

  void find_family(RankedStep& step) {
    step.to.rule = counts_.rule();
    step.to.width = static_cast<std::uint32_t>(frontier_.size());
    std::int64_t number = members_.general ? others_gone_ & 1 : rows_gone_ - others_gone_;
    for (const std::uint32_t u : frontier_) number += is_row(u) ? 1 : 0;
    step.to_states = counts_(step.to.width, number);
    if (step.to_states == 0) program_.zero = true;
    step.to.number = static_cast<std::uint32_t>(number);
  }

  void add_pulls(RankedStep& step, std::uint32_t v, std::uint32_t own) {
    // What only v can use, it must.
    const auto musts = std::count_if(choices_.begin(), choices_.end(),
                                     [](const Choice& choice) { return choice.new_and_closes(); });
    if (own != nowhere && musts == 0) add_pull(step, nullptr, used(v, own));
    for (const Choice& choice : choices_) {
      if (musts == (choice.new_and_closes() ? 1 : 0))
        add_pull(step, &choice, own != nowhere ? unused(v, own) : 0);
    }
  }

  /// own_bit: v's in the old set. choice: the neighbour that v takes; null: v was used before.
  void add_pull(RankedStep& step, const Choice* choice, std::uint64_t own_bit) {
    RankedPull pull;
    pull.flip = own_bit;
    for (const Choice& other : choices_) {
      const bool taken = &other == choice;
      if (other.closes) {
        if (other.at != nowhere) pull.flip |= taken ? unused(other.u, other.at) : used(other.u, other.at);
        continue;
      }
      const std::uint32_t now = place_[other.u];
      if (other.at == nowhere || taken) {
        pull.mask |= bit_at(now);
        pull.value |= taken ? used(other.u, now) : unused(other.u, now);
      }
      if (other.at != nowhere && taken) pull.flip |= bit_at(other.at);
    }
    if (choice != nullptr) {
      const mpz_class& weight = weights_.value[choice->entry];
      pull.weight.negative = weight < 0;
      pull.weight.magnitude = mpz_getlimbn(weight.get_mpz_t(), 0);
    }
    const std::uint64_t moves = moves_of(step, pull, counts_);
    if (moves == 0) return;
    step.moves += static_cast<double>(moves);
    if (choice != nullptr && !choice->closes && choice->at != nowhere)
      own_traffic_[choice->u] += static_cast<double>(moves);
    program_.moves += static_cast<double>(moves);
    step.pulls.push_back(pull);
  }

  const MemberGraph& members_;
  const IntegerWeights& weights_;
  std::vector<std::uint32_t> sequence_;
  std::vector<double> traffic_;  // decides where vertices have their bits; empty: not known yet
  const SetCounts& counts_;
  ValueBits bits_;
  RankedProgram program_;
  std::vector<std::uint32_t> leaves_;  // when a vertex leaves the frontier
  std::vector<std::uint8_t> eliminated_;
  std::vector<std::uint32_t> place_;     // of frontier vertices, their bits
  std::vector<double> own_traffic_;      // counted in this run
  std::vector<std::uint32_t> frontier_;  // by bit
  std::vector<Choice> choices_;
  SetFamily family_{SetRule::ones, 0, 0};
  std::uint64_t states_ = 1;
  std::int64_t rows_gone_ = 0;
  std::int64_t others_gone_ = 0;
  std::uint32_t now_ = 0;
};

}  // namespace

std::uint64_t moves_of(const RankedStep& step, const RankedPull& pull, const SetCounts& counts) {
  const auto free_bits = step.to.width - static_cast<std::uint32_t>(std::popcount(pull.mask));
  return counts(free_bits, counts.rest(step.to.number, std::popcount(pull.value)));
}

std::optional<RankedProgram> make_ranked_program(const ClassGraph& graph, const IntegerWeights& weights,
                                                 const Elimination& elimination, std::uint32_t words_enough) {
  if (graph.monomers || graph.tiles() != 0) return std::nullopt;
  for (const mpz_class& weight : weights.value) {
    if (mpz_sizeinbase(weight.get_mpz_t(), 2) > 63) return std::nullopt;
  }
  MemberGraph members;
  std::vector<std::uint32_t> first;
  if (!lay_out_members(graph, members, first)) return std::nullopt;
  const std::optional<std::vector<Index>> line = classes_in_line(elimination);
  if (!line) return std::nullopt;
  std::vector<std::uint32_t> sequence;
  for (const Index c : *line) {
    for (std::uint32_t v = first[c]; v < first[c + std::size_t{1}]; ++v) sequence.push_back(v);
  }
  RankedCompiler first_look(members, weights, sequence, {});
  std::optional<RankedProgram> by_time = first_look.compile(words_enough);
  if (!by_time || by_time->zero) return by_time;
  std::optional<RankedProgram> by_traffic =
      RankedCompiler(members, weights, sequence, first_look.traffic()).compile(words_enough);
  return runs_in_program(*by_time) < runs_in_program(*by_traffic) ? std::move(by_time)
                                                                  : std::move(by_traffic);
}

}  // namespace countpm
