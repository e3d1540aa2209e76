#include "kernels/passes/tree_passes.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/counter_random.hpp"

namespace countpm {
namespace {

// Of the sums that choices are compared by first, beside what is compared.
constexpr mpfr_prec_t spare_bits = 128;

mpfr_prec_t wider(const BigFloat& a, const BigFloat& b) {
  return std::max(a.bits(), b.bits());
}

BigFloat sum_of(const BigFloat& a, const BigFloat& b, mpfr_rnd_t round) {
  BigFloat result(wider(a, b));
  mpfr_add(result.get(), a.get(), b.get(), round);
  return result;
}
BigFloat product_of(const BigFloat& a, const BigFloat& b, mpfr_rnd_t round) {
  BigFloat result(wider(a, b));
  mpfr_mul(result.get(), a.get(), b.get(), round);
  return result;
}

/// Numbers by their kind: exact ones, or enclosures of some bits.
template <class Number>
struct Kind {
  mpfr_prec_t bits = 0;

  Number of(const mpz_class& value) const {
    if constexpr (std::is_same_v<Number, Enclosed>) {
      return {value, bits};
    } else {
      return value;
    }
  }
};

/// Children of a vertex: all of them settled, and one of them matched with it.
template <class Number>
struct Children {
  Leading<Number> settled;
  Leading<Number> matched;

  friend Children operator*(const Children& a, const Children& b) {
    return {a.settled * b.settled, a.matched * b.settled + a.settled * b.matched};
  }
};

/// The sums of a tree, its weights as fractions over whose denominators all is multiplied.
template <class Number>
class Sums {
 public:
  using Term = Leading<Number>;

  /// absolute: of the weights without their signs.
  Sums(const WeightedTree& tree, const std::vector<Index>& first_child, Kind<Number> kind, bool absolute)
      : tree_(tree), first_child_(first_child), kind_(kind), absolute_(absolute) {}

  void go_up() {
    const auto vertices = static_cast<Index>(tree_.parent.size());
    left_.resize(vertices);
    settled_.resize(vertices);
    StopPoll poll;
    for (Index v = vertices; v-- > 0;) {
      poll.step();
      Children<Number> all = none();
      for (Index c = first_child_[v]; c < first_child_[v + std::size_t{1}]; ++c) all = all * child(c);
      left_[v] = alone_denominator(v) * all.settled;
      settled_[v] = alone(v) * all.settled + alone_denominator(v) * all.matched;
    }
  }

  const Term& total() const { return settled_.front(); }
  const std::vector<Term>& left() const { return left_; }
  const std::vector<Term>& settled() const { return settled_; }

  TreeUses<Number> go_down() const {
    const auto vertices = static_cast<Index>(tree_.parent.size());
    TreeUses<Number> uses;
    uses.total = total().sum;
    uses.edge.resize(vertices);
    uses.alone.resize(vertices);
    // Of the rest of the tree, where the vertex is not matched with its parent and where it is.
    std::vector<Term> with_settled(vertices);
    std::vector<Term> with_left(vertices);
    with_settled.front() = {0, kind_.of(1)};
    StopPoll poll;
    std::vector<Children<Number>> before;  // of a vertex's children, those before each
    for (Index v = 0; v < vertices; ++v) {
      poll.step();
      const Index first = first_child_[v];
      const Index last = first_child_[v + std::size_t{1}];
      before.assign(1, none());
      for (Index c = first; c < last; ++c) before.push_back(before.back() * child(c));
      uses.alone[v] = counted(alone(v) * before.back().settled * with_settled[v]);
      const Term other = alone(v) * with_settled[v] + alone_denominator(v) * with_left[v];
      const Term free = alone_denominator(v) * with_settled[v];
      Children<Number> behind = none();
      for (Index c = last; c-- > first;) {
        const Children<Number> others = before[c - first] * behind;
        with_settled[c] = passed(c) * (other * others.settled + free * others.matched);
        with_left[c] = taken(c) * free * others.settled;
        uses.edge[c] = counted(left_[c] * with_left[c]);
        behind = child(c) * behind;
      }
      with_settled[v] = with_left[v] = Term{};
    }
    return uses;
  }

  /// What the matchings weigh that match the vertex with each child, and those that leave it alone, where
  /// that is not 0.
  std::vector<std::pair<Index, Number>> choices(Index v) const {
    const Index first = first_child_[v];
    const Index last = first_child_[v + std::size_t{1}];
    std::vector<Term> before{{0, kind_.of(1)}};
    for (Index c = first; c < last; ++c) before.push_back(before.back() * child(c).settled);
    std::vector<Term> terms(last - first + std::size_t{1});
    terms.back() = alone(v) * before.back();
    Term behind{0, kind_.of(1)};
    for (Index c = last; c-- > first;) {
      terms[c - first] = alone_denominator(v) * before[c - first] * behind * child(c).matched;
      behind = child(c).settled * behind;
    }
    std::vector<std::pair<Index, Number>> result;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      if (terms[k].exists() && terms[k].edges == settled_[v].edges && !(terms[k].sum == kind_.of(0)))
        result.emplace_back(k + 1 == terms.size() ? v : first + static_cast<Index>(k),
                            std::move(terms[k].sum));
    }
    return result;
  }

 private:
  Term term(const mpz_class& value, std::int64_t edges) const {
    return {edges, kind_.of(absolute_ ? mpz_class(abs(value)) : value)};
  }
  Term taken(Index v) const { return term(tree_.edge[v].get_num(), tree_.maximum ? 1 : 0); }
  Term passed(Index v) const { return term(tree_.edge[v].get_den(), 0); }
  Term alone(Index v) const { return term(tree_.alone[v].get_num(), 0); }
  Term alone_denominator(Index v) const { return term(tree_.alone[v].get_den(), 0); }

  Children<Number> none() const { return {{0, kind_.of(1)}, {}}; }
  Children<Number> child(Index c) const { return {passed(c) * settled_[c], taken(c) * left_[c]}; }

  /// 0 where no matching with the most edges is among them.
  Number counted(const Term& sum) const {
    return sum.exists() && sum.edges == total().edges ? sum.sum : Number{};
  }

  const WeightedTree& tree_;
  const std::vector<Index>& first_child_;
  Kind<Number> kind_;
  bool absolute_;
  std::vector<Term> left_;
  std::vector<Term> settled_;
};

using Choices = std::vector<std::pair<Index, Enclosed>>;

/// The sums of the choices up to each, as shares of the whole: their first bits, rounded down, or one less.
std::vector<mpz_class> limits(const Choices& choices, const Enclosed& whole, std::uint64_t bits) {
  std::vector<mpz_class> result;
  result.reserve(choices.size());
  BigFloat up_to(whole.low.bits());
  BigFloat share(whole.low.bits());
  for (const auto& [mate, weight] : choices) {
    mpfr_add(up_to.get(), up_to.get(), weight.low.get(), MPFR_RNDD);
    mpfr_div(share.get(), up_to.get(), whole.high.get(), MPFR_RNDD);
    mpfr_mul_2ui(share.get(), share.get(), bits, MPFR_RNDD);
    mpfr_get_z(result.emplace_back().get_mpz_t(), share.get(), MPFR_RNDD);
  }
  return result;
}

/// So many more bits, behind those that there are.
void add_random_bits(std::uint64_t bits, CounterRandom& random, mpz_class& number) {
  for (; bits > 0; bits -= std::min<std::uint64_t>(bits, 32)) {
    const std::uint64_t some = std::min<std::uint64_t>(bits, 32);
    number = (number << some) + static_cast<std::uint64_t>(random.next() >> (64 - some));
  }
}

}  // namespace

Enclosed::Enclosed(const mpz_class& number, mpfr_prec_t bits) : low(bits), high(bits) {
  mpfr_set_z(low.get(), number.get_mpz_t(), MPFR_RNDD);
  mpfr_set_z(high.get(), number.get_mpz_t(), MPFR_RNDU);
}

bool Enclosed::operator==(const Enclosed& other) const {
  return mpfr_equal_p(low.get(), other.low.get()) != 0 && mpfr_equal_p(high.get(), other.high.get()) != 0;
}

Enclosed operator+(const Enclosed& a, const Enclosed& b) {
  Enclosed result;
  result.low = sum_of(a.low, b.low, MPFR_RNDD);
  result.high = sum_of(a.high, b.high, MPFR_RNDU);
  return result;
}

Enclosed operator*(const Enclosed& a, const Enclosed& b) {
  Enclosed result;
  result.low = product_of(a.low, b.low, MPFR_RNDD);
  result.high = product_of(a.high, b.high, MPFR_RNDU);
  return result;
}

TreePasses::TreePasses(WeightedTree tree, unsigned closeness)
    : tree_(std::move(tree)), closeness_(closeness) {
  const Index size = vertices();
  first_child_.assign(size + std::size_t{1}, size);
  for (Index v = size; v-- > 1;) first_child_[tree_.parent[v]] = v;
  for (Index v = size; v-- > 0;)
    first_child_[v] = std::min(first_child_[v], first_child_[v + std::size_t{1}]);
  for (Index v = 0; v < size; ++v)
    negative_ = negative_ || tree_.alone[v] < 0 || (v > 0 && tree_.edge[v] < 0);
  constexpr mpfr_prec_t few_bits = 64;
  Sums<Enclosed> sums(tree_, first_child_, {few_bits}, true);
  sums.go_up();
  zero_ = sums.total().sum.high.is_zero();
  for (const auto* list : {&sums.left(), &sums.settled()}) {
    for (const Leading<Enclosed>& sum : *list) {
      if (!sum.sum.high.is_zero())
        bits_ = std::max(bits_, static_cast<std::int64_t>(mpfr_get_exp(sum.sum.high.get())));
    }
  }
}

TreeUses<mpz_class> TreePasses::exact_uses() const {
  Sums<mpz_class> sums(tree_, first_child_, {}, false);
  sums.go_up();
  return sums.go_down();
}

TreeUses<Enclosed> TreePasses::enclosed_uses(mpfr_prec_t bits) const {
  Sums<Enclosed> sums(tree_, first_child_, {bits}, false);
  sums.go_up();
  return sums.go_down();
}

void TreePasses::prepare_draws() {
  Sums<Enclosed> sums(tree_, first_child_, {static_cast<mpfr_prec_t>(closeness_) + spare_bits}, false);
  sums.go_up();
  first_choice_.reserve(vertices() + std::size_t{1});
  first_choice_.push_back(0);
  StopPoll poll;
  for (Index v = 0; v < vertices(); ++v) {
    const Choices choices = sums.choices(v);
    poll.steps(choices.size());
    const std::vector<mpz_class> limit = limits(choices, sums.settled()[v].sum, closeness_);
    for (std::size_t k = 0; k < choices.size(); ++k)
      choices_.push_back({choices[k].first, limit[k].get_ui()});
    first_choice_.push_back(choices_.size());
  }
}

std::vector<mpz_class> TreePasses::limits_of(Index vertex, std::uint64_t bits) const {
  Sums<Enclosed> sums(tree_, first_child_, {static_cast<mpfr_prec_t>(bits) + spare_bits}, false);
  sums.go_up();
  return limits(sums.choices(vertex), sums.settled()[vertex].sum, bits);
}

Index TreePasses::choose(Index vertex, CounterRandom& random) const {
  const auto first = choices_.begin() + static_cast<std::ptrdiff_t>(first_choice_[vertex]);
  const auto last = choices_.begin() + static_cast<std::ptrdiff_t>(first_choice_[vertex + std::size_t{1}]);
  if (last - first == 1) return first->mate;
  // The number is below the limit of the choice and not below the one before it. The last one has no limit.
  std::uint64_t bits = closeness_;
  const std::uint64_t begun = random.next() >> (64 - bits);
  auto found = std::upper_bound(first, last - 1, begun, [](std::uint64_t number, const Choice& choice) {
    return number < choice.limit;
  });
  if (found == first || begun >= (found - 1)->limit + 2) return found->mate;
  mpz_class number(static_cast<std::uint64_t>(begun));
  while (true) {
    add_random_bits(bits, random, number);
    bits *= 2;
    const std::vector<mpz_class> limit = limits_of(vertex, bits);
    const auto above = std::upper_bound(limit.begin(), limit.end() - 1, number);
    if (above == limit.begin() || number >= *(above - 1) + 2) return (first + (above - limit.begin()))->mate;
  }
}

std::vector<Index> TreePasses::draw(std::uint64_t seed, std::uint64_t stream, std::uint64_t number) {
  if (first_choice_.empty()) prepare_draws();
  CounterRandom random(seed, stream, number);
  std::vector<Index> mate(vertices(), no_index);
  StopPoll poll;
  for (Index v = 0; v < vertices(); ++v) {
    poll.step();
    if (mate[v] != no_index) continue;
    mate[v] = choose(v, random);
    mate[mate[v]] = v;
  }
  return mate;
}

}  // namespace countpm
