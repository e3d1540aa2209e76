#include "apps/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/terminal_width.hpp"
#include "apps/text.hpp"
#include "graph/clock.hpp"
#include "graph/text.hpp"
#include "src/text/format_duration.hpp"

namespace countpm::app {
namespace {

constexpr double bar_delay_seconds = 0.5;  // shorter counts show nothing
constexpr double bar_period_seconds = 0.1;
constexpr double line_period_seconds = 10;
constexpr double json_period_seconds = 1;

int percentage(double done) {
  // Never 100 % before the end.
  return static_cast<int>(std::floor(std::clamp(std::isnan(done) ? 0.0 : done, 0.0, 0.999) * 100));
}

std::string block_text(const Progress& progress) {
  return progress.blocks > 1 ? fmt::format("block {} of {}", progress.block, progress.blocks) : "";
}

/// Nothing of a search for plans: it ends when it no longer pays, which its rate so far does not foresee.
std::string left_text(const Progress& progress) {
  if (progress.stage == "plan") return {};
  return remaining_text(progress.remaining_seconds, progress.remaining_low, progress.remaining_high);
}

}  // namespace

std::string bar_line(const Progress& progress, std::size_t width) {
  const bool known = !std::isnan(progress.done);
  const int percent = percentage(progress.done);
  std::string tail = known ? fmt::format(" {:3}%", percent) : "";
  const std::string elapsed = format_duration(progress.elapsed_seconds) + " so far";
  const std::string left = left_text(progress);
  for (const std::string& part :
       {progress.stage == "count" ? std::string() : progress.stage, progress.method, block_text(progress),
        left.empty() ? elapsed : fmt::format("{}, {}", elapsed, left)}) {
    if (!part.empty()) tail.append("  ").append(printable(part));
  }
  constexpr std::size_t widest = 40;
  constexpr std::size_t narrowest = 5;
  const std::size_t used = display_width(tail) + 2;
  if (!known) return tail.substr(std::min<std::size_t>(2, tail.size()), width);
  if (used + narrowest > width) return tail.substr(1, width > 0 ? width - 1 : 0);
  const std::size_t bar = std::min(widest, width - used);
  const std::size_t filled = bar * static_cast<std::size_t>(percent) / 100;
  const std::string_view head = filled < bar ? ">" : "";
  return fmt::format("[{:=<{}}{}{: <{}}]{}", "", filled, head, "", bar - filled - head.size(), tail);
}

std::string plain_line(const Progress& progress) {
  std::vector<std::string> parts;
  if (!std::isnan(progress.done)) parts.push_back(fmt::format("{}% of the work", percentage(progress.done)));
  if (progress.stage != "count") parts.push_back(printable(progress.stage));
  parts.push_back(progress.method);
  parts.push_back(block_text(progress));
  parts.push_back(format_duration(progress.elapsed_seconds) + " so far");
  parts.push_back(left_text(progress));
  std::erase(parts, "");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string remaining_text(double seconds, double low, double high) {
  if (seconds < 0) return {};
  std::string text = format_duration(seconds) + " left";
  if (low >= 0 && high >= 0) text += fmt::format(" ({} to {})", format_duration(low), format_duration(high));
  if (low >= 0 && high < 0) text += fmt::format(" ({} or more)", format_duration(low));
  return text;
}

std::string json_line(const Progress& progress) {
  return one_line(json_of(ProgressObject{progress})) + "\n";
}

ProgressDisplay::ProgressDisplay(Style style, World world)
    : style_(style), world_(std::move(world)), start_(world_.now()), last_(start_) {}

void ProgressDisplay::update(const Progress& progress) {
  if (style_ == Style::none) return;
  const double now = world_.now();
  if (style_ == Style::lines || style_ == Style::json) {
    const bool json = style_ == Style::json;
    if (now - last_ < (json ? json_period_seconds : line_period_seconds)) return;
    world_.write(json ? json_line(progress) : fmt::format("countpm: {}\n", plain_line(progress)));
  } else {
    if (now - start_ < bar_delay_seconds || (visible_ && now - last_ < bar_period_seconds)) return;
    // Three columns are left free: a full last column makes some terminals wrap, and ^C is shown behind the
    // bar.
    constexpr std::size_t spare = 3;
    const std::size_t columns = world_.width();
    world_.write(fmt::format("\r{}\033[K", bar_line(progress, columns > spare ? columns - spare : columns)));
    visible_ = true;
  }
  last_ = now;
}

void ProgressDisplay::clear() {
  if (!visible_) return;
  world_.write("\r\033[K");
  visible_ = false;
}

ProgressDisplay::World real_world() {
  return {[] { return seconds_now(); }, [] { return terminal_width(STDERR_FILENO); }, write_error};
}

}  // namespace countpm::app
