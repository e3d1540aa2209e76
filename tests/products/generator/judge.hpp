#pragma once
// Whether an answer is right: exact ones are equal, others hold the true value within the error that they
// state.
#include <string>

#include "src/api/results.hpp"
#include "tests/products/generator/truth.hpp"

namespace countpm::products {

/// What is wrong; empty: nothing.
using Fault = std::string;

/// "7", "2/3", "1.25e-07", "(1/2,-3)". Throws std::invalid_argument.
Complex parse_number(const std::string& text);

/// floating: an error is allowed.
Fault judge_text(const Complex& truth, const std::string& digits, const std::string& error, bool floating);
Fault judge_value(const Complex& truth, const Value& value, bool floating);
Fault judge_double(const Complex& truth, double value);
/// ln |truth| within an error.
Fault judge_log(const Complex& truth, double ln, double error);
Fault judge_polynomial(const Sum& truth, const Polynomial& polynomial);
/// Of count(), of all kinds of questions that it answers.
Fault judge_count(const Truth& truth, const CountResult& result, const Product& product,
                  const Instance& instance);

}  // namespace countpm::products
