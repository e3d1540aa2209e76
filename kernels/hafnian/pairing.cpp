#include "kernels/hafnian/pairing.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "kernels/arithmetic/dispatch.hpp"

namespace countpm::pair_sets {
namespace {

// A unit has so many sets to itself: some milliseconds with lanes, while what units do alike, the walk to
// their first set, is a small part. Complex numbers take some ten times as long a set: so
// many are worth two units.
constexpr std::uint64_t unit_sets = 1 << 13;
constexpr std::uint64_t sets_of_two_units = 1 << 11;
constexpr std::uint64_t most_units = 1 << 16;
// As many as the widest vector's lanes tell apart, whatever this processor has: units are the same
// everywhere.
constexpr std::size_t lane_pairs = 3;

/// Some order of fractions in lowest terms: their sizes would take products.
int compare_terms(const mpq_class& a, const mpq_class& b) {
  const int by_denominator = cmp(a.get_den(), b.get_den());
  return by_denominator != 0 ? by_denominator : cmp(a.get_num(), b.get_num());
}

/// The matrix as numbers that are equal where the entries are; 0 where there is none.
template <class Value>
std::vector<std::vector<unsigned>> kinds_of(const Block<Value>& block, Index vertices) {
  const auto less = [](const Value& a, const Value& b) {
    if constexpr (std::is_same_v<Value, ComplexRational>) {
      const int by_real_part = compare_terms(a.re, b.re);
      return (by_real_part != 0 ? by_real_part : compare_terms(a.im, b.im)) < 0;
    } else if constexpr (std::is_same_v<Value, mpq_class>) {
      return compare_terms(a, b) < 0;
    } else {
      return a < b;
    }
  };
  std::map<Value, unsigned, decltype(less)> numbers(less);
  std::vector<std::vector<unsigned>> kinds(vertices, std::vector<unsigned>(vertices, 0));
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      const auto next = static_cast<unsigned>(numbers.size() + 1);
      kinds[i][block.matrix.column[k]] = numbers.emplace(block.matrix.value[k], next).first->second;
    }
  }
  // the vertex that is alone has a loop like no other
  if (vertices != block.matrix.rows) kinds.back().back() = static_cast<unsigned>(numbers.size() + 1);
  return kinds;
}

/// Vertices that can be exchanged.
std::vector<std::vector<Index>> classes_of(const std::vector<std::vector<unsigned>>& kinds) {
  std::vector<std::vector<Index>> classes;
  const auto vertices = static_cast<Index>(kinds.size());
  const auto are_twins = [&](Index a, Index b) {
    if (kinds[a][a] != kinds[b][b]) return false;
    for (Index other = 0; other < vertices; ++other) {
      if (other != a && other != b && kinds[a][other] != kinds[b][other]) return false;
    }
    return true;
  };
  for (Index v = 0; v < vertices; ++v) {
    const auto found = std::find_if(classes.begin(), classes.end(),
                                    [&](const std::vector<Index>& one) { return are_twins(one.front(), v); });
    if (found == classes.end()) {
      classes.push_back({v});
    } else {
      found->push_back(v);
    }
  }
  return classes;
}

using Pair = std::pair<Index, Index>;
using Group = std::vector<Pair>;

/// The two classes with most vertices left, again and again; of equal ones the first.
std::vector<Group> groups_of(std::vector<std::vector<Index>> classes) {
  for (std::vector<Index>& one : classes) std::reverse(one.begin(), one.end());
  std::vector<Group> groups;
  while (true) {
    std::stable_sort(classes.begin(), classes.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    while (!classes.empty() && classes.back().empty()) classes.pop_back();
    if (classes.empty()) return groups;
    std::vector<Index>& first = classes.front();
    std::vector<Index>& second = classes.size() > 1 ? classes[1] : first;
    const std::size_t pairs = classes.size() > 1 ? second.size() : first.size() / 2;
    const auto take = [](std::vector<Index>& from) {
      const Index v = from.back();
      from.pop_back();
      return v;
    };
    Group group;
    for (std::size_t k = 0; k < pairs; ++k) {
      const Index a = take(first);
      group.emplace_back(a, take(second));
    }
    groups.push_back(std::move(group));
  }
}

/// The last pair that is alone, which costs no group a copy; else one of the largest group.
Pair take_pair(std::vector<Group>& groups) {
  std::size_t chosen = 0;
  for (std::size_t k = 0; k < groups.size(); ++k) {
    if (groups[k].size() == 1 || (groups[chosen].size() > 1 && groups[k].size() > groups[chosen].size()))
      chosen = k;
  }
  const Pair pair = groups[chosen].back();
  groups[chosen].pop_back();
  if (groups[chosen].empty()) groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(chosen));
  return pair;
}

}  // namespace

Pairing pairing_of(const AnyBlock& block) {
  Pairing result;
  const Index rows = std::visit([](const auto& given) { return given.size(); }, block);
  const Index vertices = rows + rows % 2;
  result.shape.pairs = vertices / 2;
  result.shape.monomers = has_monomers(block) ? 1 : 0;
  result.place.resize(vertices);
  if (vertices == 0) return result;

  const std::vector<std::vector<Index>> classes =
      classes_of(std::visit([&](const auto& given) { return kinds_of(given, vertices); }, block));
  result.twin_of.resize(vertices);
  for (const std::vector<Index>& one : classes) {
    for (const Index v : one) result.twin_of[v] = one.front();
  }
  std::vector<Group> groups = groups_of(classes);
  result.twins = groups.size() < result.shape.pairs;
  const Pair last = take_pair(groups);
  // The lanes' pairs and those of groups of one before the larger groups.
  std::vector<Pair> of_lanes;
  while (of_lanes.size() < lane_pairs && !groups.empty()) of_lanes.push_back(take_pair(groups));
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return (a.size() == 1) > (b.size() == 1); });

  result.sets = std::uint64_t{1} << of_lanes.size();
  double all = static_cast<double>(result.sets);
  for (const Group& group : groups) all *= static_cast<double>(group.size() + 1);
  std::size_t decided = 0;
  const bool complex = is_complex(block);
  const auto too_many = [&] {
    return all > static_cast<double>(unit_sets) ||
           (complex && result.units == 1 && all >= static_cast<double>(sets_of_two_units));
  };
  const auto choices = [](const Group& group) { return std::uint64_t{group.size()} + 1; };
  while (decided < groups.size() && too_many() && result.units * choices(groups[decided]) <= most_units) {
    result.units *= choices(groups[decided]);
    all /= static_cast<double>(choices(groups[decided]));
    result.decided += static_cast<unsigned>(groups[decided++].size());
  }
  for (std::size_t k = decided; k < groups.size(); ++k) result.sets *= choices(groups[k]);

  unsigned pair = 0;
  const auto put = [&](const Pair& one) {
    const Index at = 2 * (result.shape.pairs - 1 - pair++);
    result.place[one.first] = at;
    result.place[one.second] = at + 1;
  };
  const auto put_group = [&](const Group& group) {
    const auto end = static_cast<unsigned char>(pair + group.size());
    for (const Pair& one : group) {
      result.shape.group_end[pair] = end;
      put(one);
    }
  };
  for (std::size_t k = 0; k < decided; ++k) put_group(groups[k]);
  for (const Pair& one : of_lanes) put_group({one});
  for (std::size_t k = decided; k < groups.size(); ++k) put_group(groups[k]);
  put_group({last});
  return result;
}

}  // namespace countpm::pair_sets
