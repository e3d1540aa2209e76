#pragma once
// trial_step.hpp by a GPU's threads, a trial each (kernels/gpu/cpu_executor.hpp says how a kernel is
// written).
//
// Most trials are rejected after a few steps: a thread begins its next one at once, so that the threads of a
// warp are at different steps, each of which reads its own lines of the tables.
#include <cstddef>
#include <cstdint>

#include "kernels/estimate/guarantee/trial_step.hpp"
#include "kernels/estimate/walks/walk_random.hpp"
#include "kernels/gpu/atomic.hpp"

namespace countpm {

/// Trials first .. first + count - 1 of a stream.
struct TrialNumbers {
  std::uint64_t seed = 0;
  std::uint64_t stream = 0;
  std::uint64_t first = 0;
  std::uint32_t count = 0;
};

/// Words: of the tables' sets, or 0: up to most_words of them.
template <unsigned Words>
struct TrialKernel {
  static constexpr unsigned threads = 128;
  static constexpr unsigned blocks_per_multiprocessor = Words > 0 ? 8 : 6;
  static constexpr unsigned most_words = 32;

  TrialTables tables;
  TrialNumbers numbers;
  std::uint32_t* succeeded;  // numbers less `first`, in any order; room for numbers.count
  std::uint32_t* successes;  // how many

  template <class Block>
  COUNTPM_HD void operator()(Block& block) const {
    block.each([&](unsigned t) {
      std::uint64_t rows[Words > 0 ? Words : most_words];
      const std::uint32_t all_threads = block.count() * threads;
      std::uint32_t own = block.index() * threads + t;
      std::uint32_t step = 0;
      double least = 0;
      double product = 1;
      WalkRandom random(numbers.seed, numbers.stream, numbers.first + own);
      while (own < numbers.count) {
        if (step == 0) {
          begin_trial<Words>(tables, rows);
          least = rejection_threshold(random);
          product = 1;
        }
        bool goes_on = step < tables.size;
        if (goes_on) goes_on = trial_step<Words>(tables, step++, rows, least, random, product);
        if (goes_on && step < tables.size) continue;
        if (product > 0) succeeded[add_atomically(successes, 1U)] = own;
        step = 0;
        if (numbers.count - own <= all_threads) return;  // and no number overflows
        own += all_threads;
        random = WalkRandom(numbers.seed, numbers.stream, numbers.first + own);
      }
    });
  }
};

}  // namespace countpm
