#pragma once
// The counts that are published beside matrices, in known.tsv.
#include <gmpxx.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace countpm::bench {

/// "right", "WRONG" or "not known", of the count modulo 2^64. FOLDER/NAME.mtx is looked up as NAME in
/// FOLDER/known.tsv: in its column "count mod 2^64", or, without one, in "count".
inline std::string verdict(const std::string& path, const mpz_class& count) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  name.erase(std::min(name.rfind('.'), name.size()));
  const auto low = [](const mpz_class& value) {
    mpz_class result;
    mpz_fdiv_r_2exp(result.get_mpz_t(), value.get_mpz_t(), 64);
    return result;
  };
  const auto fields_of = [](const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream rest(line);
    for (std::string field; std::getline(rest, field, '\t');) fields.push_back(field);
    return fields;
  };
  std::ifstream file(folder + "/known.tsv");
  std::string line;
  std::getline(file, line);
  const std::vector<std::string> header = fields_of(line);
  auto column = std::find(header.begin(), header.end(), "count mod 2^64");
  if (column == header.end()) column = std::find(header.begin(), header.end(), "count");
  const auto at = static_cast<std::size_t>(column - header.begin());
  while (std::getline(file, line)) {
    const std::vector<std::string> fields = fields_of(line);
    mpz_class known;
    if (fields.size() <= at || fields[0] != name || known.set_str(fields[at], 10) != 0) continue;
    return low(count) == low(known) ? "right" : "WRONG";
  }
  return "not known";
}

}  // namespace countpm::bench
