#include "kernels/frontier/ranked/ranked_words.hpp"

#include <algorithm>
#include <vector>

namespace countpm {
namespace {

/// What follows a push or a join, up to the next join of that table.
class Line {
 public:
  Line(RankedProgram& program, std::size_t begun_by) : program_(program), begun_by_(begun_by) {}

  void add(RankedStep& step) { steps_.push_back(&step); }

  /// Fixes the words of its tables; returns those of the last.
  std::uint32_t end(std::uint32_t enough) {
    RankedAction& begun_by = program_.actions[begun_by_];
    const bool joined = begun_by.kind == EliminationStep::Kind::join;
    std::uint32_t least = 1;
    if (joined) {
      RankedRelayout& result = program_.joins[begun_by.index].result;
      least = result.from_words = std::min(result.from_words, enough);
    }
    std::uint32_t words = least;
    for (RankedStep* const step : steps_)
      step->to_words = words = std::max(words, std::min(step->to_words, enough));
    for (std::size_t k = steps_.size(); k-- > 1;)
      steps_[k - 1]->to_words = std::max(steps_[k - 1]->to_words, steps_[k]->to_words - 1);
    const std::uint32_t first = steps_.empty() ? least : std::max(least, steps_.front()->to_words - 1);
    for (std::size_t k = 0; k < steps_.size(); ++k)
      steps_[k]->from_words = k > 0 ? steps_[k - 1]->to_words : first;
    (joined ? program_.joins[begun_by.index].result.to_words : begun_by.unit_words) = first;
    return steps_.empty() ? first : steps_.back()->to_words;
  }

 private:
  RankedProgram& program_;
  std::size_t begun_by_;
  std::vector<RankedStep*> steps_;
};

void find_words(RankedProgram& program, std::uint32_t enough) {
  std::vector<Line> stack;
  for (std::size_t k = 0; k < program.actions.size(); ++k) {
    const RankedAction& action = program.actions[k];
    if (action.kind == EliminationStep::Kind::eliminate) {
      stack.back().add(program.steps[action.index]);
      continue;
    }
    if (action.kind == EliminationStep::Kind::join) {
      RankedJoin& join = program.joins[action.index];
      join.top.from_words = join.top.to_words = stack.back().end(enough);
      stack.pop_back();
      join.waiting.from_words = join.waiting.to_words = stack.back().end(enough);
      stack.pop_back();
    }
    stack.emplace_back(program, k);
  }
  if (!stack.empty()) stack.back().end(enough);
}

/// Goes through the program as run_ranked() does.
void find_bytes(RankedProgram& program) {
  constexpr std::uint64_t word = sizeof(std::uint64_t);
  RankedBytes& bytes = program.bytes;
  bytes = {};
  std::size_t place = 1;
  std::uint64_t waiting = 0;
  std::uint64_t top = 0;  // of the table there
  std::vector<std::uint64_t> stack;
  const auto make = [&](std::uint64_t size) {
    top = size;
    bytes.places[place] = std::max(bytes.places[place], size);
  };
  for (const RankedAction& action : program.actions) {
    if (action.kind == EliminationStep::Kind::push) {
      stack.push_back(top);
      waiting += top;
      bytes.waiting = std::max(bytes.waiting, waiting);
      make(action.unit_words * word);
    } else if (action.kind == EliminationStep::Kind::eliminate) {
      const RankedStep& step = program.steps[action.index];
      place = 1 - place;
      make(step.to_states * step.to_words * word);
    } else {
      const RankedJoin& join = program.joins[action.index];
      place = 1 - place;
      make(join.top.bytes());
      bytes.waiting = std::max(bytes.waiting, waiting + join.waiting.bytes() + join.list_bytes());
      waiting -= stack.back();
      stack.pop_back();
      place = 1 - place;
      make(join.result.states * join.result.from_words * word);
      place = 1 - place;
      make(join.result.bytes());
    }
  }
}

}  // namespace

void find_words_and_bytes(RankedProgram& program, std::uint32_t enough) {
  find_words(program, enough);
  find_bytes(program);
}

}  // namespace countpm
