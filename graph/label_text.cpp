#include "graph/label_text.hpp"

#include <fmt/format.h>

#include "graph/text.hpp"

namespace countpm {

std::optional<BadText> bad_text(std::string_view text, bool tabs) {
  for (std::size_t at = 0; at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = utf8_length(text.substr(at));
    if (length == 0) return BadText{"UTF-8 text", fmt::format("the byte 0x{:02x}, which is not UTF-8", byte)};
    if ((byte < 0x20 && !(tabs && byte == '\t')) || byte == 0x7f)
      return BadText{"text", fmt::format("the byte 0x{:02x}", byte)};
    at += length;
  }
  return std::nullopt;
}

}  // namespace countpm
