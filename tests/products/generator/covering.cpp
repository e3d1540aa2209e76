#include "tests/products/generator/covering.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

namespace countpm::products {
namespace {

using Allowed = std::vector<std::uint64_t>;  // a bit for each value, of every dimension

/// Which values of each dimension go with a value; built once.
const std::vector<std::vector<Allowed>>& compatible() {
  static const std::vector<std::vector<Allowed>> table = [] {
    std::vector<std::vector<Allowed>> built(dimensions);
    for (std::size_t a = 0; a < dimensions; ++a) {
      const auto da = static_cast<Dimension>(a);
      for (std::size_t v = 0; v < values(da).size(); ++v) {
        Allowed row(dimensions, 0);
        for (std::size_t b = 0; b < dimensions; ++b) {
          const auto db = static_cast<Dimension>(b);
          for (std::size_t w = 0; w < values(db).size(); ++w) {
            const bool possible =
                a == b
                    ? v == w
                    : impossible(da, static_cast<std::uint8_t>(v), db, static_cast<std::uint8_t>(w)).empty();
            if (possible) row[b] |= std::uint64_t{1} << w;
          }
        }
        built[a].push_back(row);
      }
    }
    return built;
  }();
  return table;
}

bool restrict_to(Allowed& allowed, std::size_t dimension, std::size_t value) {
  const Allowed& row = compatible()[dimension][value];
  bool possible = true;
  for (std::size_t d = 0; d < dimensions; ++d) {
    allowed[d] &= row[d];
    possible = possible && allowed[d] != 0;
  }
  return possible;
}

Allowed everything() {
  Allowed allowed(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d)
    allowed[d] = (std::uint64_t{1} << values(static_cast<Dimension>(d)).size()) - 1;
  return allowed;
}

bool decided(std::uint64_t values) {
  return (values & (values - 1)) == 0;
}

/// Depth first; `choose` orders the values of a dimension.
bool search(Allowed& allowed, std::vector<std::size_t>& order, std::size_t depth,
            const std::function<std::vector<std::size_t>(std::size_t, std::uint64_t)>& choose) {
  while (depth < order.size() && decided(allowed[order[depth]])) {
    const auto value = static_cast<std::size_t>(__builtin_ctzll(allowed[order[depth]]));
    if (!restrict_to(allowed, order[depth], value)) return false;
    ++depth;
  }
  if (depth == order.size()) return true;
  const std::size_t dimension = order[depth];
  for (const std::size_t value : choose(dimension, allowed[dimension])) {
    Allowed next = allowed;
    if (!restrict_to(next, dimension, value)) continue;
    if (search(next, order, depth + 1, choose)) {
      allowed = next;
      return true;
    }
  }
  return false;
}

std::optional<Product> finish(
    Allowed allowed, const std::function<std::vector<std::size_t>(std::size_t, std::uint64_t)>& choose,
    Random& random) {
  std::vector<std::size_t> order(dimensions);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t k = order.size(); k > 1; --k)
    std::swap(order[k - 1], order[static_cast<std::size_t>(random.between(0, static_cast<int>(k) - 1))]);
  if (!search(allowed, order, 0, choose)) return std::nullopt;
  Product product;
  product.seed = random.next() >> 16;
  for (std::size_t d = 0; d < dimensions; ++d)
    product.value[d] = static_cast<std::uint8_t>(__builtin_ctzll(allowed[d]));
  return is_possible(product) ? std::optional(product) : std::nullopt;
}

/// Values in a random order; in plain ones the first comes first, mostly.
std::function<std::vector<std::size_t>(std::size_t, std::uint64_t)> at_random(Random& random, bool plain) {
  return [&random, plain](std::size_t, std::uint64_t bits) {
    std::vector<std::size_t> list;
    for (std::size_t v = 0; v < 64; ++v)
      if ((bits >> v & 1) != 0) list.push_back(v);
    if (plain && !random.once_in(6)) return list;
    for (std::size_t k = list.size(); k > 1; --k)
      std::swap(list[k - 1], list[static_cast<std::size_t>(random.between(0, static_cast<int>(k) - 1))]);
    return list;
  };
}

std::optional<Allowed> fixed_to(const std::vector<Place>& fixed) {
  Allowed allowed = everything();
  for (const auto& [dimension, value] : fixed)
    if (!restrict_to(allowed, static_cast<std::size_t>(dimension), value)) return std::nullopt;
  return allowed;
}

}  // namespace

std::optional<Product> complete(const std::vector<Place>& fixed, Random& random, bool plain) {
  const std::optional<Allowed> allowed = fixed_to(fixed);
  return allowed ? finish(*allowed, at_random(random, plain), random) : std::nullopt;
}

Combinations::Combinations(std::size_t strength) {
  std::vector<bool> chosen(dimensions);
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(strength), true);
  std::size_t total = 0;
  do {
    Group group;
    group.first = total;
    std::size_t size = 1;
    for (std::size_t d = 0; d < dimensions; ++d) {
      if (!chosen[d]) continue;
      group.dimensions.push_back(d);
      size *= values(static_cast<Dimension>(d)).size();
    }
    total += size;
    groups_.push_back(std::move(group));
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  state_.assign(total, 0);
  Random random(1);
  for (const Group& group : groups_) {
    std::vector<Place> combination;
    for (const std::size_t d : group.dimensions) combination.emplace_back(static_cast<Dimension>(d), 0);
    const std::size_t end = &group == &groups_.back() ? total : (&group + 1)->first;
    for (std::size_t p = group.first; p < end; ++p) {
      std::size_t rest = p - group.first;
      for (std::size_t k = combination.size(); k-- > 0;) {
        const std::size_t size = values(combination[k].first).size();
        combination[k].second = static_cast<std::uint8_t>(rest % size);
        rest /= size;
      }
      if (state_[p] != 0) continue;
      const std::optional<Product> product = complete(combination, random);
      if (!product) continue;
      each(*product, [&](std::size_t place) {
        if (state_[place] == 0) ++possible_;
        state_[place] = 1;
      });
    }
  }
}

std::size_t Combinations::place(std::size_t group, const Product& product) const {
  std::size_t place = 0;
  for (const std::size_t d : groups_[group].dimensions)
    place = place * values(static_cast<Dimension>(d)).size() + product.value[d];
  return groups_[group].first + place;
}

template <class Visit>
void Combinations::each(const Product& product, const Visit& visit) const {
  for (std::size_t group = 0; group < groups_.size(); ++group) visit(place(group, product));
}

bool Combinations::is_open(const std::vector<Place>& combination) const {
  Product product;
  std::vector<std::size_t> dimensions_of_it;
  for (const auto& [dimension, value] : combination) {
    product[dimension] = value;
    dimensions_of_it.push_back(static_cast<std::size_t>(dimension));
  }
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].dimensions == dimensions_of_it) return state_[place(g, product)] == 1;
  return false;
}

std::size_t Combinations::fresh(const Product& product) const {
  std::size_t number = 0;
  each(product, [&](std::size_t place) { number += state_[place] == 1 ? 1 : 0; });
  return number;
}

void Combinations::cover(const Product& product) {
  each(product, [&](std::size_t place) {
    if (state_[place] == 1) ++covered_;
    state_[place] = 2;
  });
}

std::vector<std::vector<Place>> Combinations::missing() const {
  std::vector<std::vector<Place>> list;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const std::size_t end = g + 1 < groups_.size() ? groups_[g + 1].first : state_.size();
    for (std::size_t p = groups_[g].first; p < end; ++p) {
      if (state_[p] != 1) continue;
      std::vector<Place> combination(groups_[g].dimensions.size());
      std::size_t rest = p - groups_[g].first;
      for (std::size_t k = combination.size(); k-- > 0;) {
        const auto dimension = static_cast<Dimension>(groups_[g].dimensions[k]);
        combination[k] = {dimension, static_cast<std::uint8_t>(rest % values(dimension).size())};
        rest /= values(dimension).size();
      }
      list.push_back(std::move(combination));
    }
  }
  return list;
}

std::string Combinations::text(const std::vector<Place>& combination) const {
  std::string text;
  for (const auto& [dimension, value] : combination)
    text += (text.empty() ? "" : ", ") + std::string(name_of(dimension)) + "=" + values(dimension)[value];
  return text;
}

std::vector<Product> covering_array(std::size_t strength, std::uint64_t seed) {
  constexpr int candidates = 6;
  Combinations combinations(strength);
  Random random(seed);
  std::vector<Product> products;
  // Those that are missing are dealt out in one order; each brings along as many others as a few tries find.
  std::vector<std::vector<Place>> missing = combinations.missing();
  for (std::size_t k = missing.size(); k > 1; --k) std::swap(missing[k - 1], missing[random.next() % k]);
  for (const std::vector<Place>& combination : missing) {
    if (!combinations.is_open(combination)) continue;
    std::optional<Product> best;
    std::size_t most = 0;
    for (int k = 0; k < candidates; ++k) {
      const std::optional<Product> product = complete(combination, random);
      const std::size_t fresh = product ? combinations.fresh(*product) : 0;
      if (fresh <= most) continue;
      most = fresh;
      best = product;
    }
    if (!best) continue;
    combinations.cover(*best);
    products.push_back(*best);
  }
  return products;
}

}  // namespace countpm::products
