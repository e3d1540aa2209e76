#include "src/proof_check/strict_json.hpp"

#include <algorithm>

#include "src/proof_check/refused.hpp"

namespace countpm::proof_check {
namespace {

constexpr std::size_t most_depth = 32;
constexpr std::size_t most_integer_characters = 8;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void append_utf8(std::string& text, std::uint32_t code) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else {
    if (code < 0x10000) {
      byte(0xE0 | code >> 12);
    } else {
      byte(0xF0 | code >> 18);
      byte(0x80 | (code >> 12 & 0x3F));
    }
    byte(0x80 | (code >> 6 & 0x3F));
  }
  byte(0x80 | (code & 0x3F));
}

class StrictReader {
 public:
  explicit StrictReader(std::string_view bytes) : bytes_(bytes) {}

  StrictJson whole() {
    skip_blanks();
    StrictJson value = read(0);
    skip_blanks();
    if (at_ < bytes_.size()) refuse("something behind its end");
    return value;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Refused("the file is no JSON: " + what + " at byte " + std::to_string(at_));
  }
  char peek() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; }
  void skip_blanks() {
    while (at_ < bytes_.size() && std::string_view(" \t\n\r").find(bytes_[at_]) != std::string_view::npos)
      ++at_;
  }
  void expect(char c) {
    if (at_ >= bytes_.size() || bytes_[at_] != c) refuse(std::string("no ") + c);
    ++at_;
  }
  bool take(std::string_view word) {
    if (bytes_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  StrictJson read(std::size_t depth) {
    if (depth > most_depth) refuse("nested too deep");
    StrictJson value;
    if (peek() == '{') {
      read_object(value, depth);
    } else if (peek() == '[') {
      read_array(value, depth);
    } else if (peek() == '"') {
      value.kind = StrictJson::Kind::text;
      value.text = read_text();
    } else if (take("true")) {
      value.kind = StrictJson::Kind::boolean;
      value.truth = true;
    } else if (take("false")) {
      value.kind = StrictJson::Kind::boolean;
    } else if (!take("null")) {
      read_number(value);
    }
    return value;
  }

  void read_array(StrictJson& value, std::size_t depth) {
    value.kind = StrictJson::Kind::array;
    expect('[');
    skip_blanks();
    if (take("]")) return;
    while (true) {
      value.items.push_back(read(depth + 1));
      skip_blanks();
      if (take("]")) return;
      expect(',');
      skip_blanks();
    }
  }

  void read_object(StrictJson& value, std::size_t depth) {
    value.kind = StrictJson::Kind::object;
    expect('{');
    skip_blanks();
    if (take("}")) return;
    while (true) {
      value.keys.push_back(read_text());
      skip_blanks();
      expect(':');
      skip_blanks();
      value.items.push_back(read(depth + 1));
      skip_blanks();
      if (take("}")) break;
      expect(',');
      skip_blanks();
    }
    std::vector<std::string> sorted = value.keys;
    std::sort(sorted.begin(), sorted.end());
    if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
      throw Refused("a key stands twice in an object");
  }

  void skip_digits() {
    if (!is_digit(peek())) refuse("no digit");
    while (is_digit(peek())) ++at_;
  }

  void read_number(StrictJson& value) {
    const std::size_t from = at_;
    take("-");
    if (peek() == '0') {
      ++at_;
    } else {
      skip_digits();
    }
    bool whole = true;
    if (peek() == '.') {
      whole = false;
      ++at_;
      skip_digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      whole = false;
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      skip_digits();
    }
    const std::string_view token = bytes_.substr(from, at_ - from);
    value.kind = StrictJson::Kind::number;
    if (!whole || token.size() > most_integer_characters || token == "-0") return;
    value.kind = StrictJson::Kind::integer;
    for (const char c : token) {
      if (c != '-') value.integer = value.integer * 10 + (c - '0');
    }
    if (token.front() == '-') value.integer = -value.integer;
  }

  std::uint32_t read_hexadecimal() {
    std::uint32_t code = 0;
    for (int k = 0; k < 4; ++k) {
      const char c = peek();
      const bool letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
      if (!is_digit(c) && !letter) refuse("no hexadecimal digit");
      code = code * 16 + static_cast<std::uint32_t>(letter ? (c | 0x20) - 'a' + 10 : c - '0');
      ++at_;
    }
    return code;
  }

  void read_escape(std::string& text) {
    const char c = peek();
    ++at_;
    constexpr std::string_view marks = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (const std::size_t k = marks.find(c); k != std::string_view::npos && c != '\0') {
      text += meant[k];
      return;
    }
    if (c != 'u') refuse("an unknown escape");
    std::uint32_t code = read_hexadecimal();
    if (code >= 0xD800 && code < 0xDC00 && bytes_.substr(at_, 2) == "\\u") {
      const std::size_t behind = at_;
      at_ += 2;
      const std::uint32_t low = read_hexadecimal();
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = behind;  // it stands for itself
      }
    }
    append_utf8(text, code);
  }

  /// A character of more than a byte, copied if it is one of UTF-8.
  void read_wide(std::string& text) {
    const auto byte = [&](std::size_t k) -> std::uint32_t {
      return at_ + k < bytes_.size() ? static_cast<unsigned char>(bytes_[at_ + k]) : 0;
    };
    const std::uint32_t lead = byte(0);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    std::uint32_t code = lead & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k) {
      if ((byte(k) & 0xC0) != 0x80) refuse("no UTF-8");
      code = code << 6 | (byte(k) & 0x3F);
    }
    constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (lead < 0xC0 || lead >= 0xF8 || code < least[length] || code > 0x10FFFF ||
        (code >= 0xD800 && code < 0xE000))
      refuse("no UTF-8");
    text += bytes_.substr(at_, length);
    at_ += length;
  }

  std::string read_text() {
    expect('"');
    std::string text;
    while (true) {
      if (at_ >= bytes_.size()) refuse("a text without its end");
      const char c = bytes_[at_];
      if (static_cast<unsigned char>(c) >= 0x80) {
        read_wide(text);
        continue;
      }
      if (static_cast<unsigned char>(c) < 0x20) refuse("a control character in a text");
      ++at_;
      if (c == '"') return text;
      if (c == '\\') {
        read_escape(text);
      } else {
        text += c;
      }
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

}  // namespace

const StrictJson* StrictJson::find(std::string_view key) const {
  const auto found = std::find(keys.begin(), keys.end(), key);
  return found == keys.end() ? nullptr : &items[static_cast<std::size_t>(found - keys.begin())];
}

StrictJson read_strict_json(std::string_view bytes) {
  return StrictReader(bytes).whole();
}

}  // namespace countpm::proof_check
