#include "kernels/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "graph/errors.hpp"

namespace countpm {
namespace {

constexpr std::string_view kaya = "Kaya 2019 (sparse permanents)";
constexpr std::string_view codegen_paper = "Elbek, Kaya 2025 (generated code)";
constexpr std::string_view superman = "Elbek et al. 2026 (SUperman)";
constexpr std::string_view permutations = "Wong 2012 to 2016 (permutations)";

const SettingInfo& setting_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SettingInfo& info : settings()) {
    if (info.name == name) return info;
    names.push_back(info.name);
  }
  throw UsageError(fmt::format("unknown setting '{}'; the settings are: {}", quoted(std::string(name)),
                               fmt::join(names, ", ")));
}

std::uint64_t value_named(const SettingInfo& info, std::string_view value) {
  if (!info.values.empty()) {
    const auto found = std::find(info.values.begin(), info.values.end(), value);
    if (found != info.values.end()) return static_cast<std::uint64_t>(found - info.values.begin());
  } else {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    const bool whole = error == std::errc() && end == value.data() + value.size() && !value.empty();
    if (whole && number >= info.least && number <= info.most && number % info.multiple_of == 0) return number;
  }
  throw UsageError(fmt::format("the setting {} is {}, and not '{}'", info.name, values_text(info),
                               quoted(std::string(value))));
}

}  // namespace

const std::vector<SettingInfo>& settings() {
  static const std::vector<SettingInfo> table{
      {.setting = Setting::structure,
       .name = "structure",
       .values = {"on", "off"},
       .usual = "on",
       .methods = {"definition", "enumerate", "ryser", "sparyser", "skipper", "codegen"},
       .help = "off: the matrix is counted as a whole, not by Dulmage-Mendelsohn blocks, with its entries "
               "that are in no perfect matching, and without reductions",
       .source = superman},
      {.setting = Setting::order,
       .name = "order",
       .values = {"on", "off"},
       .usual = "on",
       .methods = {"sparyser", "skipper", "codegen"},
       .help = "off: the columns as they come, not in SortOrder (sparyser), SkipOrder (skipper) or the "
               "permanent ordering (codegen)",
       .source = kaya},
      {.setting = Setting::steps,
       .name = "steps",
       .least = 0,
       .most = 1'000'000,
       .usual = "all of a unit; on GPUs up to 719",
       .methods = {"enumerate"},
       .help = "so many permutations come from the one before; then one comes from its rank again",
       .source = permutations},
      {.setting = Setting::form,
       .name = "form",
       .values = {"pure", "hybrid"},
       .usual = "pure while registers suffice",
       .methods = {"codegen"},
       .help = "pure: all row sums in registers (PureReg); hybrid: some in global memory (Hybrid)",
       .source = codegen_paper},
      {.setting = Setting::ratio,
       .name = "ratio",
       .least = 1,
       .most = 1000,
       .usual = "4",
       .methods = {"codegen"},
       .needs = Setting::form,
       .needed = {"hybrid"},
       .help = "what an access to global memory costs, in accesses to registers, where hybrid chooses the "
               "row sums that it keeps (GRratio; published: 16)",
       .source = codegen_paper},
      {.setting = Setting::row_sums,
       .name = "row-sums",
       .values = {"registers", "shared", "shared-apart", "global", "shared-matrix"},
       .usual = "registers while they suffice",
       .methods = {"ryser"},
       .of_gpus = true,
       .help = "where a thread has them: in registers (Ryser-Rx), in shared memory, interleaved with those "
               "of other threads (SxC) or each thread's together (shared-apart: Sx), in global memory (Gx); "
               "shared-matrix: interleaved, with the matrix beside them (SxC-Sm)",
       .source = "a thesis of 2021 (Ryser-Gx, -Rx, -Sx, -SxC, -SxC-Sm)"},
      {.setting = Setting::chunks,
       .name = "chunks",
       .values = {"ceg", "plain"},
       .usual = "ceg",
       .methods = {"ryser"},
       .of_gpus = true,
       .needs = Setting::row_sums,
       .needed = {"shared", "global"},
       .help = "plain: threads have equal ranges of subsets, wherever these begin, not of a power of two, "
               "and flip different columns at a time",
       .source = superman},
      {.setting = Setting::block,
       .name = "block",
       .least = 32,
       .most = 1024,
       .multiple_of = 32,
       .usual = "as many as registers allow",
       .methods = {"codegen"},
       .of_gpus = true,
       .help = "threads of a block (BlockDim)",
       .source = codegen_paper},
      {.setting = Setting::grid,
       .name = "grid",
       .least = 1,
       .most = 1'000'000,
       .usual = "as many as are resident",
       .methods = {"enumerate", "ryser", "sparyser", "skipper", "codegen"},
       .of_gpus = true,
       .help = "blocks of a launch (GridDim)",
       .source = "a thesis of 2021"},
      {.setting = Setting::division,
       .name = "division",
       .values = {"dynamic", "static"},
       .usual = "dynamic",
       .of_gpus = true,
       .help = "static: each GPU of a host has an even share of the units at once (MG), not ranges by its "
               "speed as it gets through with them (MG+)",
       .source = "a thesis of 2021"},
      {.setting = Setting::gpu_number,
       .name = "gpu-number",
       .least = 0,
       .most = 63,
       .usual = "all GPUs",
       .of_gpus = true,
       .help = "count on this GPU alone, numbered from 0, as CUDA does it",
       .source = superman},
  };
  return table;
}

std::string values_text(const SettingInfo& setting) {
  if (!setting.values.empty()) return fmt::format("{}", fmt::join(setting.values, ", "));
  const std::string multiple =
      setting.multiple_of == 1 ? "" : fmt::format(", a multiple of {}", setting.multiple_of);
  return fmt::format("a whole number from {} to {}{}", setting.least, setting.most, multiple);
}

void Settings::set(std::string_view name, std::string_view value) {
  const SettingInfo& info = setting_named(name);
  std::optional<std::uint64_t>& own = value_[place(info.setting)];
  if (own) throw UsageError(fmt::format("the setting {} is given twice", info.name));
  own = value_named(info, value);
}

void Settings::set(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw UsageError(
        fmt::format("'{}' is no setting: expected NAME=VALUE, such as order=off", quoted(std::string(text))));
  set(text.substr(0, equals), text.substr(equals + 1));
}

bool Settings::empty() const {
  return std::none_of(value_.begin(), value_.end(), [](const auto& value) { return value.has_value(); });
}

bool Settings::is(Setting setting, std::string_view value) const {
  const std::optional<std::uint64_t> own = number(setting);
  return own && countpm::settings()[place(setting)].values.at(*own) == value;
}

std::vector<std::pair<std::string, std::string>> Settings::list() const {
  std::vector<std::pair<std::string, std::string>> result;
  for (const SettingInfo& info : settings()) {
    if (const auto own = number(info.setting))
      result.emplace_back(info.name, info.values.empty() ? std::to_string(*own) : info.values[*own]);
  }
  return result;
}

void Settings::check(std::string_view method, std::string_view device) const {
  for (const SettingInfo& info : settings()) {
    if (!number(info.setting)) continue;
    if (!info.methods.empty() &&
        std::find(info.methods.begin(), info.methods.end(), method) == info.methods.end())
      throw UsageError(
          fmt::format("the setting {} belongs to {}, and {}", info.name,
                      info.methods.size() == 1 ? fmt::format("the method {}", info.methods.front())
                                               : fmt::format("the methods {}", fmt::join(info.methods, ", ")),
                      method == "auto" ? std::string("none of them is chosen: name it by --method")
                                       : fmt::format("not to {}", method)));
    const bool needs = !info.needed.empty() && *number(info.setting) != 0;
    if (needs && std::none_of(info.needed.begin(), info.needed.end(),
                              [&](std::string_view value) { return is(info.needs, value); }))
      throw UsageError(fmt::format("the setting {} takes {}={} beside it", info.name,
                                   countpm::settings()[place(info.needs)].name,
                                   fmt::join(info.needed, " or ")));
    if (info.of_gpus && device != "gpu")
      throw UsageError(fmt::format("the setting {} says how GPUs count: it takes --device gpu", info.name));
  }
}

}  // namespace countpm
