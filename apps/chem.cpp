// countpm chem INPUT: Kekule structures and Pauling bond orders.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "apps/chem_rows.hpp"
#include "apps/chem_structures.hpp"
#include "apps/chem_words.hpp"
#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/long_answer.hpp"
#include "apps/output.hpp"
#include "apps/picture_file.hpp"
#include "apps/progress_scope.hpp"
#include "graph/formats/open_error.hpp"
#include "graph/text.hpp"
#include "src/chemistry/kekule.hpp"
#include "src/chemistry/whole_molecule.hpp"
#include "src/input/report.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_probability.hpp"
#include "src/watch/monitor.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_drawn = 100;
constexpr std::uint64_t most_drawn_ever = 5'000;
constexpr std::size_t most_named = 24;    // atoms in a sentence
constexpr unsigned csv_digits = 12;       // of an order as a decimal
constexpr std::size_t longest_order = 7;  // a fraction that fits on a bond

std::string listed(const std::vector<std::string>& labels) {
  std::string text;
  for (std::size_t k = 0; k < labels.size() && k < most_named; ++k)
    text += (k == 0 ? "" : ", ") + printable(labels[k]);
  return labels.size() > most_named ? text + ", ..." : text;
}

std::string neighbours_text(const std::vector<std::string>& labels) {
  if (labels.empty()) return "no neighbour in it";
  return fmt::format("only {} in it: {}", counted(labels.size(), "neighbour"), listed(labels));
}

class ChemRun {
 public:
  explicit ChemRun(const Request& request) : request_(request) {
    if (request.svg) picture_.emplace(*request.svg, request.overwrite);
    if (request.sheet) sheet_.emplace(*request.sheet, request.overwrite);
    if (request.structures) structures_.emplace(request, *request.structures);
  }

  int run(KekuleResult result) {
    result_ = std::move(result);
    write_output(request_.json ? indented(json_of(result_)) : request_.csv ? csv() : text());
    if (!request_.json && !request_.csv) {
      LongAnswer orders(request_);
      orders.write(orders_text());
      orders.finish("bond orders");
    }
    flush_output();
    report();
    if (!picture_ && !sheet_ && !structures_) return 0;
    if (result_.structures == 0)
      throw UnableError("there is no Kekule structure to draw or to write",
                        "leave --svg, --sheet and --structures out");
    whole_ = whole_molecule(result_);
    if (whole_->molecule.atoms.empty()) throw UnableError("a graph without atoms has no drawing", "");
    if (picture_) write_picture();
    if (sheet_) write_sheet();
    if (structures_) {
      structures_->add(result_, *whole_, request_.arguments.front());
      structures_->close();
    }
    return 0;
  }

 private:
  std::string label(Index vertex) const { return result_.graph.left_labels.label(vertex); }

  std::string text() const {
    if (!result_.no_pi_system.empty()) return "Kekule structures  none\n\n" + no_pi_system();
    std::string text = fmt::format("Kekule structures  {}\n", result_.structures.get_str());
    if (result_.structures == 0) return text + "\n" + no_structure();
    text += clar_text();
    return result_.order.empty() ? text + one_structure() : text;
  }

  std::string orders_text() const {
    std::string text;
    if (!result_.no_pi_system.empty() || result_.structures == 0 || result_.order.empty()) return text;
    // Columns as wide as their longest entries.
    std::size_t from = 4;
    std::size_t to = 4;
    std::size_t order = 5;
    std::vector<std::string> orders;
    for (std::size_t e = 0; e < result_.order.size(); ++e) {
      from = std::max(from, escaped_word(label(result_.graph.edges[e].from)).size());
      to = std::max(to, escaped_word(label(result_.graph.edges[e].to)).size());
      orders.push_back(result_.order[e].get_str());
      order = std::max(order, orders.back().size());
    }
    text += fmt::format("\n{:<{}}  {:<{}}  {:<{}}  (Pauling bond order)\n", "atom", from, "atom", to, "order",
                        order);
    for (std::size_t e = 0; e < result_.order.size(); ++e) {
      text += fmt::format(
          "{:<{}}  {:<{}}  {:<{}}  {:.4f}\n", escaped_word(label(result_.graph.edges[e].from)), from,
          escaped_word(label(result_.graph.edges[e].to)), to, orders[e], order, result_.order[e].get_d());
    }
    return text;
  }

  /// The Clar number and the Zhang-Zhang polynomial.
  std::string clar_text() const {
    const std::vector<mpz_class>& covers = result_.clar_covers;
    if (covers.empty()) return "";
    return fmt::format("Clar number        {}\nClar covers        {}\n", covers.size() - 1,
                       clar_polynomial(covers));
  }

  std::string csv() const {
    std::string text = "from,to,order,value\r\n";
    for (std::size_t e = 0; e < result_.order.size(); ++e) {
      text +=
          fmt::format("{},{},{},{}\r\n", csv_field(label(result_.graph.edges[e].from)),
                      csv_field(label(result_.graph.edges[e].to)), result_.order[e].get_str(),
                      format_fraction(result_.order[e].get_num(), result_.order[e].get_den(), csv_digits));
    }
    return text;
  }

  std::string no_pi_system() const {
    return fmt::format("The molecule has no pi system: {}.\n", result_.no_pi_system);
  }

  /// Where no bond has another place.
  std::string one_structure() const {
    if (!result_.input.molecule) return "";
    return "\nDouble and triple bonds stay where they are, at atoms with two of them (as in allene): this is "
           "the one structure.\n";
  }

  std::string no_structure() const {
    const bool one = result_.unpaired == 1;
    std::string text = fmt::format(
        "There is no Kekule structure: however double bonds are drawn, {} of the {} atoms of the pi system "
        "{} none{}.\n",
        result_.unpaired, result_.vertices, one ? "has" : "have",
        one                     ? " (a radical)"
        : result_.unpaired == 2 ? " (a diradical)"
                                : "");
    if (result_.violator) {
      const ViolatorReport& why = *result_.violator;
      text += !why.odd_components.empty()
                  ? fmt::format("Why: {}.\n", words::violator_text(why))
                  : fmt::format("Why: {} {} {}.\n", listed(why.vertices),
                                why.vertices.size() == 1 ? "has" : "have", neighbours_text(why.neighbours));
    }
    for (const std::string& note : result_.input.assumptions)
      text += fmt::format("Note: {}.\n", printable(note));
    return text;
  }

  void report() const {
    if (request_.quiet) return;
    // What CSV has no place for is a line for people.
    std::string text;
    const bool whole = error_is_terminal() || request_.report;
    if (whole) {
      text += fmt::format("input       {}\n", words::input_text(result_));
      if (!result_.formula.empty()) text += fmt::format("formula     {}\n", printable(result_.formula));
      if (request_.csv && result_.no_pi_system.empty())
        text += fmt::format("structures  {}\n", result_.structures.get_str()) + clar_text();
      for (const std::string& note : result_.structures == 0 ? std::vector<std::string>{} : result_.notes)
        text += fmt::format("note        {}\n", printable(note));
    }
    if (request_.csv && result_.structures == 0)
      text += result_.no_pi_system.empty() ? no_structure() : no_pi_system();
    write_error(text);
  }

  std::string title() const { return quoted(request_.arguments.front(), 100); }

  const draw::Skeleton& skeleton() {
    if (!skeleton_) skeleton_ = skeleton_of(*whole_, result_);
    return *skeleton_;
  }

  void write_picture() {
    picture_->limited(request_, [&] {
      std::vector<draw::EdgeValue> values;
      for (const mpq_class& order : result_.order) {
        const std::string text = order.get_str();
        values.push_back(
            {order.get_d(), text.size() <= longest_order ? text : fmt::format("{:.3f}", order.get_d())});
      }
      picture_->write(
          request_, draw::draw_bond_orders(skeleton(), values, title(),
                                           fmt::format("{}Pauling bond orders; Kekulé structures: {}",
                                                       result_.formula.empty() ? "" : result_.formula + ": ",
                                                       result_.structures.get_str()),
                                           request_.page));
    });
  }

  void write_sheet() {
    const std::uint64_t number = number_shown(request_, result_, "draws", "--sheet", most_drawn);
    if (number == 0) throw UnableError("--number 0 leaves no structure to draw", "");
    if (number > most_drawn_ever)
      throw UnableError(fmt::format("--sheet draws at most {} structures", most_drawn_ever),
                        "a smaller --number");
    sheet_->limited(request_, [&] {
      std::vector<std::vector<bool>> doubled;
      list_first(result_, number, [&](const std::vector<bool>& one) { doubled.push_back(one); });
      sheet_->write(request_, draw::draw_structures(skeleton(), doubled, title(),
                                                    fmt::format("Kekulé structures 1 to {} of {}", number,
                                                                result_.structures.get_str()),
                                                    request_.page));
    });
  }

  const Request& request_;
  std::optional<PictureFile> picture_;
  std::optional<PictureFile> sheet_;
  std::optional<StructuresFile> structures_;
  KekuleResult result_;
  std::optional<WholeMolecule> whole_;
  std::optional<draw::Skeleton> skeleton_;
};

/// The length of "[nH+]" at the start; 0: there is none.
std::size_t bracket_atom(std::string_view text) {
  const std::size_t end = text.find(']');
  if (!text.starts_with('[') || end == std::string_view::npos) return 0;
  const bool plain =
      std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
               c == '-' || c == '@' || c == ':';
      });
  return plain && end > 1 ? end + 1 : 0;
}

/// Atoms of the organic subset or in brackets, bonds, rings and branches, and nothing else.
bool looks_like_smiles(std::string_view text) {
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("Cl") || rest.starts_with("Br")) {
      any = true;
      at += 2;
    } else if (const std::size_t end = bracket_atom(rest); end > 0) {
      any = true;
      at += end;
    } else if (std::string_view("BCNOPSFIbcnops").find(rest[0]) != std::string_view::npos) {
      any = true;
      ++at;
    } else if (any && std::string_view("0123456789()=#:/\\.%-").find(rest[0]) != std::string_view::npos) {
      ++at;
    } else {
      return false;
    }
  }
  return any;
}

/// Where no file has that name.
void refuse_smiles(const std::string& text) {
  if (!looks_like_smiles(text) || std::filesystem::exists(text)) return;
  throw InputError(
      text, 0, "a file, or lattice:...",
      fmt::format("no file of that name; SMILES countpm does not read by itself, its Python module does "
                  "where RDKit is installed: python3 -c \"import countpm; "
                  "print(countpm.kekule(countpm.from_smiles(r'{}')).structures)\"",
                  text));
}

/// The molecules of the input, one after another, each within the limits.
class Molecules {
 public:
  explicit Molecules(const Request& request)
      : scope_(request),
        source_(Source::from_argument(request.arguments.front())),
        entries_(source_, request.read.format, request.count.time_limit_seconds),
        read_(request.read),
        options_(request.count) {
    read_.hash = request.json;
    scope_.watch(options_);
  }

  std::optional<GraphEntry> next() {
    const Monitor monitor(options_);
    return monitor.explained([&] { return entries_.next(); });
  }

  KekuleResult ask(const GraphEntry& entry) {
    KekuleResult result = kekule(entry, read_, options_);
    scope_.hide();
    scope_.lift_limit();
    return result;
  }

  /// Of an input that is one molecule.
  KekuleResult ask_alone(const GraphEntry& entry) {
    if (source_.kind == Source::Kind::standard_input) return ask(entry);
    GraphEntry all;
    all.source = source_;  // with its bytes as they are stored
    return ask(all);
  }

  /// There are several: each has its own time.
  void are_several() { scope_.lift_limit(); }

 private:
  ProgressScope scope_;
  Source source_;
  GraphEntries entries_;
  ReadOptions read_;
  CountOptions options_;
};

}  // namespace

int run_chem(const Request& request) {
  check_options(request.count);
  Molecules molecules(request);
  std::optional<GraphEntry> first;
  try {
    first = molecules.next();
  } catch (const OpenError&) {
    refuse_smiles(request.arguments.front());
    throw;
  }
  std::optional<GraphEntry> second;
  std::exception_ptr damaged;
  if (!first->alone) {
    try {
      second = molecules.next();
    } catch (const InputError&) {
      damaged = std::current_exception();
    }
  }
  if (!second && !damaged) return ChemRun(request).run(molecules.ask_alone(*first));
  molecules.are_several();
  const auto next = [&]() -> std::optional<GraphEntry> {
    for (std::optional<GraphEntry>* read : {&first, &second}) {
      if (*read) return std::exchange(*read, std::nullopt);
    }
    if (damaged) std::rethrow_exception(std::exchange(damaged, nullptr));
    return molecules.next();
  };
  return chem_rows(request, next, [&](const GraphEntry& entry) { return molecules.ask(entry); });
}

}  // namespace countpm::app
