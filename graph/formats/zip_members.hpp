#pragma once
// The files in a zip archive, stored or deflated, as NumPy and SciPy write them.
#include <string>
#include <string_view>
#include <vector>

namespace countpm {

/// Larger members are refused: 2 GiB.
inline constexpr std::uint64_t largest_zip_member = std::uint64_t{2} << 30U;

struct ZipMember {
  std::string name;
  std::string bytes;
};

/// All of them, in the order of the archive. Throws InputError(name, ...) where it is damaged, encrypted or
/// packed in another way.
std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name);

}  // namespace countpm
