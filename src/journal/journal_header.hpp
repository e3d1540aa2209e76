#pragma once
// A journal's header as JSON, and back, every field checked.
#include "src/journal/journal.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {

/// Throws std::exception, which says what is missing.
JournalHeader header_from(const fields::Json& json);

}  // namespace countpm
