#pragma once
// One program of frontier on a device, in either form.
#include <numeric>
#include <vector>

#include "kernels/frontier/gpu/form.hpp"
#include "kernels/frontier/tables/value_column.hpp"
#include "kernels/gpu/launch.hpp"
#include "tests/kernels/frontier/frontier_testing.hpp"

namespace countpm::testing {

/// Values modulo it take 32 bits.
inline constexpr std::uint64_t narrow_prime = 2147483647;  // 2^31 - 1

inline std::vector<Arithmetic> frontier_arithmetics() {
  Arithmetic wide = residues_modulo({first_prime, second_prime});
  wide.moduli.insert(wide.moduli.begin(), Modulus{0, 128});
  Arithmetic three_words = wrap_around(128);
  three_words.moduli.push_back(Modulus{first_prime, 0});  // about 192 bits
  return {wrap_around(64), wrap_around(128), three_words, residues_modulo({narrow_prime, second_prime}),
          wide};
}

struct DeviceRun {
  double log2_states = 4;
  std::uint64_t slice_records = frontier_tuning::slice_records;
  TableForm form = TableForm::sorted;
  std::uint32_t low_bits = most_dense_low_bits;
};

/// The unit of a job that is one program.
inline Residues run_on_device(const GpuInfo& gpu, const AnyBlock& block, const ClassGraph& graph,
                              const Elimination& elimination, const Arithmetic& arithmetic,
                              const DeviceRun& how, FrontierDeviceStatistics* statistics = nullptr) {
  FrontierDeviceTask task;
  task.block = &block;
  task.arithmetic = &arithmetic;
  const auto columns = make_value_columns(block, arithmetic);
  for (const auto& column : columns->columns()) task.value_bytes.push_back(column->bytes_per_state());
  std::vector<std::uint32_t> moduli(arithmetic.moduli.size());
  std::iota(moduli.begin(), moduli.end(), 0U);
  task.most_records = how.slice_records;
  task.form = how.form;
  task.dense_low_bits = how.low_bits;
  task.run_unit = [&](std::uint64_t, const StopSignal&, const FrontierDeviceTask::RunTables& run) {
    const bool line = classes_in_line(elimination).has_value();
    return run({&graph, line ? &elimination : nullptr, moduli, how.log2_states, 1, 0,
                line ? nullptr : &elimination});
  };
  const StopSignal never;
  const auto device = on_gpu<FrontierForm>(gpu, task);
  auto result = std::get<Residues>(device->run(0, 1, never));
  EXPECT_EQ(std::get<Residues>(device->run(0, 1, never)), result) << "run twice";
  if (statistics != nullptr) *statistics = device->statistics();
  return result;
}

}  // namespace countpm::testing
