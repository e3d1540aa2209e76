// countpm chem INPUT: Kekule structures and Pauling bond orders.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/output_file.hpp"
#include "apps/picture_file.hpp"
#include "apps/progress_scope.hpp"
#include "apps/signals.hpp"
#include "graph/pi_system.hpp"
#include "graph/text.hpp"
#include "src/chemistry/kekule.hpp"
#include "src/chemistry/structure_file.hpp"
#include "src/text/format_number.hpp"
#include "src/text/format_probability.hpp"
#include "src/words/result_words.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_written = 10'000;
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
    if (request.structures &&
        (request.structures->ends_with(".svg") || request.structures->ends_with(".png")))
      throw UsageError(
          fmt::format("{}: --structures writes an SDF, and --sheet draws; give a name that ends in .sdf",
                      quoted(*request.structures, 400)));
    if (request.structures) structures_.emplace(*request.structures, request.overwrite);
  }

  int run() {
    ask();
    write_output(request_.json ? indented(to_json(result_)) : request_.csv ? csv() : text());
    flush_output();
    report();
    if (!picture_ && !sheet_ && !structures_) return 0;
    if (result_.structures == 0)
      throw UnableError("there is no Kekule structure to draw or to write",
                        "leave --svg, --sheet and --structures out");
    if (result_.graph.left_labels.size() == 0) throw UnableError("a graph without atoms has no drawing", "");
    whole_ = whole_molecule(result_);
    if (picture_) write_picture();
    if (sheet_) write_sheet();
    if (structures_) write_structures();
    return 0;
  }

 private:
  void ask() {
    ProgressScope scope(request_);
    ReadOptions read = request_.read;
    read.hash = request_.json;
    CountOptions options = request_.count;
    scope.watch(options);
    result_ = kekule(Source::from_argument(request_.arguments.front()), read, options);
  }

  std::string label(Index vertex) const { return result_.graph.left_labels.label(vertex); }

  std::string text() const {
    std::string text = fmt::format("Kekule structures  {}\n", result_.structures.get_str());
    if (result_.structures == 0) return text + "\n" + no_structure();
    text += clar_text();
    if (result_.order.empty()) return text;
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
    std::string polynomial = covers[0].get_str();
    for (std::size_t k = 1; k < covers.size(); ++k)
      polynomial += fmt::format(" + {}x{}", covers[k] == 1 ? "" : covers[k].get_str() + " ",
                                k == 1 ? "" : fmt::format("^{}", k));
    return fmt::format("Clar number        {}\nClar covers        {}\n", covers.size() - 1, polynomial);
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
      if (request_.csv) text += fmt::format("structures  {}\n", result_.structures.get_str()) + clar_text();
      for (const std::string& note : result_.structures == 0 ? std::vector<std::string>{} : result_.notes)
        text += fmt::format("note        {}\n", printable(note));
    }
    if (request_.csv && result_.structures == 0) text += no_structure();
    write_error(text);
  }

  std::string title() const { return quoted(request_.arguments.front(), 100); }

  const draw::Skeleton& skeleton() {
    if (!skeleton_) skeleton_ = skeleton_of(*whole_, result_);
    return *skeleton_;
  }

  // How many are written: all, or as many as were asked for.
  std::uint64_t number_of(const char* what, const std::string& option, std::uint64_t most) const {
    if (request_.limit) {
      if (result_.structures < *request_.limit) return result_.structures.get_ui();
      return *request_.limit;
    }
    if (result_.structures > most) {
      throw UnableError(fmt::format("{} {} at most {} structures, and there are {}", option, what, most,
                                    result_.structures.get_str()),
                        "--limit N for the first N of them");
    }
    return result_.structures.get_ui();
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
    const std::uint64_t number = number_of("draws", "--sheet", most_drawn);
    if (number == 0) throw UnableError("--limit 0 leaves no structure to draw", "");
    if (number > most_drawn_ever)
      throw UnableError(fmt::format("--sheet draws at most {} structures", most_drawn_ever),
                        "a smaller --limit");
    sheet_->limited(request_, [&] {
      std::vector<std::vector<bool>> doubled;
      list(number, [&](const std::vector<bool>& one) { doubled.push_back(one); });
      sheet_->write(request_, draw::draw_structures(skeleton(), doubled, title(),
                                                    fmt::format("Kekulé structures 1 to {} of {}", number,
                                                                result_.structures.get_str()),
                                                    request_.page));
    });
  }

  void write_structures() {
    const std::uint64_t number = number_of("writes", "--structures", most_written);
    const bool has_coordinates = result_.input.molecule && has_places(whole_->molecule);
    const StructureWriter writer(*whole_, has_coordinates ? draw::Skeleton{} : skeleton(), has_coordinates);
    const std::string name = result_.input.molecule && !whole_->molecule.title.empty()
                                 ? whole_->molecule.title
                                 : request_.arguments.front();
    std::uint64_t written = 0;
    list(number, [&](const std::vector<bool>& one) {
      ++written;
      structures_->write(writer.entry(one, fmt::format("{} {}", name, written)));
    });
    structures_->close();
    if (!request_.quiet)
      write_error(fmt::format("structures  {}: {} of {} written\n", quoted(structures_->path(), 400), written,
                              result_.structures.get_str()));
  }

  // Whether any two atoms are at different places.
  static bool has_places(const Molecule& molecule) {
    return std::any_of(molecule.atoms.begin(), molecule.atoms.end(), [&](const Atom& atom) {
      return atom.x != molecule.atoms[0].x || atom.y != molecule.atoms[0].y || atom.z != molecule.atoms[0].z;
    });
  }

  template <class Take>
  void list(std::uint64_t number, const Take& take) const {
    if (number == 0) return;
    ListOptions options;
    options.last = number;
    options.interrupted = stop_requested;
    list_structures(result_, options, [&](const std::vector<bool>& doubled) {
      take(doubled);
      return true;
    });
  }

  const Request& request_;
  std::optional<PictureFile> picture_;
  std::optional<PictureFile> sheet_;
  std::optional<OutputFile> structures_;
  KekuleResult result_;
  std::optional<WholeMolecule> whole_;
  std::optional<draw::Skeleton> skeleton_;
};

}  // namespace

int run_chem(const Request& request) {
  return ChemRun(request).run();
}

}  // namespace countpm::app
