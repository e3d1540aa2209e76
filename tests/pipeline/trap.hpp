#pragma once
// An input that samplers walk past: all but a little of what it counts lies where they hardly ever go.
#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <vector>

namespace countpm::testing {

/// Two kinds of matchings: `cores` matrices J - I in a ring, linked by six parallel paths each, so that every
/// link has one path in use or none has; each core is worth 4/3 times as much where links are used. A chain
/// in the ring pays a factor 10 a stage for using none, which is less in all, but nearer to any one choice:
/// belief propagation hears only some hops, and its walks hardly ever take the first step to the heavier
/// kind.
class Trap {
 public:
  Trap(int cores, int stages) {
    std::vector<int> ring;
    ring.reserve(static_cast<std::size_t>(cores));
    for (int k = 0; k < cores; ++k) ring.push_back(core(k == 0 ? 8 : 4));
    for (std::size_t k = 1; k < ring.size(); ++k) link(ring[k - 1], ring[k], 6);
    int last = ring.back();
    for (int k = 0; k < stages; ++k) {
      const int stage = size_++;
      link(stage, stage, 10);
      link(last, stage, 1);
      last = stage;
    }
    link(last, ring.front(), 6);
  }

  std::string text() const {
    return fmt::format("%%MatrixMarket matrix coordinate pattern general\n{} {} {}\n{}", size_, size_, count_,
                       entries_);
  }

 private:
  void entry(int i, int j) {
    entries_ += fmt::format("{} {}\n", i + 1, j + 1);
    ++count_;
  }
  int core(int n) {
    const int first = size_;
    size_ += n;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        if (i != j) entry(first + i, first + j);
      }
    }
    return first;
  }
  void link(int from, int to, int paths) {
    for (int k = 0; k < paths; ++k) {
      const int middle = size_++;
      entry(from, middle);
      entry(middle, middle);
      entry(middle, to);
    }
  }

  int size_ = 0;
  int count_ = 0;
  std::string entries_;
};

}  // namespace countpm::testing
