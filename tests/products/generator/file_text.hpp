#pragma once
// An instance in each of the formats.
#include <string>

#include "tests/products/generator/instance.hpp"

namespace countpm::products {

/// The bytes of a file of the product's format. other: of ratio, the second input.
std::string file_text(const Instance& instance, const Product& product, bool other);

}  // namespace countpm::products
