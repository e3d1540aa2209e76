#include "graph/sha256.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>

namespace countpm {

struct Sha256::Context {
  sha256_ctx hash;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  sha256_init(&context_->hash);
}
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  sha256_update(&context_->hash, bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

void Sha256::update_number(std::uint64_t number) {
  char bytes[8];
  for (int k = 0; k < 8; ++k) bytes[k] = static_cast<char>(number >> (8 * k) & 0xff);
  update(std::string_view(bytes, sizeof(bytes)));
}

std::string Sha256::digest() const {
  Context copy = *context_;  // what it ends is started again
  std::uint8_t bytes[SHA256_DIGEST_SIZE];
  sha256_digest(&copy.hash, sizeof(bytes), bytes);
  std::string result;
  for (const std::uint8_t byte : bytes) result += fmt::format("{:02x}", byte);
  return result;
}

}  // namespace countpm
