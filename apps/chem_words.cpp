#include "apps/chem_words.hpp"

#include <fmt/format.h>

namespace countpm::app {

std::string clar_polynomial(const std::vector<mpz_class>& covers) {
  std::string polynomial = covers[0].get_str();
  for (std::size_t k = 1; k < covers.size(); ++k)
    polynomial += fmt::format(" + {}x{}", covers[k] == 1 ? "" : covers[k].get_str() + " ",
                              k == 1 ? "" : fmt::format("^{}", k));
  return polynomial;
}

}  // namespace countpm::app
