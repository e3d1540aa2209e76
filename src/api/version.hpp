#pragma once
// The version of the library.

namespace countpm {

/// "0.2.0"
const char* version();

}  // namespace countpm
