// SHA-256 against the examples of FIPS 180-4 (NIST's "Secure Hash Standard": example values).
#include "graph/sha256.hpp"

#include <gtest/gtest.h>

namespace countpm {
namespace {

std::string hash_of(std::string_view bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.digest();
}

TEST(Sha256, HashesTheExamplesOfItsStandard) {
  EXPECT_EQ(hash_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hash_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hash_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hash_of(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, IsTheSameInParts) {
  const std::string text(1000, 'x');
  for (const std::size_t part : {1, 63, 64, 65, 999}) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += part)
      hash.update(std::string_view(text).substr(at, part));
    EXPECT_EQ(hash.digest(), hash_of(text)) << part;
  }
}

TEST(Sha256, GoesOnAfterADigest) {
  Sha256 hash;
  hash.update("ab");
  EXPECT_EQ(hash.digest(), hash_of("ab"));
  EXPECT_EQ(hash.digest(), hash_of("ab"));
  hash.update("c");
  EXPECT_EQ(hash.digest(), hash_of("abc"));
}

TEST(Sha256, NumbersAreEightBytesTheLowestFirst) {
  Sha256 hash;
  hash.update_number(0x0807060504030201U);
  EXPECT_EQ(hash.digest(), hash_of("\x01\x02\x03\x04\x05\x06\x07\x08"));
}

}  // namespace
}  // namespace countpm
