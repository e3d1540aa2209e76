#include "src/words/count_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/text/format_duration.hpp"
#include "src/text/format_number.hpp"
#include "src/words/result_words.hpp"

namespace countpm::words {
namespace {

std::string size_in_words(bool general, std::uint64_t rows, std::uint64_t entries) {
  if (general) return fmt::format("{}, {}", counted(rows, "vertex", "vertices"), counted(entries, "edge"));
  return fmt::format("{}, {}", counted(rows, "row"), counted(entries, "entry", "entries"));
}

// "1.2345e+40" has 5.
std::size_t digits_in(const std::string& number) {
  const std::string mantissa = number.substr(0, number.find('e'));
  return static_cast<std::size_t>(
      std::count_if(mantissa.begin(), mantissa.end(), [](char c) { return c >= '0' && c <= '9'; }));
}

}  // namespace

std::string value_kind(const CountResult& result) {
  if (!result.residues.empty()) {
    std::string text;
    for (const CountResidue& one : result.residues)
      text += fmt::format("{}{}", text.empty() ? "modulo " : ", ", one.modulus.get_str());
    return text;
  }
  if (result.rounded)
    return fmt::format("summed exactly, shown to {} digits: error at most {}", digits_in(result.count),
                       result.error_bound);
  if (!result.exact) return fmt::format("floating point, error at most {}", result.error_bound);
  return result.proved ? "exact, proved" : "exact";
}

std::string counted_text(const CountResult& result) {
  return fmt::format("{}{}{}; {}", problem_name(result), result.weighted ? ", weighted" : "",
                     matched_text(result), value_kind(result));
}

std::string size_text(const BlockReport& block) {
  return size_in_words(block.general, block.rows, block.entries);
}

std::string size_text(const BlockForecast& block) {
  return size_in_words(block.general, block.rows, block.entries);
}

std::string block_text(const BlockReport& block) {
  if (block.arithmetic.empty())
    return fmt::format("{} by {}: {}", size_text(block), block.method, block.work_name);
  return fmt::format("{} by {}, {}; {} {}, {} (predicted {})", size_text(block), block.method,
                     block.arithmetic, format_power(std::log10(block.work)), block.work_name,
                     format_duration(block.seconds), format_duration(block.predicted_seconds));
}

std::string audit_text(const AuditReport& audit) {
  if (audit.of == 0) return "no units to run again";
  std::string how;
  for (const std::string& path : audit.how) how += (how.empty() ? "" : "; ") + path;
  return fmt::format("{} of {} run again, {:.3g} % of the work, seed {}, {}: {}", audit.units,
                     counted(audit.of, "unit"), 100 * audit.work, audit.seed, format_duration(audit.seconds),
                     how);
}

std::string entropy_text(const Entropy& entropy) {
  std::string text = fmt::format("ln Z {:.10g}: {:.10g} per vertex, {:.10g} per dimer", entropy.ln_z,
                                 entropy.per_vertex, entropy.per_dimer);
  if (entropy.limit) {
    text += fmt::format("; {:.10g} per vertex on the infinite lattice ({})", entropy.limit->per_vertex,
                        entropy.limit->lattice);
  }
  return text;
}

std::string settings_text(const std::vector<std::pair<std::string, std::string>>& settings) {
  std::string text;
  for (const auto& [name, value] : settings)
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
  return text;
}

std::string method_text(const CountResult& result) {
  const std::string threads = counted(static_cast<std::uint64_t>(result.threads), "thread");
  return fmt::format("{} on {}{}", result.method, result.device,
                     result.device == "gpu" ? "" : " with " + threads) +
         ranks_text(result.ranks, result.lost_ranks);
}

}  // namespace countpm::words
