#pragma once
// What both kinds of generated kernels are written with (published/codegen/source.hpp,
// published/codegen/floating_source.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

namespace countpm::codegen {

class Text {
 public:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Arguments>(arguments)...);
    out_ += '\n';
  }

  /// Opens the loop over the 2^walked steps of an item, and flips the columns that flip most often, which are
  /// found by the step's bits; how many these are. What follows is an `else`, for all other columns.
  /// flip(column, in): the text that puts a column in or takes it out.
  template <class Flip>
  unsigned begin_steps(unsigned walked, const Flip& flip) {
    constexpr unsigned most_tested = 3;
    line("for (u32 step = 0; step < {}u; ++step) {{", std::uint32_t{1} << walked);
    const unsigned tested = std::min(most_tested, walked);
    for (unsigned c = 0; c < tested; ++c) {
      line("if (step & {}u) {{", std::uint32_t{1} << c);
      line("if (step & {}u) {{", std::uint32_t{2} << c);
      flip(c, false);
      line("}} else {{");
      flip(c, true);
      line("}}");
      line("}} else");
    }
    return tested;
  }
  /// The cases of a switch over columns `tested` .. walked - 1: 2 * (column + before), and one more where it
  /// goes out.
  template <class Flip>
  void flip_cases(unsigned tested, unsigned walked, unsigned before, const Flip& flip) {
    for (unsigned c = tested; c < walked; ++c) {
      for (const bool in : {true, false}) {
        line("case {}:", 2 * (c + before) + (in ? 0 : 1));
        flip(c, in);
        line("break;");
      }
    }
    line("default: break;");
    line("}}");
    line("}}");
  }

 protected:
  std::string out_;
};

}  // namespace countpm::codegen
