#pragma once
// A long list on a terminal is left out where a picture or a page shows the same: who asks for a picture does
// not want a screen of edges.
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/options.hpp"

namespace countpm::app {

/// Text for standard output. Where that is a terminal, and the request writes a picture, a page or height
/// functions, it is held back until it is whole; where it is then longer than a screen, it is left out.
/// --csv, --json and --output ask for it, and have it in any case.
class LongAnswer {
 public:
  explicit LongAnswer(const Request& request);
  void write(std::string_view text);
  /// After the last; things: what the text has a line, or more, for: "edges".
  void finish(std::string_view things);

 private:
  std::string file_;  // that shows it; empty: nothing is held back
  bool quiet_;
  std::string held_;
  bool too_long_ = false;
};

}  // namespace countpm::app
