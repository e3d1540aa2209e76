#pragma once
// The recurrence of a family, described for JSON.
#include <string>

#include "src/report/fields.hpp"
#include "src/series/find_recurrence.hpp"

namespace countpm {

const Fields<RootInterval>& fields_of(const RootInterval*);
const Fields<FamilyRecurrence>& fields_of(const FamilyRecurrence*);

/// On one line, without a newline at the end.
std::string json_text(const FamilyRecurrence& result);

}  // namespace countpm
