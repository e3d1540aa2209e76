#pragma once
// What chem says of one molecule and of many.
#include <gmpxx.h>

#include <string>
#include <vector>

namespace countpm::app {

/// "20 + 32 x + x^2"; the Zhang-Zhang polynomial by its coefficients, of which there is one at least.
std::string clar_polynomial(const std::vector<mpz_class>& covers);

}  // namespace countpm::app
