// Read by the central directory at the archive's end (PKWARE's APPNOTE 6.3, 4.3), with sizes of 64 bits.
#include "graph/formats/zip_members.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <optional>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t not_here = 0xffffffffU;  // the size is in the extra field

class ZipArchive {
 public:
  ZipArchive(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  std::vector<ZipMember> members() const {
    constexpr std::size_t end_size = 22;
    const std::size_t end = bytes_.rfind("PK\x05\x06");
    if (end == std::string_view::npos || bytes_.size() - end < end_size) fail("its end is missing");
    std::uint64_t count = number(end + 10, 2);
    std::uint64_t at = number(end + 16, 4);
    if (at == not_here || count == 0xffff) {
      // The end of 64 bits, which a locator in front of the end names.
      constexpr std::size_t locator_size = 20;
      if (end < locator_size || bytes_.substr(end - locator_size, 4) != "PK\x06\x07") fail("no directory");
      const std::uint64_t large = number(end - locator_size + 8, 8);
      if (large >= bytes_.size()) fail("no directory");
      count = number(large + 32, 8);
      at = number(large + 48, 8);
    }
    std::vector<ZipMember> result;
    for (std::uint64_t k = 0; k < count; ++k) result.push_back(member(at));
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& found) const {
    throw InputError(name_, 0, "a complete zip archive, stored or deflated", found);
  }

  std::uint64_t number(std::uint64_t at, std::size_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) fail("its end");
    std::uint64_t value = 0;
    for (std::size_t k = size; k-- > 0;)
      value = value << 8U | static_cast<unsigned char>(bytes_[static_cast<std::size_t>(at) + k]);
    return value;
  }

  std::string_view part(std::uint64_t at, std::uint64_t size) const {
    if (at > bytes_.size() || bytes_.size() - at < size) fail("its end");
    return bytes_.substr(static_cast<std::size_t>(at), static_cast<std::size_t>(size));
  }

  // An entry of the directory; goes to the next.
  ZipMember member(std::uint64_t& at) const {
    if (part(at, 4) != "PK\x01\x02") fail("a damaged directory");
    const std::uint64_t flags = number(at + 8, 2);
    const std::uint64_t method = number(at + 10, 2);
    const std::uint64_t checksum = number(at + 16, 4);
    std::uint64_t packed = number(at + 20, 4);
    std::uint64_t size = number(at + 24, 4);
    const std::uint64_t name_size = number(at + 28, 2);
    const std::uint64_t extra_size = number(at + 30, 2);
    const std::uint64_t comment_size = number(at + 32, 2);
    std::uint64_t local = number(at + 42, 4);
    ZipMember result{std::string(part(at + 46, name_size)), {}};
    read_extra(part(at + 46 + name_size, extra_size), size, packed, local);
    at += 46 + name_size + extra_size + comment_size;
    if ((flags & 1U) != 0) fail("an encrypted one");
    if (size > largest_zip_member) fail("a member above 2 GiB");
    if (part(local, 4) != "PK\x03\x04") fail("a damaged member");
    const std::uint64_t data = local + 30 + number(local + 26, 2) + number(local + 28, 2);
    const std::string_view stored = part(data, packed);
    if (method == 0) {
      result.bytes = stored;
    } else if (method == 8) {
      result.bytes = inflated(stored, size);
    } else {
      fail(fmt::format("method {} of packing", method));
    }
    if (result.bytes.size() != size || crc(result.bytes) != checksum) fail("a damaged member");
    return result;
  }

  void read_extra(std::string_view extra, std::uint64_t& size, std::uint64_t& packed,
                  std::uint64_t& local) const {
    const auto base = static_cast<std::uint64_t>(extra.data() - bytes_.data());
    std::uint64_t at = 0;
    while (at + 4 <= extra.size()) {
      const std::uint64_t kind = number(base + at, 2);
      const std::uint64_t length = number(base + at + 2, 2);
      std::uint64_t value = base + at + 4;
      if (kind == 1) {
        for (std::uint64_t* const field : {&size, &packed, &local}) {
          if (*field != not_here) continue;
          *field = number(value, 8);
          value += 8;
        }
      }
      at += 4 + length;
    }
  }

  static std::uint64_t crc(std::string_view bytes) {
    uLong sum = crc32(0, nullptr, 0);
    constexpr std::size_t piece = std::size_t{1} << 24U;
    while (!bytes.empty()) {
      check_stop();
      const std::string_view next = bytes.substr(0, piece);
      sum = crc32(sum, reinterpret_cast<const Bytef*>(next.data()), static_cast<uInt>(next.size()));
      bytes.remove_prefix(next.size());
    }
    return sum;
  }

  std::string inflated(std::string_view stored, std::uint64_t size) const {
    // Deflate makes at most 1032 bytes of one.
    if (size / 1100 > stored.size() + 1) fail("a damaged member");
    std::string result(static_cast<std::size_t>(size), '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    constexpr std::size_t piece = std::size_t{1} << 24U;
    std::size_t taken = 0;
    std::size_t made = 0;
    int state = Z_OK;
    while (state == Z_OK) {
      const std::size_t in = std::min(piece, stored.size() - taken);
      const std::size_t out = std::min(piece, result.size() - made);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data() + taken));
      stream.avail_in = static_cast<uInt>(in);
      stream.next_out = reinterpret_cast<Bytef*>(result.data() + made);
      stream.avail_out = static_cast<uInt>(out);
      state = inflate(&stream, Z_NO_FLUSH);
      taken += in - stream.avail_in;
      made += out - stream.avail_out;
      if (state == Z_OK && in == stream.avail_in && out == stream.avail_out) break;
    }
    inflateEnd(&stream);
    if (state != Z_STREAM_END || made != result.size()) fail("a damaged member");
    return result;
  }

  std::string_view bytes_;
  const std::string& name_;
};

}  // namespace

std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name) {
  return ZipArchive(archive, name).members();
}

}  // namespace countpm
