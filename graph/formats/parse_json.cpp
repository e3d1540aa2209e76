// JSON as a tree of text, duplicate keys refused. O(bytes).
#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "graph/errors.hpp"
#include "graph/formats/text_tree.hpp"
#include "graph/stop_poll.hpp"
#include "graph/text.hpp"

namespace countpm {
namespace {

struct LineCount {
  std::uint64_t line = 1;
  std::uint64_t before = 1;  // the last byte: the parser takes one more to see that a number has ended
};

// The bytes, with the lines counted as the parser takes them.
class CountingBytes {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  CountingBytes(const char* at, LineCount* count) : at_(at), count_(count) {}
  const char& operator*() const { return *at_; }
  CountingBytes& operator++() {
    count_->before = count_->line;
    if (*at_ == '\n') ++count_->line;
    ++at_;
    return *this;
  }
  CountingBytes operator++(int) {
    CountingBytes before = *this;
    ++*this;
    return before;
  }
  bool operator==(const CountingBytes& other) const { return at_ == other.at_; }
  bool operator!=(const CountingBytes& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  LineCount* count_;
};

class TreeBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  TreeBuilder(const std::string& file, const LineCount& count) : file_(file), count_(count) {}

  bool null() override { return add(TextTree::Kind::null, {}); }
  bool boolean(bool value) override { return add(TextTree::Kind::boolean, value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return add(TextTree::Kind::number, std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(TextTree::Kind::number, std::to_string(value));
  }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    return add(TextTree::Kind::number, text);
  }
  bool string(string_t& value) override { return add(TextTree::Kind::text, std::move(value)); }
  bool binary(binary_t& /*value*/) override { return false; }  // JSON as text has none
  bool start_object(std::size_t /*size*/) override { return open(TextTree::Kind::record); }
  bool start_array(std::size_t /*size*/) override { return open(TextTree::Kind::list); }
  bool key(string_t& name) override {
    name_ = std::move(name);
    return true;
  }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool parse_error(std::size_t /*position*/, const std::string& last_token,
                   const nlohmann::json::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while ...; reason"
    std::string_view reason = error.what();
    const std::size_t colon = reason.find(": ");
    if (colon != std::string_view::npos) reason.remove_prefix(colon + 2);
    throw InputError(file_, count_.line, "JSON",
                     fmt::format("{} ({})", last_token.empty() ? "the end of the file" : shown(last_token),
                                 quoted(std::string(reason), 200)));
  }

  TextTree take() { return std::move(root_); }

 private:
  bool add(TextTree::Kind kind, std::string text) {
    poll_.step();
    TextTree& parent = open_.empty() ? root_ : *open_.back();
    TextTree& value = open_.empty() ? root_ : parent.parts.emplace_back();
    value.kind = kind;
    value.line = kind == TextTree::Kind::number ? count_.before : count_.line;
    value.text = std::move(text);
    if (!open_.empty() && parent.kind == TextTree::Kind::record) value.name = std::move(name_);
    last_ = &value;
    return true;
  }
  bool open(TextTree::Kind kind) {
    if (open_.size() == deepest_tree)
      throw InputError(file_, count_.line, fmt::format("values at most {} deep", deepest_tree),
                       "deeper ones");
    add(kind, {});
    open_.push_back(last_);  // a parent gets no more parts before this one is closed
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  const std::string& file_;
  const LineCount& count_;
  TextTree root_;
  std::vector<TextTree*> open_;
  TextTree* last_ = nullptr;
  std::string name_;
  StopPoll poll_;
};

}  // namespace

TextTree parse_json(std::string_view bytes, const std::string& name) {
  LineCount count;
  TreeBuilder builder(name, count);
  nlohmann::json::sax_parse(CountingBytes(bytes.data(), &count),
                            CountingBytes(bytes.data() + bytes.size(), &count), &builder);
  return builder.take();
}

}  // namespace countpm
