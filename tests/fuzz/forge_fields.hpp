#pragma once
// Fields of JSON changed at random: to what is next to them, at the ends of types, of another type, or not
// there.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace countpm::forge {

using Random = std::mt19937_64;

/// One field mostly, now and then several; plans, which methods read, every other time. Says which.
std::string change_fields(nlohmann::ordered_json& json, Random& random);

}  // namespace countpm::forge
