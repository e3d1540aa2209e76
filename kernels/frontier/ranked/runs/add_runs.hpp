#pragma once
// The inner loop of a step: runs of values added to runs of others.
#include <cstdint>
#include <string_view>

#include "kernels/frontier/ranked/runs/ranked_runs.hpp"

namespace countpm {

/// Values of two blocks. The words of a value are `stride` apart, least significant first; the lowest words
/// of neighbouring values are neighbours.
struct RunTask {
  std::uint64_t* to = nullptr;
  std::uint64_t to_stride = 0;
  const std::uint64_t* from = nullptr;
  std::uint64_t from_stride = 0;
  const RankedRun* runs = nullptr;
  std::size_t count = 0;
  RankedWeight weight;
  std::uint32_t to_words = 1;  // for more than the loops are unrolled for
};

/// The loops for one number of words, compiled for one instruction set.
struct RunKernel {
  void (*add)(const RunTask&) = nullptr;        // to += from
  void (*add_times)(const RunTask&) = nullptr;  // to += from * weight
  void (*write)(const RunTask&) = nullptr;      // to = from, for what was not set before
};

enum class RunCode { best, avx2, portable };

/// The fastest that this processor runs, up to the one asked for. from_words: to_words, or one less.
/// is_signed: words are in two's complement.
RunKernel run_kernel(std::uint32_t to_words, std::uint32_t from_words, bool is_signed,
                     RunCode code = RunCode::best);

}  // namespace countpm
