#include "python/src/options.hpp"

#include <fmt/format.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>

#include "kernels/estimate/samples/sampler.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// A key and what its value does.
template <class Target>
struct Key {
  const char* name;
  const char* expected;
  std::function<void(Target&, nb::handle)> apply;
};

template <class Target>
std::string names_of(const std::vector<Key<Target>>& keys) {
  std::string names;
  for (const Key<Target>& key : keys) names += fmt::format("{}{}", names.empty() ? "" : ", ", key.name);
  return names;
}

/// For messages.
std::string text_of(nb::handle value) {
  return quoted(nb::cast<std::string>(nb::repr(value)), 80);
}

template <class Target>
void apply(const std::vector<Key<Target>>& keys, const nb::dict& given, Target& target) {
  for (const auto& [given_name, value] : given) {
    const auto name = nb::cast<std::string>(nb::str(given_name));
    const auto key =
        std::find_if(keys.begin(), keys.end(), [&](const Key<Target>& k) { return name == k.name; });
    if (key == keys.end())
      throw UsageError(
          fmt::format("there is no option '{}'; the options are: {}", quoted(name), names_of(keys)));
    try {
      key->apply(target, value);
    } catch (const nb::cast_error&) {
      throw UsageError(fmt::format("{}: expected {}, found {}", name, key->expected, text_of(value)));
    } catch (const nb::python_error&) {
      throw UsageError(fmt::format("{}: expected {}, found {}", name, key->expected, text_of(value)));
    }
  }
}

bool flag(nb::handle value) {
  if (PyBool_Check(value.ptr()) == 0) throw nb::cast_error();
  return value.ptr() == Py_True;
}

/// int, and what has __index__, as numpy's integers do.
template <class Integer>
Integer integer(nb::handle value) {
  if (PyBool_Check(value.ptr()) != 0) throw nb::cast_error();
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  return nb::cast<Integer>(index);
}

/// Of any size, as far as messages go.
mpz_class whole_number(nb::handle value) {
  constexpr std::size_t most_digits = 40;
  if (PyBool_Check(value.ptr()) != 0) throw nb::cast_error();
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  const auto digits = nb::cast<std::string>(nb::str(index));
  if (digits.size() > most_digits) throw nb::cast_error();
  return mpz_class(digits);
}

double real(nb::handle value) {
  if (PyBool_Check(value.ptr()) != 0 || PyNumber_Check(value.ptr()) == 0) throw nb::cast_error();
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return number;
}

/// None: none.
double seconds(nb::handle value) {
  return value.is_none() ? std::numeric_limits<double>::infinity() : real(value);
}

std::string text(nb::handle value) {
  if (PyUnicode_Check(value.ptr()) == 0) throw nb::cast_error();
  return nb::cast<std::string>(value);
}

[[noreturn]] void refuse_choice(const char* key, const std::string& found, const char* valid) {
  throw UsageError(fmt::format("{}: there is no '{}'; valid: {}", key, quoted(found), valid));
}

MatchingSize matchings_named(const std::string& name) {
  if (name == "perfect") return MatchingSize::perfect;
  if (name == "maximum") return MatchingSize::maximum;
  if (name == "smaller_side") return MatchingSize::smaller_side;
  refuse_choice("matchings", name, "perfect, maximum, smaller_side");
}

/// A name, or a number of bits.
FloatArithmetic arithmetic_of(nb::handle value) {
  if (PyUnicode_Check(value.ptr()) == 0) return FloatArithmetic::of_bits(integer<unsigned>(value));
  const std::string name = text(value);
  if (name == "plain") return {FloatChoice::plain};
  if (name == "kahan") return {FloatChoice::kahan};
  if (name == "double-double") return {FloatChoice::double_double};
  refuse_choice("arithmetic", name, "plain, kahan, double-double, and numbers of bits");
}

/// Those that are on.
RuleSet rules_of(nb::handle names) {
  RuleSet rules;
  if (names.is_none()) return rules;
  if (PyUnicode_Check(names.ptr()) != 0) throw nb::cast_error();
  rules.enabled.fill(false);
  for (const nb::handle name : nb::iter(names))
    rules.enabled[static_cast<std::size_t>(rule_named(text(name)))] = true;
  return rules;
}

/// A dict of names and values: words, or whole numbers.
Settings settings_of(nb::handle given) {
  Settings result;
  for (const auto& [name, value] : nb::cast<nb::dict>(given))
    result.set(text(name), PyLong_CheckExact(value.ptr()) != 0 ? std::to_string(integer<std::uint64_t>(value))
                                                               : text(value));
  return result;
}

const std::vector<Key<CountOptions>>& count_keys() {
  using O = CountOptions&;
  using V = nb::handle;
  static const std::vector<Key<CountOptions>> keys{
      {"method", "a name", [](O o, V v) { o.method = text(v); }},
      {"device", "'auto', 'cpu' or 'gpu'", [](O o, V v) { o.device = text(v); }},
      {"gpus", "a whole number", [](O o, V v) { o.gpus = integer<int>(v); }},
      {"gpu_memory", "a number of bytes or None",
       [](O o, V v) {
         if (v.is_none()) return;
         o.gpu_memory_bytes = integer<std::uint64_t>(v);
         if (o.gpu_memory_bytes == 0) throw nb::cast_error();
       }},
      {"threads", "a whole number", [](O o, V v) { o.threads = integer<int>(v); }},
      {"time_limit", "seconds or None", [](O o, V v) { o.time_limit_seconds = seconds(v); }},
      {"memory_limit", "a number of bytes or None",
       [](O o, V v) {
         if (v.is_none()) return;
         o.memory_limit_bytes = integer<std::uint64_t>(v);
         if (o.memory_limit_bytes == 0) throw nb::cast_error();
       }},
      {"double_check", "True or False", [](O o, V v) { o.double_check = flag(v); }},
      {"seed", "a whole number from 0 to 2**64 - 1", [](O o, V v) { o.seed = integer<std::uint64_t>(v); }},
      {"arithmetic", "a name or a number of bits", [](O o, V v) { o.arithmetic = arithmetic_of(v); }},
      {"order", "a name", [](O o, V v) { o.order = order_named(text(v)); }},
      {"rules", "a list of names or None", [](O o, V v) { o.rules = rules_of(v); }},
      {"set", "a dict of names and values", [](O o, V v) { o.settings = settings_of(v); }},
      {"modulo", "a whole number from 2 to 2**64, or several of them",
       [](O o, V v) {
         for (const nb::handle one : nb::cast<nb::list>(v)) o.modulo.push_back(whole_number(one));
       }},
      {"audit", "a share from 0 to 1", [](O o, V v) { o.audit_share = real(v); }},
      {"proof", "True or False", [](O o, V v) { o.proof = flag(v); }},
  };
  return keys;
}

template <class Number>
Number least(nb::handle value, Number smallest) {
  const Number number = integer<Number>(value);
  if (number < smallest) throw nb::cast_error();
  return number;
}

const std::vector<Key<EstimateOptions>>& estimate_keys() {
  using O = EstimateOptions&;
  using V = nb::handle;
  static const std::vector<Key<EstimateOptions>> keys{
      {"sampler", "a name",
       [](O o, V v) {
         const std::string name = text(v);
         if (name != "auto") o.sampler.kind = sampler_named(name);
       }},
      {"error", "a share above 0 and below 1", [](O o, V v) { o.relative_error = real(v); }},
      {"ln_error", "a number above 0 and at most 0.35", [](O o, V v) { o.ln_error = real(v); }},
      {"replicates", "a whole number from 1 on", [](O o, V v) { o.replicates = least<std::uint64_t>(v, 1); }},
      {"confidence", "a share above 0.5 and below 1", [](O o, V v) { o.confidence = real(v); }},
      {"guarantee", "a pair (epsilon, delta) or None",
       [](O o, V v) {
         if (v.is_none()) return;
         if (PySequence_Check(v.ptr()) == 0 || nb::len(v) != 2) throw nb::cast_error();
         o.guarantee = GuaranteeGoal{real(v[0]), real(v[1])};
       }},
      {"samples", "a whole number from 1 on", [](O o, V v) { o.samples = least<std::uint64_t>(v, 1); }},
      {"prune", "True, False or None",
       [](O o, V v) {
         if (!v.is_none()) o.sampler.prune = flag(v);
       }},
      {"scale_interval", "a number of rows from 1 on",
       [](O o, V v) { o.sampler.scale_interval = least<std::uint32_t>(v, 1); }},
      {"scale_steps", "a whole number from 1 on",
       [](O o, V v) { o.sampler.scale_steps = least<std::uint32_t>(v, 1); }},
      {"exact_tail", "a number of rows", [](O o, V v) { o.sampler.tail_rows = integer<std::uint32_t>(v); }},
      {"strata", "a whole number from 1 on", [](O o, V v) { o.sampler.strata = least<std::uint32_t>(v, 1); }},
      {"population", "a whole number from 1 on",
       [](O o, V v) { o.sampler.population = least<std::uint32_t>(v, 1); }},
      {"second", "'auto', 'none' or 'annealed'",
       [](O o, V v) {
         const std::string name = text(v);
         if (name != "auto" && name != "none" && name != "annealed") throw nb::cast_error();
         o.second = name == "auto"   ? SecondOpinion::automatic
                    : name == "none" ? SecondOpinion::none
                                     : SecondOpinion::annealed;
       }},
      {"exact_below", "seconds", [](O o, V v) { o.exact_below_seconds = real(v); }},
      {"all_sampled", "True or False", [](O o, V v) { o.all_sampled = flag(v); }},
  };
  return keys;
}

}  // namespace

CountOptions count_options(const nb::dict& given) {
  if (given.contains("precision"))
    throw UsageError("there is no option 'precision'; arithmetic=BITS counts with this many bits");
  CountOptions options;
  // Not a user's option: the problem says it.
  constexpr const char* matchings = "matchings";
  nb::dict others;
  others.update(given);
  if (others.contains(matchings)) {
    options.matchings = matchings_named(text(others[matchings]));
    nb::del(others[matchings]);
  }
  apply(count_keys(), others, options);
  return options;
}

EstimateOptions estimate_options(const nb::dict& given, const nb::dict& of_count) {
  EstimateOptions options;
  apply(estimate_keys(), given, options);
  CountOptions count = count_options(of_count);
  if (of_count.contains("time_limit")) options.time_limit_seconds = count.time_limit_seconds;
  options.device = count.device;
  options.gpus = count.gpus;
  return options;
}

GraphKind kind_named(const std::string& name) {
  for (const GraphKind kind : {GraphKind::bipartite, GraphKind::directed, GraphKind::undirected})
    if (name == name_of(kind)) return kind;
  refuse_choice("kind", name, "bipartite, directed, undirected");
}

LoopPolicy loops_named(const std::string& name) {
  if (name == "reject") return LoopPolicy::reject;
  if (name == "drop") return LoopPolicy::drop;
  refuse_choice("loops", name, "reject, drop");
}

ReadOptions read_options(const Reading& reading) {
  ReadOptions options;
  if (reading.format) options.format = format_named(*reading.format);
  options.symmetric = reading.symmetric;
  if (reading.kind && *reading.kind == "symmetric") {
    options.symmetric = true;
  } else if (reading.kind) {
    options.kind = kind_named(*reading.kind);
  }
  if (options.symmetric) options.kind = GraphKind::directed;
  options.weights = reading.weights;
  if (reading.multi != "reject" && reading.multi != "sum" && reading.multi != "first")
    refuse_choice("multi", reading.multi, "reject, sum, first");
  options.multi = reading.multi == "sum"     ? MultiPolicy::sum
                  : reading.multi == "first" ? MultiPolicy::first
                                             : MultiPolicy::reject;
  if (reading.first_line) {
    if (*reading.first_line != "edge" && *reading.first_line != "header")
      refuse_choice("first_line", *reading.first_line, "edge, header");
    options.first_line = *reading.first_line == "edge" ? FirstLine::edge : FirstLine::header;
  }
  options.end_columns = reading.ends;
  options.weight_column = reading.weight_column;
  if (!reading.weight_column.empty()) options.weights = true;
  options.loops = loops_named(reading.loops);
  options.remove = reading.remove;
  options.embedding = reading.embedding;
  options.letters = true;
  return options;
}

}  // namespace countpm::python
