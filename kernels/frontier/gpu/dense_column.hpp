#pragma once
// The values of all whole tables modulo one modulus, on one GPU or on several: a template over CudaDevice and
// CpuDevice.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "kernels/frontier/gpu/dense_join.hpp"
#include "kernels/frontier/gpu/dense_kernel.hpp"
#include "kernels/frontier/gpu/dense_layout.hpp"
#include "kernels/frontier/gpu/tuning.hpp"
#include "kernels/frontier/gpu/values.hpp"

namespace countpm {

/// For what was asked of all of them, before memory is given back: further failures count for nothing.
template <class Devices>
void wait_after_failure(const Devices& devices) {
  for (const auto* device : devices) {
    try {
      device->wait();
    } catch (...) {  // the first failure counts
    }
  }
}

/// Places of a table in a row, and where they are.
struct DensePart {
  std::size_t gpu = 0;      // in whose memory
  std::uint64_t first = 0;  // of the table's places
  std::uint64_t places = 0;
  std::uint64_t at = 0;   // of the GPU's places
  bool copied = false;    // to the buffer of the GPU that reads them
  bool left_out = false;  // by this launch
};

/// High parts of a step that are launched at once, on one GPU.
struct DenseLaunch {
  DenseRound round;
  DenseTables tables;
  std::vector<DensePart> sources;  // of the old table, what this launch adds up
  bool adds = false;               // to what earlier ones did
  DensePart target;                // of the new one, what is this GPU's
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::uint32_t* missed = nullptr;  // DenseKernel::missed

  bool ended() const { return last >= round.classes.first[round.classes.count]; }
  /// From where it ended so far, one high part or more, of at most so many states; how many states.
  std::uint64_t advance(std::uint64_t most) {
    first = last;
    const DenseClasses& classes = round.classes;
    std::uint64_t states = 0;
    for (std::uint32_t c = 0; c < classes.count; ++c) {
      if (last >= classes.first[c + 1]) continue;
      const std::uint64_t run = dense_run(round.shape, classes.least + c);
      const std::uint64_t fit = most > states ? (most - states) / run : 0;
      const std::uint64_t more =
          std::min(classes.first[c + 1] - last, std::max<std::uint64_t>(fit, states == 0 ? 1 : 0));
      last += more;
      states += more * run;
      if (last < classes.first[c + 1]) break;
    }
    return states;
  }
};

/// Places of a table that is put in another order, from and to places of the GPU.
struct DenseReorderLaunch {
  const std::uint64_t* binomials = nullptr;
  const DenseReorder* reorder = nullptr;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Places of a joined table, whose parts begin at these places of the GPU.
struct DenseJoinLaunch {
  const std::uint64_t* binomials = nullptr;
  const DenseJoinShape* shape = nullptr;
  DenseLists lists;
  std::uint64_t scalars = 0;
  std::uint64_t runs = 0;
  std::uint64_t to = 0;
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Blocks for so many threads' work, as many as fill the device.
template <class Kernel, class Device>
unsigned blocks_for(const Device& device, std::uint64_t items) {
  const std::uint64_t most = device.template blocks<Kernel>(0);
  return static_cast<unsigned>(std::min(most, (items + Kernel::threads - 1) / Kernel::threads));
}

class DenseColumn {
 public:
  virtual ~DenseColumn() = default;
  /// Places for tables on a GPU, and for what is copied to it. The values that were there are lost.
  virtual void reserve(std::size_t gpu, std::uint64_t places, std::uint64_t copied) = 0;
  /// The program's weights.
  virtual void begin(const DenseProgram& program) = 0;
  // On the first GPU:
  /// A place becomes one.
  virtual void start(std::uint64_t place) const = 0;
  /// So many values; they do not overlap.
  virtual void move(std::uint64_t from, std::uint64_t to, std::uint64_t places) const = 0;
  virtual void reorder(const DenseReorderLaunch& launch) const = 0;
  virtual void join(const DenseJoinLaunch& launch) const = 0;

  virtual void pull(std::size_t gpu, const DenseLaunch& launch) const = 0;
  /// Another GPU's values into this one's buffer, when what was asked of this one before is done.
  virtual void copy(std::size_t gpu, const DensePart& part) const = 0;
  /// Where a place of the first GPU is.
  virtual std::byte* bytes_at(std::uint64_t place) const = 0;
  /// The value at a place of the first GPU.
  virtual uint128 residue(std::uint64_t place) const = 0;
};

template <class Device, class R>
class RingDenseColumn : public DenseColumn {
 public:
  using Element = typename R::Element;

  RingDenseColumn(const std::vector<const Device*>& devices, const R& ring, const AnyBlock& block)
      : devices_(devices), copies_(devices.size()) {
    values_.reserve(devices.size());
    for (const Device* device : devices) values_.emplace_back(*device, ring, block);
  }

  void reserve(std::size_t gpu, std::uint64_t places, std::uint64_t copied) override {
    copies_[gpu] = {};
    values_[gpu].reserve(places);
    copies_[gpu] = devices_[gpu]->template allocate<Element>(copied);
  }
  void begin(const DenseProgram& program) override {
    std::vector<Element> weights;
    weights.reserve(program.weights.size());
    const auto& values = values_.front();
    for (const std::uint64_t entry : program.weights)
      weights.push_back(entry == DenseProgram::no_entry ? values.ring().one() : values.entry(entry));
    for (auto& of_gpu : values_) of_gpu.take_weights(weights);
  }
  void start(std::uint64_t place) const override {
    const auto& own = values_.front();
    devices_.front()->copy_from(*devices_.front(), own.weights(), own.at(place), 1);  // the first is one
  }
  void move(std::uint64_t from, std::uint64_t to, std::uint64_t places) const override {
    const auto& own = values_.front();
    devices_.front()->copy_from(*devices_.front(), static_cast<const Element*>(own.at(from)), own.at(to),
                                places);
  }
  void reorder(const DenseReorderLaunch& launch) const override {
    using Kernel = DenseReorderKernel<Element>;
    const auto& own = values_.front();
    const Kernel kernel{launch.binomials, *launch.reorder,     launch.first,
                        launch.last,      own.at(launch.from), own.at(launch.to)};
    devices_.front()->launch(kernel, blocks_for<Kernel>(*devices_.front(), launch.last - launch.first), 0);
  }
  void join(const DenseJoinLaunch& launch) const override {
    using Kernel = DenseJoinKernel<R>;
    const auto& own = values_.front();
    const Kernel kernel{launch.binomials,       *launch.shape,       launch.lists,
                        launch.first,           launch.last,         own.ring(),
                        own.at(launch.scalars), own.at(launch.runs), own.at(launch.to)};
    devices_.front()->launch(kernel, blocks_for<Kernel>(*devices_.front(), launch.last - launch.first), 0);
  }
  void pull(std::size_t gpu, const DenseLaunch& launch) const override {
    using Kernel = DenseKernel<R>;
    const Device& device = *devices_[gpu];
    const std::size_t shared = launch.tables.shared_bytes();
    constexpr std::uint64_t warps_a_block = Kernel::threads / 32;
    const std::uint64_t most = device.template blocks<Kernel>(shared);
    const std::uint64_t high_parts = launch.last - launch.first;
    // Every warp comes to several chunks, so that all end at about the same time.
    const std::uint64_t chunk = std::clamp<std::uint64_t>(high_parts / (most * warps_a_block * 8), 1,
                                                          frontier_tuning::dense_most_chunk);
    const std::uint64_t warps = (high_parts + chunk - 1) / chunk;
    const std::uint64_t blocks = std::min(most, (warps + warps_a_block - 1) / warps_a_block);
    const auto& own = values_[gpu];
    Kernel kernel{launch.tables,
                  launch.round,
                  launch.first,
                  launch.last,
                  chunk,
                  own.ring(),
                  own.weights(),
                  {},
                  0,
                  launch.adds,
                  own.at(launch.target.at),
                  launch.target.first,
                  launch.missed};
    for (const DensePart& part : launch.sources) {
      const Element* const values = part.left_out ? nullptr
                                    : part.copied ? copies_[gpu].data()
                                                  : values_[part.gpu].at(part.at);
      kernel.sources[kernel.source_count++] = {values, part.first, part.places};
    }
    device.launch(kernel, static_cast<unsigned>(blocks), shared);
  }
  void copy(std::size_t gpu, const DensePart& part) const override {
    devices_[gpu]->copy_from(*devices_[part.gpu], values_[part.gpu].at(part.at), copies_[gpu].data(),
                             part.places);
  }
  std::byte* bytes_at(std::uint64_t place) const override {
    return reinterpret_cast<std::byte*>(values_.front().at(place));
  }
  uint128 residue(std::uint64_t place) const override { return values_.front().residue(place); }

 private:
  const std::vector<const Device*>& devices_;
  std::vector<DeviceValues<Device, R>> values_;                    // of each GPU
  std::vector<typename Device::template Buffer<Element>> copies_;  // what it cannot read of others
};

}  // namespace countpm
