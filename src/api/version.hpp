#pragma once

namespace countpm {

/// "0.1.0"
const char* version();

}  // namespace countpm
