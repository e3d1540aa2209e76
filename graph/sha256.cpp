#include "graph/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "graph/errors.hpp"

namespace countpm {

struct Sha256::Context {
  EVP_MD_CTX* hash = EVP_MD_CTX_new();

  Context() = default;
  ~Context() { EVP_MD_CTX_free(hash); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  if (context_->hash == nullptr || EVP_DigestInit_ex(context_->hash, EVP_sha256(), nullptr) != 1)
    throw Error("SHA-256 cannot be started");
}
Sha256::~Sha256() = default;

void Sha256::update(std::string_view bytes) {
  if (EVP_DigestUpdate(context_->hash, bytes.data(), bytes.size()) != 1) throw Error("SHA-256 failed");
}

void Sha256::update_number(std::uint64_t number) {
  char bytes[8];
  for (int k = 0; k < 8; ++k) bytes[k] = static_cast<char>(number >> (8 * k) & 0xff);
  update(std::string_view(bytes, sizeof(bytes)));
}

std::string Sha256::digest() const {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  const Context copy;
  if (copy.hash == nullptr || EVP_MD_CTX_copy_ex(copy.hash, context_->hash) != 1 ||
      EVP_DigestFinal_ex(copy.hash, bytes, &size) != 1)
    throw Error("SHA-256 failed");
  std::string result;
  for (unsigned int i = 0; i < size; ++i) result += fmt::format("{:02x}", bytes[i]);
  return result;
}

}  // namespace countpm
