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

DenseSlabs slabs_of(std::uint32_t width, std::uint32_t ones, std::uint32_t low_bits, std::size_t count) {
  DenseSlabs slabs;
  slabs.width = width;
  slabs.ones = ones;
  slabs.low = std::min(low_bits, width);
  const std::uint64_t all = sets_of(width, ones);
  slabs.first.assign(count + 1, all);
  slabs.high.assign(count + 1, 0);
  slabs.first[0] = 0;
  slabs.high[0] = run_at(slabs, 0).high;
  for (std::size_t slab = 1; slab < count; ++slab) {
    // Rounded up, so that the first slab has the first run.
    const auto place = static_cast<std::uint64_t>((static_cast<uint128>(all) * slab + (count - 1)) / count);
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

/// The words first .. first + 2^free - 1, where the lowest `free` bits of `first` are zeros.
struct WordGroup {
  std::uint64_t first = 0;
  std::uint32_t free = 0;
};

/// Cover a slab's sets, as words of bits; the smallest groups have least_free free bits.
std::vector<WordGroup> word_groups(const DenseSlabs& slabs, std::size_t slab, std::uint32_t least_free) {
  const auto word_at = [&](std::uint64_t place) {
    return dense_step::set_of_rank(all_binomials().data(), slabs.width, slabs.ones, place) >> least_free;
  };
  const std::uint64_t last = word_at(slabs.first[slab + 1] - 1);
  std::vector<WordGroup> groups;
  for (std::uint64_t at = word_at(slabs.first[slab]); at <= last;) {
    std::uint32_t free = 0;
    while (least_free + free < slabs.width && (at >> free & 1) == 0 &&
           at + (std::uint64_t{2} << free) - 1 <= last)
      ++free;
    groups.push_back({at << least_free, least_free + free});
    at += std::uint64_t{1} << free;
  }
  return groups;
}

std::uint64_t ones_below(std::uint32_t bit) {
  return bit >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bit) - 1;
}

/// Words with some bits free and the others fixed.
struct WordPattern {
  std::uint64_t fixed = 0;
  std::uint64_t free = 0;
  bool operator==(const WordPattern&) const = default;
};

/// The old sets that a group's sets may have as predecessors of a kind; false where they have none.
bool old_words(const DenseStep& step, const DensePull& kind, const WordGroup& group, WordPattern& old) {
  const DenseShape& shape = step.shape;
  const std::uint64_t high = group.first >> shape.to_low;
  const std::uint64_t free = ones_below(group.free - shape.to_low);
  if ((((high & kind.high_mask) ^ kind.high_value) & ~free) != 0) return false;
  const std::uint64_t kept = ones_below(shape.kept_width - shape.to_low);
  old = {high & kept, free & kept};
  for (std::size_t r = shape.removed_low; r < step.removed.size(); ++r) {
    old.fixed = dense_step::spread(old.fixed, step.removed[r] - shape.from_low);
    old.free = dense_step::spread(old.free, step.removed[r] - shape.from_low);
  }
  old.fixed = ((old.fixed ^ kind.high_flip) & ~old.free) << shape.from_low;
  old.free = old.free << shape.from_low | ones_below(shape.from_low);
  return true;
}

}  // namespace

DenseSlabs old_table_slabs(const DenseShape& shape, std::uint32_t low_bits, std::size_t slabs) {
  return slabs_of(shape.from_width, shape.from_ones, low_bits, slabs);
}

DenseSlabs new_table_slabs(const DenseShape& shape, std::uint32_t low_bits, std::size_t slabs) {
  return slabs_of(shape.to_width, shape.to_ones, low_bits, slabs);
}

std::vector<std::uint32_t> needed_slabs(const DenseStep& step, const DenseSlabs& from, const DenseSlabs& to,
                                        std::size_t slab) {
  // Words of a group differ in the rest: finer groups say little more of which slabs there are.
  constexpr std::uint32_t looked_at = 14;
  const DenseShape& shape = step.shape;
  const std::uint32_t least_free =
      std::max(shape.to_low, shape.to_width > looked_at ? shape.to_width - looked_at : 0);
  const std::size_t count = from.first.size() - 1;
  std::vector<bool> needed(count, false);
  std::vector<WordPattern> seen;
  for (const WordGroup& group : word_groups(to, slab, least_free)) {
    for (const DensePull& kind : step.pulls) {
      WordPattern old;
      if (!old_words(step, kind, group, old) || std::find(seen.begin(), seen.end(), old) != seen.end())
        continue;
      seen.push_back(old);
      const std::uint64_t most = old.fixed | old.free;
      const std::uint64_t first = words_below(old.fixed, shape.from_width, shape.from_ones);
      const std::uint64_t end = words_below(most, shape.from_width, shape.from_ones) +
                                (static_cast<std::uint32_t>(std::popcount(most)) == shape.from_ones ? 1 : 0);
      if (first >= end) continue;
      const auto behind = std::upper_bound(from.first.begin(), from.first.end(), first);
      for (auto s = static_cast<std::size_t>(behind - from.first.begin()) - 1;
           s < count && from.first[s] < end; ++s)
        needed[s] = true;
    }
  }
  std::vector<std::uint32_t> slabs;
  const bool few = std::count(needed.begin(), needed.end(), true) <= most_dense_sources;
  for (std::size_t s = 0; s < count; ++s) {
    if ((needed[s] || !few) && from.places(s) > 0) slabs.push_back(static_cast<std::uint32_t>(s));
  }
  return slabs;
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
