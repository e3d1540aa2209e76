#include "apps/terminal_width.hpp"

#include <sys/ioctl.h>

#include <algorithm>

namespace countpm::app {

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t usual = 80;
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

std::size_t text_width(int descriptor) {
  constexpr std::size_t narrowest = 40;
  constexpr std::size_t widest = 120;
  return std::clamp(terminal_width(descriptor), narrowest, widest);
}

}  // namespace countpm::app
