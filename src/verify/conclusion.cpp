#include "src/verify/conclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

namespace countpm {
namespace {

std::string names(const std::vector<std::string>& methods) {
  return fmt::format("{}", fmt::join(std::set<std::string>(methods.begin(), methods.end()), ", "));
}

}  // namespace

std::string counted_anew_text(const std::vector<std::string>& methods, std::size_t blocks,
                              std::uint64_t prime) {
  const std::string which =
      methods.size() == blocks ? "" : fmt::format(" in {} of its {} blocks", methods.size(), blocks);
  return fmt::format("counted anew{} by {} modulo the prime {}; structure, reductions and product are proved",
                     which, names(methods), prime);
}

std::string within_errors_text(const std::vector<std::string>& methods) {
  return methods.empty() ? "the same by structure and reductions, within the errors of both"
                         : fmt::format("counted anew by {}, within the errors of both", names(methods));
}

}  // namespace countpm
