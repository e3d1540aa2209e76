#pragma once
// countpm help kinds, and docs/kinds.md: which question goes with which kind of count.
#include <string>

namespace countpm::app {

std::string kinds_page(std::size_t width);
/// docs/kinds.md.
std::string kinds_markdown();

}  // namespace countpm::app
