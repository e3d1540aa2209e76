#include "matching/line_groups.hpp"

namespace countpm {

LineGroups group_lines(const std::vector<Index>& piece_of, Index pieces) {
  LineGroups groups;
  groups.start.assign(pieces + std::uint64_t{1}, 0);
  for (const Index p : piece_of) ++groups.start[p + std::uint64_t{1}];
  for (Index p = 0; p < pieces; ++p) groups.start[p + std::uint64_t{1}] += groups.start[p];
  groups.members.resize(piece_of.size());
  std::vector<std::uint64_t> next(groups.start.begin(), groups.start.end() - 1);
  for (Index i = 0; i < piece_of.size(); ++i) groups.members[next[piece_of[i]]++] = i;
  return groups;
}

std::vector<Index> LineGroups::numbers() const {
  std::vector<Index> result(members.size());
  for (std::size_t p = 0; p + 1 < start.size(); ++p) {
    for (std::uint64_t k = start[p]; k < start[p + 1]; ++k)
      result[members[k]] = static_cast<Index>(k - start[p]);
  }
  return result;
}

}  // namespace countpm
