#pragma once
// Whole tables that do not fit a GPU: which of their slabs are on it, and which wait in host memory, when.
//
// The GPU's memory is slots of one size, each for a slab of the old table or of the new one. A slab of the
// new table is made in a slot, from slabs of the old one, which are copied to others if they are not there
// yet. When no slot is free, the slab whose next use is furthest away goes (L. A. Belady, IBM Systems Journal
// 5, 1966), to host memory if it is not there, too, but for those that are in work. All of that follows from
// the program alone, so that a forecast knows each copy.
//
// The new slabs are made upwards or downwards, whichever lets go of old ones earlier: sets pull from sets of
// which one bit more is set, or one less, all alike in a step.
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/dense_slabs.hpp"

namespace countpm {

/// Slots on a GPU, and the places of each.
struct SlabRoom {
  std::uint32_t slots = 0;
  std::uint64_t places = 0;
  bool operator==(const SlabRoom& other) const = default;
  bool operator<(const SlabRoom& other) const {
    return slots != other.slots ? slots < other.slots : places < other.places;
  }
};

/// Empty where the memory is too little for the runs of such a program, or the tables are so many times as
/// large that they would have to be cut into more than most_waiting_slabs. places: that the GPU has room for.
std::optional<SlabRoom> slab_room(const DenseProgram& program, std::uint32_t low_bits, std::uint64_t places);

inline constexpr std::uint64_t most_waiting_slabs = 1024;

/// What is done next.
struct SlabAction {
  enum class Kind : std::uint8_t {
    load,   // a slab from its place in host memory to a slot
    store,  // from a slot to a place in host memory
    pull,   // values of a new table's slab from some of the old one's
  };
  static constexpr std::uint32_t no_slot = std::numeric_limits<std::uint32_t>::max();
  struct Source {
    std::uint32_t slab = 0;
    std::uint32_t slot = 0;  // no_slot: another pull of the same slab reads it
  };

  Kind kind = Kind::pull;
  std::uint32_t table = 0;  // that the slab is of: 0 before the first step, k after step k
  std::uint32_t slab = 0;
  std::uint32_t slot = 0;
  std::uint32_t place = 0;   // in host memory
  std::uint64_t values = 0;  // copied or made
  bool adds = false;         // to what an earlier pull has left
  std::vector<Source>
      sources;  // of the table before; at most most_dense_sources, but for those without a slot
};

struct SlabFigures {
  std::uint32_t host_places = 0;  // in use at once, at most, each as large as a slot
  double loaded = 0;              // values
  double stored = 0;
};

struct SlabSchedule {
  SlabRoom room;
  std::vector<std::uint32_t> slabs;  // that each table is cut into
  std::vector<SlabAction> actions;
  std::uint32_t last_slot =
      0;  // where the last table's one value is in the end; the first one's is in slot 0
  SlabFigures figures;
};

/// Precondition: the program is not zero; slab_room(program, low_bits, ...) gave the room.
/// O(slabs * (slots + width^2 * pulls)).
SlabSchedule make_slab_schedule(const DenseProgram& program, std::uint32_t low_bits, const SlabRoom& room);

/// At which a GPU works.
struct SlabRates {
  double seconds_a_copy = 0;     // of a value, either way
  double seconds_a_value = 0;    // pulled or written
  double seconds_an_action = 0;  // beside that
};

/// How long a schedule takes where copies in, copies out and pulls are queues side by side that wait for one
/// another as a WaitingMachine's do.
double schedule_seconds(const SlabSchedule& schedule, const DenseProgram& program, const SlabRates& rates);

/// Remembers schedules: planning asks for the same ones again and again.
class WaitingForecast {
 public:
  /// The program outlives it.
  WaitingForecast(const DenseProgram& program, std::uint32_t low_bits)
      : program_(program), low_bits_(low_bits) {}
  const DenseProgram& program() const { return program_; }
  std::optional<SlabRoom> room(std::uint64_t places) const { return slab_room(program_, low_bits_, places); }
  std::shared_ptr<const SlabSchedule> schedule(const SlabRoom& room) const;

 private:
  const DenseProgram& program_;
  std::uint32_t low_bits_;
  mutable std::mutex mutex_;
  mutable std::map<SlabRoom, std::shared_ptr<const SlabSchedule>> known_;
};

}  // namespace countpm
