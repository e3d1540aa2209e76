#pragma once
// What random matchings would take: by which method, how long, and in how much memory.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/api/results.hpp"

namespace countpm {

/// One of the methods that could draw a piece's matchings.
struct DrawMethod {
  std::string method;
  bool chosen = false;
  double seconds = 0;     // of all draws
  double bytes = 0;       // what is kept, or what the limit leaves for it; 0: not known
  bool measured = false;  // by a trial on this machine; else as on another one
  std::string obstacle;   // why it cannot; empty: it can
};

/// A part of the graph whose matchings are drawn for themselves.
struct DrawPiece {
  std::uint64_t rows = 0;           // where it is general, vertices
  std::uint64_t entries = 0;        // ... and edges
  bool general = false;             // a graph with odd cycles, or with vertices that may stay alone
  std::vector<DrawMethod> methods;  // the chosen one only, where not all were asked
};

/// Draws by weighted samples, as some trial draws have them.
struct ApproximateForecast {
  std::string sampler;       // or samplers: "boundary"
  double seconds = 0;        // of all draws, and of the trial samples before them
  std::uint64_t trials = 0;  // draws that this rests on
  double off = 0;            // DrawnApproximately::off of the trials
  std::string doubt;         // that they would leave; empty: none
  std::string obstacle;      // why it cannot; empty: it can
};

struct DrawForecast : InputSummary {
  std::uint64_t draws = 0;
  std::vector<DrawPiece> pieces;
  double seconds = 0;  // of all pieces and draws, exactly
  double bytes = 0;    // of the piece that takes most
  double time_limit_seconds = 0;
  std::uint64_t memory_limit_bytes = 0;
  bool feasible = true;                            // within both limits, by some method
  std::optional<ApproximateForecast> approximate;  // where it was asked for, or exact draws take long
  bool asked_approximate = false;                  // a sampler was asked for: `seconds` are its
  std::uint64_t seed = 0;
  int threads = 1;
  std::optional<ViolatorReport> violator;  // why there is nothing to draw
  std::vector<std::string> notes;
};

}  // namespace countpm
