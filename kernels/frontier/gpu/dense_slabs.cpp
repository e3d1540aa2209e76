#include "kernels/frontier/gpu/dense_slabs.hpp"

#include <algorithm>
#include <bit>

#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/frontier/gpu/dense_kernel.hpp"

namespace countpm {
namespace {

const std::vector<std::uint64_t>& all_binomials() {
  static const std::vector<std::uint64_t> table = dense_binomials();
  return table;
}

std::uint64_t sets_of(std::uint32_t width, std::uint32_t ones) {
  return ones > width ? 0 : all_binomials()[std::size_t{width} * 65 + ones];
}

/// Words of `width` bits, `ones` of them one, that are less than this one.
std::uint64_t words_below(std::uint64_t word, std::uint32_t width, std::uint32_t ones) {
  std::uint64_t count = 0;
  for (std::uint32_t bit = width; bit-- > 0;) {
    if ((word >> bit & 1) == 0) continue;
    count += sets_of(bit, ones);
    if (ones == 0) break;
    --ones;
  }
  return count;
}

struct Run {
  std::uint64_t high = 0;
  std::uint64_t first = 0;
  std::uint64_t places = 0;
};

Run run_at(const DenseSlabs& slabs, std::uint64_t place) {
  const std::uint64_t* const binomials = all_binomials().data();
  Run run;
  run.high = dense_step::set_of_rank(binomials, slabs.width, slabs.ones, place) >> slabs.low;
  const auto low_ones = slabs.ones - static_cast<std::uint32_t>(std::popcount(run.high));
  run.first = dense_step::first_rank(binomials, run.high, slabs.low, low_ones);
  run.places = sets_of(slabs.low, low_ones);
  return run;
}

DenseSlabs slabs_of(std::uint32_t width, std::uint32_t ones, std::uint32_t low_bits, std::size_t gpus) {
  DenseSlabs slabs;
  slabs.width = width;
  slabs.ones = ones;
  slabs.low = std::min(low_bits, width);
  const std::uint64_t all = sets_of(width, ones);
  slabs.first.assign(gpus + 1, all);
  slabs.high.assign(gpus + 1, 0);
  slabs.first[0] = 0;
  slabs.high[0] = run_at(slabs, 0).high;
  for (std::size_t slab = 1; slab < gpus; ++slab) {
    // Rounded up, so that the first slab has the first run.
    const auto place = static_cast<std::uint64_t>((static_cast<uint128>(all) * slab + (gpus - 1)) / gpus);
    if (place >= all) break;
    Run run = run_at(slabs, place);
    if (run.first < place) {
      if (run.first + run.places == all) break;  // nothing is left for this one and those behind it
      run = run_at(slabs, run.first + run.places);
    }
    slabs.first[slab] = run.first;
    slabs.high[slab] = run.high;
  }
  return slabs;
}

}  // namespace

DenseSlabs old_table_slabs(const DenseShape& shape, std::uint32_t low_bits, std::size_t gpus) {
  return slabs_of(shape.from_width, shape.from_ones, low_bits, gpus);
}

DenseSlabs new_table_slabs(const DenseShape& shape, std::uint32_t low_bits, std::size_t gpus) {
  return slabs_of(shape.to_width, shape.to_ones, low_bits, gpus);
}

DenseClasses dense_classes(const DenseShape& shape, const DenseSlabs& slabs, std::size_t slab) {
  const DenseClasses all = dense_classes(shape);
  const std::uint32_t width = shape.to_width - shape.to_low;
  DenseClasses classes;
  classes.count = all.count;
  classes.least = all.least;
  // A run of the next step is one or several of this one.
  const auto start = [&](std::size_t border, std::uint32_t c) {
    if (slabs.first[border] == slabs.first.back()) return all.first[c + 1] - all.first[c];
    return words_below(slabs.high[border] << (slabs.low - shape.to_low), width,
                       shape.to_ones - (all.least + c));
  };
  for (std::uint32_t c = 0; c < all.count; ++c) {
    classes.start[c] = start(slab, c);
    classes.first[c + 1] = classes.first[c] + start(slab + 1, c) - classes.start[c];
  }
  return classes;
}

std::uint64_t run_begin(const DenseSlabs& slabs, std::uint64_t place) {
  return run_at(slabs, place).first;
}

std::vector<std::uint64_t> dense_places(const DenseProgram& program, std::uint32_t low_bits,
                                        std::size_t gpus) {
  if (gpus == 1) return {program.states};
  std::vector<std::uint64_t> places(gpus, 0);
  places[0] = 1;
  for (const DenseStep& step : program.steps) {
    const DenseSlabs from = old_table_slabs(step.shape, low_bits, gpus);
    const DenseSlabs to = new_table_slabs(step.shape, low_bits, gpus);
    for (std::size_t gpu = 0; gpu < gpus; ++gpu)
      places[gpu] = std::max(places[gpu], from.places(gpu) + to.places(gpu));
  }
  return places;
}

}  // namespace countpm
