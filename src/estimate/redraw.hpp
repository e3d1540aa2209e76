#pragma once
// What an earlier session drew, drawn again in part.
#include <cstdint>
#include <functional>
#include <vector>

#include "src/checks/checks.hpp"
#include "src/journal/journal.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {

/// Samples first .. first + count - 1 of block number `block`.
using DrawSamples = std::function<SampleMoments(std::size_t block, std::uint64_t first, std::uint64_t count)>;

/// Draws stretches of the journal's samples again, on the CPU, and compares their number and sums (to a part
/// in 10^9: another machine may round otherwise). Of every block the shortest of those that the journal left
/// to chance, then as many more as there is time for by what they took: a second, or a hundredth of the time
/// that the journal's samples took, but no more than a tenth of the seconds left. What is expected to take
/// longer is left alone. Throws CheckError where samples differ, and what `draw` throws.
void redraw_journaled_samples(const Journal& journal, const DrawSamples& draw, int threads,
                              double seconds_left, Monitor& monitor, Checks& checks);

/// The same of batches that others drew; `draw` takes a SampleBatch::series in the place of a block.
void redraw_samples_of_others(const std::vector<SampleBatch>& batches, const DrawSamples& draw, int threads,
                              double seconds_left, Monitor& monitor, Checks& checks);

}  // namespace countpm
