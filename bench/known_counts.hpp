#pragma once
// The counts that are published beside matrices, in known.tsv.
#include <gmpxx.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace countpm::bench {

/// "right", "WRONG" or "not known", of the count modulo 2^64. FOLDER/NAME.mtx is looked up as NAME in
/// FOLDER/known.tsv.
inline std::string verdict(const std::string& path, const mpz_class& count) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash);
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  name.erase(std::min(name.rfind('.'), name.size()));
  std::ifstream file(folder + "/known.tsv");
  std::string line;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string known;
    std::string whole;
    std::string wrapped;
    if (!(fields >> known >> whole >> wrapped) || known != name) continue;
    mpz_class low;
    mpz_fdiv_r_2exp(low.get_mpz_t(), count.get_mpz_t(), 64);
    return low.get_str() == wrapped ? "right" : "WRONG";
  }
  return "not known";
}

}  // namespace countpm::bench
