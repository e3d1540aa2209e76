#include "src/series/series_items.hpp"

#include "graph/lattice.hpp"
#include "graph/lattice_range.hpp"
#include "src/text/format_probability.hpp"

namespace countpm {
namespace {

// The first size that is different in the two specs of a range.
std::size_t growing_axis(const LatticeInfo& first, const LatticeInfo& last) {
  std::size_t axis = 0;
  while (axis < 2 && first.size[axis] == last.size[axis]) ++axis;
  return axis;
}

void append_range(Series& series, const std::string& argument) {
  const std::vector<std::string> specs = lattice_range(argument);
  const LatticeInfo first = lattice_info(specs.front());
  const LatticeInfo last = lattice_info(specs.back());
  const std::size_t axis = growing_axis(first, last);
  // Of one lattice alone (the step goes beyond the last): as if all its sizes grew.
  const std::optional<KnownLimit> limit =
      specs.size() > 1 ? known_limit(specs.front(), specs.back()) : known_limit(specs.front());
  for (const std::string& spec : specs)
    series.items.push_back({spec, series.groups.size(), lattice_info(spec).size[axis], limit});
  series.groups.push_back({argument, specs.size()});
}

}  // namespace

Series series_items(const std::vector<std::string>& arguments) {
  Series series;
  std::optional<std::size_t> singles;
  for (const std::string& argument : arguments) {
    const bool lattice = Source::from_argument(argument).kind == Source::Kind::lattice;
    if (lattice && is_lattice_range(argument)) {
      append_range(series, argument);
      continue;
    }
    if (!singles) {
      singles = series.groups.size();
      series.groups.push_back({"single inputs", 0});
    }
    ++series.groups[*singles].items;
    series.items.push_back(
        {argument, *singles, std::nullopt, lattice ? known_limit(argument) : std::nullopt});
  }
  return series;
}

SeriesRow series_row(const SeriesItem& item, const CountResult& result) {
  SeriesRow row;
  row.input = item.input;
  row.group = item.group;
  row.size = item.size;
  row.vertices = result.vertices;
  row.edges = result.edges;
  row.count = result.count;
  if (result.exact && result.count.find('/') == std::string::npos)
    row.digits = result.count.size() - (result.count.starts_with('-') ? 1 : 0);
  row.log10 = result.log10;
  row.exact = result.exact;
  row.error_bound = result.error_bound;
  row.entropy = result.entropy;
  // The range knows better than the lattice which of its sizes grow.
  if (row.entropy && row.entropy->limit) row.entropy->limit = item.limit;
  row.method = result.method;
  row.seconds = result.seconds.total;
  return row;
}

std::string count_ratio(const SeriesRow& row, const SeriesRow& first) {
  if (!row.exact || !first.exact) return "";
  const mpq_class denominator(first.count);
  if (denominator == 0) return "";
  const mpq_class ratio = mpq_class(row.count) / denominator;
  constexpr unsigned digits = 12;
  return format_fraction(ratio.get_num(), ratio.get_den(), digits);
}

}  // namespace countpm
