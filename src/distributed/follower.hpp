#pragma once
// Every rank of a count on several machines but rank 0.
#include <functional>

#include <string>

#include "src/api/entries.hpp"

namespace countpm {

class Monitor;  // src/watch/monitor.hpp

/// Reads the input, makes the plan that rank 0 sends, and runs the units that it gets. Returns where the
/// input alone says that there is nothing to do; else throws EndOfCount, or what went wrong. options.channel
/// is this rank's. The time limit is rank 0's to watch.
void follow(const Source& source, const ReadOptions& read_options, const CountOptions& options);
struct EndOfCount {};

/// The text of the next message from rank 0, which is to have this word, but for what came too late. Throws
/// EndOfCount, CheckError where it says something else, and what the monitor says.
std::string await_word(Channel& channel, const std::string& wanted, const Monitor& monitor);

/// Runs, and tells rank 0 of what it throws but EndOfCount, which goes on.
void tell_what_is_thrown(Channel& channel, const std::function<void()>& work);
/// Until rank 0 says that it is over, whatever else it says.
void await_end(Channel& channel);

/// As with_graph() of src/input/with_graph.hpp, of rank 0's standard input where that is the source.
ReadResult read_as_rank_0(const Source& source, const ReadOptions& read_options, Channel& channel,
                          const Monitor& monitor);

/// What a rank does that is not rank 0: the work, which may follow(); what it throws is told to rank 0, which
/// ends the count. Returns when rank 0 has said that all is over.
void follow_to_end(Channel& channel, const std::function<void()>& work);

}  // namespace countpm
