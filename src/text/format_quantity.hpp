#pragma once
// Sizes as people read them, for messages.
#include <cstdint>
#include <string>

namespace countpm {

/// "512 B", "1.5 MiB", "24 GiB".
std::string format_bytes(std::uint64_t bytes);

}  // namespace countpm
