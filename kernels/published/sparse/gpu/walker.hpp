#pragma once
// The walks of sparyser and skipper on one GPU, with packed row sums. Compiles without nvcc.
#include <memory>

#include "kernels/published/sparse/gpu/layout.hpp"
#include "kernels/subsets/gpu/walker.hpp"

namespace countpm::gray {

/// A walk that passes over subsets.
class SkipWalker : public IntegerWalker {
 public:
  /// Subsets that all sums so far have looked at.
  virtual std::uint64_t visits() const = 0;
};

/// How skipper's ranges are cut; tests force it.
struct SkipCut {
  unsigned budget = 0;      // steps of a warp before it gives up what it has; 0: skipper_tuning
  unsigned patience = 0;    // the same where most of its lanes have ended
  double log2_visits = 20;  // that one sum is expected to have
};

/// What a skipping walk may have: more columns are the caller's to choose.
inline constexpr unsigned most_skip_columns = 63;

/// Whether the kernel's tables fit this GPU.
bool sparyser_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns);
bool skipper_fits(const GpuInfo& gpu, const PackedForm& form, unsigned columns);

/// Sums that are exact, or exact modulo 2^(64 form.width) as two's complement: what the form was made for.
std::unique_ptr<IntegerWalker> make_sparyser_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                    const PackedForm& form);
std::unique_ptr<SkipWalker> make_skipper_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                                const PackedForm& form, const SkipCut& cut);

// sparyser_launch.cu and skipper_launch.cu; without CUDA their stand-ins, which throw UnableError.
namespace on_cuda {
std::unique_ptr<IntegerWalker> sparyser_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                               const PackedForm& form);
std::unique_ptr<SkipWalker> skipper_walker(const GpuInfo& gpu, const Walk<std::int64_t>& walk,
                                           const PackedForm& form, const SkipCut& cut);
}  // namespace on_cuda

}  // namespace countpm::gray
