// Checks many proofs, for tests: reads "LENGTH\n" and so many bytes, again and again, and writes "proved: N"
// or "refused: reason", a line each.
#include <cstdio>
#include <iostream>
#include <string>

#include "src/proof_check/proof_check.hpp"
#include "src/proof_check/refused.hpp"

namespace {

std::string verdict_of(const std::string& bytes) {
  try {
    const countpm::proof_check::ProofFile proof = countpm::proof_check::read_proof(bytes);
    countpm::proof_check::check_proof(proof);
    return "proved: " + proof.statement.count;
  } catch (const countpm::proof_check::Refused& refused) {
    return std::string("refused: ") + refused.what();
  }
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::string bytes(std::stoul(line), '\0');
    std::cin.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::string answer = verdict_of(bytes);
    for (char& c : answer) c = c == '\n' ? ' ' : c;
    std::cout << answer << std::endl;
  }
  return 0;
}
