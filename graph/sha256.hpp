#pragma once
// SHA-256 over a stream of bytes: of inputs, of matrices, of journals.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace countpm {

/// FIPS 180-4, by Nettle. O(bytes).
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;

  void update(std::string_view bytes);
  /// Eight bytes, the lowest first, whatever the machine.
  void update_number(std::uint64_t number);
  /// Of what has come so far, 64 lower-case hexadecimal digits; more may follow.
  std::string digest() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace countpm
