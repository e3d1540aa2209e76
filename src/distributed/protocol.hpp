#pragma once
// What the ranks of a count say to each other: a word, an end of line, and text that the word explains.
//
//   rank 0 to the others                          the others to rank 0
//   input    the bytes of standard input          ready    JSON: the phase, and the rank's WorkerTraits
//   plan     the header of a journal              results  records of a journal, a line each
//   phase    JSON: its number, and its tasks      failed   JSON: what was thrown
//   run      JSON: units of a task                bye      nothing more will come
//   room?    how much memory there is             room     JSON: bytes of memory, for a plan
//   spread   JSON: units of a task that all
//            ranks share, each holding a part
//   flush    drop what is not done
//   end      the count is over
//
// And any rank to any other, while all share the units of a task:
//
//   part     which work, and bytes of a table (rank_exchange.hpp)
//
// Of an estimate, ranks are ready once, and a phase needs no word:
//
//   plan     the header of a journal, without     ready    JSON: the rank's WorkerTraits
//            samplers                             results  batches of samples, a line each
//   samplers the same header, with them
//   draw     JSON: a SampleGrid, pieces of it
//
// Of several counts and estimates one after another (rank_jobs.hpp), before and after what belongs to each:
//
//   job      what is next                         idle     ready for the next
//   over     it is over
//
// Tasks are numbered as JournalHeader::tasks() has them, and records are those of a journal with that header,
// checksums and all: a rank that works on another plan cannot have its residues taken for this one's.
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace countpm::protocol {

/// Between two looks for messages, where something is under way.
inline constexpr std::chrono::microseconds nap{300};

inline std::string message(std::string_view word, std::string_view text = {}) {
  std::string result(word);
  result += '\n';
  result += text;
  return result;
}

/// The word and the text of a message.
inline std::pair<std::string, std::string> parts(const std::string& message) {
  const std::size_t end = message.find('\n');
  if (end == std::string::npos) return {message, {}};
  return {message.substr(0, end), message.substr(end + 1)};
}

}  // namespace countpm::protocol
