#pragma once
// Few products that have every pair, or every triple, of values of different dimensions that is possible.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/products/generator/dimensions.hpp"
#include "tests/products/generator/instance.hpp"

namespace countpm::products {

/// A value of a dimension.
using Place = std::pair<Dimension, std::uint8_t>;

/// A product with these values, the others drawn at random (plain: most of them the first ones); nothing
/// where there is none.
std::optional<Product> complete(const std::vector<Place>& fixed, Random& random, bool plain = false);

/// Sets of `strength` values of different dimensions.
class Combinations {
 public:
  /// 2 or 3. Finds out which are possible.
  explicit Combinations(std::size_t strength);

  std::size_t possible() const { return possible_; }
  std::size_t covered() const { return covered_; }
  /// Whether it is possible and not covered; its dimensions ascend.
  bool is_open(const std::vector<Place>& combination) const;
  /// How many of them the product has.
  std::size_t fresh(const Product& product) const;
  void cover(const Product& product);
  /// Those that are possible, but not covered.
  std::vector<std::vector<Place>> missing() const;
  std::string text(const std::vector<Place>& combination) const;

 private:
  template <class Visit>
  void each(const Product& product, const Visit& visit) const;
  std::size_t place(std::size_t group, const Product& product) const;

  struct Group {
    std::vector<std::size_t> dimensions;
    std::size_t first;  // of its combinations
  };
  std::vector<Group> groups_;
  std::vector<std::uint8_t> state_;  // 0: impossible, 1: open, 2: covered
  std::size_t possible_ = 0, covered_ = 0;
};

/// Products that have them all.
std::vector<Product> covering_array(std::size_t strength, std::uint64_t seed);

}  // namespace countpm::products
