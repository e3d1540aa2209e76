#include "apps/chem_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "apps/chem_structures.hpp"
#include "apps/chem_words.hpp"
#include "apps/csv.hpp"
#include "apps/exit_codes.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/series_lines.hpp"
#include "graph/text.hpp"
#include "src/series/series_row.hpp"
#include "src/text/format_number.hpp"
#include "src/words/series_words.hpp"

namespace countpm::app {
namespace {

constexpr std::array<std::string_view, 8> csv_heads{"molecule", "line",       "title",    "formula",
                                                    "atoms",    "structures", "unpaired", "clar_number"};

struct MoleculeRow {
  std::uint64_t number = 0;  // among the file's, from 1
  std::uint64_t line = 0;    // 0: the format has none
  std::string title;
  std::optional<KekuleResult> result;
  std::optional<SeriesFailure> failure;
};

/// One of them is there.
bool has_pi_system(const MoleculeRow& row) {
  return row.result && row.result->no_pi_system.empty();
}

std::string clar_number_of(const MoleculeRow& row) {
  if (!row.result || row.result->clar_covers.empty()) return "";
  return std::to_string(row.result->clar_covers.size() - 1);
}

std::string table_line(std::string_view number, std::string_view line, std::string_view structures,
                       std::string_view unpaired, std::string_view clar, std::string_view formula,
                       std::string_view title) {
  std::string text = fmt::format("{:>8}  {:>7}  {:>14}  {:>8}  {:>4}  {:<14}  {}", number, line, structures,
                                 unpaired, clar, formula, title);
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string structures_text(const MoleculeRow& row) {
  if (row.failure) return words::failure_text(*row.failure);
  if (!has_pi_system(row)) return "no pi system";
  return words::shortened_count(row.result->structures.get_str());
}

std::string text_of(const MoleculeRow& row) {
  return table_line(std::to_string(row.number), row.line > 0 ? std::to_string(row.line) : "-",
                    structures_text(row), has_pi_system(row) ? std::to_string(row.result->unpaired) : "-",
                    clar_number_of(row).empty() ? "-" : clar_number_of(row),
                    !row.result || row.result->formula.empty() ? "-" : row.result->formula,
                    printable(row.title));
}

std::string csv_of(const MoleculeRow& row) {
  const bool known = has_pi_system(row);
  const std::string covers =
      row.result && !row.result->clar_covers.empty() ? clar_polynomial(row.result->clar_covers) : "";
  return fmt::format(
      "{},{},{},{},{},{},{},{},{},{},{}\r\n", row.number, row.line > 0 ? std::to_string(row.line) : "",
      csv_field(row.title), row.result ? csv_field(row.result->formula) : "",
      known ? std::to_string(row.result->vertices) : "", known ? row.result->structures.get_str() : "",
      known ? std::to_string(row.result->unpaired) : "", clar_number_of(row), covers,
      row.result ? csv_field(row.result->no_pi_system) : "",
      row.failure ? csv_field(row.failure->message) : "");
}

std::string json_line_of(const MoleculeRow& row) {
  return one_line(json_of(MoleculeObject{row.number, row.line, row.title, row.result ? &*row.result : nullptr,
                                         row.failure ? &*row.failure : nullptr})) +
         "\n";
}

class ChemRows {
 public:
  explicit ChemRows(const Request& request) : request_(request) {
    if (request.svg || request.sheet)
      throw UsageError(
          fmt::format("{} draws one molecule, and {} has several; --structures writes the structures of all",
                      request.svg ? "--svg" : "--sheet", quoted(request.arguments.front(), 400)));
    if (request.structures) structures_.emplace(request, *request.structures);
  }

  int run(const NextMolecule& next, const AskKekule& ask) {
    write_output(head());
    for (std::uint64_t number = 1;; ++number) {
      MoleculeRow row;
      row.number = number;
      try {
        const std::optional<GraphEntry> entry = next();
        if (!entry) break;
        row.line = entry->line;
        row.title = entry->text;
        row.result = ask(*entry);
      } catch (const std::exception&) {
        row.failure = current_failure();
      }
      tell(row);
      if (structures_ && row.result && row.result->structures != 0) write_structures(row);
    }
    if (structures_) structures_->close();
    flush_output();
    return code_;
  }

 private:
  std::string head() const {
    if (request_.json) return "";
    if (request_.csv) return fmt::format("{},clar_covers,no_pi_system,error\r\n", fmt::join(csv_heads, ","));
    return table_line("molecule", "line", "structures", "unpaired", "Clar", "formula", "title");
  }

  void tell(const MoleculeRow& row) {
    write_output(request_.json ? json_line_of(row) : request_.csv ? csv_of(row) : text_of(row));
    flush_output();
    if (row.failure) {
      fail(row, row.failure->message, exit_code_of(*row.failure));
    } else if (request_.report) {
      if (!row.result->no_pi_system.empty())
        write_error(
            fmt::format("note        {}: no pi system: {}\n", name_of(row), row.result->no_pi_system));
      for (const std::string& note : row.result->notes)
        write_error(fmt::format("note        {}: {}\n", name_of(row), printable(note)));
    }
  }

  static std::string name_of(const MoleculeRow& row) {
    const std::string title = row.title.empty() ? "" : fmt::format(" ({})", quoted(row.title));
    return fmt::format("molecule {}{}", row.number, title);
  }

  void fail(const MoleculeRow& row, const std::string& message, int code) {
    write_error(fmt::format("countpm: {}: {}\n", name_of(row), printable(message)));
    code_ = std::max(code_, code);
  }

  void write_structures(const MoleculeRow& row) {
    try {
      structures_->add(*row.result, whole_molecule(*row.result), fmt::format("molecule {}", row.number));
    } catch (const UnableError& error) {
      fail(row, error.what(), exit_code::unable);
    }
  }

  const Request& request_;
  std::optional<StructuresFile> structures_;
  int code_ = 0;
};

}  // namespace

int chem_rows(const Request& request, const NextMolecule& next, const AskKekule& ask) {
  return ChemRows(request).run(next, ask);
}

}  // namespace countpm::app
