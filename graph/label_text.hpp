#pragma once
// What labels may be made of.
#include <optional>
#include <string>
#include <string_view>

namespace countpm {

/// expected and found of an InputError.
struct BadText {
  std::string expected;
  std::string found;
};

/// The first byte that is no UTF-8, or a control character but a tab where these may be; nothing where all
/// are text.
std::optional<BadText> bad_text(std::string_view text, bool tabs = false);

}  // namespace countpm
