#include "matching/fingerprint.hpp"

namespace countpm {

void add_to_fingerprint(Sha256& hash, std::int64_t value) {
  hash.update_number(static_cast<std::uint64_t>(value));
}

void add_to_fingerprint(Sha256& hash, const mpq_class& value) {
  const std::string text = value.get_str(16);
  hash.update_number(text.size());
  hash.update(text);
}

void add_to_fingerprint(Sha256& hash, const ComplexRational& value) {
  add_to_fingerprint(hash, value.re);
  add_to_fingerprint(hash, value.im);
}

std::string fingerprint(const AnyBlock& block) {
  Sha256 hash;
  // int64 and rational blocks of the same numbers may be cut into other units.
  hash.update_number(block.index());
  std::visit(
      [&](const auto& b) {
        hash.update_number(b.general ? 1 : 0);
        add_to_fingerprint(hash, b.matrix);
        for (const Index copies : b.multiplicity) hash.update_number(copies);
      },
      block);
  return hash.digest().substr(0, 32);
}

}  // namespace countpm
