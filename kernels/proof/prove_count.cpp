#include "kernels/proof/prove_count.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "graph/errors.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/proof/build_table.hpp"
#include "kernels/proof/four_word_key.hpp"
#include "kernels/proof/line_polynomial.hpp"

namespace countpm {
namespace {

/// call(a key): of one, two or four words.
template <class Call>
auto with_keys_of(const EliminationPlan& plan, const Call& call) {
  if (plan.bits <= 64 + place_bits) return call(std::uint64_t{});
  if (plan.bits <= 128 + place_bits) return call(uint128{});
  return call(FourWordKey{});
}

template <class Key>
StateBlocks<Key> first_blocks() {
  StateBlocks<Key> blocks;
  blocks.key = PlainArray<Key>(1);
  blocks.reached = PlainArray<std::uint64_t>(1);
  blocks.key[0] = 0;
  blocks.reached[0] = 1;
  blocks.states = 1;
  return blocks;
}

template <class Key>
ProofSizes measure(const EliminationPlan& plan, std::uint64_t most_states, std::uint64_t most_in_two,
                   int threads, const std::function<void(std::uint64_t states)>& looked_at) {
  ProofSizes sizes;
  StateBlocks<Key> blocks = first_blocks<Key>();
  const auto add = [&] {
    sizes.tables.push_back({blocks.blocks(), blocks.states});
    sizes.states += blocks.states;
    sizes.widest = std::max(sizes.widest, blocks.states);
    if (looked_at) looked_at(blocks.states);
  };
  add();
  for (const EliminationStepPlan& step : plan.steps) {
    check_stop();
    const StepStreams<Key> streams = streams_of<Key>(step);
    sizes.transitions +=
        static_cast<double>(blocks.states) * static_cast<double>(1 + streams.stream.size()) / 2;
    const std::uint64_t before = blocks.states;
    blocks = blocks_after(blocks, streams, threads);
    add();
    if (sizes.states > most_states || before + blocks.states > most_in_two) {
      sizes.whole = false;
      break;
    }
  }
  return sizes;
}

std::uint64_t bytes_of(const EliminationPlan& plan, const ProofSizes::Table& table) {
  return with_keys_of(plan, [&](auto key) { return table_bytes<decltype(key)>(table.blocks, table.states); });
}

/// What a step takes beside tables: the blocks of the next table twice, and ranges grow by doubling; then
/// what finds blocks.
std::uint64_t bytes_beside(const EliminationPlan& plan, const ProofSizes& sizes, std::size_t k) {
  const std::uint64_t key = with_keys_of(plan, [](auto own) { return std::uint64_t{sizeof(own)}; });
  return std::max(3 * sizes.tables[k + 1].blocks * (key + sizeof(std::uint64_t)),
                  place_bytes(sizes.tables[k].blocks));
}

/// Segments of segments, so that tables fit.
class MemoryPlanner {
 public:
  MemoryPlanner(const EliminationPlan& plan, const ProofSizes& sizes, std::uint64_t memory_bytes)
      : sizes_(sizes), steps_(plan.steps.size()), memory_bytes_(memory_bytes) {
    for (const ProofSizes::Table& table : sizes.tables) table_.push_back(bytes_of(plan, table));
    for (std::size_t k = 0; k < steps_; ++k) beside_.push_back(bytes_beside(plan, sizes, k));
  }

  struct Planned {
    ProofMemory::Segment segment;
    std::uint64_t bytes = 0;
    double states = 0;  // that steps forwards begin with
  };

  /// Of the steps from first to before last, where `held` bytes are tables that are kept beside.
  Planned plan(std::size_t first, std::size_t last, std::uint64_t held, unsigned levels) const {
    Planned best = with_all_kept(first, last, held);
    if (fits(best) || levels == 0) return best;
    std::uint64_t all = 0;
    std::uint64_t widest = 1;
    for (std::size_t k = first; k < last; ++k) {
      all += table_[k];
      widest = std::max(widest, table_[k]);
    }
    // Parts of 7/8, (7/8)^2, .. of the whole.
    std::vector<std::size_t> seen{first};
    for (std::uint64_t part = all; part >= widest; part = part / 8 * 7) {
      const std::vector<std::size_t> starts = starts_of_parts(first, last, part);
      if (starts == seen) continue;
      seen = starts;
      Planned found = with_parts(starts, last, held, levels - 1);
      if (fits(found) != fits(best) ? fits(found)
                                    : (fits(found) ? found.states < best.states : found.bytes < best.bytes))
        best = std::move(found);
    }
    return best;
  }

  bool fits(const Planned& planned) const { return planned.bytes <= memory_bytes_; }

 private:
  std::uint64_t bytes_of_step(std::size_t k) const { return table_[k + 1] + beside_[k]; }

  /// The step before the last table is not done again; that behind all steps is made once.
  Planned with_all_kept(std::size_t first, std::size_t last, std::uint64_t held) const {
    Planned result{{first, last, {}}, held, 0};
    std::uint64_t tables = held;
    for (std::size_t k = first; k < last; ++k) {
      tables += table_[k];
      if (k + 1 < last || last == steps_) {
        result.bytes = std::max(result.bytes, tables + bytes_of_step(k));
        result.states += static_cast<double>(sizes_.tables[k].states);
      }
    }
    result.bytes = std::max(result.bytes, tables);
    return result;
  }

  std::vector<std::size_t> starts_of_parts(std::size_t first, std::size_t last, std::uint64_t bytes) const {
    std::vector<std::size_t> starts{first};
    std::uint64_t in_part = 0;
    for (std::size_t k = first; k < last; ++k) {
      if (k > first && in_part + table_[k] > bytes) {
        starts.push_back(k);
        in_part = 0;
      }
      in_part += table_[k];
    }
    return starts;
  }

  Planned with_parts(const std::vector<std::size_t>& starts, std::size_t last, std::uint64_t held,
                     unsigned levels) const {
    Planned result{{starts.front(), last, {}}, held, 0};
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::size_t first = starts[i];
      const bool is_last = i + 1 == starts.size();
      const std::size_t end = is_last ? last : starts[i + 1];
      if (!is_last) {
        // On the way to the next part its first table is kept, and the last one made.
        for (std::size_t k = first; k < end; ++k) {
          const std::uint64_t between = k > first ? table_[k] : 0;
          result.bytes = std::max(result.bytes, held + table_[first] + between + bytes_of_step(k));
          result.states += static_cast<double>(sizes_.tables[k].states);
        }
      }
      Planned part = plan(first, end, held, levels);
      result.bytes = std::max(result.bytes, part.bytes);
      result.states += part.states;
      result.segment.parts.push_back(std::move(part.segment));
      held += table_[first];
    }
    return result;
  }

  const ProofSizes& sizes_;
  std::size_t steps_;
  std::uint64_t memory_bytes_;
  std::vector<std::uint64_t> table_, beside_;
};

/// One more than the largest.
std::size_t vertices_of(const EliminationPlan& plan) {
  std::size_t vertices = 0;
  for (const EliminationStepPlan& step : plan.steps)
    if (!step.of_set) vertices = std::max<std::size_t>(vertices, step.vertex + std::size_t{1});
  return vertices;
}

template <class Key>
class Prover {
 public:
  Prover(const EliminationPlan& plan, const ProofSizes& sizes, const ProofMemory& memory,
         const PrimeField& field, const ProofWeights& weights, int threads, const ProofHooks& hooks)
      : plan_(plan),
        sizes_(sizes),
        memory_(memory),
        field_(field),
        weights_(weights),
        threads_(threads),
        hooks_(hooks),
        table_(plan.steps.size() + 1),
        point_(vertices_of(plan)),
        vertex_at_(plan.bits, no_index) {
    const double states = static_cast<double>(sizes.states);
    work_ = states * (1 + memory.again + work_backwards);
  }

  ProofRounds run(const FieldElement& claim, const HashBytes& statement) {
    table_[0] = first_table<Key>(field_);
    value_ = claim;
    Transcript transcript(statement);
    result_.rounds.reserve(plan_.steps.size());
    if (go_through(memory_.whole, transcript) && !(value_ == field_.one()))
      throw CheckError("the chain of the proof does not end at 1");
    return std::move(result_);
  }

 private:
  // Of a state, backwards, in units of the forward pass.
  static constexpr double work_backwards = 2;

  void finish(double work) {
    done_ += work;
    if (hooks_.done) hooks_.done(std::min(done_ / work_, 1.0));
  }

  /// Forwards and back. False where the sum is not what was claimed. Segments are few levels deep.
  bool go_through(const ProofMemory::Segment& segment, Transcript& transcript) {
    if (segment.parts.empty()) return go_back_over(segment, transcript);
    for (std::size_t i = 0; i + 1 < segment.parts.size(); ++i) {
      const std::size_t first = segment.parts[i].first;
      for (std::size_t k = first; k < segment.parts[i + 1].first; ++k) {
        make_table_after(k);
        if (k != first) table_[k].reset();
      }
    }
    for (std::size_t i = segment.parts.size(); i-- > 0;)
      if (!go_through(segment.parts[i], transcript)) return false;
    return true;
  }

  /// All tables of the segment, and back.
  bool go_back_over(const ProofMemory::Segment& segment, Transcript& transcript) {
    const std::size_t steps = plan_.steps.size();
    const bool at_end = segment.last == steps;  // the table after others has been worked off
    for (std::size_t k = segment.first; k < segment.last; ++k)
      if (k + 1 < segment.last || at_end) make_table_after(k);
    if (at_end) {
      const StateTable<Key>& last = *table_[steps];
      result_.sum = last.states > 0 ? last.value[0] : field_.zero();
      if (!(result_.sum == value_)) return false;
      table_[steps].reset();
    }
    for (std::size_t k = segment.last; k-- > segment.first;) {
      check_stop();
      value_ = go_back(k, value_, transcript, result_.rounds);
      table_[k].reset();
      finish(work_backwards * static_cast<double>(sizes_.tables[k].states));
    }
    return true;
  }

  void make_table_after(std::size_t k) {
    check_stop();
    const EliminationStepPlan& step = plan_.steps[k];
    const StepStreams<Key> streams = streams_of<Key>(step);
    std::vector<FieldElement> weight;
    for (const StepStream<Key>& stream : streams.stream) weight.push_back(weight_of(stream, step));
    table_[k + 1] = table_after(field_, *table_[k], streams, weight, threads_);
    finish(static_cast<double>(sizes_.tables[k].states));
  }

  FieldElement weight_of(const StepStream<Key>& stream, const EliminationStepPlan& step) const {
    switch (stream.kind) {
      case StepStream<Key>::Kind::covered:
        return field_.one();
      case StepStream<Key>::Kind::monomer:
        return weights_.monomer[step.vertex];
      case StepStream<Key>::Kind::set:
        break;
    }
    return weights_.set[stream.set];
  }

  /// Of the value f'(r) of the table after a step, what it is of q: A q_0 + B q_1 + C (q_2 + .. + q_m).
  struct Relation {
    FieldElement a, b, c;
  };
  Relation relation_of(const EliminationStepPlan& step) const {
    FieldElement empty = field_.one();  // where vertices are not covered that enter
    FieldElement used;                  // sum over those that enter of what covers one of them
    if (step.of_set) {
      used = weights_.set[step.terms.front().set];
      for (const StepVariable& variable : step.variables) {
        const FieldElement& r = point_[variable.vertex];
        used = field_.multiply(used, r);
        if (variable.entering) empty = field_.multiply(empty, field_.subtract(field_.one(), r));
      }
      return {field_.add(empty, used), used, used};
    }
    FieldElement stay = step.live ? field_.one() : field_.zero();
    if (step.monomer) stay = field_.add(stay, weights_.monomer[step.vertex]);
    for (std::size_t j = 0; j < step.terms.size(); ++j) {
      const FieldElement& r = point_[step.variables[j].vertex];
      const FieldElement weighted = field_.multiply(weights_.set[step.terms[j].set], r);
      if (step.variables[j].entering) {
        const FieldElement other = field_.subtract(field_.one(), r);
        used = field_.add(field_.multiply(used, other), field_.multiply(empty, weighted));
        empty = field_.multiply(empty, other);
      } else {
        stay = field_.add(stay, weighted);
      }
    }
    return {field_.add(field_.multiply(empty, stay), used), empty, field_.zero()};
  }

  /// In which direction the coordinates of the table before the step go; those that do not move are left out.
  std::vector<std::pair<Index, FieldElement>> directions_of(const EliminationStepPlan& step) const {
    std::vector<std::pair<Index, FieldElement>> ways;
    if (step.live) ways.emplace_back(step.vertex, field_.one());
    for (std::size_t j = 0; j < step.variables.size(); ++j) {
      if (step.variables[j].entering) continue;
      const Index w = step.variables[j].vertex;
      const FieldElement& r = point_[w];
      ways.emplace_back(
          w, field_.negate(
                 step.of_set ? r : field_.multiply(weights_.set[step.terms[j].set], field_.multiply(r, r))));
    }
    return ways;
  }

  /// From the value of the table after step k at the point to that of the table before it at the new point.
  FieldElement go_back(std::size_t k, const FieldElement& value, Transcript& transcript,
                       std::vector<ProofRound>& rounds) {
    const EliminationStepPlan& step = plan_.steps[k];
    const auto [a, b, c] = relation_of(step);
    if (b == field_.zero()) throw CheckError("a challenge of the proof is 0 or 1");
    const std::vector<std::pair<Index, FieldElement>> ways = directions_of(step);
    // Coordinates of the table before the step.
    for (const StepVariable& variable : step.variables)
      if (variable.entering) vertex_at_[variable.bit] = no_index;
    if (step.live) {
      vertex_at_[step.bit] = step.vertex;
      point_[step.vertex] = field_.zero();
    }
    std::vector<LineCoordinate> line;
    for (unsigned bit = 0; bit < plan_.bits; ++bit) {
      const Index v = vertex_at_[bit];
      if (v == no_index) continue;
      const auto way =
          std::find_if(ways.begin(), ways.end(), [v](const auto& own) { return own.first == v; });
      const bool moving = way != ways.end();
      line.push_back({bit, moving, point_[v], moving ? way->second : field_.zero()});
    }

    StateTable<Key>& table = *table_[k];
    if (hooks_.table) hooks_.table(k, table.value.data(), table.states);
    const std::vector<FieldElement> q = line_polynomial(field_, table, line, threads_);
    FieldElement said = field_.multiply(a, q.front());
    if (q.size() > 1) said = field_.add(said, field_.multiply(b, q[1]));
    ProofRound round{q.front()};
    for (std::size_t i = 2; i < q.size(); ++i) {
      said = field_.add(said, field_.multiply(c, q[i]));
      round.push_back(q[i]);
    }
    if (!(said == value)) throw CheckError("a table of the proof does not agree with the one after it");
    const FieldElement t = transcript.challenge(field_, round);
    rounds.push_back(std::move(round));
    for (const auto& [v, way] : ways) point_[v] = field_.add(point_[v], field_.multiply(t, way));
    FieldElement result = q.back();
    for (std::size_t i = q.size() - 1; i-- > 0;) result = field_.add(field_.multiply(result, t), q[i]);
    return result;
  }

  const EliminationPlan& plan_;
  const ProofSizes& sizes_;
  const ProofMemory& memory_;
  const PrimeField& field_;
  const ProofWeights& weights_;
  int threads_;
  const ProofHooks& hooks_;
  std::vector<std::optional<StateTable<Key>>> table_;
  std::vector<FieldElement> point_;  // of every vertex that is a coordinate now
  std::vector<Index> vertex_at_;     // of every bit
  ProofRounds result_;
  FieldElement value_;  // that is claimed of the table at hand
  double work_ = 0;
  double done_ = 0;
};

}  // namespace

ProofSizes measure_tables(const EliminationPlan& plan, std::uint64_t most_states, int threads,
                          std::uint64_t most_in_two,
                          const std::function<void(std::uint64_t states)>& looked_at) {
  if (plan.bits > most_state_bits) throw std::invalid_argument("states of proofs have too many bits");
  return with_keys_of(plan, [&](auto key) {
    return measure<decltype(key)>(plan, most_states, most_in_two, threads, looked_at);
  });
}

ProofMemory plan_memory(const EliminationPlan& plan, const ProofSizes& sizes, std::uint64_t memory_bytes) {
  constexpr unsigned most_levels = 3;
  const MemoryPlanner planner(plan, sizes, memory_bytes);
  const std::size_t steps = plan.steps.size();
  MemoryPlanner::Planned best = planner.plan(0, steps, 0, 0);
  for (unsigned levels = 1; levels <= most_levels && !planner.fits(best); ++levels) {
    MemoryPlanner::Planned found = planner.plan(0, steps, 0, levels);
    if (found.bytes < best.bytes) best = std::move(found);
  }
  double once = 0;
  for (std::size_t k = 0; k < steps; ++k) once += static_cast<double>(sizes.tables[k].states);
  ProofMemory memory;
  memory.whole = std::move(best.segment);
  memory.bytes = best.bytes;
  memory.again = std::max(0.0, best.states / std::max(once, 1.0) - 1);
  return memory;
}

ProofRounds prove_count(const EliminationPlan& plan, const ProofSizes& sizes, const ProofMemory& memory,
                        const PrimeField& field, const ProofWeights& weights, const FieldElement& claim,
                        const HashBytes& statement, int threads, const ProofHooks& hooks) {
  return with_keys_of(plan, [&](auto key) {
    return Prover<decltype(key)>(plan, sizes, memory, field, weights, threads, hooks).run(claim, statement);
  });
}

}  // namespace countpm
