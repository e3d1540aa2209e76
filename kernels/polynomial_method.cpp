#include "kernels/polynomial_method.hpp"

#include <limits>

namespace countpm {
namespace {

class NoPreparation : public Preparation {
 public:
  NoPreparation(const Method& method, const AnyBlock& block) : method_(method), block_(block) {}
  double log2_bound(int /*threads*/) override { return std::numeric_limits<double>::infinity(); }
  std::optional<Refusal> obstacle(const Arithmetic& arithmetic) override {
    return method_.obstacle(block_, arithmetic);
  }
  std::unique_ptr<Job> make_job(const Arithmetic& arithmetic, const MethodOptions& options) override {
    return method_.make_job(block_, arithmetic, options);
  }

 private:
  const Method& method_;
  const AnyBlock& block_;
};

}  // namespace

std::optional<Refusal> PolynomialMethod::obstacle(const AnyBlock& block, const Arithmetic& arithmetic) const {
  return prepare(block)->obstacle(arithmetic);
}

std::unique_ptr<Job> PolynomialMethod::make_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                                const MethodOptions& options) const {
  return prepare(block)->make_job(arithmetic, options);
}

std::unique_ptr<Preparation> prepare(const Method& method, const AnyBlock& block) {
  if (const auto* polynomial = dynamic_cast<const PolynomialMethod*>(&method))
    return polynomial->prepare(block);
  return std::make_unique<NoPreparation>(method, block);
}

bool is_polynomial(const Method& method) {
  return dynamic_cast<const PolynomialMethod*>(&method) != nullptr;
}

}  // namespace countpm
