#pragma once
// chem of a file with several molecules: a row each.
#include <functional>
#include <optional>

#include "apps/options.hpp"
#include "graph/formats/graph_entries.hpp"
#include "src/chemistry/kekule.hpp"

namespace countpm::app {

/// The next molecule; nothing at the end. Throws for what cannot be read, and there is nothing more then.
using NextMolecule = std::function<std::optional<GraphEntry>()>;
using AskKekule = std::function<KekuleResult(const GraphEntry&)>;

/// Writes the rows as they come: a table, CSV, or an object a line, and with --structures those of all into
/// one file. A molecule that cannot be read or counted has a row that says so, and the rest goes on. Returns
/// the largest exit code of those that the molecules by themselves would have had. Throws UsageError for
/// --svg and --sheet, which draw one.
int chem_rows(const Request& request, const NextMolecule& next, const AskKekule& ask);

}  // namespace countpm::app
