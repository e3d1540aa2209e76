#pragma once
// A result described once: each of its values by name, with what it means and how it is read off the result.
// The JSON of a result, its JSON Schema (`countpm schema`) and the tables of docs/json.md are made of that.
//
//   const Fields<Check>& fields_of(const Check*) {
//     static const auto fields = Fields<Check>()
//                                    .add("name", "of the check", &Check::name)
//                                    .add("ok", "null: it does not apply", [](const Check& check) {
//                                      return check.ran ? std::optional(check.ok) : std::nullopt;
//                                    });
//     return fields;
//   }
//
// The C++ type of a value says its type in JSON: bool, integers, double, strings, std::optional (or null),
// std::vector, std::array and std::tuple (arrays), std::variant, ByName (an object with names as keys),
// AnyObject, and every type that has fields_of() (an object). Numbers that are not finite are null; their
// type is finite()'s.
#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace countpm {

using Json = nlohmann::ordered_json;

/// null: it is empty.
inline std::optional<std::string> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}
/// JSON has no infinity, and no NaN: null.
inline std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What `get` makes of an R where `condition` holds for it; else null.
template <class R, class Condition, class Get>
auto null_unless(Condition condition, Get get) {
  using T = std::remove_cvref_t<std::invoke_result_t<Get, const R&>>;
  return [=](const R& result) -> std::optional<T> {
    return condition(result) ? std::optional<T>(std::invoke(get, result)) : std::nullopt;
  };
}

/// An object whose keys are not known before.
template <class T>
using ByName = std::vector<std::pair<std::string, T>>;
/// What another part of the program wrote, and describes; null where it is empty.
struct AnyObject {
  Json value;
};

template <class R>
class Fields;

template <class T>
concept Described = requires(const T* value) {
  fields_of(value);
};

/// How a type is written, and what JSON Schema says of it.
template <class T>
struct InJson;

template <class T>
Json json_of(const T& value) {
  return InJson<T>::write(value);
}
template <class T>
Json schema_of() {
  return InJson<T>::schema();
}

/// "string" -> ["string", "null"]; what is no plain type gets another alternative.
Json with_null(Json schema);

template <>
struct InJson<bool> {
  static Json write(bool value) { return value; }
  static Json schema() { return {{"type", "boolean"}}; }
};

template <std::integral T>
struct InJson<T> {
  static Json write(T value) { return value; }
  static Json schema() {
    Json schema{{"type", "integer"}};
    if constexpr (std::unsigned_integral<T>) schema["minimum"] = 0;
    return schema;
  }
};

template <>
struct InJson<double> {
  static Json write(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }
  static Json schema() { return {{"type", "number"}}; }
};

template <class T>
requires std::convertible_to<T, std::string_view>
struct InJson<T> {
  static Json write(const T& value) { return std::string(std::string_view(value)); }
  static Json schema() { return {{"type", "string"}}; }
};

template <class T>
struct InJson<std::optional<T>> {
  static Json write(const std::optional<T>& value) { return value ? json_of(*value) : Json(nullptr); }
  static Json schema() { return with_null(schema_of<T>()); }
};

template <>
struct InJson<std::nullptr_t> {
  static Json write(std::nullptr_t) { return nullptr; }
  static Json schema() { return {{"type", "null"}}; }
};

template <class T>
struct InJson<std::vector<T>> {
  static Json write(const std::vector<T>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(json_of<T>(value));
    return list;
  }
  static Json schema() { return {{"type", "array"}, {"items", schema_of<T>()}}; }
};

template <class T, std::size_t N>
struct InJson<std::array<T, N>> {
  static Json write(const std::array<T, N>& values) {
    Json list = Json::array();
    for (const T& value : values) list.push_back(json_of(value));
    return list;
  }
  static Json schema() {
    return {{"type", "array"}, {"items", schema_of<T>()}, {"minItems", N}, {"maxItems", N}};
  }
};

template <class A, class B>
struct InJson<std::variant<A, B>> {
  static Json write(const std::variant<A, B>& value) {
    return std::visit([](const auto& one) { return json_of(one); }, value);
  }
  static Json schema() { return {{"anyOf", Json::array({schema_of<A>(), schema_of<B>()})}}; }
};

template <class... T>
struct InJson<std::tuple<T...>> {
  static Json write(const std::tuple<T...>& values) {
    Json list = Json::array();
    std::apply([&](const T&... value) { (list.push_back(json_of(value)), ...); }, values);
    return list;
  }
  static Json schema() {
    Json items = Json::array();
    (items.push_back(schema_of<T>()), ...);
    return {
        {"type", "array"}, {"prefixItems", items}, {"minItems", sizeof...(T)}, {"maxItems", sizeof...(T)}};
  }
};

template <class T>
struct InJson<std::vector<std::pair<std::string, T>>> {
  static Json write(const ByName<T>& values) {
    Json object = Json::object();
    for (const auto& [name, value] : values) object[name] = json_of(value);
    return object;
  }
  static Json schema() { return {{"type", "object"}, {"additionalProperties", schema_of<T>()}}; }
};

template <>
struct InJson<AnyObject> {
  static Json write(const AnyObject& object) { return object.value; }
  static Json schema() { return {{"type", {"object", "null"}}}; }
};

template <Described T>
struct InJson<T> {
  static Json write(const T& value) { return fields_of(&value).write(value); }
  static Json schema() { return fields_of(static_cast<const T*>(nullptr)).schema(); }
};

/// The values of an R, in their order.
template <class R>
class Fields {
 public:
  /// `get`: a member of R, or a function of const R&. `meaning`: for the docs, in Markdown, one line.
  template <class Get>
  Fields& add(std::string name, std::string meaning, Get get) {
    using T = std::remove_cvref_t<std::invoke_result_t<Get, const R&>>;
    fields_.push_back({std::move(name), std::move(meaning),
                       [get](const R& result) { return json_of<T>(std::invoke(get, result)); },
                       &schema_of<T>});
    return *this;
  }

  /// The same value in all of them.
  Fields& constant(std::string name, std::string meaning, Json value) {
    fields_.push_back({std::move(name), std::move(meaning), [value](const R&) { return value; },
                       [value] {
                         return Json{{"const", value}};
                       }});
    return *this;
  }

  /// The fields of what R is, or of what `get` makes of it, as R's own.
  template <class Base, class Get = std::identity>
  Fields& join(const Fields<Base>& base, Get get = {}) {
    for (const auto& field : base.all())
      fields_.push_back(
          {field.name, field.meaning,
           [write = field.write, get](const R& result) { return write(std::invoke(get, result)); },
           field.schema});
    return *this;
  }

  /// The same of what `get` points to; all null where it is null. Without names that R has already.
  template <class Base, class Get>
  Fields& join_or_null(const Fields<Base>& base, Get get) {
    for (const auto& field : base.all()) {
      const auto is_there = [&](const Field& one) { return one.name == field.name; };
      if (std::any_of(fields_.begin(), fields_.end(), is_there)) continue;
      fields_.push_back({field.name, field.meaning,
                         [write = field.write, get](const R& result) {
                           const Base* const known = std::invoke(get, result);
                           return known != nullptr ? write(*known) : Json(nullptr);
                         },
                         [schema = field.schema] { return with_null(schema()); }});
    }
    return *this;
  }

  Json write(const R& result) const {
    Json object = Json::object();
    for (const Field& field : fields_) object[field.name] = field.write(result);
    return object;
  }

  Json schema() const {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Field& field : fields_) {
      Json one = field.schema();
      if (!field.meaning.empty()) one["description"] = field.meaning;
      properties[field.name] = std::move(one);
      required.push_back(field.name);
    }
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
  }

  struct Field {
    std::string name;
    std::string meaning;
    std::function<Json(const R&)> write;
    std::function<Json()> schema;
  };
  const std::vector<Field>& all() const { return fields_; }

 private:
  std::vector<Field> fields_;
};

}  // namespace countpm
