#pragma once
// Where whoever hands out the work of a count or an estimate to others takes it from, and brings back what
// they found.
#include <cstdint>
#include <optional>
#include <string>

#include "src/units/unit_queue.hpp"

namespace countpm {

/// Units of a task, numbered as JournalHeader::tasks() has them; or samples of a series, as SampleBatch has
/// them.
struct UnitOrder {
  std::size_t task = 0;
  UnitRange range;
  double seconds = 0;      // that one worker should need
  std::uint64_t plan = 0;  // number of the plan: those of replicates come one after another
};

/// What an answer to an order brought.
struct UnitDelivery {
  std::uint64_t units = 0;     // that nobody had brought before
  std::uint64_t repeated = 0;  // records with units that somebody had
  std::uint64_t refused = 0;   // lines that are no records of the order: of another plan, or damaged
  double seconds = 0;          // of work on the units
};

/// How much of what is free an order is to have.
struct OrderSize {
  double unit_seconds = 1;  // of one worker
  bool seen = false;        // that much, of units that were brought
  std::uint64_t free = 0;   // units
  /// As many as take one worker so many seconds, but near the end less, so that so many workers end together.
  std::uint64_t units(double seconds, std::uint64_t workers) const;
  /// An answer's units took so long each.
  void see(double seconds_each);
};

/// Every unit counts once, whoever brings it first, however often it was taken. Thread-safe.
class WorkBoard {
 public:
  virtual ~WorkBoard() = default;
  /// The plan, as a journal's header; empty: there is none yet.
  virtual std::string plan() const = 0;
  /// The same, of an order; empty: what comes now has another plan, and the order is not wanted any more.
  virtual std::string plan_of(const UnitOrder& order) const = 0;
  /// Units that nobody has, as OrderSize::units() says. Empty: for now there are none.
  virtual std::optional<UnitOrder> take(double seconds, std::uint64_t workers) = 0;
  /// The records of an order, lines of a journal with the plan's header. What of its units they lack is there
  /// for others again.
  virtual UnitDelivery deliver(const UnitOrder& order, const std::string& records) = 0;
  /// Whoever took them does not bring them: others may have them.
  virtual void give_back(const UnitOrder& order) = 0;
  /// Returns once there are units to be taken, or after so many seconds.
  virtual void wait(double seconds) = 0;
  /// Nobody waits here any longer.
  virtual void close() = 0;
};

}  // namespace countpm
