#include "tests/products/generator/written.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <complex>
#include <map>

#include "src/library/countpm.hpp"
#include "tests/products/generator/file_text.hpp"

namespace countpm::products {
namespace {

Format format_of(Form form) {
  switch (form) {
    case Form::csv:
    case Form::columns:
      return Format::csv;
    case Form::matrix_market:
    case Form::array:
      return Format::matrix_market;
    case Form::dense:
      return Format::dense;
    case Form::dimacs:
      return Format::dimacs;
    case Form::graph6:
      return Format::graph6;
    case Form::digraph6:
      return Format::digraph6;
    case Form::sparse6:
      return Format::sparse6;
    case Form::graphml:
      return Format::graphml;
    case Form::dot:
      return Format::dot;
    case Form::gml:
      return Format::gml;
    case Form::gexf:
      return Format::gexf;
    case Form::pajek:
      return Format::pajek;
    case Form::json:
      return Format::json;
    case Form::hyper:
      return Format::hyper;
    case Form::metis:
      return Format::metis;
    case Form::adjacency_list:
      return Format::adjacency_list;
    case Form::tgf:
      return Format::tgf;
    case Form::npy:
      return Format::npy;
    case Form::npz:
      return Format::npz;
    default:
      return Format::edge_list;
  }
}

GraphKind graph_kind(Kind kind) {
  return kind == Kind::bipartite  ? GraphKind::bipartite
         : kind == Kind::directed ? GraphKind::directed
                                  : GraphKind::undirected;
}

/// Takes arrays that it keeps for as long as read_view() looks at them.
ReadResult read_arrays(const Instance& instance, const Product& product, bool other) {
  std::vector<Tie> ties = instance.ties;
  if (other) {
    for (std::size_t t = 0; t < ties.size(); ++t) ties[t].weight = instance.other[t];
    if (instance.other_lacks_last) ties.pop_back();
  }
  const bool sparse = product.form() == Form::sparse_view;
  if (sparse)
    std::stable_sort(ties.begin(), ties.end(), [](const Tie& a, const Tie& b) { return a.from < b.from; });
  std::vector<std::uint32_t> from, to;
  std::vector<std::uint64_t> row_start{0};
  for (const Tie& tie : ties) {
    from.push_back(static_cast<std::uint32_t>(tie.from));
    to.push_back(static_cast<std::uint32_t>(tie.to));
  }
  for (int row = 0; row < instance.left; ++row)
    row_start.push_back(static_cast<std::uint64_t>(
        std::count_if(ties.begin(), ties.end(), [&](const Tie& tie) { return tie.from <= row; })));
  std::vector<mpq_class> fractions;
  std::vector<double> doubles;
  std::vector<std::complex<double>> complexes;
  std::vector<ComplexRational> exact_complex;
  std::vector<std::string> texts;
  countpm::Weights weights;
  if (instance.written) {
    const products::Weights kind = product.weights();
    for (const Tie& tie : ties) {
      const Complex value = tie.weight.value.at_one();
      texts.push_back(tie.weight.text);
      fractions.push_back(value.re);
      doubles.push_back(value.re.get_d());
      complexes.emplace_back(value.re.get_d(), value.im.get_d());
      exact_complex.push_back({value.re, value.im});
    }
    if (!instance.letters.empty()) {
      weights = std::span<const std::string>(texts);
    } else if (among(kind, {products::Weights::decimal, products::Weights::negative_decimal,
                            products::Weights::exact_decimal})) {
      weights = std::span<const double>(doubles);
    } else if (among(kind, {products::Weights::complex_decimal, products::Weights::exact_complex})) {
      weights = std::span<const std::complex<double>>(complexes);
    } else if (among(kind, {products::Weights::complex_integer, products::Weights::complex_fraction})) {
      weights = std::span<const ComplexRational>(exact_complex);
    } else {
      weights = std::span<const mpq_class>(fractions);
    }
  }
  if (sparse)
    return read_view(
        SparseView{static_cast<std::uint64_t>(instance.left), static_cast<std::uint64_t>(instance.right),
                   std::span<const std::uint64_t>(row_start), std::span<const std::uint32_t>(to), weights});
  return read_view(EdgeView{graph_kind(instance.kind), static_cast<std::uint64_t>(instance.left),
                            static_cast<std::uint64_t>(instance.right), std::span<const std::uint32_t>(from),
                            std::span<const std::uint32_t>(to), weights});
}

bool reads_letters(Question question) {
  return among(question, {Question::count, Question::maximum, Question::monomers, Question::weighed_monomers,
                          Question::loops, Question::loops_and_monomers, Question::matching_polynomial,
                          Question::ring_polynomial, Question::weighed_rings, Question::rings_and_monomers,
                          Question::sets, Question::degree, Question::named_degrees, Question::ground_min,
                          Question::ground_max, Question::repeated_lines, Question::integral});
}

std::string numbers(const std::vector<std::uint32_t>& list) {
  std::string text;
  for (const std::uint32_t number : list) text += (text.empty() ? "" : ",") + std::to_string(number);
  return text;
}

std::string monomers_of(const Instance& instance, Question question) {
  if (question == Question::monomers) return "1";
  if (question == Question::matching_polynomial) return "t";
  if (among(question, {Question::weighed_monomers, Question::loops_and_monomers, Question::rings_and_monomers,
                       Question::monomer_marginals}))
    return instance.monomer_weight.text;
  return {};
}

std::string ring_weight_of(const Instance& instance, Question question) {
  if (question == Question::ring_polynomial) return "x";
  return among(question, {Question::weighed_rings, Question::rings_and_monomers}) ? instance.ring_weight.text
                                                                                  : "";
}

bool values_always_count(Question question) {
  return among(question,
               {Question::minors, Question::minors_of_rectangle, Question::probability, Question::permanent,
                Question::hafnian, Question::loop_hafnian, Question::determinant, Question::pfaffian});
}

}  // namespace

namespace {

/// Of some products the format is told from the text.
bool is_told_by_content(const Instance& instance, const Product& product) {
  return product.seed / 3 % 3 == 1 && !instance.ties.empty() &&
         among(product.form(), {Form::matrix_market, Form::array, Form::dimacs, Form::graphml, Form::dot,
                                Form::gml, Form::gexf, Form::pajek, Form::json, Form::metis, Form::tgf,
                                Form::separated, Form::npy, Form::npz});
}

/// Of some products the name of the file says the format, and no option.
std::string ending_of(const Instance& instance, const Product& product) {
  if (product.seed / 3 % 3 != 0 || product.form() == Form::lattice) return {};
  // # alone may be a board of one square.
  if (product.form() == Form::tgf && instance.ties.empty()) return {};
  // Letters of a matrix may be labels of its rows and columns, if no option says otherwise.
  if (product.form() == Form::dense && (!instance.letters.empty() || !instance.at.empty())) return {};
  Format format = format_of(product.form());
  if (product.form() == Form::columns && table_columns(instance, product).delimiter == ' ')
    format = Format::edge_list;
  const auto info = std::find_if(formats().begin(), formats().end(),
                                 [&](const FormatInfo& known) { return known.format == format; });
  std::vector<std::string_view> endings = info->endings;
  // Other texts of the same formats.
  std::erase_if(endings, [](std::string_view ending) {
    return ending == ".lgl" || ending == ".gdf" || ending == ".pbm";
  });
  return std::string(endings[product.seed % endings.size()]);
}

}  // namespace

TableColumns table_columns(const Instance& instance, const Product& product) {
  TableColumns columns;
  columns.delimiter = ",;\t "[product.seed % 4];
  columns.header = product.seed / 4 % 2 == 0;
  columns.weight_first = product.seed / 8 % 2 == 0;
  if (columns.header && product.seed / 16 % 2 == 0) {
    columns.ends = "begin,finish";
    columns.weight = "mass";
  } else {
    columns.ends = !columns.weight_first ? "2,3" : instance.written ? "2,4" : "1,3";
    columns.weight = columns.weight_first ? "1" : "4";
  }
  if (!instance.written) columns.weight.clear();
  return columns;
}

std::string bytes_of(const Instance& instance, const Product& product, bool other) {
  if (product.form() != Form::lattice) return file_text(instance, product, other);
  std::string spec = "lattice:" + instance.spec;
  std::vector<std::string> weights = instance.direction_texts;
  if (other) {
    const std::size_t directions = instance.spec.starts_with("complete") ? 1
                                   : instance.spec.starts_with("honey") || instance.spec.starts_with("tri") ||
                                           instance.spec.starts_with("cubic")
                                       ? 3
                                       : 2;
    weights.assign(directions, "2/3");
  }
  for (std::size_t d = 0; d < weights.size(); ++d) spec += (d == 0 ? ":weights=" : ",") + weights[d];
  return spec;
}

Source source_of(const Instance& instance, const Product& product, bool other) {
  const std::string bytes = bytes_of(instance, product, other);
  return product.form() == Form::lattice
             ? Source::from_argument(bytes)
             : Source::from_bytes(bytes, "product" + ending_of(instance, product));
}

ReadOptions reading_of(const Instance& instance, const Product& product) {
  const Question question = product.question();
  ReadOptions reading;
  if (product.form() != Form::lattice) reading.format = format_of(product.form());
  if (product.form() != Form::hyper) {
    reading.kind = graph_kind(instance.kind);
    // Where the format says that edges are undirected, --kind directed makes an arc each way as well.
    const bool says_undirected =
        among(product.form(), {Form::graph6, Form::sparse6, Form::metis, Form::separated});
    reading.symmetric = instance.symmetric && !(says_undirected && product.seed % 2 == 0);
  }
  reading.weights = instance.weighted || values_always_count(question) ||
                    (product.weights() == products::Weights::none && product.seed % 3 == 0);
  if (product.form() == Form::columns) {
    const TableColumns columns = table_columns(instance, product);
    if (columns.delimiter == ' ') reading.format = Format::edge_list;
    reading.first_line = columns.header ? FirstLine::header : FirstLine::edge;
    reading.end_columns = columns.ends;
    if (reading.weights || among(question, {Question::ground_min, Question::ground_max}))
      reading.weight_column = columns.weight;
  }
  if (!ending_of(instance, product).empty() || is_told_by_content(instance, product)) reading.format.reset();
  reading.letters = reads_letters(question);
  reading.exact = instance.exact;
  reading.at = instance.at;
  if (product.edit() == Edit::loops_dropped) reading.loops = LoopPolicy::drop;
  if (among(question, {Question::loops, Question::loops_and_monomers})) reading.loops = LoopPolicy::monomer;
  if (product.edit() == Edit::parallel_summed) reading.multi = MultiPolicy::sum;
  if (product.edit() == Edit::listed_again) reading.multi = MultiPolicy::first;
  if (product.edit() == Edit::removed) {
    const auto remove = [&](int vertex, const std::vector<std::string>& labels,
                            const std::vector<std::string>& others, const char* side) {
      if (vertex < 0) return;
      const std::string& label = labels[static_cast<std::size_t>(vertex)];
      const bool both = std::find(others.begin(), others.end(), label) != others.end();
      reading.remove.push_back((both ? side : "") + label);
    };
    remove(instance.removed_left, instance.left_label, instance.right_label, "left:");
    remove(instance.removed_right, instance.right_label, instance.left_label, "right:");
  }
  reading.monomers = monomers_of(instance, question);
  reading.ring_weight = ring_weight_of(instance, question);
  if (!reading.ring_weight.empty()) reading.rings = instance.ring_lengths;
  if (question == Question::ground_min) reading.ground_state = Extremum::minimum;
  if (question == Question::ground_max) reading.ground_state = Extremum::maximum;
  if (among(question, {Question::degree, Question::named_degrees}))
    reading.degree = static_cast<Index>(instance.degree);
  if (question == Question::repeated_lines) {
    reading.rows = instance.rows;
    reading.columns = instance.columns;
  }
  return reading;
}

Input input_of(const Instance& instance, const Product& product, bool other) {
  const Form form = product.form();
  const ReadOptions reading = reading_of(instance, product);
  if (!among(form, {Form::edge_view, Form::sparse_view}))
    return {source_of(instance, product, other), reading};
  Input input(read_arrays(instance, product, other));
  if (reading.exact) input = exactly(input);
  if (!reading.monomers.empty()) input = with_monomers(input, reading.monomers);
  if (!reading.rings.empty()) input = with_rings(input, reading.rings, reading.ring_weight);
  if (reading.ground_state) input = ground_states(input, *reading.ground_state);
  if (reading.degree) input = with_degree(input, *reading.degree);
  if (reading.exact && product.question() != Question::matching_polynomial &&
      product.question() != Question::ring_polynomial)
    input = exactly(input);  // weights of vertices and rings as well
  if (reading.rows) input = with_copies(input, reading.rows, reading.columns);
  return input;
}

std::string command_line(const Instance& instance, const Product& product) {
  const Question question = product.question();
  const ReadOptions reading = reading_of(instance, product);
  const auto quoted = [](const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      const bool plain = byte >= 32 && byte < 127 && c != '\\' && c != '\'';
      result += c == '\n'  ? std::string("\\n")
                : c == '%' ? std::string("%%")
                : plain    ? std::string(1, c)
                           : fmt::format("\\{:03o}", byte);
    }
    return result + "'";
  };
  const bool lattice = product.form() == Form::lattice;
  const std::string ending = ending_of(instance, product);
  const std::string file = ending.empty() ? "-" : "product" + ending;
  std::string line = lattice ? ""
                             : "printf " + quoted(bytes_of(instance, product)) +
                                   (ending.empty() ? " | " : " > " + file + "; ");
  line += "countpm ";
  switch (question) {
    case Question::minors:
    case Question::minors_of_rectangle:
      line += "minors ";
      break;
    case Question::probability:
      line += "probability ";
      break;
    case Question::determinant:
      line += "determinant ";
      break;
    case Question::pfaffian:
      line += "pfaffian ";
      break;
    case Question::marginals:
    case Question::exact_marginals:
    case Question::monomer_marginals:
    case Question::maximum_marginals:
    case Question::pairs:
      line += "marginals ";
      break;
    case Question::ratio:
    case Question::integral:
    case Question::signed_sum:
    case Question::estimate:
      line += "estimate ";
      break;
    case Question::bounds:
      line += "explain ";
      break;
    case Question::list:
    case Question::orbit_list:
      line += "list ";
      break;
    case Question::kekule:
      line += "chem ";
      break;
    case Question::series:
      line += "many ";
      break;
    default:
      break;
  }
  line += lattice ? bytes_of(instance, product) : file;
  if (reading.format) line += " --format " + std::string(countpm::name_of(*reading.format));
  if (reading.kind && !lattice)
    line += std::string(" --kind ") + (reading.symmetric ? "symmetric" : countpm::name_of(*reading.kind));
  if (reading.weights) line += " --weights";
  if (reading.exact) line += " --exact";
  for (const std::string& at : reading.at) line += " --at '" + at + "'";
  if (reading.loops == LoopPolicy::drop) line += " --loops drop";
  if (reading.loops == LoopPolicy::monomer) line += " --loops monomer";
  if (reading.multi == MultiPolicy::sum) line += " --multi sum";
  if (reading.multi == MultiPolicy::first) line += " --multi first";
  if (reading.first_line != FirstLine::automatic)
    line += reading.first_line == FirstLine::edge ? " --first-line edge" : " --first-line header";
  if (!reading.end_columns.empty()) line += " --ends " + reading.end_columns;
  if (!reading.weight_column.empty()) line += " --weight-column " + reading.weight_column;
  for (const std::string& label : reading.remove) line += " --remove " + label;
  if (!reading.rings.empty())
    line += " --rings " + numbers(reading.rings) + " --ring-weight '" + reading.ring_weight + "'";
  if (!reading.monomers.empty()) line += " --monomers '" + reading.monomers + "'";
  if (reading.ground_state)
    line += *reading.ground_state == Extremum::minimum ? " --ground-state min" : " --ground-state max";
  if (reading.degree) line += " --degree " + std::to_string(*reading.degree);
  if (reading.rows) line += " --rows " + numbers(instance.rows) + " --cols " + numbers(instance.columns);
  if (question == Question::probability)
    line += " --in " + numbers(instance.columns) + " --out " + numbers(instance.rows);
  if (question == Question::minors && instance.column >= 0)
    line += " --column " + (instance.kind == Kind::bipartite
                                ? instance.right_label
                                : instance.left_label)[static_cast<std::size_t>(instance.column)];
  if (among(question, {Question::maximum, Question::maximum_marginals})) line += " --maximum";
  if (among(question,
            {Question::exact_marginals, Question::monomer_marginals, Question::maximum_marginals}) &&
      !reading.exact)
    line += " --exact";
  if (among(question, {Question::orbits, Question::orbit_list})) line += " --up-to-symmetry";
  if (question == Question::ln_z) line += " --ln-z";
  if (question == Question::signed_sum) line += " --signed";
  if (question == Question::integral)
    line += " --integrate x=" + instance.range.first.get_str() + ":" + instance.range.second.get_str();
  if (question == Question::ratio) line += " --ratio-to OTHER";
  if (question == Question::count_or_bounds) line += " --on-limit bounds --time-limit 0.001s";
  if (product[Dimension::method] > 0) line += " --method " + product.text(Dimension::method);
  switch (product.arithmetic()) {
    case Arithmetic::mpfr_64:
      line += " --arithmetic 64";
      break;
    case Arithmetic::mpfr_300:
      line += " --arithmetic 300";
      break;
    case Arithmetic::kahan:
      break;
    default:
      line += " --arithmetic " + product.text(Dimension::arithmetic);
      break;
  }
  const std::uint8_t rule = product[Dimension::reductions];
  for (std::size_t r = 2; r < values(Dimension::reductions).size(); ++r)
    if (rule == 1 || rule == r) line += " --no-rule " + values(Dimension::reductions)[r].substr(3);
  if (product[Dimension::order] > 0) line += " --order " + product.text(Dimension::order);
  if (product.check() == Check::double_check) line += " --double-check";
  if (product.check() == Check::audit) line += " --audit 100%";
  line += " -j " + product.text(Dimension::threads);
  return line;
}

}  // namespace countpm::products
