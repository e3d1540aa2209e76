#pragma once
// Scripted methods in a table of the planner's.
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/pipeline/fake_methods.hpp"

namespace countpm::testing {

/// log2 of the work that takes so many seconds at a million steps a second.
inline double work_of(double seconds) {
  return std::log2(seconds * 1e6);
}

inline Script plain(std::string name, double seconds) {
  Script script;
  script.name = std::move(name);
  script.log2_work = work_of(seconds);
  return script;
}

/// Halves `seconds` every `half_life` seconds of search, down to `least`.
inline Script searching(std::string name, double seconds, double half_life, double least) {
  Script script;
  script.name = std::move(name);
  script.search = [=](double searched) {
    return std::max(work_of(seconds) - searched / half_life, work_of(least));
  };
  return script;
}

/// A planner's table of fakes on one clock of their own.
struct Table {
  double clock = 0;
  std::vector<std::unique_ptr<FakeMethod>> fakes;
  std::vector<const Method*> methods;

  explicit Table(std::vector<Script> scripts, bool own_clock = true) {
    for (Script& script : scripts) {
      fakes.push_back(std::make_unique<FakeMethod>(std::move(script), own_clock ? &clock : nullptr));
      methods.push_back(fakes.back().get());
    }
  }
  const Diary& diary(std::size_t fake) const { return fakes[fake]->diary(); }
};

}  // namespace countpm::testing
