// Fuzzes the checker of proofs (src/proof_check): whatever the bytes are, they are proved or refused with a
// reason.
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "src/proof_check/proof_check.hpp"
#include "src/proof_check/refused.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const countpm::proof_check::ProofFile proof =
        countpm::proof_check::read_proof({reinterpret_cast<const char*>(data), size});
    countpm::proof_check::check_proof(proof);
  } catch (const countpm::proof_check::Refused& refused) {
    if (std::string_view(refused.what()).empty()) throw std::logic_error("refused without a reason");
  }
  return 0;
}
