#pragma once
// Progress of a long count: a bar on a terminal, a plain line every 10 seconds elsewhere, or JSON lines.
#include <functional>
#include <string>
#include <string_view>

#include "src/api/entries.hpp"

namespace countpm::app {

/// "[=====>    ]  42%  ryser  block 1 of 3  1 min 5 s left", cut to `width` columns; without bar and share
/// where the share that is done is no number.
std::string bar_line(const Progress& progress, std::size_t width);
/// "42% of the work, ryser, block 1 of 3, 10.0 s so far, 14.0 s left (12.1 s to 16.3 s)"
std::string plain_line(const Progress& progress);
/// An object on one line, with its end (docs/json.md).
std::string json_line(const Progress& progress);
/// "14.0 s left (12.1 s to 16.3 s)"; without the range, or empty, where that is not known.
std::string remaining_text(double seconds, double low, double high);

class ProgressDisplay {
 public:
  enum class Style { none, bar, lines, json };
  struct World {                                  // what tests replace
    std::function<double()> now;                  // seconds
    std::function<std::size_t()> width;           // columns of the terminal
    std::function<void(std::string_view)> write;  // to standard error
  };

  ProgressDisplay(Style style, World world);
  /// Shows the bar from 0.5 s on and at most 10 times a second; or a line every 10 s; or an object every
  /// second.
  void update(const Progress& progress);
  /// Wipes the bar off the terminal, if there is one.
  void clear();

 private:
  Style style_;
  World world_;
  double start_;
  double last_;
  bool visible_ = false;
};

/// The real clock, terminal and standard error.
ProgressDisplay::World real_world();

}  // namespace countpm::app
