#pragma once
// How wide the terminal is that a stream goes to.
#include <cstddef>

namespace countpm::app {

/// Its columns; 80 where the descriptor leads to a file or a pipe, or where the terminal does not say.
std::size_t terminal_width(int descriptor);

/// The same for text that is broken into lines: from 40 to 120.
std::size_t text_width(int descriptor);

}  // namespace countpm::app
