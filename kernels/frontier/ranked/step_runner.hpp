#pragma once
// One step of a ranked program: the new table's places, made from the old one's, by threads or a stretch at a
// time.
#include <cstdint>
#include <functional>

#include "kernels/frontier/ranked/ranked_program.hpp"
#include "kernels/frontier/ranked/ranked_table.hpp"
#include "kernels/frontier/ranked/runs/add_runs.hpp"
#include "kernels/frontier/ranked/runs/ranked_runs.hpp"
#include "kernels/method.hpp"

namespace countpm {

/// Fewer values are made by one thread: starting others takes longer.
inline constexpr std::uint64_t states_for_threads = std::uint64_t{1} << 15;

class StepRunner {
 public:
  /// Lists the step's runs. from: its table, of one word less than the new one, or as many and more. to: with
  /// room for the step's, and its stride and words. Throws Stopped.
  StepRunner(const RankedProgram& program, const RankedStep& step, const RankedTable& from, RankedTable& to,
             RunCode code, const StopSignal& stop);

  /// Also says how many bits the new values have. tell: called by this thread, now and then and at the end,
  /// with the share made so far. Throws Stopped.
  void run(int threads, const std::function<void(double share)>& tell) const;

  /// Stretch number k of the `count` that the places are cut into, all about as long; less of it where the
  /// signal is requested. Returns the highest words of its values.
  HighestWords run_stretch(std::uint64_t k, std::uint64_t count) const;

  /// Places from a block's first on that may be read of the old table, and written of the new one.
  std::uint64_t longest_from() const { return runs_.longest_from(); }
  std::uint64_t longest_to() const;

 private:
  std::uint64_t first_of(std::uint64_t stretch, std::uint64_t count) const;
  HighestWords run_blocks(std::uint64_t first, std::uint64_t end) const;
  std::uint64_t fill(std::uint64_t high, std::int64_t number, std::uint64_t size, std::uint64_t at) const;
  void clear(std::uint64_t* to, std::uint64_t size) const;

  const RankedStep& step_;
  SetCounts old_counts_;
  SetCounts counts_;  // of the new table
  const RankedTable& from_;
  RankedTable& to_;
  const StopSignal& stop_;
  bool negative_;
  std::uint32_t from_words_;
  RunKernel kernel_;
  RankedCut cut_;
  RankedRuns runs_;
  std::vector<SetField> old_fields_;  // in the high parts
};

}  // namespace countpm
