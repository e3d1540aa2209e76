#include "graph/lattices/lattice_range.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string_view>

#include "graph/errors.hpp"
#include "graph/lattices/lattice.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_lattices = 100'000;
constexpr std::string_view dots = "..";

/// A spec cut at the colons that matter: HEAD:SIZES:REST.
struct SpecParts {
  std::string head;   // "lattice:square"
  std::string sizes;  // "2x2..64x64"
  std::string rest;   // ":weights=1,2", without step=
  std::optional<std::string> step;
};

class RangeParser {
 public:
  explicit RangeParser(const std::string& spec) : spec_(spec) {}

  std::vector<std::string> specs() const {
    const SpecParts parts = cut();
    if (parts.rest.find('{') != std::string::npos) return walk_numbers(parts);
    if (parts.sizes.find(dots) == std::string::npos) {
      if (parts.step) fail("step= without a range of sizes");
      lattice_info(spec_);
      return {spec_};
    }
    const std::size_t at = parts.sizes.find(dots);
    const std::vector<std::uint64_t> first = numbers(parts.sizes.substr(0, at));
    const std::vector<std::uint64_t> last = numbers(parts.sizes.substr(at + dots.size()));
    // The first spec tells of wrong shapes, parameters and numbers of sizes in its own words.
    lattice_info(parts.head + ':' + joined(first) + parts.rest);
    if (first.size() != last.size())
      fail(fmt::format("{} and {} have different numbers of sizes", joined(first), joined(last)));
    return walk(parts, first, last, step_of(parts));
  }

  SpecParts cut() const {
    SpecParts parts;
    std::string_view text = spec_;
    std::size_t at = text.starts_with("lattice:") ? text.find(':', 8) : text.find(':');
    parts.head = text.substr(0, at);
    for (bool sizes = true; at != std::string_view::npos; sizes = false) {
      const std::size_t next = text.find(':', at + 1);
      const std::string word(
          text.substr(at + 1, next == std::string_view::npos ? std::string_view::npos : next - at - 1));
      at = next;
      if (sizes) {
        parts.sizes = word;
      } else if (!word.starts_with("step=")) {
        parts.rest += ':' + word;
      } else if (parts.step) {
        fail("step= is given twice");
      } else {
        parts.step = word.substr(5);
      }
    }
    return parts;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw UsageError(
        fmt::format("lattice range \"{}\": {}; a range is SHAPE:FIRST..LAST[:step=N], such as "
                    "square:2x2..64x64, square:2x2..2x64:step=2 or aztec:1..40, or has numbers in braces, "
                    "square:8x8:remove=r3c3+r3c{{4..7}}",
                    quoted(spec_, 80), what));
  }

  std::uint64_t number(std::string_view word, std::string_view noun = "size") const {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    // Sizes up to 2^31 are told apart by the lattice itself; differences must not wrap around.
    if (error != std::errc{} || end != word.data() + word.size() || value >> 32 != 0)
      fail(fmt::format("\"{}\" is no {}", quoted(std::string(word)), noun));
    return value;
  }

  std::vector<std::uint64_t> numbers(std::string_view text) const {
    std::vector<std::uint64_t> result;
    for (;;) {
      const std::size_t at = text.find('x');
      result.push_back(number(text.substr(0, at)));
      if (at == std::string_view::npos) return result;
      text.remove_prefix(at + 1);
    }
  }

  std::uint64_t step_of(const SpecParts& parts) const {
    if (!parts.step) return 1;
    std::uint64_t step = 0;
    const char* const end = parts.step->data() + parts.step->size();
    const auto [at, error] = std::from_chars(parts.step->data(), end, step);
    if (error != std::errc{} || at != end || step == 0)
      fail(fmt::format("step=\"{}\" is no whole number above 0", quoted(*parts.step)));
    return step;
  }

  static std::string joined(const std::vector<std::uint64_t>& sizes) {
    return fmt::format("{}", fmt::join(sizes, "x"));
  }

  std::vector<std::string> walk(const SpecParts& parts, const std::vector<std::uint64_t>& first,
                                const std::vector<std::uint64_t>& last, std::uint64_t step) const {
    std::uint64_t intervals = 0;  // between neighbours with whole sizes on the line
    for (std::size_t axis = 0; axis < first.size(); ++axis) {
      if (last[axis] < first[axis])
        fail(fmt::format("{} is below {}: sizes grow", joined(last), joined(first)));
      intervals = std::gcd(intervals, last[axis] - first[axis]);
    }
    if (intervals == 0) fail("no size grows");
    if (intervals / step >= most_lattices) fail(fmt::format("more than {} lattices", most_lattices));
    std::vector<std::string> specs;
    for (std::uint64_t k = 0; k <= intervals; k += step) {
      std::vector<std::uint64_t> sizes = first;
      for (std::size_t axis = 0; axis < sizes.size(); ++axis)
        sizes[axis] += (last[axis] - first[axis]) / intervals * k;
      specs.push_back(parts.head + ':' + joined(sizes) + parts.rest);
      lattice_info(specs.back());
      if (step > intervals - k) break;  // k + step must not wrap around
    }
    return specs;
  }

  /// "{11..20}" behind the sizes: a spec for each number. Several go on side by side.
  std::vector<std::string> walk_numbers(const SpecParts& parts) const {
    if (parts.sizes.find(dots) != std::string::npos || parts.step)
      fail("sizes and numbers in braces do not go on together");
    std::vector<std::string> between;  // what stands before, between and behind the braces
    std::vector<std::uint64_t> first;
    std::uint64_t steps = 0;
    std::string_view left = parts.rest;
    for (std::size_t open = left.find('{'); open != std::string_view::npos; open = left.find('{')) {
      const std::size_t close = left.find('}', open);
      const std::string_view range =
          left.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
      const std::size_t at = range.find(dots);
      if (close == std::string_view::npos || at == std::string_view::npos)
        fail(fmt::format("\"{}\" is no range of numbers {{A..B}}", quoted(std::string(left.substr(open)))));
      const std::uint64_t low = number(range.substr(0, at), "number");
      const std::uint64_t high = number(range.substr(at + dots.size()), "number");
      if (high < low) fail(fmt::format("{} is below {}: numbers grow", high, low));
      if (!first.empty() && high - low != steps) fail("the ranges in braces have different lengths");
      steps = high - low;
      between.emplace_back(left.substr(0, open));
      first.push_back(low);
      left.remove_prefix(close + 1);
    }
    if (steps >= most_lattices) fail(fmt::format("more than {} lattices", most_lattices));
    std::vector<std::string> specs;
    for (std::uint64_t k = 0; k <= steps; ++k) {
      std::string spec = parts.head + ':' + parts.sizes;
      for (std::size_t part = 0; part < first.size(); ++part)
        spec += between[part] + std::to_string(first[part] + k);
      specs.push_back(spec += left);
      lattice_info(specs.back());
    }
    return specs;
  }

  const std::string& spec_;
};

}  // namespace

std::vector<std::string> lattice_range(const std::string& spec) {
  return RangeParser(spec).specs();
}

bool is_lattice_range(const std::string& spec) {
  const SpecParts parts = RangeParser(spec).cut();
  return parts.sizes.find(dots) != std::string::npos || parts.rest.find('{') != std::string::npos;
}

bool is_growing_range(const std::string& spec) {
  return RangeParser(spec).cut().sizes.find(dots) != std::string::npos;
}

}  // namespace countpm
