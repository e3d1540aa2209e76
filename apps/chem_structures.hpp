#pragma once
// Kekule structures one by one, as chem writes and draws them.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/options.hpp"
#include "apps/output_file.hpp"
#include "apps/signals.hpp"
#include "src/chemistry/kekule.hpp"
#include "src/chemistry/whole_molecule.hpp"

namespace countpm::app {

/// How many are shown: all, or the first --number N. Throws UnableError for more than `most` without a limit:
/// "--sheet draws at most 100 structures, ...".
std::uint64_t number_shown(const Request& request, const KekuleResult& result, const char* what,
                           const std::string& option, std::uint64_t most);

/// Hands the first `number` to take(doubled).
template <class Take>
void list_first(const KekuleResult& result, std::uint64_t number, const Take& take) {
  if (number == 0) return;
  ListOptions options;
  options.last = number;
  options.interrupted = stop_requested;
  list_structures(result, options, [&](const std::vector<bool>& doubled) {
    take(doubled);
    return true;
  });
}

/// The SDF of --structures, of one molecule or of several.
class StructuresFile {
 public:
  /// Throws UsageError for the name of a picture.
  StructuresFile(const Request& request, const std::string& path);

  /// `name` for a molecule without a title.
  void add(const KekuleResult& result, const WholeMolecule& whole, const std::string& name);
  /// Says how many of how many were written, but for --quiet.
  void close();

 private:
  const Request& request_;
  OutputFile file_;
  std::uint64_t written_ = 0;
  mpz_class known_;
};

}  // namespace countpm::app
