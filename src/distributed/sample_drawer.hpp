#pragma once
// What draws the samples of one series on one rank, whatever they are: samples of a sampler, or trials.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "kernels/estimate/samples/sampler.hpp"
#include "src/journal/sample_ledger.hpp"

namespace countpm {

/// Each call fills in the moments, and of trials the hits, of the batch's range, and throws Stopped.
class SampleDrawer {
 public:
  virtual ~SampleDrawer() = default;
  /// On a thread, any of them.
  virtual void draw(SampleBatch& batch, const StopSignal& stop) const = 0;
  /// GPUs that draw, too.
  virtual std::size_t gpus() const = 0;
  /// On one of them, always from the same thread. This many are the fewest that keep it busy.
  virtual std::uint64_t few_on(std::size_t gpu) = 0;
  virtual void draw_on(std::size_t gpu, SampleBatch& batch, const StopSignal& stop) = 0;
};

/// Samples of a sampler.
class BlockDrawer : public SampleDrawer {
 public:
  /// gpus: null where none are to draw. on_gpus: of these, made where they are needed, and kept by the
  /// caller. All of them outlive this.
  explicit BlockDrawer(const BlockSampler& sampler, const std::vector<GpuInfo>* gpus = nullptr,
                       std::vector<std::unique_ptr<DeviceSampler>>* on_gpus = nullptr)
      : sampler_(sampler),
        gpus_(gpus != nullptr && sampler.device_obstacle().empty() ? gpus : nullptr),
        on_gpus_(on_gpus) {
    if (gpus_ != nullptr && on_gpus_ != nullptr) on_gpus_->resize(gpus_->size());
  }

  /// From now on batches have SampleBatch::ln_weights, too. Precondition: no GPUs.
  void keep_weights() { weights_ = true; }

  void draw(SampleBatch& batch, const StopSignal& stop) const override {
    if (!weights_) {
      batch.moments = sampler_.run(batch.range.first, batch.range.size(), stop);
      return;
    }
    sampler_.run_each(batch.range.first, batch.range.size(), stop, [&batch](const SampleMoments& one) {
      batch.ln_weights.push_back(one.nonzero == 0 ? -std::numeric_limits<double>::infinity()
                                                  : one.sum.log2() * std::log(2.0));
      batch.moments.join(one);
    });
  }
  std::size_t gpus() const override { return gpus_ != nullptr ? gpus_->size() : 0; }
  std::uint64_t few_on(std::size_t gpu) override { return device(gpu).few(); }
  void draw_on(std::size_t gpu, SampleBatch& batch, const StopSignal& stop) override {
    batch.moments = device(gpu).run(batch.range.first, batch.range.size(), stop);
  }

 private:
  DeviceSampler& device(std::size_t gpu) {
    std::unique_ptr<DeviceSampler>& device = (*on_gpus_)[gpu];
    if (!device) device = sampler_.on_device((*gpus_)[gpu]);
    return *device;
  }

  const BlockSampler& sampler_;
  const std::vector<GpuInfo>* gpus_;
  std::vector<std::unique_ptr<DeviceSampler>>* on_gpus_;
  bool weights_ = false;
};

}  // namespace countpm
