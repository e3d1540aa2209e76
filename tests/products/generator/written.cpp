#include "tests/products/generator/written.hpp"

#include <algorithm>
#include <complex>
#include <map>

#include "src/library/countpm.hpp"

namespace countpm::products {
namespace {

/// What is written where.
class Writer {
 public:
  Writer(const Instance& instance, const Product& product, bool other)
      : in_(instance), product_(product), ties_(instance.ties), written_(instance.written) {
    if (!other) return;
    for (std::size_t t = 0; t < ties_.size(); ++t) ties_[t].weight = instance.other[t];
    if (instance.other_lacks_last) ties_.pop_back();
  }

  std::string text() const {
    switch (product_.form()) {
      case Form::edge_list:
        return edge_list();
      case Form::csv:
        return csv();
      case Form::matrix_market:
        return matrix_market();
      case Form::array:
        return array();
      case Form::dense:
        return dense();
      case Form::dimacs:
        return dimacs();
      case Form::graph6:
        return graph6();
      case Form::digraph6:
        return digraph6();
      case Form::sparse6:
        return sparse6();
      case Form::graphml:
        return graphml();
      case Form::dot:
        return dot();
      case Form::hyper:
        return hyper();
      default:
        return {};
    }
  }

 private:
  bool bipartite() const { return in_.kind == Kind::bipartite; }
  bool arcs() const { return in_.kind == Kind::directed && !in_.symmetric; }
  const std::string& from(const Tie& tie) const { return in_.left_label[static_cast<std::size_t>(tie.from)]; }
  const std::string& to(const Tie& tie) const {
    return (bipartite() ? in_.right_label : in_.left_label)[static_cast<std::size_t>(tie.to)];
  }
  int columns() const { return bipartite() ? in_.right : in_.left; }

  std::string edge_list() const {
    std::string text;
    if (in_.left + in_.right == 0) text += "#! empty\n";
    const auto declare = [&](const std::vector<std::string>& labels, const char* side, int first) {
      for (std::size_t v = 0; v < labels.size(); ++v) {
        text += "#! " + std::string(side) + " " + labels[v];
        for (const auto& [named, degree] : in_.named_degrees)
          if (named == static_cast<int>(v) + first) text += " degree " + std::to_string(degree);
        text += '\n';
      }
    };
    declare(in_.left_label, bipartite() ? "left" : "vertex", 0);
    declare(in_.right_label, "right", in_.left);
    for (const Tie& tie : ties_)
      text += from(tie) + " " + to(tie) + (written_ ? " " + tie.weight.text : "") + "\n";
    return text;
  }

  std::string csv() const {
    std::string text = written_ ? "source,target,weight\n" : "source,target\n";
    for (const Tie& tie : ties_)
      text += from(tie) + "," + to(tie) + (written_ ? ",\"" + tie.weight.text + "\"" : "") + "\n";
    return text;
  }

  /// All entries, those of an undirected graph on both sides of the diagonal.
  std::vector<Tie> entries() const {
    std::vector<Tie> all = ties_;
    if (in_.kind != Kind::undirected) return all;
    for (const Tie& tie : ties_)
      if (tie.from != tie.to) all.push_back({tie.to, tie.from, tie.weight});
    return all;
  }

  const char* field() const {
    switch (product_.weights()) {
      case Weights::none:
        return "pattern";
      case Weights::decimal:
      case Weights::negative_decimal:
      case Weights::exact_decimal:
        return "real";
      case Weights::complex_integer:
      case Weights::complex_decimal:
      case Weights::exact_complex:
        return "complex";
      default:
        return "integer";
    }
  }

  std::string market_value(const Literal& weight) const {
    if (std::string_view(field()) != "complex") return weight.text;
    return weight.re + " " + (weight.im.empty() ? "0" : weight.im);
  }

  std::string matrix_market() const {
    const bool half = in_.kind == Kind::undirected && product_.seed % 2 == 0;
    std::vector<Tie> all = half ? ties_ : entries();
    std::string text = std::string("%%MatrixMarket matrix coordinate ") + field() +
                       (half ? " symmetric\n" : " general\n") + std::to_string(in_.left) + " " +
                       std::to_string(columns()) + " " + std::to_string(all.size()) + "\n";
    for (const Tie& tie : all) {
      const int row = half ? std::max(tie.from, tie.to) : tie.from;
      const int column = half ? std::min(tie.from, tie.to) : tie.to;
      text += std::to_string(row + 1) + " " + std::to_string(column + 1);
      if (written_) text += " " + market_value(tie.weight);
      text += '\n';
    }
    return text;
  }

  std::map<std::pair<int, int>, const Literal*> places(const std::vector<Tie>& all) const {
    std::map<std::pair<int, int>, const Literal*> found;
    for (const Tie& tie : all) found[{tie.from, tie.to}] = &tie.weight;
    return found;
  }

  std::string array() const {
    const char* const kind = product_.weights() == Weights::none ? "integer" : field();
    const std::string zero = std::string_view(kind) == "complex" ? "0 0" : "0";
    std::string text = std::string("%%MatrixMarket matrix array ") + kind + " general\n" +
                       std::to_string(in_.left) + " " + std::to_string(columns()) + "\n";
    const std::vector<Tie> all = entries();
    const auto found = places(all);
    for (int j = 0; j < columns(); ++j) {
      for (int i = 0; i < in_.left; ++i) {
        const auto place = found.find({i, j});
        text += (place == found.end() ? zero : market_value(*place->second)) + "\n";
      }
    }
    return text;
  }

  std::string dense() const {
    std::string text;
    const std::vector<Tie> all = entries();
    const auto found = places(all);
    for (int i = 0; i < in_.left; ++i) {
      for (int j = 0; j < columns(); ++j) {
        const auto place = found.find({i, j});
        if (j > 0) text += ' ';
        text += place == found.end() ? "0" : written_ ? place->second->text : "1";
      }
      text += '\n';
    }
    return text;
  }

  std::string dimacs() const {
    std::string text = "c a product of features\np " + std::string(arcs() ? "sp " : "edge ") +
                       std::to_string(in_.left) + " " + std::to_string(ties_.size()) + "\n";
    for (const Tie& tie : ties_)
      text += std::string(arcs() ? "a " : "e ") + from(tie) + " " + to(tie) +
              (written_ ? " " + tie.weight.text : "") + "\n";
    return text;
  }

  static std::string size_bytes(int size) {
    if (size < 63) return {static_cast<char>(63 + size)};
    return {'~', static_cast<char>(63 + size / 4096), static_cast<char>(63 + size / 64 % 64),
            static_cast<char>(63 + size % 64)};
  }

  static std::string six_bits(std::vector<bool> bits, bool fill) {
    while (bits.size() % 6 != 0) bits.push_back(fill);
    std::string text;
    for (std::size_t b = 0; b < bits.size(); b += 6) {
      int value = 0;
      for (std::size_t k = 0; k < 6; ++k) value = 2 * value + (bits[b + k] ? 1 : 0);
      text += static_cast<char>(63 + value);
    }
    return text;
  }

  std::string graph6() const {
    const std::vector<Tie> all = both_ways();
    const auto found = places(all);
    std::vector<bool> bits;
    for (int j = 0; j < in_.left; ++j)
      for (int i = 0; i < j; ++i) bits.push_back(found.contains({i, j}));
    return size_bytes(in_.left) + six_bits(bits, false) + "\n";
  }

  std::string digraph6() const {
    const auto found = places(ties_);
    std::vector<bool> bits;
    for (int i = 0; i < in_.left; ++i)
      for (int j = 0; j < in_.left; ++j) bits.push_back(found.contains({i, j}));
    return "&" + size_bytes(in_.left) + six_bits(bits, false) + "\n";
  }

  std::string sparse6() const {
    std::vector<std::pair<int, int>> pairs;
    for (const Tie& tie : ties_) pairs.emplace_back(std::max(tie.from, tie.to), std::min(tie.from, tie.to));
    std::sort(pairs.begin(), pairs.end());
    int width = 0;
    while ((1 << width) < in_.left) ++width;
    std::vector<bool> bits;
    const auto number = [&](int value) {
      for (int b = width - 1; b >= 0; --b) bits.push_back((value >> b & 1) != 0);
    };
    int current = 0;
    for (const auto& [v, u] : pairs) {
      if (v == current + 1) {
        bits.push_back(true);
        ++current;
      } else if (v == current) {
        bits.push_back(false);
      } else {
        bits.push_back(true);
        number(v);
        bits.push_back(false);
        current = v;
      }
      number(u);
    }
    const int free = static_cast<int>((6 - bits.size() % 6) % 6);
    if (width < 6 && in_.left == (1 << width) && free >= width && current < in_.left - 1)
      bits.push_back(false);
    return ":" + size_bytes(in_.left) + six_bits(bits, true) + "\n";
  }

  /// Undirected edges with either end first.
  std::vector<Tie> both_ways() const {
    std::vector<Tie> all = ties_;
    for (const Tie& tie : ties_) all.push_back({tie.to, tie.from, tie.weight});
    return all;
  }

  std::string graphml() const {
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml "
        "xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
        "<key id=\"w\" for=\"edge\" attr.name=\"weight\" attr.type=\"string\"/>\n<graph id=\"G\" "
        "edgedefault=\"" +
        std::string(arcs() ? "directed" : "undirected") + "\">\n";
    for (const std::string& label : in_.left_label) text += "<node id=\"" + label + "\"/>\n";
    for (const Tie& tie : ties_) {
      text += R"(<edge source=")" + from(tie) + R"(" target=")" + to(tie) + "\"";
      text += written_ ? "><data key=\"w\">" + tie.weight.text + "</data></edge>\n" : "/>\n";
    }
    return text + "</graph>\n</graphml>\n";
  }

  std::string dot() const {
    std::string text = arcs() ? "digraph {\n" : "graph {\n";
    for (const std::string& label : in_.left_label) text += "  " + label + ";\n";
    for (const Tie& tie : ties_)
      text += "  " + from(tie) + (arcs() ? " -> " : " -- ") + to(tie) +
              (written_ ? " [weight=\"" + tie.weight.text + "\"]" : "") + ";\n";
    return text + "}\n";
  }

  std::string hyper() const {
    std::string text = in_.left == 0 ? "#! empty\n" : "";
    for (const std::string& label : in_.left_label) text += "#! vertex " + label + "\n";
    for (const MarkedSet& set : in_.sets) {
      for (std::size_t k = 0; k < set.members.size(); ++k)
        text += (k == 0 ? "" : " ") + in_.left_label[static_cast<std::size_t>(set.members[k])];
      text += (written_ ? " ; " + set.weight.text : "") + "\n";
    }
    return text;
  }

  const Instance& in_;
  const Product& product_;
  std::vector<Tie> ties_;
  bool written_;
};

Format format_of(Form form) {
  switch (form) {
    case Form::csv:
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
    case Form::hyper:
      return Format::hyper;
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

std::string bytes_of(const Instance& instance, const Product& product, bool other) {
  if (product.form() != Form::lattice) return Writer(instance, product, other).text();
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
  return product.form() == Form::lattice ? Source::from_argument(bytes)
                                         : Source::from_bytes(bytes, "product");
}

ReadOptions reading_of(const Instance& instance, const Product& product) {
  const Question question = product.question();
  ReadOptions reading;
  if (product.form() != Form::lattice) reading.format = format_of(product.form());
  if (product.form() != Form::hyper) {
    reading.as = graph_kind(instance.kind);
    reading.symmetric = instance.symmetric;
  }
  reading.weights = instance.weighted || values_always_count(question) ||
                    (product.weights() == products::Weights::none && product.seed % 3 == 0);
  reading.letters = reads_letters(question);
  reading.exact = instance.exact;
  reading.at = instance.at;
  if (product.edit() == Edit::loops_dropped) reading.loops = LoopPolicy::drop;
  if (among(question, {Question::loops, Question::loops_and_monomers})) reading.loops = LoopPolicy::monomer;
  if (product.edit() == Edit::parallel_summed) reading.multi = MultiPolicy::sum;
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
  if (reading.rows) input = with_repeated_lines(input, reading.rows, reading.columns);
  return input;
}

std::string command_line(const Instance& instance, const Product& product) {
  const Question question = product.question();
  const ReadOptions reading = reading_of(instance, product);
  const auto quoted = [](const std::string& text) {
    std::string result = "'";
    for (const char c : text)
      result += c == '\n' ? std::string("\\n") : c == '%' ? std::string("%%") : std::string(1, c);
    return result + "'";
  };
  const bool lattice = product.form() == Form::lattice;
  std::string line = lattice ? "" : "printf " + quoted(bytes_of(instance, product)) + " | ";
  line += "countpm ";
  switch (question) {
    case Question::minors:
    case Question::minors_of_rectangle:
      line += "minors ";
      break;
    case Question::probability:
      line += "probability ";
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
      line += "series ";
      break;
    default:
      break;
  }
  line += lattice ? bytes_of(instance, product) : "-";
  if (reading.format) line += " --format " + std::string(countpm::name_of(*reading.format));
  if (reading.as && !lattice)
    line += std::string(" --as ") + (reading.symmetric ? "symmetric" : countpm::name_of(*reading.as));
  if (reading.weights) line += " --weights";
  if (reading.exact) line += " --exact";
  for (const std::string& at : reading.at) line += " --at '" + at + "'";
  if (reading.loops == LoopPolicy::drop) line += " --loops drop";
  if (reading.loops == LoopPolicy::monomer) line += " --loops monomer";
  if (reading.multi == MultiPolicy::sum) line += " --multi sum";
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
  if (question == Question::log_only) line += " --log-only";
  if (question == Question::signed_sum) line += " --signed";
  if (question == Question::integral)
    line += " --integrate x=" + instance.range.first.get_str() + ":" + instance.range.second.get_str();
  if (question == Question::ratio) line += " --ratio-to OTHER";
  if (question == Question::count_or_bounds) line += " --on-limit bounds --time-limit 0.001s";
  if (product[Dimension::method] > 0) line += " --method " + product.text(Dimension::method);
  switch (product.arithmetic()) {
    case Arithmetic::mpfr_64:
      line += " --precision 64";
      break;
    case Arithmetic::mpfr_300:
      line += " --precision 300";
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
