#pragma once
// What published papers vary about their methods, for study: `--set NAME=VALUE`. Unless something is set a
// method is as it is fastest here. A setting never changes a count; it may change a job's units.
//
// A new one: a row of the table in settings.cpp, and its use where the method does what it says.
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace countpm {

enum class Setting : std::uint8_t {
  structure,
  order,
  steps,
  form,
  ratio,
  row_sums,
  chunks,
  block,
  grid,
  division,
  gpu_number
};
inline constexpr std::size_t setting_count = 11;

struct SettingInfo {
  Setting setting = Setting::structure;
  std::string_view name = {};                  // as after --set
  std::vector<std::string_view> values = {};   // empty: a whole number,
  std::uint64_t least = 0;                     // from this
  std::uint64_t most = 0;                      // to that,
  std::uint64_t multiple_of = 1;               // of which each is a multiple
  std::string_view usual = {};                 // what it is unless set, in words
  std::vector<std::string_view> methods = {};  // that have it; empty: all
  bool of_gpus = false;                        // it says how GPUs count
  /// Values of another setting, one of which it takes beside; but for its own first value.
  Setting needs = Setting::structure;
  std::vector<std::string_view> needed = {};  // empty: none
  std::string_view help = {};
  std::string_view source = {};  // who varied it
};
/// In the order of the enumeration.
const std::vector<SettingInfo>& settings();
/// "on, off", or "a whole number from 1 to 64".
std::string values_text(const SettingInfo& setting);

/// What was set.
class Settings {
 public:
  /// UsageError where there is no such name, no such value of it, or it has been set before.
  void set(std::string_view name, std::string_view value);
  /// The same of "NAME=VALUE".
  void set(std::string_view text);

  bool empty() const;
  /// Whether it was set to this one of its values.
  bool is(Setting setting, std::string_view value) const;
  std::optional<std::uint64_t> number(Setting setting) const { return value_[place(setting)]; }
  /// Names and values, in the table's order.
  std::vector<std::pair<std::string, std::string>> list() const;
  /// UsageError where one does not belong to this method, lacks another one, or says how GPUs count where
  /// others may.
  void check(std::string_view method, std::string_view device) const;

 private:
  static std::size_t place(Setting setting) { return static_cast<std::size_t>(setting); }

  std::array<std::optional<std::uint64_t>, setting_count> value_;  // a number, or a place among the values
};

}  // namespace countpm
