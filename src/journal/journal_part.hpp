#pragma once
// A part's share, as its header has it: JSON, and back.
#include "src/journal/journal.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {

fields::Json to_json(const JournalPart& part);
/// header: its tasks and samplings are there. Throws std::invalid_argument for what is no part of them.
JournalPart part_from(const fields::Json& json, const JournalHeader& header);

}  // namespace countpm
