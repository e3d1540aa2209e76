// A number is a term, or the sum of a real and an imaginary one in either order. O(length).
#include "graph/number_dialects.hpp"

#include <array>

namespace countpm {
namespace {

bool is_decimal_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_gap(char c) {
  return c == ' ' || c == '\t';
}

class Terms {
 public:
  explicit Terms(std::string_view text) : left_(text) {}

  std::optional<std::string> read() {
    skip_blanks();
    if (!take_term() || (!left_.empty() && !take_term()) || !left_.empty()) return std::nullopt;
    if (!im_) return re_;
    if (!re_) return *im_ + "i";
    return *re_ + (im_->starts_with('-') ? "" : "+") + *im_ + "i";
  }

 private:
  void skip_blanks() {
    while (!left_.empty() && is_gap(left_.front())) left_.remove_prefix(1);
  }

  bool take(std::string_view what) {
    if (!left_.starts_with(what)) return false;
    left_.remove_prefix(what.size());
    return true;
  }

  std::string digits() {
    std::string taken;
    while (!left_.empty() && is_decimal_digit(left_.front())) {
      taken += left_.front();
      left_.remove_prefix(1);
    }
    return taken;
  }

  // 7, 2/3, 0.25, 1e-3, 1.5*^-3, 1.5`, 1.5``20; empty: none.
  std::optional<std::string> take_number() {
    std::string number = digits();
    bool any = !number.empty();
    if (any && take("/")) {
      const std::string below = digits();
      if (below.empty()) return std::nullopt;
      return number + "/" + below;
    }
    if (take(".")) {
      const std::string fraction = digits();
      any = any || !fraction.empty();
      number += "." + fraction;
    }
    if (!any) return number.empty() ? std::optional<std::string>("") : std::nullopt;
    if (take("`")) {
      take("`");
      digits();
      if (take(".")) digits();
    }
    if (!take("*^") && !take("e") && !take("E") && !take("d") && !take("D")) return number;
    number += "e";
    if (left_.starts_with("-") || left_.starts_with("+")) {
      number += left_.front();
      left_.remove_prefix(1);
    }
    const std::string exponent = digits();
    if (exponent.empty()) return std::nullopt;
    return number + exponent;
  }

  bool ends_unit() const {
    return left_.empty() || is_gap(left_.front()) || left_.front() == '+' || left_.front() == '-' ||
           left_.front() == '*';
  }

  // Behind a number: 2i, 2im, 2*I, 2 I, 2*%i.
  bool take_unit(bool number) {
    const std::string_view before = left_;
    skip_blanks();
    const bool blank = left_.size() != before.size();
    const bool times = number && take("*");
    if (times) skip_blanks();
    constexpr std::array<std::string_view, 5> units = {"im", "%i", "I", "i", "j"};
    for (const std::string_view unit : units) {
      const bool glued = unit == "im" || unit == "i" || unit == "j";
      const bool fits = times ? unit != "j" : !number || (blank ? !glued : glued);
      if (!fits || (unit == "j" && !number) || !take(unit)) continue;
      if (ends_unit()) return true;
      break;
    }
    left_ = before;
    return false;
  }

  bool take_term() {
    const bool first = !re_ && !im_;
    std::string sign;
    if (left_.starts_with("+") || left_.starts_with("-")) {
      if (left_.front() == '-') sign = "-";
      left_.remove_prefix(1);
      skip_blanks();
    } else if (!first) {
      return false;
    }
    std::optional<std::string> number = take_number();
    if (!number) return false;
    const bool unit = take_unit(!number->empty());
    if (unit && number->empty() && take("*")) {  // I*2
      number = take_number();
      if (!number || number->empty()) return false;
    }
    if (!unit && number->empty()) return false;
    std::optional<std::string>& part = unit ? im_ : re_;
    if (part) return false;
    part = sign + *number;
    skip_blanks();
    return true;
  }

  std::string_view left_;
  std::optional<std::string> re_;
  std::optional<std::string> im_;  // the coefficient
};

bool has_mark(std::string_view text) {
  return text.find_first_of("`^*% \tI") != std::string_view::npos ||
         text.find("im") != std::string_view::npos;
}

}  // namespace

std::optional<std::string> rewritten_number(std::string_view text) {
  if (text.empty() || !has_mark(text) || is_gap(text.front()) || is_gap(text.back())) return std::nullopt;
  if (text.size() > 2 && text.front() == '(' && text.back() == ')') text = text.substr(1, text.size() - 2);
  std::optional<std::string> number = Terms(text).read();
  if (number == text) number.reset();
  return number;
}

bool is_bare_unit(std::string_view text) {
  if (text.starts_with("+") || text.starts_with("-")) text.remove_prefix(1);
  return text == "i" || text == "I" || text == "im" || text == "%i";
}

}  // namespace countpm
