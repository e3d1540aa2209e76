#pragma once
// How condensation's dense matrices lie on a device, and how many fit.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "kernels/gpu/device_info.hpp"
#include "kernels/planar/condensation/dense_form.hpp"
#include "kernels/planar/condensation/gpu/lane.hpp"
#include "kernels/planar/condensation/gpu/tuning.hpp"

namespace countpm {

template <class Field>
struct MatrixLayout {
  static std::uint32_t stride(const DenseForm& form) { return (form.size + 7) / 8 * 8; }
  static std::uint32_t pivot_count(const DenseForm& form) { return form.skew ? form.size / 2 : form.size; }

  /// Of each matrix.
  static std::uint64_t bytes(const DenseForm& form, std::uint64_t value_count) {
    constexpr std::uint64_t panel = condensation_tuning::panel;
    const std::uint64_t size = form.size;
    const std::uint64_t words = size * (stride(form) + 2 * panel) + panel + pivot_count(form) + value_count;
    return words * sizeof(typename Field::Word) + (size + 2) * sizeof(std::uint32_t) +
           sizeof(typename Field::Parameters);
  }

  /// How many fit; 0: none.
  static std::size_t most_that_fit(const DenseForm& form, std::uint64_t value_count, const GpuInfo& gpu) {
    const auto memory =
        static_cast<std::uint64_t>(condensation_tuning::memory_share * static_cast<double>(gpu.memory_bytes));
    return std::min<std::uint64_t>(memory / bytes(form, value_count), condensation_tuning::most_problems);
  }
};

/// Whether the GPU's memory holds the matrix modulo one prime at least.
inline bool fits_device(const DenseForm& form, std::uint64_t values, const GpuInfo& gpu) {
  return MatrixLayout<condensation_step::ResidueField>::most_that_fit(form, values, gpu) > 0;
}

}  // namespace countpm
