#pragma once
// A task whose units are spread over all ranks (kernels/spread_form.hpp): each rank runs its part of every
// unit, one unit after another, and they send each other what they make.
#include <cstddef>
#include <string>
#include <vector>

#include "src/machine/channel.hpp"
#include "src/run/unit_work.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// A task of the plan whose units all ranks run together.
struct SpreadPhase {
  std::string id;            // of the plan, JournalHeader::id
  int number = 0;            // of the phase
  std::size_t task = 0;      // its number in the plan
  std::string what() const;  // as RankExchange wants to know it
};

/// Rank 0: tells the others, and returns what the units come to. Throws what a unit threw here, what stopped
/// another rank, with its number, UnableError where a rank was lost, or what the monitor says.
TaskResult lead_spread_phase(Channel& channel, const SpreadPhase& phase, const Task& task, Monitor& monitor);

/// The phase that rank 0's message "spread" tells of. Throws as journal fields do.
struct SpreadOrder {
  SpreadPhase phase;
  std::vector<UnitRange> ranges;
};
SpreadOrder parse_spread_order(const std::string& text, const std::string& id, std::size_t tasks);
/// Another rank. early: messages "part" that came before; those of this phase count. Returns when all is
/// done, or rank 0 drops it, what came meanwhile and is for later; throws EndOfCount, what a unit threw, or
/// what the monitor says.
std::vector<Message> follow_spread_phase(Channel& channel, const SpreadOrder& order, const Task& task,
                                         const std::vector<Message>& early, const Monitor& monitor);

}  // namespace countpm
