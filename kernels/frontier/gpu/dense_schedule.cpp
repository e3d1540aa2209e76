#include "kernels/frontier/gpu/dense_schedule.hpp"

#include <algorithm>
#include <utility>

#include "kernels/frontier/gpu/tuning.hpp"

namespace countpm {
namespace {

constexpr std::uint32_t nowhere = SlabAction::no_slot;
// A slab stays until so many others have been made, where there are slots enough: otherwise its copies and
// kernels wait for those of the slab whose place it takes, one after the other. Derangements of 34 rows with
// a fifth of their memory: 1.6 s a pass, computed, and 2.5 without this and 24 slots, 3.0 taken (H200,
// 2026-11-27).
constexpr std::size_t tasks_in_work = 3;
constexpr std::size_t slots_for_a_task_in_work = 12;
constexpr std::size_t no_use = std::numeric_limits<std::size_t>::max();

std::uint64_t longest_run(std::uint32_t low_bits) {
  return dense_binomials()[std::size_t{low_bits} * 65 + low_bits / 2];
}

/// A slab is at most its share and a run.
std::uint64_t slabs_needed(std::uint64_t states, std::uint64_t run, std::uint64_t places) {
  const std::uint64_t share = places - run - 1;
  return (states + share - 1) / share;
}

std::uint64_t largest_table(const DenseProgram& program) {
  std::uint64_t largest = 1;
  for (const DenseStep& step : program.steps) largest = std::max(largest, step.to_states);
  return largest;
}

/// Makes a schedule, slab of a new table by slab.
class SlabScheduler {
 public:
  SlabScheduler(const DenseProgram& program, std::uint32_t low_bits, const SlabRoom& room)
      : program_(program), low_bits_(low_bits), slots_(room.slots) {
    schedule_.room = room;
    const std::uint64_t run = longest_run(low_bits);
    const auto add_table = [&](std::uint64_t states) {
      const auto slabs = static_cast<std::uint32_t>(slabs_needed(states, run, room.places));
      schedule_.slabs.push_back(slabs);
      tables_.emplace_back(slabs);
    };
    add_table(1);
    for (const DenseStep& step : program.steps) add_table(step.to_states);
    for (std::uint32_t number = 0; number < program.steps.size(); ++number) plan_step(number);
  }

  SlabSchedule make() {
    tables_[0][0].slot = 0;
    slots_[0].table = 0;
    slots_[0].slab = 0;
    slots_[0].taken = true;
    tables_.back()[0].uses.push_back(no_use);  // it is what is asked for
    for (now_ = 0; now_ < tasks_.size(); ++now_) make_slab(tasks_[now_]);
    schedule_.last_slot = tables_.back()[0].slot;
    schedule_.figures.host_places = static_cast<std::uint32_t>(host_taken_.size());
    return std::move(schedule_);
  }

 private:
  /// Of some table.
  struct Slab {
    std::uint64_t places = 0;
    std::uint32_t slot = nowhere;
    std::uint32_t host_place = nowhere;
    std::vector<std::size_t> uses;  // the tasks that read it, ascending
    std::size_t used = 0;           // of them
    std::size_t next_use() const { return used < uses.size() ? uses[used] : no_use; }
  };
  struct Slot {
    bool taken = false;
    bool fixed = false;  // stays, whatever is needed
    std::uint32_t table = 0;
    std::uint32_t slab = 0;
    std::size_t touched = 0;  // by which task, at last
  };
  /// A slab to be made.
  struct Task {
    std::uint32_t table = 0;
    std::uint32_t slab = 0;
    std::vector<std::uint32_t> needs;  // of the table before
  };

  void plan_step(std::uint32_t number) {
    const DenseStep& step = program_.steps[number];
    const std::uint32_t table = number + 1;
    const DenseSlabs from = old_table_slabs(step.shape, low_bits_, schedule_.slabs[number]);
    const DenseSlabs to = new_table_slabs(step.shape, low_bits_, schedule_.slabs[table]);
    std::vector<Task> tasks;
    for (std::uint32_t slab = 0; slab < schedule_.slabs[table]; ++slab) {
      tables_[table][slab].places = to.places(slab);
      if (to.places(slab) > 0) tasks.push_back({table, slab, needed_slabs(step, from, to, slab)});
    }
    if (number == 0) tables_[0][0].places = from.places(0);
    if (downwards_is_better(tasks, schedule_.slabs[number])) std::reverse(tasks.begin(), tasks.end());
    for (Task& task : tasks) {
      for (const std::uint32_t source : task.needs) tables_[number][source].uses.push_back(tasks_.size());
      tasks_.push_back(std::move(task));
    }
  }
  /// By the tasks that pass until each old slab has been read for the last time.
  static bool downwards_is_better(const std::vector<Task>& tasks, std::uint32_t old_slabs) {
    std::vector<std::size_t> first(old_slabs, no_use);
    std::vector<std::size_t> last(old_slabs, 0);
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      for (const std::uint32_t source : tasks[t].needs) {
        first[source] = std::min(first[source], t);
        last[source] = t;
      }
    }
    std::size_t upwards = 0;
    std::size_t downwards = 0;
    for (std::uint32_t s = 0; s < old_slabs; ++s) {
      if (first[s] == no_use) continue;
      upwards += last[s];
      downwards += tasks.size() - 1 - first[s];
    }
    return downwards < upwards;
  }

  void make_slab(const Task& task) {
    std::vector<Slab>& old = tables_[task.table - 1];
    const std::uint32_t slot = take_slot();
    settle(slot, task.table, task.slab);
    std::vector<std::uint32_t> left = task.needs;
    for (bool adds = false; !adds || !left.empty(); adds = true) {
      SlabAction pull{SlabAction::Kind::pull,
                      task.table,
                      task.slab,
                      slot,
                      0,
                      tables_[task.table][task.slab].places,
                      adds,
                      {}};
      const std::size_t most = std::min<std::size_t>(slots_.size() - 1, most_dense_sources - 1);
      std::vector<std::uint32_t> later;
      for (const std::uint32_t s : left) {
        if (old[s].slot == nowhere || pull.sources.size() == most) {
          later.push_back(s);
        } else {
          read(pull, s);
        }
      }
      left.clear();
      for (const std::uint32_t s : later) {
        if (pull.sources.size() < most) {
          load(task.table - 1, s);
          read(pull, s);
        } else {
          left.push_back(s);
        }
      }
      const std::size_t here = pull.sources.size();
      for (const std::uint32_t s : task.needs) {
        if (std::none_of(pull.sources.begin(), pull.sources.begin() + static_cast<std::ptrdiff_t>(here),
                         [s](const SlabAction::Source& source) { return source.slab == s; }))
          pull.sources.push_back({s, nowhere});
      }
      for (std::size_t k = 0; k < here; ++k) be_done_with(old[pull.sources[k].slab]);
      schedule_.actions.push_back(std::move(pull));
    }
    slots_[slot].fixed = false;
    Slab& made = tables_[task.table][task.slab];
    if (made.next_use() == no_use && made.uses.empty()) leave(made);  // nobody reads it
  }

  /// In this pull, which it stays for.
  void read(SlabAction& pull, std::uint32_t slab) {
    const std::uint32_t slot = tables_[pull.table - 1][slab].slot;
    slots_[slot].fixed = true;
    pull.sources.push_back({slab, slot});
  }
  void be_done_with(Slab& slab) {
    ++slab.used;
    slots_[slab.slot].fixed = false;
    slots_[slab.slot].touched = now_;
    if (slab.used < slab.uses.size()) return;
    leave(slab);
    if (slab.host_place == nowhere) return;
    host_taken_[slab.host_place] = false;
    slab.host_place = nowhere;
  }
  void leave(Slab& slab) {
    slots_[slab.slot].taken = false;
    slab.slot = nowhere;
  }
  void load(std::uint32_t table, std::uint32_t number) {
    const std::uint32_t slot = take_slot();
    settle(slot, table, number);
    const Slab& slab = tables_[table][number];
    schedule_.actions.push_back(
        {SlabAction::Kind::load, table, number, slot, slab.host_place, slab.places, false, {}});
    schedule_.figures.loaded += static_cast<double>(slab.places);
  }
  void settle(std::uint32_t slot, std::uint32_t table, std::uint32_t slab) {
    slots_[slot] = {true, true, table, slab, now_};
    tables_[table][slab].slot = slot;
  }

  /// A free one, or else one whose slab goes. What was just made or read is in work, and would have to be
  /// waited for.
  std::uint32_t take_slot() {
    std::uint32_t best = nowhere;
    const auto next_use = [&](const Slot& slot) {
      return slot.taken ? tables_[slot.table][slot.slab].next_use() : no_use;
    };
    for (std::uint32_t s = 0; s < slots_.size(); ++s) {
      const Slot& slot = slots_[s];
      if (slot.fixed) continue;
      if (best == nowhere) {
        best = s;
        continue;
      }
      const Slot& other = slots_[best];
      const bool better = in_work(slot) != in_work(other)     ? in_work(other)
                          : slot.taken != other.taken         ? other.taken
                          : next_use(slot) != next_use(other) ? next_use(slot) > next_use(other)
                                                              : slot.touched < other.touched;
      if (better) best = s;
    }
    Slot& slot = slots_[best];
    if (slot.taken) evict(tables_[slot.table][slot.slab], slot);
    return best;
  }
  bool in_work(const Slot& slot) const {
    const std::size_t tasks = std::min(tasks_in_work, slots_.size() / slots_for_a_task_in_work);
    return slot.touched + tasks > now_;
  }
  void evict(Slab& slab, const Slot& slot) {
    if (slab.host_place == nowhere) {
      const auto free = std::find(host_taken_.begin(), host_taken_.end(), false);
      slab.host_place = static_cast<std::uint32_t>(free - host_taken_.begin());
      if (free == host_taken_.end()) {
        host_taken_.push_back(true);
      } else {
        *free = true;
      }
      schedule_.actions.push_back({SlabAction::Kind::store,
                                   slot.table,
                                   slot.slab,
                                   slab.slot,
                                   slab.host_place,
                                   slab.places,
                                   false,
                                   {}});
      schedule_.figures.stored += static_cast<double>(slab.places);
    }
    leave(slab);
  }

  const DenseProgram& program_;
  std::uint32_t low_bits_;
  SlabSchedule schedule_;
  std::vector<std::vector<Slab>> tables_;
  std::vector<Slot> slots_;
  std::vector<bool> host_taken_;
  std::vector<Task> tasks_;
  std::size_t now_ = 0;  // the task at hand
};

}  // namespace

std::optional<SlabRoom> slab_room(const DenseProgram& program, std::uint32_t low_bits, std::uint64_t places) {
  using namespace frontier_tuning;
  // What a slot may have beside its share is to be little of it.
  constexpr std::uint64_t runs_a_slot = 8;
  const std::uint64_t run = longest_run(low_bits) + 1;
  SlabRoom room;
  room.slots = static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(places / (runs_a_slot * run), least_slots, most_slots));
  room.places = places / room.slots;
  if (room.places < 2 * run) return std::nullopt;
  if (slabs_needed(largest_table(program), run - 1, room.places) > most_waiting_slabs) return std::nullopt;
  return room;
}

SlabSchedule make_slab_schedule(const DenseProgram& program, std::uint32_t low_bits, const SlabRoom& room) {
  return SlabScheduler(program, low_bits, room).make();
}

double schedule_seconds(const SlabSchedule& schedule, const DenseProgram& program, const SlabRates& rates) {
  struct Times {
    double pulled = 0;
    double loaded = 0;
    double stored = 0;
  };
  std::vector<Times> slots(schedule.room.slots);
  std::vector<Times> places(schedule.figures.host_places);
  double in = 0;
  double out = 0;
  double pulls = 0;
  for (const SlabAction& action : schedule.actions) {
    Times& slot = slots[action.slot];
    const auto values = static_cast<double>(action.values);
    if (action.kind == SlabAction::Kind::load) {
      Times& place = places[action.place];
      in = std::max({in, slot.pulled, slot.stored, place.stored}) + values * rates.seconds_a_copy +
           rates.seconds_an_action;
      slot.loaded = place.loaded = in;
    } else if (action.kind == SlabAction::Kind::store) {
      Times& place = places[action.place];
      out = std::max({out, slot.pulled, place.loaded}) + values * rates.seconds_a_copy +
            rates.seconds_an_action;
      slot.stored = place.stored = out;
    } else {
      const DenseStep& step = program.steps[action.table - 1];
      double begin = std::max({pulls, slot.loaded, slot.stored});
      double here = 0;
      for (const SlabAction::Source& source : action.sources) {
        if (source.slot == SlabAction::no_slot) continue;
        begin = std::max(begin, slots[source.slot].loaded);
        here += 1;
      }
      const double share = values / static_cast<double>(step.to_states) * here /
                           std::max(static_cast<double>(action.sources.size()), 1.0);
      pulls = begin + share * (step.moves + static_cast<double>(step.to_states)) * rates.seconds_a_value +
              rates.seconds_an_action;
      slot.pulled = pulls;
      for (const SlabAction::Source& source : action.sources) {
        if (source.slot != SlabAction::no_slot) slots[source.slot].pulled = pulls;
      }
    }
  }
  return std::max({in, out, pulls});
}

std::shared_ptr<const SlabSchedule> WaitingForecast::schedule(const SlabRoom& room) const {
  {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(room);
    if (found != known_.end()) return found->second;
  }
  auto made = std::make_shared<const SlabSchedule>(make_slab_schedule(program_, low_bits_, room));
  const std::lock_guard lock(mutex_);
  return known_[room] = std::move(made);
}

}  // namespace countpm
