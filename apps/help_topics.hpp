#pragma once
// Pages of help about what several commands share: countpm help weights, kinds, exit-codes.
#include <string>
#include <string_view>
#include <vector>

namespace countpm::app {

struct HelpTopic {
  std::string_view name;
  std::string_view about;  // a few words
  std::string (*page)(std::size_t width);
  std::string (*markdown)() = nullptr;  // the page of docs/ that is made of it
};

const std::vector<HelpTopic>& help_topics();
/// nullptr where there is none of that name.
const HelpTopic* find_topic(std::string_view name);
/// "weights, kinds, exit-codes"
std::string topic_names(std::string_view separator);

/// All that is said of formats: `countpm formats`.
std::string formats_page(std::size_t width);
/// A line or more for each format: its name, its endings, what it is.
std::string format_lines(std::size_t width);

}  // namespace countpm::app
